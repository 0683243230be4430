import CaptureHAL
import CaptureTesting
import Foundation
import SimDevices
import TestSupport
import XCTest

final class SimHostConformanceTests: XCTestCase {
    /// The checks that do not apply to a simulated host: permissions are controlled by `Authorization`, and the host
    /// cannot damage frames or reach the end of a stream.
    private let inapplicable: Set<HostCheck> = [.deniedPermissionIsReported, .damagedFramesAreReported, .endIsReported]

    func testThePhoneConforms() {
        HostConformance("sim phone") { _ in try .sim("phone") }.check(skipping: inapplicable)
    }

    /// The phone with one lens and the one with a variable aperture; all phones if all cases are tried.
    func testOtherPhonesConform() {
        let all = PhoneSelection.all.names.filter { $0 != "phone" }
        let phones = CaseSample.isComplete ? all : ["phone-small", "phone-variable-aperture"]
        XCTAssertTrue(phones.allSatisfy(all.contains))
        for phone in phones {
            HostConformance("sim \(phone)") { _ in try .sim(phone) }.check(skipping: inapplicable)
        }
    }

    func testTheWebcamConforms() {
        HostConformance("sim webcam") { _ in try .sim("webcam") }.check(skipping: inapplicable)
    }

    func testTheWebcamConformsInRealTime() {
        let checks: [HostCheck] = [
            .stopIsFinal, .stopInsideAnEvent, .stopOnAnotherThread, .closeInsideAnEvent,
            .deallocationReleasesTheDevice, .callsFromManyThreads, .bufferExhaustionIsReported,
            .disconnectionEndsTheStream, .failureEndsTheStream,
            .nothingLeaks,
        ]
        HostConformance("sim webcam in real time") { _ in
            var subject = try ConformanceSubject.sim("webcam", .real(HostClock()))
            // Simulated timestamps are exact in real time as well.
            subject.traits.audioToleranceSeconds = 0.001
            return subject
        }.check(checks, skipping: [])
    }
}
