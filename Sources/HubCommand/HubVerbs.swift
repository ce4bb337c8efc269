import Platform
import TandemItems

/// The verbs of `tandem-hub`, as its help shows them.
enum HubVerbs {
    private static let storeOption = Command.Option.value(
        "store", "DIR", "Directory of the store (default: the service's, else ~/.local/share/tandem-hub)")
    private static let configOption = Command.Option.value("config", "FILE", "Configuration file (JSON5)")
    private static let jsonOption = Command.Option.flag("json", "Print JSON")

    /// The program with all of them.
    static let command = Command(
        "tandem-hub", "Orders, merges and serves the lists of its replicas",
        options: [.flag("version", "Tell the version")],
        subcommands: [serve, list, token, backup, check], runsAlone: true,
        discussion: """
            'tandem-hub serve' is the hub itself. The other commands work on its store, while it serves or not: run them \
            as the user that it runs as.

              tandem-hub serve --store hub
              tandem-hub list add todo --store hub
              tandem-hub token add laptop --role editor --list todo --store hub
            """)

    private static let serve = Command(
        "serve", "Serve the lists over HTTP",
        options: [
            .value("listen", "ADDRESS:PORT", "Where to listen (default: 127.0.0.1:8440)"), storeOption, configOption,
        ],
        discussion: """
            SIGTERM stops the hub with everything stored; SIGHUP reads the configuration again: name, limits, log level, \
            certificate.
            """)

    private static let list = Command(
        "list", "Add, show and remove lists",
        subcommands: [
            Command(
                "add", "Add an empty list",
                options: [
                    .value("kind", "KIND", "todo, contact, person, user or item (default: todo)"), storeOption,
                    configOption,
                ],
                arguments: [.init("NAME", "Letters, digits, '-', '_' and '.'")]),
            Command("ls", "Show the lists", options: [storeOption, configOption, jsonOption]),
            Command(
                "rm", "Remove a list with its items and history",
                options: [.flag("force", "Yes, remove it"), storeOption, configOption],
                arguments: [.init("NAME", "The list")], discussion: "Replicas keep what they hold of it."),
        ])

    private static let token = Command(
        "token", "Add, show and revoke tokens",
        subcommands: [
            Command(
                "add", "Make a token and print its join link, once",
                options: [
                    .value("role", "ROLE", "What it may do", choices: Role.allCases.map(\.rawValue)),
                    .value("list", "LIST", "A list that it may see", isRepeatable: true),
                    .value("expires", "TIME", "After which it ends by itself: 90s, 24h (default: never)"),
                    .value("address", "URL", "The hub's address as the joining machine sees it"), storeOption,
                    configOption,
                ],
                arguments: [.init("NAME", "Names the token to you: a person, a machine")],
                discussion: """
                    --role is needed, and --list at least once. The hub keeps a hash alone: a link that is lost cannot be \
                    shown again, only replaced.

                      tandem-hub token add laptop --role editor --list todo --address https://hub.example.org
                      tandem-hub token add guest --role reader --list todo --list wishes --expires 24h
                    """),
            Command("ls", "Show the tokens", options: [storeOption, configOption, jsonOption]),
            Command(
                "revoke", "End a token at once", options: [storeOption, configOption],
                arguments: [.init("NAME", "The token")]),
        ])

    private static let backup = Command(
        "backup", "Copy the store into one file",
        options: [.flag("force", "Replace a file that is there"), storeOption, configOption],
        arguments: [.init("FILE", "The copy; readable by this user alone")],
        discussion: "The copy is a whole store in itself: put in its place as hub.sqlite, a hub serves it.")

    private static let check = Command("check", "Look for damage in the store", options: [storeOption, configOption])
}
