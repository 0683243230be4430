import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class AVCaptureDevicePreferredTests: XCTestCase {
    func testTheUsersSelectionIsPreferredWhileConnected() throws {
        let bench = try CaptureFixture(profile: "phone")
        let front = try bench.device("phone.front")
        func names() -> [String?] {
            bench.run {
                [AVCaptureDevice.userPreferredCamera?.uniqueID, AVCaptureDevice.systemPreferredCamera?.uniqueID]
            }
        }
        XCTAssertEqual(names(), ["phone.back-wide", "phone.back-wide"])
        bench.run { AVCaptureDevice.userPreferredCamera = front }
        XCTAssertEqual(names(), ["phone.front", "phone.front"])
        bench.run { AVCaptureDevice.userPreferredCamera = nil }
        XCTAssertEqual(names(), ["phone.front", "phone.front"])
        try bench.host.setSuspended(true, uniqueID: "phone.front")
        bench.clock.settle()
        XCTAssertEqual(names(), ["phone.front", "phone.back-wide"])
        try bench.host.setSuspended(false, uniqueID: "phone.front")
        try bench.host.disconnect(uniqueID: "phone.front")
        bench.clock.settle()
        XCTAssertEqual(names(), ["phone.back-wide", "phone.back-wide"])
        // The selection applies to the device, not to the instance.
        try bench.host.reconnect(uniqueID: "phone.front")
        bench.clock.settle()
        XCTAssertEqual(names(), ["phone.front", "phone.front"])
    }

    func testEachChangeOfAPreferredCameraIsReportedOnce() throws {
        let bench = try CaptureFixture(profile: "phone")
        let front = try bench.device("phone.front")
        let wide = try bench.device("phone.back-wide")
        let reported = Lock<[String]>([])
        let observations = bench.run {
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
            bench.clock.settle()
            return reported.withLock { reported in
                defer { reported = [] }
                return reported
            }
        }
        XCTAssertEqual(reportedChanges(), ["user phone.back-wide"])
        bench.run { AVCaptureDevice.userPreferredCamera = wide }
        XCTAssertEqual(reportedChanges(), [], "the selected camera was the default one")
        bench.run { AVCaptureDevice.userPreferredCamera = front }
        XCTAssertEqual(reportedChanges(), ["system phone.back-wide phone.front phone.front", "user phone.front"])
        try bench.host.setSuspended(true, uniqueID: "phone.front")
        XCTAssertEqual(reportedChanges(), ["system phone.front phone.back-wide phone.back-wide"])
        try bench.host.setSuspended(false, uniqueID: "phone.front")
        XCTAssertEqual(reportedChanges(), ["system phone.back-wide phone.front phone.front"])
        try bench.host.disconnect(uniqueID: "phone.back-telephoto")
        XCTAssertEqual(reportedChanges(), [])
        try bench.host.disconnect(uniqueID: "phone.front")
        XCTAssertEqual(
            reportedChanges(), ["system phone.front phone.back-wide phone.back-wide", "user phone.back-wide"])
        try bench.host.reconnect(uniqueID: "phone.front")
        XCTAssertEqual(reportedChanges(), ["system phone.back-wide phone.front phone.front", "user phone.front"])
        for observation in observations { observation.invalidate() }
        bench.run { AVCaptureDevice.userPreferredCamera = wide }
        XCTAssertEqual(reportedChanges(), [])
    }

    func testASuspendedDeviceReportsIt() throws {
        let bench = try CaptureFixture()
        let camera = try bench.device(CaptureFixture.camera)
        let reported = Lock<[Bool]>([], order: .client)
        let observation = camera.observe(\.isSuspended) { camera, _ in
            reported.withLock { $0.append(camera.isSuspended) }
        }
        try bench.host.setSuspended(true, uniqueID: CaptureFixture.camera)
        bench.clock.settle()
        try bench.host.setSuspended(false, uniqueID: CaptureFixture.camera)
        bench.clock.settle()
        XCTAssertEqual(reported.withLock { $0 }, [true, false])
        observation.invalidate()
    }

    func testLookupByIDReturnsTheSameInstance() throws {
        let bench = try CaptureFixture()
        let camera = try bench.device(CaptureFixture.camera)
        bench.run {
            XCTAssertTrue(AVCaptureDevice(uniqueID: CaptureFixture.camera) === camera)
            XCTAssertNil(AVCaptureDevice(uniqueID: "toaster"))
        }
        try bench.host.disconnect(uniqueID: CaptureFixture.camera)
        bench.clock.settle()
        XCTAssertNil(bench.run { AVCaptureDevice(uniqueID: CaptureFixture.camera) })
    }
}
