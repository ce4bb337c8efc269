import Platform
import Testing

@Suite("Directories")
struct DirectoriesTests {
    private func directories(_ environment: [String: String], existing: Set<String> = []) -> Directories {
        Directories(environment: environment, user: 1_000) { existing.contains($0) }
    }

    @Test(arguments: [
        (["HOME": "/home/a"], "/home/a/.local/share/tandem"),
        (["HOME": "/"], "/.local/share/tandem"),
        (["HOME": "/home/a", "XDG_DATA_HOME": "/data/"], "/data/tandem"),
        (["HOME": "/home/a", "XDG_DATA_HOME": "relative"], "/home/a/.local/share/tandem"),
        (["HOME": "/home/a", "XDG_DATA_HOME": ""], "/home/a/.local/share/tandem"),
        (["STATE_DIRECTORY": "/var/lib/tandem/a:/var/lib/b", "XDG_DATA_HOME": "/data"], "/var/lib/tandem/a"),
        (["TANDEM_STORE": "/store", "STATE_DIRECTORY": "/var/lib/tandem"], "/store"),
    ])
    func storeFollowsTheEnvironment(environment: [String: String], path: String) throws {
        #expect(try directories(environment).store(of: .daemon) == path)
    }

    @Test func theFileStandsBetweenTheVariableAndTheDefault() throws {
        let system = directories(["STATE_DIRECTORY": "/state", "RUNTIME_DIRECTORY": "/run/t"])
        #expect(try system.store(of: .daemon, configured: "/file") == "/file")
        #expect(system.daemonSocket(configured: "/file.sock") == "/file.sock")
        let named = directories(["TANDEM_STORE": "/named", "TANDEM_SOCKET": "/named.sock"])
        #expect(try named.store(of: .daemon, configured: "/file") == "/named")
        #expect(named.daemonSocket(configured: "/file.sock") == "/named.sock")
        let empty = directories(["TANDEM_STORE": "", "TANDEM_SOCKET": ""])
        #expect(try empty.store(of: .daemon, configured: "/file") == "/file")
        #expect(empty.daemonSocket(configured: "/file.sock") == "/file.sock")
    }

    @Test func hubAndDaemonHaveStoresOfTheirOwn() throws {
        let directories = directories(["HOME": "/home/a"])
        #expect(try directories.store(of: .hub) == "/home/a/.local/share/tandem-hub")
    }

    @Test func missingHomeIsAClearError() throws {
        let error = try #require(throws: PlatformError.self) { try directories([:]).store(of: .hub) }
        #expect(error.description.contains("HOME is not set"))
    }

    @Test(arguments: [
        (["TANDEM_CONFIG": "/c.json5"], "/c.json5", true),
        (["CONFIGURATION_DIRECTORY": "/etc/tandem"], "/etc/tandem/tandemd.json5", false),
        (["XDG_CONFIG_HOME": "/cfg", "HOME": "/h"], "/cfg/tandem/tandemd.json5", false),
        (["HOME": "/h"], "/h/.config/tandem/tandemd.json5", false),
    ])
    func configurationFollowsTheEnvironment(environment: [String: String], path: String, isExplicit: Bool) throws {
        let place = try directories(environment).configuration(of: .daemon)
        #expect(place == Directories.ConfigurationPath(path: path, isExplicit: isExplicit))
    }

    @Test(
        arguments: [
            ([:], [], "/tmp/tandem-1000/tandemd.sock"),
            ([:], ["/run/user/1000"], "/run/user/1000/tandem/tandemd.sock"),
            (["XDG_RUNTIME_DIR": "/run/x"], [], "/run/x/tandem/tandemd.sock"),
            (["RUNTIME_DIRECTORY": "/run/tandem/a", "XDG_RUNTIME_DIR": "/run/x"], [], "/run/tandem/a/tandemd.sock"),
            (["TANDEM_SOCKET": "/s", "RUNTIME_DIRECTORY": "/run/tandem/a"], [], "/s"),
        ] as [([String: String], Set<String>, String)])
    func socketFollowsTheEnvironment(environment: [String: String], existing: Set<String>, path: String) {
        #expect(directories(environment, existing: existing).daemonSocket() == path)
    }

    @Test func clientFindsTheSystemInstanceOfItsUserWhenThereIsNoOther() {
        let environment = ["XDG_RUNTIME_DIR": "/run/x", "USER": "ada"]
        let system = "/run/tandem/ada/tandemd.sock"
        let own = "/run/x/tandem/tandemd.sock"
        #expect(directories(environment, existing: [system]).clientSocket == system)
        #expect(directories(environment, existing: [system, own]).clientSocket == own)
        #expect(directories(environment).clientSocket == own)
        let named = directories(environment.merging(["TANDEM_SOCKET": "/s"]) { $1 }, existing: [system])
        #expect(named.clientSocket == "/s")
    }

    @Test func environmentOfTheProcessIsRead() {
        #expect(ProcessEnvironment.current["PATH"]?.isEmpty == false)
    }
}

@Suite("MachineIdentity")
struct MachineIdentityTests {
    @Test func identityIsTheFirstLineOfItsFiles() {
        let identity = MachineIdentity.current(machinePath: "/no/such", bootPath: "/proc/sys/kernel/random/boot_id")
        #expect(identity.machine == nil)
        #expect(identity.boot?.count == 36)
        #expect(!identity.hostName.isEmpty)
        #expect(identity == .current(machinePath: "/no/such"))
    }
}
