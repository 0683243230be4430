/// The result of a run of the conformance suite: the checks that ran, were skipped or failed.
///
/// The suite tests a host, which is a `HardwareHost`: a source of devices, such as the kernel or a simulation.
public struct ConformanceReport: Sendable, CustomStringConvertible {
    /// A requirement of a check that a device or the host does not meet.
    public struct Failure: Sendable, Hashable, CustomStringConvertible {
        /// The `uniqueID` of the device; empty if the failure concerns the host.
        public var device: String
        /// The format, such as `640x480 420v`; empty if it is irrelevant.
        public var format: String
        /// The description of the failure.
        public var message: String

        public var description: String {
            [device, format].filter { !$0.isEmpty }.map { $0 + ": " }.joined() + message
        }
    }

    /// The result of one check.
    public struct Entry: Sendable {
        /// The check.
        public var check: HostCheck
        /// The `uniqueID` of each device on which the check ran. A check of the host adds an empty string.
        public var devices: [String] = []
        /// The reason for skipping each of the other devices, by `uniqueID`. The key of the host is an empty string.
        public var skips: [String: String] = [:]
        /// The requirements that are not met.
        public var failures: [Failure] = []
        /// Whether the check ran neither on a device nor on the host.
        public var isSkipped: Bool { devices.isEmpty && failures.isEmpty }
    }

    /// The name of the host.
    public let name: String
    /// The results in the order of the checks.
    public internal(set) var entries: [Entry] = []

    /// The checks that ran neither on a device nor on the host.
    public var skipped: [HostCheck] { entries.filter(\.isSkipped).map(\.check) }
    /// The checks with failures.
    public var failed: [HostCheck] { entries.filter { !$0.failures.isEmpty }.map(\.check) }
    /// The checks that ran without failures.
    public var passed: [HostCheck] { entries.filter { !$0.isSkipped && $0.failures.isEmpty }.map(\.check) }

    /// A summary line, then for each check a line with its status, and lines with the reasons for skips and the
    /// failures.
    public var description: String {
        var lines = [
            "conformance of \(name): \(passed.count) passed, \(failed.count) failed, \(skipped.count) skipped"
        ]
        for entry in entries {
            let status = entry.isSkipped ? "skipped" : entry.failures.isEmpty ? "passed " : "FAILED "
            let devices = entry.devices.filter { !$0.isEmpty }
            lines.append("  \(status) \(entry.check.rawValue)" + Self.deviceCountText(devices.count))
            for (reason, devices) in Self.devicesByReason(entry.skips) {
                let names = devices.map { $0.isEmpty ? "this host" : $0 }.joined(separator: ", ")
                lines.append("          not on \(names): \(reason)")
            }
            for failure in entry.failures { lines.append("          \(failure)") }
        }
        return lines.joined(separator: "\n")
    }

    private static func deviceCountText(_ count: Int) -> String {
        count == 0 ? "" : count == 1 ? " on 1 device" : " on \(count) devices"
    }

    /// Returns the reasons for skips, each with the sorted IDs of the skipped devices. The ID of the host is empty.
    private static func devicesByReason(_ skips: [String: String]) -> [(reason: String, devices: [String])] {
        Dictionary(grouping: skips.keys) { skips[$0] ?? "" }
            .map { (reason: $0.key, devices: $0.value.sorted()) }
            .sorted { first, second in
                first.devices == second.devices
                    ? first.reason < second.reason : first.devices.lexicographicallyPrecedes(second.devices)
            }
    }
}
