import Simulation

/// What the command line asks for.
struct Options {
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        usage: simulate --seeds N [--start S] [--stride K] [--without FAULT,…]   plays N schedules
               simulate --seed N [--only 1,2,…] [--without FAULT,…] [--trace] [--shrink]   plays one schedule again
        """

    var seeds: UInt64 = 1_000
    var start: UInt64 = 1
    var stride: UInt64 = 1
    var seed: UInt64?
    var only: Set<Int>?
    var without: Set<Fault> = []
    var isTracing = false
    var shrinks = false
    /// Prints one line of numbers, for who adds up several processes.
    var isPart = false

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "--trace": isTracing = true
            case "--shrink": shrinks = true
            case "--part": isPart = true
            case "--seeds": seeds = try Self.number(name, rest.popFirst())
            case "--start": start = try Self.number(name, rest.popFirst())
            case "--stride": stride = try Self.number(name, rest.popFirst())
            case "--seed": seed = try Self.number(name, rest.popFirst())
            case "--only": only = Set((rest.popFirst() ?? "").split(separator: ",").compactMap { Int($0) })
            case "--without": without = try Self.faults(rest.popFirst() ?? "")
            default: throw Mistake(description: "there is no option '\(name)'")
            }
        }
    }

    private static func number(_ name: String, _ text: String?) throws -> UInt64 {
        guard let number = text.flatMap({ UInt64($0) }) else { throw Mistake(description: "\(name) needs a number") }
        return number
    }

    private static func faults(_ text: String) throws -> Set<Fault> {
        try Set(
            text.split(separator: ",").map { name in
                guard let fault = Fault(rawValue: String(name)) else {
                    throw Mistake(description: "there is no fault '\(name)'; there are \(Fault.allCases.map(\.rawValue))")
                }
                return fault
            })
    }
}
