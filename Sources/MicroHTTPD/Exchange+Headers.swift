import CMicroHTTPD
import HTTP

/// What the library knows of a request's headers, while the request lasts.
extension Exchange {
    func header(_ name: String) -> String? {
        MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
    }

    func headers() -> Headers {
        var headers = Headers()
        withUnsafeMutablePointer(to: &headers) { pointer in
            _ = MHD_get_connection_values_n(connection, .HEADER_KIND, addField, pointer)
        }
        return headers
    }
}

/// Called by the library for each field (MHD_KeyValueIteratorN).
private func addField(
    _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?, _ nameSize: Int,
    _ value: UnsafePointer<CChar>?, _ valueSize: Int
) -> MHD_Result {
    let name = UnsafeRawBufferPointer(start: name, count: nameSize)
    let value = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)
    context?.assumingMemoryBound(to: Headers.self).pointee
        .append(name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self))
    return .YES
}
