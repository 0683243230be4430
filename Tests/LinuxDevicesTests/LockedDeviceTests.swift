import CLinuxDevices
import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import LinuxDevices

final class LockedDeviceTests: XCTestCase {
    /// For example because the user is not in the group "video".
    func testACameraWithoutPermissionIsNotListed() {
        let locked = FakeV4L2Device(card: "Locked Cam")
        locked.openError = EACCES
        let bench = V4L2Fixture(locked)
        bench.kernel.plug(FakeV4L2Device(card: "Open Cam", bus: "usb-2"), at: "/dev/video1")
        bench.kernel.setFile("/sys/class/video4linux/video0/name", "Locked Cam")
        let host = LinuxHost(clock: bench.clock, kernel: bench.kernel, sound: FakeAudioSystem(kernel: bench.kernel))
        XCTAssertEqual(host.devices.map(\.descriptor.localizedName), ["Locked Cam", "Open Cam"])
        let system = CaptureSystem(hosts: [host], clock: bench.clock)
        let names = system.run {
            AVCaptureDevice.DiscoverySession(deviceTypes: [.external], mediaType: .video, position: .unspecified)
                .devices.map(\.localizedName)
        }
        XCTAssertEqual(names, ["Open Cam"])
    }

    /// For example a video call that uses the camera.
    func testASessionIsInterruptedWhileAnotherProgramUsesTheCamera() throws {
        let bench = V4L2Fixture()
        let host = LinuxHost(clock: bench.clock, kernel: bench.kernel, sound: FakeAudioSystem(kernel: bench.kernel))
        let system = CaptureSystem(hosts: [host], clock: bench.clock)
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

        var other: V4L2Node? = try V4L2Node(V4L2Fixture.path, kernel: bench.kernel)
        var buffers = v4l2_requestbuffers()
        (buffers.count, buffers.memory) = (2, V4L2_MEMORY_MMAP.rawValue)
        buffers.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        try other?.request(clinuxdevices_VIDIOC_REQBUFS, "VIDIOC_REQBUFS", &buffers)
        session.startRunning()
        bench.clock.advance(by: .seconds(2))
        XCTAssertTrue(session.isInterrupted)
        XCTAssertTrue(camera.isInUseByAnotherApplication)
        let waiting = AVCaptureSession.InterruptionReason.videoDeviceInUseByAnotherClient.rawValue
        let interrupted = "\(Notification.Name.AVCaptureSessionWasInterrupted.rawValue) \(waiting)"
        XCTAssertEqual(notifications.withLock { $0 }, [interrupted])

        other = nil
        withExtendedLifetime(other) {}
        bench.clock.advance(by: .milliseconds(500))
        XCTAssertFalse(session.isInterrupted)
        XCTAssertTrue(session.isRunning)
        XCTAssertTrue(bench.fake.isStreaming)
        XCTAssertEqual(
            notifications.withLock { $0 },
            [interrupted, Notification.Name.AVCaptureSessionInterruptionEnded.rawValue])
        session.stopRunning()
        let openCount = bench.kernel.callCount(of: "open")
        bench.clock.advance(by: .seconds(5))
        XCTAssertEqual(bench.kernel.callCount(of: "open"), openCount, "no polling without a waiting session")
    }
}
