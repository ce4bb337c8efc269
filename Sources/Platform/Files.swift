import Glibc

/// Whole-file operations. All block; call them off the cooperative pool when the disk may be slow.
package enum Files {
    /// Whether something is at the path; a broken symbolic link is nothing.
    package static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// Follows symbolic links, as `exists` does.
    package static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The bytes of a file; `EFBIG` past the bound, so that a wrong path cannot fill the memory.
    package static func read(_ path: String, maximumBytes: Int) throws(PlatformError) -> [UInt8] {
        let file = try FileDescriptor(opening: path, O_RDONLY)
        return try file.readToEnd(maximumBytes: maximumBytes, path: path)
    }

    /// Replaces a file as one step: readers see the old bytes or the new ones, and after return the new ones survive a
    /// power cut (temporary file, fsync, rename, fsync of the directory).
    package static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws(PlatformError) {
        let temporary = try writeTemporary(bytes, beside: path, mode: mode)
        do throws(PlatformError) {
            try move(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Renames within one file system and flushes the directory, replacing what is at `target`.
    package static func move(_ source: String, to target: String) throws(PlatformError) {
        guard rename(source, target) == 0 else { throw .last("cannot rename to \(target)", path: source) }
        try synchronizeDirectory(parent(of: target))
    }

    /// Removes a file; `false` when there was none.
    @discardableResult
    package static func remove(_ path: String) throws(PlatformError) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw .last("cannot remove", path: path) }
        return false
    }

    /// Makes renames and new names in a directory survive a power cut.
    package static func synchronizeDirectory(_ path: String) throws(PlatformError) {
        try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).synchronize(path: path)
    }

    /// The path up to its last component: `.` for a bare name, `/` for the root's children.
    package static func parent(of path: String) -> String {
        var bytes = Array(path.utf8)[...]
        let slash = UInt8(ascii: "/")
        while bytes.count > 1 && bytes.last == slash { bytes.removeLast() }
        guard let last = bytes.lastIndex(of: slash) else { return "." }
        var head = bytes[..<last]
        while head.last == slash { head.removeLast() }
        return head.isEmpty ? "/" : String(decoding: head, as: UTF8.self)
    }

    /// The path without symbolic links and from the root; where nothing is there yet, that of its parent with the rest.
    package static func absolute(_ path: String) throws(PlatformError) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        let parent = parent(of: path)
        guard errno == ENOENT, parent != path else { throw .last("cannot find", path: path) }
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? ""
        let start = try absolute(parent)
        return start == "/" ? "/" + name : start + "/" + name
    }

    private static func writeTemporary(
        _ bytes: [UInt8], beside path: String, mode: UInt32
    ) throws(PlatformError) -> String {
        let temporary = path + "." + String(UInt64.random(in: 0 ... .max), radix: 36)
        let file = try FileDescriptor(opening: temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        do throws(PlatformError) {
            guard fchmod(file.number, mode) == 0 else { throw .last("cannot set the mode", path: temporary) }
            try file.write(bytes, path: temporary)
            try file.synchronize(path: temporary)
        } catch {
            unlink(temporary)
            throw error
        }
        return temporary
    }
}
