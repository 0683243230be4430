import CaptureTesting
import XCTest

final class SimHostConformanceTests: XCTestCase {
    /// A simulated machine has no permissions of its own (the system's `Authorization` has), damages nothing and never ends.
    private let skipped: Set<HostCheck> = [.deniedIsNotPermitted, .damagedFramesAreTold, .endIsTold]

    func testThePhoneKeepsTheContract() {
        HostConformance("sim phone") { _ in try .sim("phone") }.check(skipping: skipped)
    }

    func testTheWebcamKeepsTheContract() {
        HostConformance("sim webcam") { _ in try .sim("webcam") }.check(skipping: skipped)
    }

    func testTheWebcamKeepsTheContractInRealTime() {
        let checks: [HostCheck] = [
            .stopIsFinal, .stopInsideAnEvent, .closeInsideAnEvent, .releaseGivesBack, .callsFromManyThreads,
            .buffersRunOutAndReturn, .unpluggingEndsTheStream, .failureEndsTheStream, .nothingLeaks,
        ]
        HostConformance("sim webcam in real time") { _ in
            var subject = try ConformanceSubject.sim("webcam", .real(HostClock()))
            // The simulation's moments are exact, whenever they are served.
            subject.traits.soundTolerance = 0.001
            return subject
        }.check(checks, skipping: [])
    }
}
