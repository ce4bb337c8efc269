/// A service as a plain function: request in, response out. Servers call it from any task, many at once;
/// tests call it without a socket. It never throws: a fault is a response too.
package protocol Handler: Sendable {
    func respond(to request: Request) async -> Response
}
