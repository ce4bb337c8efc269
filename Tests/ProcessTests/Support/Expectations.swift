import Curl
import HTTP
import Platform
import TandemClient
import TandemItems
import TestSupport
import Testing

extension Tandem.Output {
    /// Expects that the program did what it was asked.
    func expectSuccess(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(exit == .code(0), "\(errors)", sourceLocation: sourceLocation)
    }

    /// Expects that the program ended with a code, said something on standard error that has these words, and said what
    /// to do about it.
    func expectFailure(
        _ code: Int32 = 1, _ words: String..., hint: String?, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(exit == .code(code), "\(text)\(errors)", sourceLocation: sourceLocation)
        for word in words {
            #expect(errors.contains(word), "'\(word)' is not in: \(errors)", sourceLocation: sourceLocation)
        }
        guard let hint else { return }
        let said = errors.split(separator: "\n").first { $0.hasPrefix("hint: ") }
        #expect(said?.contains(hint) == true, "no hint '\(hint)': \(errors)", sourceLocation: sourceLocation)
    }
}

extension Tandem {
    /// Writes a file into the test's directory and gives its path.
    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        try Files.write(Array(bytes), to: directory + "/" + name)
        return directory + "/" + name
    }

    func write(_ name: String, _ text: String) throws -> String { try write(name, text.utf8) }

    /// How many items a daemon shows in a list.
    func count(on name: String, in list: ListName = .todo) async throws -> Int {
        try await client(name).lists().first { $0.name == list }?.items ?? 0
    }

    /// Waits until a program has ended, and gives what it said.
    func end(of process: ChildProcess) async throws -> Output {
        let exit = await process.wait()
        return Output(exit: exit, text: try process.output, errors: try process.errorOutput)
    }

    /// Waits until a daemon has nothing pending and all that the hub has.
    func reachSynced(_ name: String) async throws {
        try await eventually(within: .seconds(60), "\(name) is synced") {
            try await self.client(name).status().isSynced
        }
    }
}

extension Tandem {
    /// Pushes a new item to the hub as a program without a daemon would.
    func push(title: String, n: Int64 = 1, token: String?) async throws -> Response {
        let mutation: JSON = [
            "replica": "intruder", "n": .int(n), "nonce": .string("nonce-of-number-\(n)"), "item": .string("item-\(n)"),
            "base": 0, "set": ["title": .string(title)], "at": 0,
        ]
        var request = Request(.post, ["v1", "lists", "todo", "push"])
        request.headers = ["Content-Type": "application/json"]
        if let token { request.headers["Authorization"] = "Bearer \(token)" }
        request.body = JSON.object(["mutations": [mutation]]).encoded()
        return try await CurlTransport(endpoint: Endpoint(base: "http://127.0.0.1:\(proxy.port)")).send(request)
    }
}

extension String {
    /// The whole number that stands behind some text.
    func firstNumber(behind text: String) -> Int? {
        guard let start = firstRange(of: text)?.upperBound else { return nil }
        return Int(self[start...].prefix { $0.isNumber })
    }
}
