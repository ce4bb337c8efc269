import Platform

// Wiring only: tests reach everything else.
await Program.run(Tandem.command, describe: ErrorReport.of) { parsed in try await Tandem.run(parsed) }
