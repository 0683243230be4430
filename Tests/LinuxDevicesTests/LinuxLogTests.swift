import CLinuxDevices
import CaptureHAL
import MediaTypes
import TestSupport
import XCTest

@testable import LinuxDevices

/// The entries that the devices of the kernel write to the log.
final class LinuxLogTests: XCTestCase {
    func testTheLogTracesACameraFromOpeningToItsLostFrames() throws {
        let fixture = V4L2Fixture()
        let messages = try CaptureLog.entries("v4l2") {
            let camera = try fixture.camera()
            let opened = try camera.open()
            let stream = try opened.makeStream(fixture.configuration(camera))
            let receiver = RecordingReceiver()
            try stream.start(receiver.receive)
            fixture.expose()
            fixture.fake.skipFrames(2)
            fixture.expose()
            XCTAssertEqual(receiver.wait(for: 4).count, 4)
            stream.stop()
            opened.close()
        }.map(\.message)
        for part in [
            ": opened", "accepts YUYV 64x48", "frame interval 1/30 s requested, 1/30 s selected", "streaming started",
            "the driver lost 2 frames before number 3: its sequence has a gap", "streaming stopped",
        ] { XCTAssertTrue(messages.contains { $0.contains(part) }, "\(part) is not in \(messages)") }
    }

    func testAFailedRequestIsLoggedWithItsNameAndNumber() throws {
        let fixture = V4L2Fixture()
        let camera = try fixture.camera()
        let opened = try camera.open()
        fixture.kernel.fail("VIDIOC_S_FMT", with: EIO)
        let entries = try CaptureLog.entries("v4l2:debug") {
            XCTAssertThrowsError(try opened.makeStream(fixture.configuration(camera)))
        }
        opened.close()
        let failed = entries.filter { $0.message.contains("VIDIOC_S_FMT failed: Input/output error (errno 5)") }
        XCTAssertEqual(failed.map(\.level), [.debug, .error], "\(entries)")
        XCTAssertTrue(failed.allSatisfy { $0.message.hasPrefix("/dev/video0: ") }, "\(failed)")
    }

    func testARefusedControlIsLoggedWithTheReason() throws {
        let fake = FakeV4L2Device()
        fake.controls = [.integer(V4L2_CID_BRIGHTNESS, 0...100, 50)]
        let fixture = V4L2Fixture(fake)
        let opened = try fixture.camera().open()
        fixture.kernel.fail("VIDIOC_S_CTRL", with: ERANGE)
        let entries = try CaptureLog.entries("v4l2") {
            XCTAssertThrowsError(try opened.set(.brightness, to: .number(0.5)))
        }
        opened.close()
        XCTAssertEqual(entries.map(\.level), [.error])
        XCTAssertTrue(entries.allSatisfy { $0.message.contains("control 0x980900: ") }, "\(entries)")
        XCTAssertTrue(entries.allSatisfy { $0.message.hasSuffix(", errno 34") }, "\(entries)")
    }

    func testAnOverrunOfAMicrophoneIsLogged() throws {
        let clock = SimClock(start: CMTime(value: 50, timescale: 1))
        let kernel = FakeKernel(clock: clock)
        let sound = FakeAudioSystem(kernel: kernel)
        let messages = try CaptureLog.entries("alsa") {
            let microphone = ALSAMicrophone(
                FakeAudioSystem.endpoint(), audioSystem: sound, kernel: kernel, clock: clock)
            let opened = try microphone.open()
            let stream = try opened.makeStream(
                StreamConfiguration(format: microphone.formats[0], frameDuration: CMTime(value: 1, timescale: 100)))
            let receiver = RecordingReceiver()
            try stream.start(receiver.receive)
            clock.advance(by: .milliseconds(70))
            sound.pcm.overrun(losing: 70)
            XCTAssertTrue(kernel.waitUntil { sound.pcm.startCount == 2 })
            stream.stop()
            opened.close()
        }.map(\.message)
        XCTAssertTrue(messages.contains { $0.contains("1 channels, int16; period of ") }, "\(messages)")
        XCTAssertTrue(messages.contains { $0.contains("Broken pipe (errno 32); restarted, ") }, "\(messages)")
    }

    func testAPluggedAndUnpluggedCameraIsLogged() throws {
        // The host's watcher uses a real thread.
        let clock = HostClock()
        let kernel = FakeKernel(clock: clock)
        let sound = FakeAudioSystem(kernel: kernel)
        let messages = try CaptureLog.entries("v4l2", inVirtualTime: false) {
            let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: sound)
            let observer = RecordingObserver()
            let observation = host.observeDevices(observer.record)
            kernel.plug(FakeV4L2Device(), at: "/dev/video0")
            XCTAssertEqual(observer.wait(for: 1).count, 1)
            kernel.unplug("/dev/video0")
            XCTAssertEqual(observer.wait(for: 2).count, 2)
            observation.cancel()
        }.map(\.message)
        XCTAssertTrue(messages.contains { $0.hasPrefix("/dev/video0: appeared, ") }, "\(messages)")
        XCTAssertTrue(messages.contains { $0.hasPrefix("/dev/video0: vanished ") }, "\(messages)")
    }
}
