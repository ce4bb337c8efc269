#pragma once
#include <curl/curl.h>
#include <sys/prctl.h>

// libcurl's setters and getters are variadic: one plain function for each type of value.
// The parentheses keep curl's own type-checking macros out.

static inline CURLcode tandem_curl_set_long(CURL *handle, CURLoption option, long value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode tandem_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode tandem_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode tandem_curl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode tandem_curl_set_callback(CURL *handle, CURLoption option, curl_write_callback value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode tandem_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLcode tandem_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

static inline CURLMcode tandem_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

static inline CURLcode tandem_curl_message_result(const CURLMsg *message) {
    return message->data.result;
}

static inline CURLcode tandem_curl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

/// The calling thread's name, as `top -H` shows it.
static inline void tandem_curl_name_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}
