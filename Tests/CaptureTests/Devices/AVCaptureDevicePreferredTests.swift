import MediaTypes
import SimDevices
import XCTest

@testable import Capture

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

    func testASuspendedDeviceSaysSo() throws {
        let bench = try CaptureBench()
        let camera = try bench.device(CaptureBench.camera)
        let told = Lock<[Bool]>([])
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
