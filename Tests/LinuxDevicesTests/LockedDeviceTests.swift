import AssetTypes
import CLinuxDevices
import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import LinuxDevices

final class LockedDeviceTests: XCTestCase {
    /// For example, the user is not in the group "video".
    func testADiscoverySessionOmitsACameraWithoutPermission() {
        let locked = FakeV4L2Device(card: "Locked Cam")
        locked.openError = EACCES
        let fixture = V4L2Fixture(locked)
        fixture.kernel.plug(FakeV4L2Device(card: "Open Cam", bus: "usb-2"), at: "/dev/video1")
        fixture.kernel.setFile("/sys/class/video4linux/video0/name", "Locked Cam")
        let host = LinuxHost(
            clock: fixture.clock, kernel: fixture.kernel, audioSystem: FakeAudioSystem(kernel: fixture.kernel))
        XCTAssertEqual(host.devices.map(\.descriptor.localizedName), ["Locked Cam", "Open Cam"])
        let system = CaptureSystem(hosts: [host], clock: fixture.clock)
        let names = system.run {
            AVCaptureDevice.DiscoverySession(deviceTypes: [.external], mediaType: .video, position: .unspecified)
                .devices.map(\.localizedName)
        }
        XCTAssertEqual(names, ["Open Cam"])
    }

    /// For example, the other program is a video call.
    func testASessionIsInterruptedWhileAnotherProgramUsesTheCamera() throws {
        let fixture = V4L2Fixture()
        let host = LinuxHost(
            clock: fixture.clock, kernel: fixture.kernel, audioSystem: FakeAudioSystem(kernel: fixture.kernel))
        let system = CaptureSystem(hosts: [host], clock: fixture.clock)
        let session = system.run { AVCaptureSession() }
        let camera = try XCTUnwrap(system.run { AVCaptureDevice.default(for: .video) })
        session.addInput(try AVCaptureDeviceInput(device: camera))
        session.addOutput(system.run { AVCaptureVideoDataOutput() })
        let notifications = Lock<[String]>([])
        let names: [Notification.Name] = [
            .AVCaptureSessionWasInterrupted, .AVCaptureSessionInterruptionEnded, .AVCaptureSessionRuntimeError,
        ]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { note in
                let reason = note.userInfo?[AVCaptureSessionInterruptionReasonKey]
                notifications.withLock { $0.append("\(name.rawValue)\(reason.map { " \($0)" } ?? "")") }
            }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

        var other: V4L2Node? = try V4L2Node(V4L2Fixture.path, kernel: fixture.kernel)
        var buffers = v4l2_requestbuffers()
        (buffers.count, buffers.memory) = (2, V4L2_MEMORY_MMAP.rawValue)
        buffers.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        try other?.request(clinuxdevices_VIDIOC_REQBUFS, "VIDIOC_REQBUFS", &buffers)
        session.startRunning()
        fixture.clock.advance(by: .seconds(2))
        XCTAssertTrue(session.isInterrupted)
        XCTAssertTrue(camera.isInUseByAnotherApplication)
        let reason = AVCaptureSession.InterruptionReason.videoDeviceInUseByAnotherClient.rawValue
        let interrupted = "\(Notification.Name.AVCaptureSessionWasInterrupted.rawValue) \(reason)"
        XCTAssertEqual(notifications.withLock { $0 }, [interrupted])

        other = nil
        withExtendedLifetime(other) {}
        fixture.clock.advance(by: .milliseconds(500))
        XCTAssertFalse(session.isInterrupted)
        XCTAssertTrue(session.isRunning)
        XCTAssertTrue(fixture.kernel.locked { fixture.fake.isStreaming })
        XCTAssertEqual(
            notifications.withLock { $0 },
            [interrupted, Notification.Name.AVCaptureSessionInterruptionEnded.rawValue])
        session.stopRunning()
        let openCount = fixture.kernel.callCount(of: "open")
        fixture.clock.advance(by: .seconds(5))
        XCTAssertEqual(fixture.kernel.callCount(of: "open"), openCount, "no polling without a waiting session")
    }
}
