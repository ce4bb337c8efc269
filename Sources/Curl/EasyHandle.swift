import CCurl
import HTTP
import Platform

/// Owns one libcurl easy handle and its error buffer. Used by one thread at a time (libcurl-thread(3)).
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init() throws(TransportError) {
        guard let pointer = curl_easy_init() else {
            errorText.deallocate()
            throw TransportError(.unreachable, "libcurl could not make a handle")
        }
        self.pointer = pointer
    }

    deinit {
        curl_easy_cleanup(pointer)
        errorText.deallocate()
    }

    /// Forgets every option; connections stay with the multi handle (curl_easy_reset(3)).
    func reset() {
        curl_easy_reset(pointer)
    }

    /// Lets libcurl write its messages to this handle's buffer; `reset` undoes it.
    func takeMessages() throws(TransportError) {
        errorText[0] = 0
        try check(tandem_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText))
    }

    func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(tandem_curl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, offset value: Int) throws(TransportError) {
        try check(tandem_curl_set_offset(pointer, option, curl_off_t(value)))
    }

    /// libcurl keeps a copy of the text.
    func set(_ option: CURLoption, _ value: String) throws(TransportError) {
        try check(tandem_curl_set_string(pointer, option, value))
    }

    func set(_ option: CURLoption, pointer value: UnsafeRawPointer?) throws(TransportError) {
        try check(tandem_curl_set_pointer(pointer, option, value))
    }

    func set(_ option: CURLoption, milliseconds value: Duration) throws(TransportError) {
        try set(option, Int(value.wholeMilliseconds))
    }

    func set(_ option: CURLoption, callback: @escaping curl_write_callback) throws(TransportError) {
        try check(tandem_curl_set_callback(pointer, option, callback))
    }

    /// Copies the bytes into libcurl; they are sent together with the headers where they are few.
    func setBody(_ bytes: [UInt8]) throws(TransportError) {
        try set(CURLOPT_POSTFIELDSIZE_LARGE, offset: bytes.count)
        let code = bytes.withUnsafeBytes { buffer in
            tandem_curl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, buffer.baseAddress ?? UnsafeRawPointer(errorText))
        }
        try check(code)
    }

    /// 0 where libcurl does not know.
    func long(_ info: CURLINFO) -> Int {
        var value = 0
        _ = tandem_curl_get_long(pointer, info, &value)
        return value
    }

    /// 0 where libcurl does not know.
    func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        _ = tandem_curl_get_offset(pointer, info, &value)
        return Int(value)
    }

    /// libcurl's own message for a code that this handle's transfer ended with.
    func message(for code: CURLcode) -> String {
        let text = String(cString: errorText)
        return text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
    }

    /// An option that this libcurl refuses: nothing has been sent.
    private func check(_ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else { throw TransportError(.unreachable, String(cString: curl_easy_strerror(code))) }
    }
}

extension Duration {
    /// At least one: zero means "no limit" to libcurl.
    var wholeMilliseconds: Int64 { max(1, milliseconds) }
}
