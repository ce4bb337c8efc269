import Glibc

/// One log line before it is formatted.
package struct LogRecord: Sendable, Equatable {
    package let level: LogLevel
    package let message: String
    /// In the order they were given; the logger's own first.
    package let metadata: [LogField]
    /// Unix milliseconds.
    package let time: Int64

    /// The first value under a name.
    package subscript(name: String) -> String? {
        metadata.first { $0.name == name }?.value
    }

    /// `time=… level=… msg=… name=value …` (logfmt), for terminals and files.
    package var withTime: String {
        let fields = [LogField("time", UTCTime.text(time)), LogField("level", level.name), LogField("msg", message)]
        return (fields + metadata).map(\.logfmt).joined(separator: " ")
    }

    /// `<priority>message name=value …` (sd-daemon(3)): the journal keeps the time and the level itself.
    package var withPriority: String {
        "<\(level.rawValue)>" + ([VisibleText.escape(message)] + metadata.map(\.logfmt)).joined(separator: " ")
    }
}

/// A name and a value in a log line.
package struct LogField: Sendable, Equatable {
    package let name: String
    package let value: String

    /// The value as its description reads at the time of the call.
    package init(_ name: String, _ value: some CustomStringConvertible) {
        self.name = name
        self.value = value.description
    }

    /// `name=value`, the value quoted when it is empty or has spaces, quotes, `=` or control characters. A value can
    /// therefore never end the line or begin another field.
    package var logfmt: String {
        let isPlain =
            !value.isEmpty
            && value.unicodeScalars.allSatisfy { $0 > " " && $0 != "\"" && $0 != "=" && !VisibleText.isUnsafe($0) }
        guard !isPlain else { return name + "=" + value }
        var quoted = ""
        for scalar in value.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted += VisibleText.escape(scalar)
        }
        return name + "=\"" + quoted + "\""
    }
}
