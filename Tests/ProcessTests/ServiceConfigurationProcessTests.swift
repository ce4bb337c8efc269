import Glibc
import Platform
import TestSupport
import Testing

@Suite("Configuration files with mistakes", .serialized, .timeLimit(.minutes(2)))
struct ServiceConfigurationProcessTests {
    private func expectMistake(
        _ program: String, _ text: String, _ words: String, _ more: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await withTemporaryDirectory { directory in
            let file = directory + "/settings.json5"
            try Files.write(Array(text.utf8), to: file)
            try await withChildProcess(
                try builtProduct(program), more + ["--config", file, "--store", directory + "/store"],
                environment: ["HOME": directory, "XDG_RUNTIME_DIR": directory], directory: directory
            ) { process in
                try await eventually("\(program) ends", sourceLocation: sourceLocation) { process.exit != nil }
                let errors = try process.errorOutput
                #expect(process.exit == .code(1), "\(errors)", sourceLocation: sourceLocation)
                #expect(errors.contains(file), "\(errors)", sourceLocation: sourceLocation)
                #expect(errors.contains(words), "'\(words)' is not in: \(errors)", sourceLocation: sourceLocation)
                #expect(!Files.exists(directory + "/store"), sourceLocation: sourceLocation)
            }
        }
    }

    @Test(arguments: [
        ("{stroe: '/tmp/x'}", "stroe: is not a key that is known"),
        ("{stroe: '/tmp/x'}", "\nhint: Did you mean 'store'?\n"),
        ("{pollInterval: 'often'}", "pollInterval: should be a number"),
        ("{pollInterval: 0}", "pollInterval: is to be from 1 to 86400 seconds"),
        ("{logLevel: 'loud'}", "logLevel: 'loud' is none of error, warning"),
        ("{store: }", "is not JSON5"), ("[1]", "is not an object"), ("", "is not JSON5"),
        ("{socketGroup: 'no-such-group'}", "socketGroup: there is no group 'no-such-group'"),
    ])
    func daemonTellsFileAndKey(text: String, words: String) async throws {
        try await expectMistake("tandemd", text, words, [])
    }

    @Test(arguments: [
        ("{limits: {itemByte: 5}}", "limits.itemByte: is not a key that is known"),
        ("{limits: {itemBytes: 5}}", "limits: is to be: itemBytes 1024 to 16777216"),
        ("{limits: {itemBytes: '5'}}", "limits.itemBytes: should be a whole number"),
        ("{tls: {certificate: 5, key: 'x'}}", "tls.certificate: should be a string"),
        ("{tls: {certificate: '/nowhere.pem', key: '/nowhere.key'}}", "tls.certificate: /nowhere.pem: cannot open"),
        ("{listen: 'nonsense'}", "listen: 'nonsense' is no address and port"),
        ("{logLevel: 'loud'}", "logLevel: 'loud' is none of"), ("{store: '/tmp/x'", "is not JSON5"),
    ])
    func hubTellsFileAndKey(text: String, words: String) async throws {
        try await expectMistake("tandem-hub", text, words, ["serve"])
    }

    @Test(arguments: ["tandemd", "tandem-hub"])
    func fileThatIsNamedAndMissingIsToldByItsName(program: String) async throws {
        try await withTemporaryDirectory { directory in
            let words = (program == "tandemd" ? [] : ["serve"]) + ["--config", directory + "/missing.json5"]
            try await withChildProcess(
                try builtProduct(program), words, environment: ["HOME": directory], directory: directory
            ) { process in
                try await eventually("\(program) ends") { process.exit != nil }
                #expect(process.exit == .code(1))
                let errors = try process.errorOutput
                #expect(errors.contains(directory + "/missing.json5") && errors.contains("No such file"), "\(errors)")
            }
        }
    }
}
