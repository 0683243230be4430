import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class AVCaptureDevicePreferredTests: XCTestCase {
    func testTheUsersChoiceComesFirstWhileItIsThere() throws {
        let bench = try CaptureBench(profile: "phone")
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
        // The choice is remembered for the device, not for the instance.
        try bench.host.reconnect(uniqueID: "phone.front")
        bench.clock.settle()
        XCTAssertEqual(names(), ["phone.front", "phone.front"])
    }

    func testTheCamerasOfChoiceAreToldOncePerChange() throws {
        let bench = try CaptureBench(profile: "phone")
        let front = try bench.device("phone.front")
        let wide = try bench.device("phone.back-wide")
        let told = Lock<[String]>([])
        let observations = bench.run {
            [
                AVCaptureDevice.observe(\.systemPreferredCamera, options: [.old, .new]) { type, change in
                    // The handler sees the class as the observer does.
                    let now = type.systemPreferredCamera?.uniqueID ?? "-"
                    told.withLock {
                        $0.append(
                            "system \(change.oldValue??.uniqueID ?? "-") \(change.newValue??.uniqueID ?? "-") \(now)")
                    }
                },
                AVCaptureDevice.observe(\.userPreferredCamera, options: [.initial, .new]) { _, change in
                    told.withLock { $0.append("user \(change.newValue??.uniqueID ?? "-")") }
                },
            ]
        }
        func news() -> [String] {
            bench.clock.settle()
            return told.withLock { told in
                defer { told = [] }
                return told
            }
        }
        XCTAssertEqual(news(), ["user phone.back-wide"])
        bench.run { AVCaptureDevice.userPreferredCamera = wide }
        XCTAssertEqual(news(), [], "the choice is the camera that was there")
        bench.run { AVCaptureDevice.userPreferredCamera = front }
        XCTAssertEqual(news(), ["system phone.back-wide phone.front phone.front", "user phone.front"])
        try bench.host.setSuspended(true, uniqueID: "phone.front")
        XCTAssertEqual(news(), ["system phone.front phone.back-wide phone.back-wide"])
        try bench.host.setSuspended(false, uniqueID: "phone.front")
        XCTAssertEqual(news(), ["system phone.back-wide phone.front phone.front"])
        try bench.host.disconnect(uniqueID: "phone.back-telephoto")
        XCTAssertEqual(news(), [])
        try bench.host.disconnect(uniqueID: "phone.front")
        XCTAssertEqual(news(), ["system phone.front phone.back-wide phone.back-wide", "user phone.back-wide"])
        try bench.host.reconnect(uniqueID: "phone.front")
        XCTAssertEqual(news(), ["system phone.back-wide phone.front phone.front", "user phone.front"])
        for observation in observations { observation.invalidate() }
        bench.run { AVCaptureDevice.userPreferredCamera = wide }
        XCTAssertEqual(news(), [])
    }

    func testASuspendedDeviceSaysSo() throws {
        let bench = try CaptureBench()
        let camera = try bench.device(CaptureBench.camera)
        let told = Lock<[Bool]>([], order: .client)
        let observation = camera.observe(\.isSuspended) { camera, _ in told.withLock { $0.append(camera.isSuspended) } }
        try bench.host.setSuspended(true, uniqueID: CaptureBench.camera)
        bench.clock.settle()
        try bench.host.setSuspended(false, uniqueID: CaptureBench.camera)
        bench.clock.settle()
        XCTAssertEqual(told.withLock { $0 }, [true, false])
        observation.invalidate()
    }

    func testADeviceIsFoundByItsIDAsTheOneInstance() throws {
        let bench = try CaptureBench()
        let camera = try bench.device(CaptureBench.camera)
        bench.run {
            XCTAssertTrue(AVCaptureDevice(uniqueID: CaptureBench.camera) === camera)
            XCTAssertNil(AVCaptureDevice(uniqueID: "toaster"))
        }
        try bench.host.disconnect(uniqueID: CaptureBench.camera)
        bench.clock.settle()
        XCTAssertNil(bench.run { AVCaptureDevice(uniqueID: CaptureBench.camera) })
    }
}
