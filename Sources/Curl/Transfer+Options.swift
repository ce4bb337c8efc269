import CCurl
import HTTP

extension Transfer {
    /// Sets up a fresh easy handle for this transfer, which must outlive its use.
    func configure(_ handle: EasyHandle) throws(TransportError) {
        try handle.takeMessages()
        try setConnection(handle)
        try setLimits(handle)
        try setRequest(handle)
        try setCallbacks(handle)
    }

    private func setConnection(_ handle: EasyHandle) throws(TransportError) {
        try handle.set(CURLOPT_NOSIGNAL, 1)
        try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try handle.set(CURLOPT_FOLLOWLOCATION, 0)
        try handle.set(CURLOPT_TCP_NODELAY, 1)
        try handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        if let file = options.certificateAuthorityFile { try handle.set(CURLOPT_CAINFO, file) }
        if let path = endpoint.unixSocket {
            try handle.set(CURLOPT_UNIX_SOCKET_PATH, path)
            try handle.set(CURLOPT_PROXY, "")
        } else if let proxy = options.proxy {
            try handle.set(CURLOPT_PROXY, proxy)
        }
    }

    private func setLimits(_ handle: EasyHandle) throws(TransportError) {
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds: options.connectTimeout)
        guard case .collect(let limit) = sink else { return }
        try handle.set(CURLOPT_MAXFILESIZE_LARGE, offset: limit)
        if let total = options.totalTimeout { try handle.set(CURLOPT_TIMEOUT_MS, milliseconds: total) }
    }

    private func setRequest(_ handle: EasyHandle) throws(TransportError) {
        try handle.set(CURLOPT_URL, endpoint.base + request.target)
        try handle.set(CURLOPT_PATH_AS_IS, 1)  // an item's id may be ".."
        try handle.set(CURLOPT_USERAGENT, options.userAgent)
        let sendsBody = !request.body.isEmpty || request.method == .post || request.method == .put
        if sendsBody {
            try handle.set(CURLOPT_POST, 1)
            try handle.setBody(request.body)
        } else if request.method == .head {
            try handle.set(CURLOPT_NOBODY, 1)
        }
        if request.method != .head || sendsBody { try handle.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
        try setHeaders(handle, sendsBody: sendsBody)
    }

    /// Without the two empty fields libcurl would add a form's content type, and wait before it sends a large body.
    private func setHeaders(_ handle: EasyHandle, sendsBody: Bool) throws(TransportError) {
        var fields = request.headers
        for field in options.headers.fields where request.headers[field.name] == nil {
            fields.append(name: field.name, value: field.value)
        }
        try append("Expect:")
        if sendsBody && fields["Content-Type"] == nil { try append("Content-Type:") }
        for field in fields.fields {
            try append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        try handle.set(CURLOPT_HTTPHEADER, pointer: headerList)
    }

    private func append(_ line: String) throws(TransportError) {
        guard !line.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) else {
            throw TransportError(.unreachable, "a header field holds a line break: nothing was sent")
        }
        guard let list = curl_slist_append(headerList, line) else {
            throw TransportError(.unreachable, "libcurl is out of memory")
        }
        headerList = list
    }

    private func setCallbacks(_ handle: EasyHandle) throws(TransportError) {
        let context = Unmanaged.passUnretained(self).toOpaque()  // the loop holds the transfer as long as the handle
        try handle.set(CURLOPT_HEADERFUNCTION, callback: handHeader)
        try handle.set(CURLOPT_HEADERDATA, pointer: context)
        try handle.set(CURLOPT_WRITEFUNCTION, callback: handBody)
        try handle.set(CURLOPT_WRITEDATA, pointer: context)
    }
}

/// Called by libcurl on the curl thread (CURLOPT_HEADERFUNCTION(3)).
private func handHeader(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let line = UnsafeRawBufferPointer(start: data, count: size * count)
    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().receiveHeader(line)
    return line.count
}

/// Called by libcurl on the curl thread (CURLOPT_WRITEFUNCTION(3)).
private func handBody(
    _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let piece = UnsafeRawBufferPointer(start: data, count: size * count)
    return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().receiveBody(piece)
}
