import Glibc

/// An instant as seen from another: "3 min ago", "in 2 days".
package enum RelativeTime {
    /// Both in Unix milliseconds. Counts down to whole units, so "1 h ago" is one to two hours.
    package static func text(_ instant: Int64, now: Int64) -> String {
        let (difference, overflow) = now.subtractingReportingOverflow(instant)
        let isPast = overflow ? instant < 0 : difference >= 0
        let seconds = (overflow ? UInt64.max : difference.magnitude) / 1_000
        guard seconds >= 5 else { return "just now" }
        let amount = amount(seconds: seconds)
        return isPast ? "\(amount) ago" : "in \(amount)"
    }

    /// `3 min`, `2 days`: whole units, counted down.
    package static func amount(seconds: UInt64) -> String {
        let day: UInt64 = 86_400
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3_600: return "\(seconds / 60) min"
        case ..<day: return "\(seconds / 3_600) h"
        case ..<(60 * day): return count(seconds / day, "day")
        case ..<(730 * day): return count(seconds / (30 * day), "month")
        default: return count(seconds / (365 * day), "year")
        }
    }

    private static func count(_ number: UInt64, _ unit: String) -> String {
        number == 1 ? "1 \(unit)" : "\(number) \(unit)s"
    }
}

/// An instant in the user's time zone (localtime_r(3), so `TZ` counts).
package enum LocalTime {
    /// `YYYY-MM-DD HH:MM` of Unix milliseconds.
    package static func text(_ instant: Int64) -> String {
        var seconds = time_t(instant.flooredQuotient(by: 1_000))
        var fields = tm()
        guard localtime_r(&seconds, &fields) != nil else { return "unknown time" }
        return fields.date + " " + fields.padded(fields.tm_hour, 2) + ":" + fields.padded(fields.tm_min, 2)
    }

    /// `HH:MM:SS` of Unix milliseconds, for what happens while one looks.
    package static func timeOfDay(_ instant: Int64) -> String {
        var seconds = time_t(instant.flooredQuotient(by: 1_000))
        var fields = tm()
        guard localtime_r(&seconds, &fields) != nil else { return "unknown time" }
        return [fields.tm_hour, fields.tm_min, fields.tm_sec].map { fields.padded($0, 2) }.joined(separator: ":")
    }
}

/// An instant as RFC 3339 has it, in UTC.
package enum UTCTime {
    /// `YYYY-MM-DDTHH:MM:SS.mmmZ` of Unix milliseconds.
    package static func text(_ instant: Int64) -> String {
        var seconds = time_t(instant.flooredQuotient(by: 1_000))
        var fields = tm()
        guard gmtime_r(&seconds, &fields) != nil else { return "unknown-time" }
        let time = [fields.tm_hour, fields.tm_min, fields.tm_sec].map { fields.padded($0, 2) }.joined(separator: ":")
        let milliseconds = Int32(instant &- Int64(seconds) &* 1_000)
        return fields.date + "T" + time + "." + fields.padded(milliseconds, 3) + "Z"
    }
}

extension Int64 {
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension tm {
    fileprivate var date: String {
        padded(tm_year + 1_900, 4) + "-" + padded(tm_mon + 1, 2) + "-" + padded(tm_mday, 2)
    }

    fileprivate func padded(_ number: Int32, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
