package import CaptureHAL
package import Foundation
import MediaTypes
package import SimDevices

/// Connects simulated systems with the tests that create them, and fails a test for misuse that it does not expect.
///
/// `CaptureTesting` installs one in programs that link it. Without one, misuse is only recorded.
package protocol TestReporter: Sendable {
    /// Returns the host of a new system's devices: the simulated one, or one that records a trace of it.
    ///
    /// - Parameter folder: The folder of the system.
    func host(for simulated: SimHost, clock: SimClock, folder: URL) -> any HardwareHost

    /// Receives a new system, on the thread that creates it.
    func didCreate(_ system: SimulatedSystem)

    /// Returns a value that identifies the running code in a report. Called on the thread that causes misuse.
    func currentCallSite() -> any Sendable

    /// Fails the running test.
    ///
    /// - Parameters:
    ///   - message: The description of the failure.
    ///   - fileID: The module and the name of the file, as in `#fileID`.
    ///   - file: The path of the file.
    ///   - line: The line of the failure.
    func fail(_ message: String, fileID: StaticString, file: StaticString, line: UInt)

    /// The name of the running test; nil if it is unknown.
    var runningTest: String? { get }

    /// The number of failures of the running test so far.
    var failureCount: Int { get }

    /// Receives the record of a system after new misuse that must be reported immediately.
    func didRecordMisuse(_ record: SystemRecord)

    /// Receives a system that is about to be closed, before its files are removed.
    func willClose(_ system: CaptureSystem)

    /// Returns whether the files of a system are needed after it is closed, because its test may fail.
    func keepsFiles(of record: SystemRecord) -> Bool

    /// Receives the record of a system that is closed.
    func didClose(_ record: SystemRecord)

    /// Receives the record of a system that is deallocated.
    func didDeallocate(_ record: SystemRecord)
}

/// The test reporter of the process.
package enum TestReporting {
    private static let installed = Lock<(any TestReporter)?>(nil, order: .primitive)

    package static var reporter: (any TestReporter)? { installed.withLock { $0 } }

    /// Sets the reporter. It does not receive systems that were created before.
    package static func install(_ reporter: any TestReporter) { installed.withLock { $0 = reporter } }
}
