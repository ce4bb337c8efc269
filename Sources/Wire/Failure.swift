package import HTTP
package import TandemItems

/// The one shape of an error answer, in both APIs: `{"code", "message", "hint"}`.
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package var status: Int
    /// For programs; stays the same when the wording changes.
    package var code: String
    /// What went wrong, for people.
    package var message: String
    /// What to do about it, for people.
    package var hint: String?
    /// Seconds after which to try again (`Retry-After`, RFC 9110, section 10.2.3).
    package var retryAfterSeconds: Int?

    package init(
        _ status: Status, code: String, _ message: String, hint: String? = nil, retryAfterSeconds: Int? = nil
    ) {
        self.status = status.code
        self.code = code
        self.message = message
        self.hint = hint
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// Data that breaks a rule of the format.
    package init(_ error: InvalidItem) {
        self.init(.badRequest, code: error.code.rawValue, error.message)
    }

    /// Runs what reads data of a request; what is wrong with the data becomes an answer of status 400.
    package static func refusing<Value>(_ body: () throws(InvalidItem) -> Value) throws(Failure) -> Value {
        do throws(InvalidItem) {
            return try body()
        } catch {
            throw Failure(error)
        }
    }

    package var description: String { hint.map { "\(message) (\($0))" } ?? message }

    package var json: JSONObject {
        var object: JSONObject = ["code": .string(code), "message": .string(message)]
        if let hint { object["hint"] = .string(hint) }
        return object
    }

    /// Reads an error answer. `nil` where the body is not of the shape: something else than Tandem has answered.
    package init?(_ response: Response) {
        guard let object = (try? JSON(parsing: response.bytes))?.object,  // any body that is no JSON is not ours
            let code = object["code"]?.string, let message = object["message"]?.string
        else { return nil }
        self.init(response.status, code: code, message, hint: object["hint"]?.string)
        retryAfterSeconds = response.headers["Retry-After"].flatMap { Int($0) }
    }
}

extension Failure {
    package static let unknownRoute = Failure(.notFound, code: "no-such-route", "there is nothing at this address")
}
