package import Testing

/// Returns once a condition holds, and records an issue when it does not within `timeout`.
///
/// This is the one place among the tests that sleeps, for a few milliseconds between looks: for conditions of other
/// processes, which cannot be awaited. Inside a process await the event itself, or step `ManualTime`.
package func eventually(
    within timeout: Duration = .seconds(20), _ what: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + timeout
    var pause = Duration.milliseconds(1)
    while ContinuousClock.now < deadline {
        if try await condition() { return }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(25))
    }
    Issue.record(what ?? "the condition does not hold within \(timeout)", sourceLocation: sourceLocation)
}
