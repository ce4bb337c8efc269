import Glibc

/// Which machine, and which boot of it, this process runs on: how a copied store notices that it is a copy.
package struct MachineIdentity: Sendable, Equatable {
    /// `/etc/machine-id` (machine-id(5)); `nil` where there is none, as in some containers.
    package let machine: String?
    /// Changes with each boot of the kernel.
    package let boot: String?
    /// For people to read; not unique.
    package let hostName: String

    package init(machine: String?, boot: String?, hostName: String) {
        self.machine = machine
        self.boot = boot
        self.hostName = hostName
    }

    /// Reads this machine's identity; the paths are for tests.
    package static func current(
        machinePath: String = "/etc/machine-id", bootPath: String = "/proc/sys/kernel/random/boot_id"
    ) -> MachineIdentity {
        MachineIdentity(machine: line(of: machinePath), boot: line(of: bootPath), hostName: systemHostName())
    }

    private static func line(of path: String) -> String? {
        // Absence is a known state of a machine, not a failure.
        guard let bytes = try? Files.read(path, maximumBytes: 4_096) else { return nil }
        let line = bytes.prefix { $0 > UInt8(ascii: " ") }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    private static func systemHostName() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
