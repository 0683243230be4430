import CaptureTesting
import XCTest

final class SimHostConformanceTests: XCTestCase {
    /// A simulated host has no permissions (they belong to `Authorization`), damages no frames and has no end.
    private let skipped: Set<HostCheck> = [.deniedPermissionIsReported, .damagedFramesAreReported, .endIsReported]

    func testThePhoneConforms() {
        HostConformance("sim phone") { _ in try .sim("phone") }.check(skipping: skipped)
    }

    func testTheWebcamConforms() {
        HostConformance("sim webcam") { _ in try .sim("webcam") }.check(skipping: skipped)
    }

    func testTheWebcamConformsInRealTime() {
        let checks: [HostCheck] = [
            .stopIsFinal, .stopInsideAnEvent, .closeInsideAnEvent, .deallocationReleasesTheDevice,
            .callsFromManyThreads,
            .bufferExhaustionIsReported, .disconnectionEndsTheStream, .failureEndsTheStream, .nothingLeaks,
        ]
        HostConformance("sim webcam in real time") { _ in
            var subject = try ConformanceSubject.sim("webcam", .real(HostClock()))
            // The time stamps of the simulation are exact also in real time.
            subject.traits.audioTolerance = 0.001
            return subject
        }.check(checks, skipping: [])
    }
}
