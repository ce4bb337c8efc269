import Glibc
import Simulation

do {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    if let seed = options.seed {
        exit(Replay(options: options, seed: seed).run() ? 0 : 1)
    }
    exit(Campaign(options: options).run() ? 0 : 1)
} catch {
    print("tandem-simulate: \(error)\n\(Options.usage)")
    exit(2)
}
