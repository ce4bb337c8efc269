import Glibc
import Simulation


let arguments = Array(CommandLine.arguments.dropFirst())
let start = UInt64(arguments.first ?? "1") ?? 1
let count = UInt64(arguments.dropFirst().first ?? "1") ?? 1
var failures: [String: Int] = [:]
var example: [String: (UInt64, String)] = [:]
let clock = ContinuousClock()
let began = clock.now
var events = 0
for seed in start..<start + count {
    let report = Schedule.play(Plan(seed: seed), isTracing: arguments.contains("trace"))
    events += report.events
    if arguments.contains("each") { print(seed, report.events, report.violations.first.map { String($0.description.prefix(150)) } ?? "", clock.now - began) }
    fflush(nil)
    if arguments.contains("trace") { for line in report.trace { print(line) } }
    if arguments.contains("slow"), report.events > 8000 { print("slow", seed, report.events, clock.now - began) }
    if arguments.contains("finger") { print(seed, report.fingerprint, report.events) }
    for rule in Set(report.violations.map(\.rule.rawValue)) {
        failures[rule, default: 0] += 1
        if example[rule] == nil, let first = report.violations.first(where: { $0.rule.rawValue == rule }) {
            example[rule] = (seed, String(first.description.prefix(700)))
        }
    }
}
print(count, "schedules", events, "events", clock.now - began)
for (rule, count) in failures.sorted(by: { $0.key < $1.key }) { print(rule, count, example[rule] ?? (0, "")) }
