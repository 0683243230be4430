import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class AVCaptureDevicePreferredTests: XCTestCase {
    func testTheUsersSelectionIsPreferredWhileConnected() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let front = try fixture.device("phone.front")
        /// Returns the unique IDs of the cameras that the user and the system prefer.
        func ids() -> [String?] {
            fixture.inSystem {
                [AVCaptureDevice.userPreferredCamera?.uniqueID, AVCaptureDevice.systemPreferredCamera?.uniqueID]
            }
        }
        XCTAssertEqual(ids(), ["phone.back-wide", "phone.back-wide"])
        fixture.inSystem { AVCaptureDevice.userPreferredCamera = front }
        XCTAssertEqual(ids(), ["phone.front", "phone.front"])
        fixture.inSystem { AVCaptureDevice.userPreferredCamera = nil }
        XCTAssertEqual(ids(), ["phone.front", "phone.front"])
        try fixture.host.setSuspended(true, uniqueID: "phone.front")
        fixture.clock.settle()
        XCTAssertEqual(ids(), ["phone.front", "phone.back-wide"])
        try fixture.host.setSuspended(false, uniqueID: "phone.front")
        try fixture.host.disconnect(uniqueID: "phone.front")
        fixture.clock.settle()
        XCTAssertEqual(ids(), ["phone.back-wide", "phone.back-wide"])
        // The selection applies to the device, not to the instance.
        try fixture.host.reconnect(uniqueID: "phone.front")
        fixture.clock.settle()
        XCTAssertEqual(ids(), ["phone.front", "phone.front"])
    }

    func testEachChangeOfAPreferredCameraIsReportedOnce() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let front = try fixture.device("phone.front")
        let wide = try fixture.device("phone.back-wide")
        let reported = Lock<[String]>([])
        let observations = fixture.inSystem {
            [
                AVCaptureDevice.observe(\.systemPreferredCamera, options: [.old, .new]) { type, change in
                    // The handler runs in the system of the observer.
                    let now = type.systemPreferredCamera?.uniqueID ?? "-"
                    reported.withLock {
                        $0.append(
                            "system \(change.oldValue??.uniqueID ?? "-") \(change.newValue??.uniqueID ?? "-") \(now)")
                    }
                },
                AVCaptureDevice.observe(\.userPreferredCamera, options: [.initial, .new]) { _, change in
                    reported.withLock { $0.append("user \(change.newValue??.uniqueID ?? "-")") }
                },
            ]
        }
        func reportedChanges() -> [String] {
            fixture.clock.settle()
            return reported.withLock { reported in
                defer { reported = [] }
                return reported
            }
        }
        XCTAssertEqual(reportedChanges(), ["user phone.back-wide"])
        fixture.inSystem { AVCaptureDevice.userPreferredCamera = wide }
        XCTAssertEqual(reportedChanges(), [], "the selected camera was the default one")
        fixture.inSystem { AVCaptureDevice.userPreferredCamera = front }
        XCTAssertEqual(reportedChanges(), ["system phone.back-wide phone.front phone.front", "user phone.front"])
        try fixture.host.setSuspended(true, uniqueID: "phone.front")
        XCTAssertEqual(reportedChanges(), ["system phone.front phone.back-wide phone.back-wide"])
        try fixture.host.setSuspended(false, uniqueID: "phone.front")
        XCTAssertEqual(reportedChanges(), ["system phone.back-wide phone.front phone.front"])
        try fixture.host.disconnect(uniqueID: "phone.back-telephoto")
        XCTAssertEqual(reportedChanges(), [])
        try fixture.host.disconnect(uniqueID: "phone.front")
        XCTAssertEqual(
            reportedChanges(), ["system phone.front phone.back-wide phone.back-wide", "user phone.back-wide"])
        try fixture.host.reconnect(uniqueID: "phone.front")
        XCTAssertEqual(reportedChanges(), ["system phone.back-wide phone.front phone.front", "user phone.front"])
        for observation in observations { observation.invalidate() }
        fixture.inSystem { AVCaptureDevice.userPreferredCamera = wide }
        XCTAssertEqual(reportedChanges(), [])
    }

    func testASuspendedDeviceReportsIt() throws {
        let fixture = try CaptureFixture()
        let camera = try fixture.device(CaptureFixture.camera)
        let reported = Lock<[Bool]>([], order: .client)
        let observation = camera.observe(\.isSuspended) { camera, _ in
            reported.withLock { $0.append(camera.isSuspended) }
        }
        try fixture.host.setSuspended(true, uniqueID: CaptureFixture.camera)
        fixture.clock.settle()
        try fixture.host.setSuspended(false, uniqueID: CaptureFixture.camera)
        fixture.clock.settle()
        XCTAssertEqual(reported.withLock { $0 }, [true, false])
        observation.invalidate()
    }

    func testLookupByIDReturnsTheSameInstance() throws {
        let fixture = try CaptureFixture()
        let camera = try fixture.device(CaptureFixture.camera)
        fixture.inSystem {
            XCTAssertTrue(AVCaptureDevice(uniqueID: CaptureFixture.camera) === camera)
            XCTAssertNil(AVCaptureDevice(uniqueID: "toaster"))
        }
        try fixture.host.disconnect(uniqueID: CaptureFixture.camera)
        fixture.clock.settle()
        XCTAssertNil(fixture.inSystem { AVCaptureDevice(uniqueID: CaptureFixture.camera) })
    }
}
