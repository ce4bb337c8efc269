/// A status code, with the meaning that RFC 9110 (section 15) and RFC 6585 give it.
package struct Status: Hashable, Sendable {
    package let code: Int

    package init(_ code: Int) { self.code = code }

    package var isSuccess: Bool { (200..<300).contains(code) }

    package static let ok = Status(200)
    package static let created = Status(201)
    package static let noContent = Status(204)
    package static let badRequest = Status(400)
    package static let unauthorized = Status(401)
    package static let forbidden = Status(403)
    package static let notFound = Status(404)
    package static let methodNotAllowed = Status(405)
    package static let requestTimeout = Status(408)
    package static let conflict = Status(409)
    package static let gone = Status(410)
    package static let contentTooLarge = Status(413)
    package static let unprocessable = Status(422)
    package static let upgradeRequired = Status(426)
    package static let tooManyRequests = Status(429)
    package static let internalServerError = Status(500)
    package static let unavailable = Status(503)
    package static let gatewayTimeout = Status(504)
    package static let insufficientStorage = Status(507)
}
