// swift-tools-version: 6.2
import PackageDescription

/// The house plan. Each target, and what it may import: arrows point down only.
/// `Tests/HouseTests` holds this table, the drawn plan in the architecture article and the sources against each other.
let house: [(target: String, imports: [String])] = [
    // 1 vocabulary
    ("TandemItems", []),
    ("HTTP", []),
    ("Platform", []),
    // 2 adapters
    ("SQLite", ["CSQLite", "Platform"]),
    ("Curl", ["CCurl", "HTTP", "Platform"]),
    ("MicroHTTPD", ["CMicroHTTPD", "HTTP", "Platform"]),
    ("Sodium", ["CSodium"]),
    ("Wire", ["TandemItems", "HTTP"]),
    ("Formats", ["TandemItems"]),
    // 3 domain
    ("Hub", ["TandemItems", "HTTP", "Platform", "Sodium", "Wire"]),
    ("Sync", ["TandemItems", "Platform"]),
    ("TandemClient", ["TandemItems", "HTTP", "Platform", "Curl", "Wire"]),
    // 4 implementations
    ("HubStore", ["TandemItems", "Platform", "SQLite", "Hub"]),
    ("Replica", ["TandemItems", "Platform", "SQLite", "Sync"]),
    ("Remote", ["TandemItems", "HTTP", "Platform", "Curl", "Wire", "Sync"]),
    ("Daemon", ["TandemItems", "HTTP", "Platform", "Wire", "Formats", "Sync"]),
]

let programs: [(product: String, target: String, imports: [String])] = [
    (
        "tandem-hub", "HubCommand",
        ["TandemItems", "HTTP", "Platform", "Sodium", "MicroHTTPD", "Wire", "Hub", "HubStore"]
    ),
    (
        "tandemd", "DaemonCommand",
        ["TandemItems", "HTTP", "Platform", "MicroHTTPD", "Curl", "Wire", "Sync", "Replica", "Remote", "Daemon"]
    ),
    ("tandem", "ClientCommand", ["TandemItems", "HTTP", "Platform", "Wire", "Formats", "TandemClient"]),
]

/// Targets that hold C handles; every other target is checked for strict memory safety.
let wrapsC: Set = ["SQLite", "Curl", "MicroHTTPD", "Sodium", "Platform"]

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
]

func settings(_ target: String) -> [SwiftSetting] {
    wrapsC.contains(target) ? strict : strict + [.strictMemorySafety()]
}

func dependencies(_ names: [String]) -> [Target.Dependency] {
    names.map { .target(name: $0) }
}

let systemLibraries: [Target] = [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
]

/// Test targets and what they exercise. `TestSupport` is the scoped fixtures that they share.
let tests: [(target: String, imports: [String])] = [
    ("TandemItemsTests", ["TandemItems"]),
    ("PlatformTests", ["Platform"]),
    ("FormatsTests", ["Formats", "TandemItems"]),
    ("AdapterTests", ["SQLite", "Curl", "MicroHTTPD", "Sodium", "Wire", "HTTP", "Platform", "TandemItems"]),
    ("HubTests", ["Hub", "HubStore", "Wire", "HTTP", "Platform", "TandemItems", "SQLite"]),
    (
        "ReplicaTests",
        [
            "Replica", "Sync", "Daemon", "Remote", "Hub", "HubStore", "Curl", "MicroHTTPD", "Wire", "HTTP", "Platform",
            "TandemItems", "SQLite",
        ]
    ),
    (
        "ClientTests",
        [
            "TandemClient", "ClientCommand", "Formats", "Daemon", "Replica", "Sync", "Wire", "HTTP", "Platform",
            "TandemItems",
        ]
    ),
    ("HouseTests", []),
    (
        "ProcessTests",
        [
            "HubCommand", "DaemonCommand", "ClientCommand", "TandemClient", "Curl", "MicroHTTPD", "Wire", "HTTP",
            "Platform", "TandemItems",
        ]
    ),
]

/// The simulator: a library for the suite and the program, and the program `tandem-simulate`.
let simulated = ["TandemItems", "HTTP", "Platform", "Wire", "Hub", "HubStore", "Sync", "Replica", "Remote"]

let package = Package(
    name: "tandem",
    products: [
        .library(name: "TandemItems", targets: ["TandemItems"]),
        .library(name: "TandemClient", targets: ["TandemClient"]),
        .executable(name: "tandem-simulate", targets: ["SimulateCommand"]),
    ] + programs.map { .executable(name: $0.product, targets: [$0.target]) },
    targets: systemLibraries
        + house.map {
            .target(name: $0.target, dependencies: dependencies($0.imports), swiftSettings: settings($0.target))
        }
        + programs.map {
            .executableTarget(
                name: $0.target, dependencies: dependencies($0.imports), swiftSettings: settings($0.target))
        }
        + [
            .target(
                name: "TestSupport", dependencies: dependencies(["Platform"]), path: "Tests/TestSupport",
                swiftSettings: strict),
            .target(
                name: "Simulation", dependencies: dependencies(simulated), path: "Tests/Simulation",
                swiftSettings: settings("Simulation")),
            .executableTarget(
                name: "SimulateCommand", dependencies: dependencies(["Simulation"]), path: "Tests/SimulateCommand",
                swiftSettings: settings("SimulateCommand")),
        ]
        + tests.map {
            .testTarget(
                name: $0.target, dependencies: dependencies($0.imports + ["TestSupport"]),
                exclude: $0.target == "ProcessTests" ? ["Samples"] : [], swiftSettings: strict)
        }
)
