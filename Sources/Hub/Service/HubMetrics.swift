import HTTP
import Synchronization
import TandemItems
import Wire

/// What a hub has done since it started, for its operator.
final class HubMetrics: Sendable {
    private struct Answer: Hashable {
        let route: String
        let status: Int
    }

    private struct Counts {
        var answers: [Answer: Int] = [:]
        var pushed = PushEffect()
    }

    private let counts = Mutex(Counts())

    func count(_ route: Result<HubRoute, Failure>, _ status: Status) {
        let answer = Answer(route: (try? route.get())?.label ?? "none", status: status.code)  // no route is one too
        counts.withLock { $0.answers[answer, default: 0] += 1 }
    }

    func count(_ effect: PushEffect) {
        counts.withLock { counts in
            counts.pushed.accepted += effect.accepted
            counts.pushed.refused += effect.refused
            counts.pushed.repeated += effect.repeated
            counts.pushed.opened += effect.opened
        }
    }

    /// The counts in Prometheus' text format (version 0.0.4), with what the hub holds now.
    func text(lists: [HubList], eventStreams: Int) -> String {
        let counts = counts.withLock(\.self)
        let answers = counts.answers.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }
        let metrics = [
            Metric(
                "requests_total", "Requests answered since the start.", .counter,
                answers.map { (#"{route="\#($0.key.route)",status="\#($0.key.status)"}"#, Int64($0.value)) }),
            Metric(
                "mutations_total", "Mutations pushed since the start, by what became of them.", .counter,
                [
                    (#"{outcome="accepted"}"#, Int64(counts.pushed.accepted)),
                    (#"{outcome="refused"}"#, Int64(counts.pushed.refused)),
                    (#"{outcome="repeated"}"#, Int64(counts.pushed.repeated)),
                ]),
            Metric(
                "conflicts_opened_total", "Conflicts opened since the start.", .counter,
                [("", Int64(counts.pushed.opened))]),
            Metric("event_streams", "Event streams that are open.", .gauge, [("", Int64(eventStreams))]),
            Metric(
                "list_head", "The latest sequence of a list.", .gauge,
                lists.map { (#"{list="\#($0.name)"}"#, $0.head.number) }),
        ]
        return metrics.map(\.text).joined()
    }
}

/// One metric with its samples: labels, as they stand in the text, and value.
private struct Metric {
    enum Kind: String { case counter, gauge }

    let text: String

    init(_ name: String, _ help: String, _ kind: Kind, _ samples: [(labels: String, value: Int64)]) {
        let name = "tandem_hub_" + name
        text = samples.reduce("# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n") {
            $0 + "\(name)\($1.labels) \($1.value)\n"
        }
    }
}

extension HubRoute {
    /// The route without what varies.
    fileprivate var label: String {
        switch self {
        case .hello: "hello"
        case .push: "push"
        case .changes: "changes"
        case .events: "events"
        case .history: "history"
        case .digest: "digest"
        case .health: "healthz"
        case .metrics: "metrics"
        }
    }
}
