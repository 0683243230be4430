/// What came of checking a host: which checks ran on which devices, which were skipped and why, and what failed.
public struct ConformanceReport: Sendable, CustomStringConvertible {
    /// One thing that is not as the contract has it.
    public struct Failure: Sendable, Hashable, CustomStringConvertible {
        /// The `uniqueID`; empty where no single device is at fault.
        public var device: String
        /// In a few words, as `640x480 420v`; empty where no format was chosen yet.
        public var format: String
        public var message: String

        public var description: String {
            [device, format].filter { !$0.isEmpty }.map { $0 + ": " }.joined() + message
        }
    }

    /// What came of one check.
    public struct Entry: Sendable {
        public var check: HostCheck
        /// The devices that took it.
        public var devices: [String] = []
        /// Why other devices did not, by their `uniqueID`; the empty one stands for the whole host.
        public var skips: [String: String] = [:]
        public var failures: [Failure] = []
        /// Whether no device took it.
        public var isSkipped: Bool { devices.isEmpty && failures.isEmpty }
    }

    /// The host, as the caller named it.
    public let name: String
    public internal(set) var entries: [Entry] = []

    /// The checks that ran on no device.
    public var skipped: [HostCheck] { entries.filter(\.isSkipped).map(\.check) }
    public var failed: [HostCheck] { entries.filter { !$0.failures.isEmpty }.map(\.check) }
    public var passed: [HostCheck] { entries.filter { !$0.isSkipped && $0.failures.isEmpty }.map(\.check) }

    /// A line for the whole, then one for each check, with the reasons of what was skipped.
    public var description: String {
        var lines = [
            "conformance of \(name): \(passed.count) passed, \(failed.count) failed, \(skipped.count) skipped"
        ]
        for entry in entries {
            let word = entry.isSkipped ? "skipped" : entry.failures.isEmpty ? "passed " : "FAILED "
            let devices = entry.devices.filter { !$0.isEmpty }
            lines.append("  \(word) \(entry.check.rawValue)" + Self.place(devices.count))
            for (reason, devices) in Self.grouped(entry.skips) {
                lines.append("          not on \(devices.isEmpty ? "this host" : devices): \(reason)")
            }
            for failure in entry.failures { lines.append("          \(failure)") }
        }
        return lines.joined(separator: "\n")
    }

    private static func place(_ count: Int) -> String {
        count == 0 ? "" : count == 1 ? " on 1 device" : " on \(count) devices"
    }

    private static func grouped(_ skips: [String: String]) -> [(reason: String, devices: String)] {
        Dictionary(grouping: skips.keys) { skips[$0] ?? "" }
            .map { ($0.key, $0.value.filter { !$0.isEmpty }.sorted().joined(separator: ", ")) }
            .sorted { ($0.devices, $0.reason) < ($1.devices, $1.reason) }
    }
}
