import Glibc

/// How many files and connections the process may have open (setrlimit(2)).
package enum OpenFiles {
    /// Raises the soft limit to the hard one, which is what the operator set; gives the limit that holds now.
    @discardableResult
    package static func raiseLimit() -> UInt64 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        limit.rlim_cur = limit.rlim_max
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        return UInt64(limit.rlim_cur)
    }
}
