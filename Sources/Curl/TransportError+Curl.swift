import CCurl
import HTTP

extension TransportError {
    /// What a failed transfer means to its caller (libcurl-errors(3)).
    init(_ result: CURLcode, of handle: EasyHandle) {
        self.init(Self.code(for: result, of: handle), handle.message(for: result))
    }

    private static func code(for result: CURLcode, of handle: EasyHandle) -> Code {
        switch result {
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_URL_MALFORMAT,
            CURLE_PROXY:
            .unreachable
        case CURLE_SSL_CONNECT_ERROR:
            // A connection that was cut during the handshake ends with this code too.
            handle.long(CURLINFO_OS_ERRNO) == 0 ? .insecure : .unreachable
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
            .insecure
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            .malformed
        case CURLE_FILESIZE_EXCEEDED:
            .tooLarge
        default:
            handle.long(CURLINFO_REQUEST_SIZE) == 0 ? .unreachable : .interrupted
        }
    }
}
