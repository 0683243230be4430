import CaptureHAL
import CaptureTesting
import Foundation
import RecordedDevices
import XCTest

/// The recorder is a host like any other; and what was recorded while a host was checked passes the same checks again.
final class TraceHostConformanceTests: XCTestCase {
    func testTheRecorderAndItsTracesKeepTheContract() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { XCTAssertNoThrow(try FileManager.default.removeItem(at: folder)) }
        @Sendable func place(_ purpose: HostConformance.Purpose) -> URL {
            folder.appendingPathComponent("\(purpose.check.rawValue)-\(purpose.ordinal)", isDirectory: true)
        }
        let skipped: Set<HostCheck> = [.deniedIsNotPermitted, .damagedFramesAreTold, .endIsTold]
        let recorded = HostConformance("recorder of sim webcam") { purpose in
            let clock = SimClock()
            var subject = try ConformanceSubject.sim("webcam", clock: clock)
            let recorder = try TraceRecorder(subject.host, to: place(purpose), clock: clock)
            subject.host = recorder
            subject.traits.formatLimit = 3
            subject.tearDown = { try recorder.finish() }
            return subject
        }.check(skipping: skipped)
        XCTAssertEqual(recorded.failed, [])

        HostConformance("trace of sim webcam") { purpose in
            let clock = SimClock()
            let host = try TraceHost(path: place(purpose).path, clock: clock)
            var subject = ConformanceSubject(host: host, time: .virtual(clock), levers: .simTrace)
            subject.traits.formatLimit = 3
            subject.traits.exemptions[.callsFromManyThreads] =
                "a trace answers calls in the order in which they were recorded"
            return subject
        }.check(skipping: skipped.union([.callsFromManyThreads]))
    }
}
