// The one file of this module that imports FoundationEssentials: its JSON decoder reads JSON5.
import FoundationEssentials
import Glibc

/// What a program reads from its JSON5 file. All properties are optional or have defaults, so that `{}` decodes.
package protocol ConfigurationFile: Decodable {
    /// Every key as a path: `listen`, `tls.certificate`. Keys below `name.*` are free. Other keys in a file are errors,
    /// so that a misspelt one is not silently without effect.
    static var allowedKeys: [String] { get }
    /// The defaults.
    init()
}

/// A configuration file that cannot be used: which file, which key, why.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    package let path: String
    /// The key path, where one key is at fault.
    package let key: String?
    package let message: String
    package let hint: String?

    /// For a value that only the program can judge.
    package init(path: String, key: String?, message: String, hint: String? = nil) {
        self.path = path
        self.key = key
        self.message = message
        self.hint = hint
    }

    package var description: String { subject + ": " + message + (hint.map { "\n" + $0 } ?? "") }

    /// The file, and the key where one is at fault.
    var subject: String { [path, key].compactMap { $0.map(VisibleText.escape) }.joined(separator: ": ") }
}

/// Reading of configuration files.
package enum Configuration {
    /// The file's contents, or the defaults where a file nobody named is missing.
    package static func load<File: ConfigurationFile>(
        _ type: File.Type, from place: Directories.ConfigurationPath
    ) throws(ConfigurationError) -> File {
        let bytes: [UInt8]
        do throws(PlatformError) {
            bytes = try Files.read(place.path, maximumBytes: 1_048_576)
        } catch {
            if error.code == ENOENT && !place.isExplicit { return File() }
            let reason = error.code == 0 ? error.message : PlatformError.text(of: error.code)
            throw ConfigurationError(path: place.path, key: nil, message: "\(error.message): \(reason)")
        }
        return try decode(type, from: bytes, path: place.path)
    }

    /// Decodes a file's bytes; `path` is for messages.
    package static func decode<File: ConfigurationFile>(
        _ type: File.Type, from bytes: [UInt8], path: String
    ) throws(ConfigurationError) -> File {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            let shape = try decoder.decode(ConfigurationShape.self, from: Data(bytes))
            try check(shape, against: type.allowedKeys, path: path)
            return try decoder.decode(type, from: Data(bytes))
        } catch let error as ConfigurationError {
            throw error
        } catch let error as DecodingError {
            throw describe(error, path: path)
        } catch {
            throw ConfigurationError(path: path, key: nil, message: "\(error)")
        }
    }

    private static func check(_ shape: ConfigurationShape, against allowed: [String], path: String) throws {
        guard case .object = shape else {
            throw ConfigurationError(path: path, key: nil, message: "is not an object in braces")
        }
        for key in shape.keyPaths(below: "").sorted() where !isAllowed(key, allowed) {
            let nearest = NearestName.of(key, among: allowed)
            let hint = nearest.map { "Did you mean '\($0)'?" } ?? "Known keys: " + allowed.joined(separator: ", ") + "."
            throw ConfigurationError(path: path, key: key, message: "is not a key that is known", hint: hint)
        }
    }

    private static func isAllowed(_ key: String, _ allowed: [String]) -> Bool {
        allowed.contains { pattern in
            if pattern.hasSuffix(".*") {
                return key == pattern.dropLast(2) || key.hasPrefix(pattern.dropLast(1))
            }
            return key == pattern || pattern.hasPrefix(key + ".")
        }
    }

    private static func describe(_ error: DecodingError, path: String) -> ConfigurationError {
        func make(_ context: DecodingError.Context, _ message: String, adding key: (any CodingKey)? = nil)
            -> ConfigurationError
        {
            let keys = (context.codingPath + (key.map { [$0] } ?? [])).map(\.stringValue).joined(separator: ".")
            return ConfigurationError(path: path, key: keys.isEmpty ? nil : keys, message: message)
        }
        switch error {
        case .typeMismatch(let type, let context): return make(context, "should be \(name(of: type))")
        case .valueNotFound(let type, let context): return make(context, "should be \(name(of: type)), not null")
        case .keyNotFound(let key, let context): return make(context, "is missing", adding: key)
        case .dataCorrupted(let context):
            let reason = (context.underlyingError as? any CustomStringConvertible)?.description
            let isSyntax = context.codingPath.isEmpty
            return make(
                context, isSyntax ? "is not JSON5: \(reason ?? context.debugDescription)" : context.debugDescription)
        @unknown default: return ConfigurationError(path: path, key: nil, message: "\(error)")
        }
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is any Collection.Type: "\(type)".hasPrefix("Dictionary") ? "an object" : "an array"
        default: "an object or a value of another kind (\(type))"
        }
    }
}

/// The keys of a file without their values: what is compared with the allowed keys.
private enum ConfigurationShape: Decodable {
    case object([String: ConfigurationShape])
    case array([ConfigurationShape])
    case value

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        // The decoder tells an object from an array from a value only by failing to be it.
        if let container = try? decoder.container(keyedBy: Key.self) {
            self = .object(
                try container.allKeys.reduce(into: [:]) { result, key in
                    result[key.stringValue] = try container.decode(ConfigurationShape.self, forKey: key)
                })
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [ConfigurationShape] = []
            while !container.isAtEnd { elements.append(try container.decode(ConfigurationShape.self)) }
            self = .array(elements)
        } else {
            self = .value
        }
    }

    /// Elements of an array share the array's path.
    func keyPaths(below prefix: String) -> [String] {
        switch self {
        case .value: []
        case .array(let elements): elements.flatMap { $0.keyPaths(below: prefix) }
        case .object(let members):
            members.flatMap { key, member in [prefix + key] + member.keyPaths(below: prefix + key + ".") }
        }
    }
}
