import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Tests the errors of a camera with vivid: use by another program, injected errors, disconnection.
final class V4L2FaultLabTests: LabTestCase {
    func testACameraIsBusyWhileAnotherProgramStreamsFromIt() throws {
        let camera = try cameras()[0]
        let opened = try camera.open()
        let stream = try opened.makeStream(configuration(camera))
        let other = try XCTUnwrap(LinuxHost(clock: clock).devices.first)
        XCTAssertTrue(other.isInUseByAnotherApplication)
        XCTAssertFalse(camera.isInUseByAnotherApplication)
        assertCode(try other.open(), .busy)
        let isFree = expectation(description: "the camera is free")
        isFree.assertForOverFulfill = false
        let observation = other.observeCondition { if !$0.isInUseByAnotherApplication { isFree.fulfill() } }
        XCTAssertTrue(other.condition.isInUseByAnotherApplication)
        withExtendedLifetime(stream) { opened.close() }
        wait(for: [isFree], timeout: labTimeout)
        observation.cancel()
        XCTAssertFalse(other.isInUseByAnotherApplication)
        try other.open().close()
    }

    func testInjectedErrorsAreReported() throws {
        let camera = try cameras()[0]
        let opened = try camera.open()
        try Vivid.set("Inject VIDIOC_REQBUFS Error", 1, path: camera.path)
        XCTAssertThrowsError(try opened.makeStream(configuration(camera)))
        let stream = try opened.makeStream(configuration(camera))
        try Vivid.set("Inject VIDIOC_STREAMON Error", 1, path: camera.path)
        XCTAssertThrowsError(try stream.start { _ in })

        let receiver = RecordingReceiver(keepsFrames: false)
        try stream.start(receiver.receive)
        XCTAssertGreaterThanOrEqual(receiver.wait(for: 2).count, 2)
        receiver.removeAll()
        try Vivid.set("Inject V4L2_BUF_FLAG_ERROR", 1, path: camera.path)
        var drop: DroppedFrame?
        for count in 1...20 where drop == nil {
            drop = receiver.wait(for: count).compactMap(\.drop).first { $0.reason == .damaged }
        }
        XCTAssertNotNil(drop, "\(receiver.events)")

        try Vivid.set("Percentage of Dropped Buffers", 50, path: camera.path)
        receiver.removeAll()
        var gaps: [DroppedFrame] = []
        for count in 1...40 where gaps.isEmpty {
            gaps = receiver.wait(for: count).compactMap(\.drop).filter { $0.reason == .discontinuity }
        }
        XCTAssertFalse(gaps.isEmpty)
        try Vivid.set("Percentage of Dropped Buffers", 0, path: camera.path)

        receiver.removeAll()
        try Vivid.set("Inject Fatal Streaming Error", 1, path: camera.path)
        XCTAssertEqual(receiver.waitForFailure()?.code, .inputOutput)
        receiver.removeAll()
        try stream.start(receiver.receive)
        XCTAssertNotNil(receiver.waitForFrames().first)
        stream.stop()
        opened.close()
    }

    func testADisconnectedCameraEndsItsStream() throws {
        let camera = try cameras()[1]
        let opened = try camera.open()
        let stream = try opened.makeStream(configuration(camera, .pixels(kCVPixelFormatType_OneComponent8)))
        let receiver = RecordingReceiver(keepsFrames: false)
        try stream.start(receiver.receive)
        XCTAssertNotNil(receiver.waitForFrames().first)
        // vivid reconnects the camera when its last file descriptor is closed.
        try Vivid.set("Disconnect", 1, path: camera.path)
        XCTAssertEqual(receiver.waitForFailure()?.code, .disconnected)
        stream.stop()
        opened.close()
    }

    func testUnpluggingEndsTheStreamAndReconnectionCreatesANewDevice() throws {
        let messages = RecordingMessages()
        let udev = try UdevWatcher(kernel, .kernel) { messages.append("\($0)") }
        let camera = try cameras()[1]
        XCTAssertEqual(host.hotplugSource, "inotify")
        let disconnected = expectation(description: "the host reports the disconnection")
        let connected = expectation(description: "the host reports the connection")
        let id = camera.descriptor.uniqueID
        let observation = host.observeDevices { change in
            guard change.device.descriptor.uniqueID == id else { return }
            if case .connected = change { connected.fulfill() } else { disconnected.fulfill() }
        }
        let opened = try camera.open()
        let stream = try opened.makeStream(configuration(camera, .pixels(kCVPixelFormatType_OneComponent8)))
        let receiver = RecordingReceiver(keepsFrames: false)
        try stream.start(receiver.receive)
        XCTAssertNotNil(receiver.waitForFrames().first)
        try Vivid.unplug()
        XCTAssertEqual(receiver.waitForFailure()?.code, .disconnected)
        wait(for: [disconnected], timeout: labTimeout)
        XCTAssertFalse(camera.isConnected)
        assertCode(try camera.open(), .disconnected)
        stream.stop()
        opened.close()

        try Vivid.plug()
        wait(for: [connected], timeout: labTimeout)
        let newCamera = try XCTUnwrap(host.devices.first { $0.descriptor.uniqueID == id })
        XCTAssertTrue(newCamera.isConnected)
        XCTAssertFalse(newCamera === camera)
        try newCamera.open().close()
        observation.cancel()
        udev.stop()
        for event in ["vanished", "appeared"] {
            XCTAssertTrue(messages.all.contains { $0.hasPrefix("\(event)(\"/dev/video") }, "\(messages.all)")
        }
    }
}

/// Records messages from any thread.
private final class RecordingMessages: Sendable {
    private let messages = Lock<[String]>([])
    func append(_ message: String) { messages.withLock { $0.append(message) } }
    var all: [String] { messages.withLock { $0 } }
}
