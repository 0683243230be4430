import Foundation

/// A process of this machine. Linux uses numbers of processes again, so the time of the start belongs to it.
struct ProcessIdentity: SQLiteRow, Equatable {
    static let columns: [SQLiteColumn<ProcessIdentity>] = [
        SQLiteColumn("process", \.identifier), SQLiteColumn("processStart", \.start),
    ]

    /// The number of the process; 0 for none.
    var identifier: Int64 = 0
    /// The time of the start since the boot, in clock ticks; 0 if unknown.
    var start: Int64 = 0

    init() {}

    init(_ identifier: pid_t) {
        self.identifier = Int64(identifier)
        start = Self.start(of: self.identifier) ?? 0
    }

    /// Whether the process has not ended.
    var isRunning: Bool { identifier > 0 && Self.start(of: identifier) == start }

    /// Reads the 22nd field of /proc/PID/stat (proc(5)); nil if there is no such process.
    private static func start(of identifier: Int64) -> Int64? {
        // The file of a process that has ended does not exist.
        guard let text = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8) else { return nil }
        // The second field is the program's name in parentheses, which can contain spaces and parentheses.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        return fields.count > 20 ? Int64(fields[20]) : nil
    }
}
