import Capture
import CaptureHAL
import MediaTypes
import XCTest

@testable import LinuxDevices

final class LockedDeviceTests: XCTestCase {
    /// As for a user who is not in the group "video".
    func testACameraThatMayNotBeOpenedIsNotShownToClientsUntilItMay() {
        let locked = FakeCamera(card: "Locked Cam")
        locked.openError = EACCES
        let bench = CameraBench(locked)
        bench.kernel.plug(FakeCamera(card: "Open Cam", bus: "usb-2"), at: "/dev/video1")
        bench.kernel.setFile("/sys/class/video4linux/video0/name", "Locked Cam")
        let host = LinuxHost(clock: bench.clock, kernel: bench.kernel, sound: FakeSound(kernel: bench.kernel))
        XCTAssertEqual(host.devices.map(\.descriptor.localizedName), ["Locked Cam", "Open Cam"])
        let system = CaptureSystem(hosts: [host], clock: bench.clock)
        let names = system.run {
            AVCaptureDevice.DiscoverySession(deviceTypes: [.external], mediaType: .video, position: .unspecified)
                .devices.map(\.localizedName)
        }
        XCTAssertEqual(names, ["Open Cam"])
    }
}
