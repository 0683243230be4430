import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import XCTest

@testable import LinuxDevices

/// What can go wrong with a camera, on vivid.
final class V4L2FaultLabTests: LabTestCase {
    func testACameraThatAnotherProgramStreamsIsBusy() throws {
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
        wait(for: [isFree], timeout: 60)
        observation.cancel()
        XCTAssertFalse(other.isInUseByAnotherApplication)
        try other.open().close()
    }

    func testInjectedErrorsAreTold() throws {
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
        for count in 1...20 where drop == nil { drop = receiver.wait(for: count).compactMap(\.drop).first }
        XCTAssertEqual(drop?.reason, .damaged)

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
        XCTAssertEqual(failure(in: receiver)?.code, .inputOutput)
        receiver.removeAll()
        try stream.start(receiver.receive)
        XCTAssertNotNil(receiver.wait(for: 1).first?.frame)
        stream.stop()
        opened.close()
    }

    func testADisconnectedCameraEndsItsStream() throws {
        let camera = try cameras()[1]
        let opened = try camera.open()
        let stream = try opened.makeStream(configuration(camera, .pixels(kCVPixelFormatType_OneComponent8)))
        let receiver = RecordingReceiver(keepsFrames: false)
        try stream.start(receiver.receive)
        XCTAssertNotNil(receiver.wait(for: 1).first?.frame)
        // vivid comes back by itself when the last handle is closed.
        try Vivid.set("Disconnect", 1, path: camera.path)
        XCTAssertEqual(failure(in: receiver)?.code, .disconnected)
        stream.stop()
        opened.close()
    }

    func testUnplugWhileStreamingAndReplug() throws {
        let messages = RecordingMessages()
        let udev = try UdevWatcher(kernel, .kernel) { messages.note("\($0)") }
        let camera = try cameras()[1]
        XCTAssertEqual(host.hotplugSource, "inotify")
        let gone = expectation(description: "the host tells of the unplugging")
        let back = expectation(description: "the host tells of the replugging")
        let id = camera.descriptor.uniqueID
        let observation = host.observeDevices { change in
            guard change.device.descriptor.uniqueID == id else { return }
            if case .connected = change { back.fulfill() } else { gone.fulfill() }
        }
        let opened = try camera.open()
        let stream = try opened.makeStream(configuration(camera, .pixels(kCVPixelFormatType_OneComponent8)))
        let receiver = RecordingReceiver(keepsFrames: false)
        try stream.start(receiver.receive)
        XCTAssertNotNil(receiver.wait(for: 1).first?.frame)
        try Vivid.unplug()
        XCTAssertEqual(failure(in: receiver)?.code, .disconnected)
        wait(for: [gone], timeout: 20)
        XCTAssertFalse(camera.isConnected)
        assertCode(try camera.open(), .disconnected)
        stream.stop()
        opened.close()

        try Vivid.plug()
        wait(for: [back], timeout: 20)
        let again = try XCTUnwrap(host.devices.first { $0.descriptor.uniqueID == id })
        XCTAssertTrue(again.isConnected)
        XCTAssertFalse(again === camera)
        try again.open().close()
        observation.cancel()
        udev.stop()
        for word in ["vanished", "appeared"] {
            XCTAssertTrue(messages.all.contains { $0.hasPrefix("\(word)(\"/dev/video") }, "\(messages.all)")
        }
    }
}

/// Keeps lines that come from other threads.
private final class RecordingMessages: Sendable {
    private let lines = Lock<[String]>([])
    func note(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}
