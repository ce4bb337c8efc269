import Platform
import TestSupport
import Testing

private struct SampleFile: ConfigurationFile {
    struct TLS: Decodable {
        var certificate: String?
    }

    var listen: String?
    var limit: Int?
    var isOpen: Bool?
    var lists: [String]?
    var tls: TLS?
    var labels: [String: String]?

    static let allowedKeys = ["listen", "limit", "isOpen", "lists", "tls.certificate", "labels.*"]
}

@Suite("Configuration")
struct ConfigurationTests {
    private func decode(_ text: String) throws(ConfigurationError) -> SampleFile {
        try Configuration.decode(SampleFile.self, from: Array(text.utf8), path: "/c.json5")
    }

    @Test func json5IsRead() throws {
        let file = try decode(
            """
            // a comment
            { listen: 'here', limit: +0x10, /* another */ tls: { certificate: "c", }, labels: { any: 'x' }, }
            """)
        #expect(file.listen == "here")
        #expect(file.limit == 16)
        #expect(file.tls?.certificate == "c")
        #expect(file.labels == ["any": "x"])
    }

    @Test(arguments: [
        ("{ lisen: 1 }", "/c.json5: lisen: is not a key that is known\nDid you mean 'listen'?"),
        (
            "{ tls: { certificat: 'x' } }",
            "/c.json5: tls.certificat: is not a key that is known\nDid you mean 'tls.certificate'?"
        ),
        (
            "{ zzzz: 1 }",
            "/c.json5: zzzz: is not a key that is known\n"
                + "Known keys: listen, limit, isOpen, lists, tls.certificate, labels.*."
        ),
        ("{ limit: 'many' }", "/c.json5: limit: should be a whole number"),
        ("{ isOpen: 1 }", "/c.json5: isOpen: should be true or false"),
        ("{ tls: { certificate: 1 } }", "/c.json5: tls.certificate: should be a string"),
        ("{ lists: 'a' }", "/c.json5: lists: should be an array"),
        ("[]", "/c.json5: is not an object in braces"),
    ])
    func mistakeIsToldWithFileAndKey(text: String, message: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try decode(text) }
        #expect(error.description == message)
    }

    @Test(arguments: ["", "{", "{ a: }", "{ listen: 'x' } trailing"])
    func textThatIsNotJSON5IsToldWithTheFile(text: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try decode(text) }
        #expect(error.description.hasPrefix("/c.json5: is not JSON5: "))
    }

    @Test func missingFileIsAnErrorOnlyWhenItWasNamed() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/c.json5"
            func load(isExplicit: Bool) throws(ConfigurationError) -> SampleFile {
                try Configuration.load(SampleFile.self, from: .init(path: path, isExplicit: isExplicit))
            }
            #expect(try load(isExplicit: false).listen == nil)
            let error = try #require(throws: ConfigurationError.self) { try load(isExplicit: true) }
            #expect(error.description == "\(path): cannot open: No such file or directory")
            try Files.write(Array("{ listen: 'x' }".utf8), to: path)
            #expect(try load(isExplicit: true).listen == "x")
        }
    }
}
