import Glibc

/// The credentials of the process for which devices are diagnosed.
package struct DiagnosedProcess: Sendable, Hashable {
    /// The process identifier.
    package var identifier: Int32
    /// The name of the effective user.
    package var user: String
    /// The names of the process's groups, or the numbers of groups without a name.
    package var groups: [String]

    /// Creates credentials.
    package init(identifier: Int32, user: String, groups: [String]) {
        self.identifier = identifier
        self.user = user
        self.groups = groups
    }

    /// Returns the credentials of the current process.
    package static func current() -> DiagnosedProcess {
        var ids = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        ids = Array(ids.prefix(max(0, Int(getgroups(Int32(ids.count), &ids)))))
        let effectiveGroup = getegid()
        if !ids.contains(effectiveGroup) { ids.insert(effectiveGroup, at: 0) }
        return DiagnosedProcess(
            identifier: getpid(), user: userName(geteuid()), groups: ids.map(groupName))
    }

    private static func userName(_ id: uid_t) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 1 << 14)
        guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return "user \(id)" }
        return String(cString: entry.pw_name)
    }

    private static func groupName(_ id: gid_t) -> String {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 1 << 14)
        guard getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return "\(id)" }
        return String(cString: entry.gr_name)
    }
}
