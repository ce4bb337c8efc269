import Glibc

extension Files {
    /// Creates a directory and its missing parents; one that exists is left as it is.
    package static func createDirectory(_ path: String, mode: UInt32 = 0o700) throws(PlatformError) {
        if isDirectory(path) { return }
        let parent = parent(of: path)
        if parent != path { try createDirectory(parent, mode: mode) }
        guard mkdir(path, mode) == 0 || (errno == EEXIST && isDirectory(path)) else {
            throw .last("cannot create the directory", path: path)
        }
    }

    /// Creates a directory that only this user can enter, or checks that the one there is such a directory. Needed
    /// below `/tmp`, where another user may have made the name first.
    package static func createPrivateDirectory(_ path: String) throws(PlatformError) {
        try createDirectory(path)
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .last("cannot examine", path: path) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw PlatformError(code: ENOTDIR, message: "is not a directory of its own", path: path)
        }
        guard status.st_uid == geteuid() else {
            throw PlatformError(code: EPERM, message: "belongs to user \(status.st_uid)", path: path)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw PlatformError(code: EPERM, message: "is open to other users; run chmod 700 on it", path: path)
        }
    }

    /// The names in a directory without `.` and `..`, sorted bytewise.
    package static func names(in path: String) throws(PlatformError) -> [String] {
        guard let directory = opendir(path) else { throw .last("cannot read the directory", path: path) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
