import CaptureHAL
import Dispatch
import Foundation
import MediaTypes

/// Checks that a host keeps the contract of `HardwareHost`, `OpenDevice` and `DeviceStream`.
///
/// ```swift
/// func testMyHostKeepsTheContract() {
///     HostConformance("my host") { _ in
///         let clock = SimClock()
///         return ConformanceSubject(host: MyHost(clock: clock), time: .virtual(clock))
///     }.check()
/// }
/// ```
/// Every check gets a host of its own. docs/conformance.md tells what each asks for.
public struct HostConformance: Sendable {
    /// For which check a host is made.
    public struct Purpose: Sendable, Hashable {
        public var check: HostCheck
        /// 0 for the first host of a check; some take a second one to compare.
        public var ordinal: Int
    }

    private let name: String
    private let make: @Sendable (Purpose) throws -> ConformanceSubject

    /// - Parameters:
    ///   - name: Names the host in reports.
    ///   - make: Makes the host anew, always with the same devices.
    public init(_ name: String, _ make: @escaping @Sendable (Purpose) throws -> ConformanceSubject) {
        self.name = name
        self.make = make
    }

    /// Runs checks and tells what came of them.
    ///
    /// A check that does not come back in its time, because a call into the host hangs, fails and is left behind.
    public func run(_ checks: [HostCheck] = HostCheck.allCases) -> ConformanceReport {
        var report = ConformanceReport(name: name)
        for check in checks { report.entries.append(run(check)) }
        return report
    }

    private func run(_ check: HostCheck) -> ConformanceReport.Entry {
        let bench: ConformanceBench
        do {
            bench = try ConformanceBench(check, make)
        } catch {
            let failure = ConformanceReport.Failure(device: "", format: "", message: "no host could be made: \(error)")
            return ConformanceReport.Entry(check: check, failures: [failure])
        }
        let traits = bench.subject.traits
        if let reason = traits.exemptions[check] {
            bench.end()
            return ConformanceReport.Entry(check: check, skips: ["": reason])
        }
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            bench.perform()
            isDone.signal()
        }
        let limit = traits.checkLimit
        if isDone.wait(timeout: .now() + .nanoseconds(Int(limit.nanoseconds))) == .timedOut {
            bench.fail(nil, nil, "the check did not end within \(limit): a call into the host hangs")
        }
        return bench.entry
    }
}
