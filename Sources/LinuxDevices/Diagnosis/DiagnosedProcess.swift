import Glibc

/// Who asks for the devices: what the kernel decides rights by.
package struct DiagnosedProcess: Sendable, Hashable {
    package var identifier: Int32
    package var user: String
    /// The names of the groups that the process is in; those without a name by number.
    package var groups: [String]

    package init(identifier: Int32, user: String, groups: [String]) {
        self.identifier = identifier
        self.user = user
        self.groups = groups
    }

    /// This process.
    package static func current() -> DiagnosedProcess {
        var ids = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        ids = Array(ids.prefix(max(0, Int(getgroups(Int32(ids.count), &ids)))))
        let own = getegid()
        if !ids.contains(own) { ids.insert(own, at: 0) }
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
