#pragma once
#include <microhttpd.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

// libmicrohttpd's start and its getters are variadic: plain functions in their stead.

struct tandem_mhd_callbacks {
    void *context;
    MHD_AccessHandlerCallback access;
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void (*log)(void *context, const char *format, va_list arguments);
};

struct tandem_mhd_limits {
    size_t memory;
    unsigned int connections;
    unsigned int connections_per_address;
    unsigned int timeout_seconds;
};

/// Starts a daemon that has no thread of its own: its owner waits for its epoll descriptor and calls `MHD_run`.
/// The certificate and the key are PEM texts, or null for plain HTTP.
static inline struct MHD_Daemon *tandem_mhd_start(
    int listener, const struct tandem_mhd_callbacks *callbacks, const struct tandem_mhd_limits *limits,
    const char *certificate, const char *key) {
    unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *) certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *) key},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    if (certificate && key) { flags |= MHD_USE_TLS; }
    return MHD_start_daemon(
        flags, 0, NULL, NULL, callbacks->access, callbacks->context,
        MHD_OPTION_EXTERNAL_LOGGER, callbacks->log, callbacks->context,
        MHD_OPTION_LISTEN_SOCKET, listener,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks->target, callbacks->context,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
        MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits->memory,
        MHD_OPTION_CONNECTION_LIMIT, limits->connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits->connections_per_address,
        MHD_OPTION_CONNECTION_TIMEOUT, limits->timeout_seconds,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
        MHD_OPTION_ARRAY, (flags & MHD_USE_TLS) ? tls : none,
        MHD_OPTION_END);
}

/// The reply is framed by the connection's end, not by chunks.
static inline void tandem_mhd_end_with_connection(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

static inline int tandem_mhd_epoll_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

static inline int tandem_mhd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline void *tandem_mhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static const uint64_t tandem_mhd_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t tandem_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t tandem_mhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

/// The calling thread's name, as `top -H` shows it.
static inline void tandem_mhd_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}
