import CaptureHAL
import Dispatch
import Foundation
import MediaTypes

/// Checks that a host conforms to the contract of `HardwareHost`, `HardwareDevice`, `OpenDevice` and `DeviceStream`.
///
/// ```swift
/// func testMyHostConforms() {
///     HostConformance("my host") { _ in
///         let clock = SimClock()
///         return ConformanceSubject(host: MyHost(clock: clock), time: .virtual(clock))
///     }.check()
/// }
/// ```
/// Each check runs on a new host. docs/conformance.md lists the requirements.
public struct HostConformance: Sendable {
    /// The purpose of a host that the suite creates.
    public struct Purpose: Sendable, Hashable {
        /// The check that uses the host.
        public var check: HostCheck
        /// 0 for the first host of a check. Some checks create further hosts for comparison.
        public var ordinal: Int
    }

    private let name: String
    private let make: @Sendable (Purpose) throws -> ConformanceSubject

    /// Creates a suite for a host.
    ///
    /// - Parameters:
    ///   - name: The name of the host in reports.
    ///   - make: Creates a new host, always with the same devices. A thrown error is a failure of the check.
    public init(_ name: String, _ make: @escaping @Sendable (Purpose) throws -> ConformanceSubject) {
        self.name = name
        self.make = make
    }

    /// Runs checks and returns the report.
    ///
    /// A check that does not return within `HostTraits.checkTimeout` fails. Its thread is not stopped.
    public func run(_ checks: [HostCheck] = HostCheck.allCases) -> ConformanceReport {
        var report = ConformanceReport(name: name)
        for check in checks { report.entries.append(run(check)) }
        return report
    }

    private func run(_ check: HostCheck) -> ConformanceReport.Entry {
        let context: ConformanceContext
        do {
            context = try ConformanceContext(check, make)
        } catch {
            let failure = ConformanceReport.Failure(
                device: "", format: "", message: "creating the host failed: \(error)")
            return ConformanceReport.Entry(check: check, failures: [failure])
        }
        let traits = context.subject.traits
        if let reason = traits.exemptions[check] {
            context.end()
            return ConformanceReport.Entry(check: check, skips: ["": reason])
        }
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            context.perform()
            isDone.signal()
        }
        let timeout = traits.checkTimeout
        if isDone.wait(timeout: .now() + .nanoseconds(Int(timeout.nanoseconds))) == .timedOut {
            context.fail(nil, nil, "the check did not end within \(timeout): a call into the host hangs")
        }
        return context.entry
    }
}
