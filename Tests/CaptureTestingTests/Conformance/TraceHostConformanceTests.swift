import CaptureHAL
import CaptureTesting
import Foundation
import RecordedDevices
import XCTest

/// Tests the conformance of the trace recorder, and of the host that plays the traces recorded during the checks.
final class TraceHostConformanceTests: XCTestCase {
    func testTheRecorderAndItsTracesConform() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { XCTAssertNoThrow(try FileManager.default.removeItem(at: folder)) }
        @Sendable func traceURL(_ purpose: HostConformance.Purpose) -> URL {
            folder.appendingPathComponent("\(purpose.check.rawValue)-\(purpose.ordinal)", isDirectory: true)
        }
        let skipped: Set<HostCheck> = [.deniedPermissionIsReported, .damagedFramesAreReported, .endIsReported]
        let recorded = HostConformance("recorder of sim webcam") { purpose in
            let clock = SimClock()
            var subject = try ConformanceSubject.sim("webcam", clock: clock)
            let recorder = try TraceRecorder(subject.host, to: traceURL(purpose), clock: clock)
            subject.host = recorder
            subject.traits.formatLimit = 3
            subject.tearDown = { try recorder.finish() }
            return subject
        }.check(skipping: skipped)
        XCTAssertEqual(recorded.failed, [])

        HostConformance("trace of sim webcam") { purpose in
            let clock = SimClock()
            let host = try TraceHost(path: traceURL(purpose).path, clock: clock)
            var subject = ConformanceSubject(host: host, time: .virtual(clock), actions: .simTrace)
            subject.traits.formatLimit = 3
            subject.traits.exemptions[.callsFromManyThreads] =
                "a trace returns results in the order in which they were recorded"
            return subject
        }.check(skipping: skipped.union([.callsFromManyThreads]))
    }
}
