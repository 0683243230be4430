import CaptureHAL
import MediaTypes
import SimDevices
import XCTest

@testable import Capture

/// What a client sets on devices while it configures their session.
final class AVCaptureSessionDraftTests: XCTestCase {
    private func makeStage() throws -> (CaptureBench, AVCaptureSession, RecordingFrames, AVCaptureDevice) {
        let bench = try CaptureBench(profile: "phone")
        let frames = RecordingFrames()
        let video = bench.run { AVCaptureVideoDataOutput() }
        video.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try bench.makeSession(camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [video])
        return (bench, session, frames, try bench.device("phone.back-wide"))
    }

    func testFormatAndFrameDurationsApplyTogetherAtTheCommit() throws {
        let (bench, session, frames, camera) = try makeStage()
        session.startRunning()
        bench.advance(milliseconds: 90)
        let fast = try XCTUnwrap(
            camera.formats.first {
                $0.formatDescription.dimensions.width == 1280
                    && $0.videoSupportedFrameRateRanges.first?.maxFrameRate == 60
            })
        session.beginConfiguration()
        try camera.lockForConfiguration()
        camera.activeFormat = fast
        camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 60)
        camera.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 60)
        camera.unlockForConfiguration()
        bench.advance(milliseconds: 100)
        XCTAssertEqual(frames.counters, [0, 1, 2, 3, 4, 5], "until the commit all goes on as it did")
        XCTAssertEqual(Set(frames.frames.map(\.width)), [640])
        session.commitConfiguration()
        frames.clear()
        bench.advance(milliseconds: 990)
        XCTAssertEqual(frames.frames.count, 60)
        XCTAssertEqual(Set(frames.frames.map(\.width)), [1280])
        XCTAssertEqual(session.sessionPreset, .inputPriority)
        session.stopRunning()
        bench.assertNoMisuse()
    }

    func testAFrameDurationAloneWaitsForTheCommitAndCostsNoFrame() throws {
        let (bench, session, frames, camera) = try makeStage()
        session.startRunning()
        bench.advance(milliseconds: 90)
        session.beginConfiguration()
        try camera.lockForConfiguration()
        camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 10)
        camera.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 10)
        camera.unlockForConfiguration()
        bench.advance(milliseconds: 100)
        XCTAssertEqual(frames.frames.count, 6)
        session.commitConfiguration()
        bench.advance(milliseconds: 1000)
        XCTAssertEqual(frames.counters, (0..<16).map { UInt32($0) })
        session.stopRunning()
    }

    func testARefusedConfigurationPutsBackTheFormatThatTheClientHadChanged() throws {
        let (bench, session, frames, camera) = try makeStage()
        session.startRunning()
        bench.advance(milliseconds: 50)
        let before = camera.activeFormat
        try camera.lockForConfiguration()
        camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 15)
        camera.unlockForConfiguration()
        let microphone = try bench.input("phone.microphone")
        try bench.host.schedule(.refuseOpen(count: 1), uniqueID: "phone.microphone", at: .time(.zero))
        session.beginConfiguration()
        session.addInput(microphone)
        session.addOutput(bench.run { AVCaptureAudioDataOutput() })
        try camera.lockForConfiguration()
        camera.activeFormat = camera.formats[0]
        camera.unlockForConfiguration()
        session.commitConfiguration()
        XCTAssertTrue(session.isRunning)
        XCTAssertTrue(camera.activeFormat === before)
        XCTAssertEqual(camera.activeVideoMinFrameDuration, CMTime(value: 1, timescale: 15))
        frames.clear()
        bench.advance(milliseconds: 990)
        XCTAssertEqual(Set(frames.frames.map(\.width)), [640])
        XCTAssertEqual(frames.frames.count, 15)
        session.stopRunning()
        bench.assertNoMisuse()
    }

    func testADeviceWhoseInputIsTakenOutInAnOpenConfigurationStillTellsTheSession() throws {
        let (bench, session, _, _) = try makeStage()
        let notifications = RecordingNotifications(bench)
        session.startRunning()
        bench.advance(milliseconds: 50)
        session.beginConfiguration()
        session.removeInput(session.inputs[0])
        try bench.host.setInUse(true, uniqueID: "phone.back-wide")
        bench.clock.settle()
        XCTAssertEqual(notifications.story, ["start", "interrupted 3", "stop"])
        session.commitConfiguration()
        XCTAssertEqual(notifications.story, ["start", "interrupted 3", "stop", "interruption ended", "start"])
        session.stopRunning()
    }

    func testThePortsOfADeviceAreFoundByMediumTypeAndPosition() throws {
        let bench = try CaptureBench(profile: "phone")
        let input = try bench.input("phone.front")
        let searches: [(AVMediaType?, AVCaptureDevice.DeviceType?, AVCaptureDevice.Position, Int)] = [
            (nil, nil, .unspecified, 1), (.video, nil, .front, 1), (.video, .builtInWideAngleCamera, .unspecified, 1),
            (.audio, nil, .unspecified, 0), (.video, nil, .back, 0), (.video, .builtInTelephotoCamera, .front, 0),
        ]
        for (media, type, position, count) in searches {
            let ports = input.ports(for: media, sourceDeviceType: type, sourceDevicePosition: position)
            XCTAssertEqual(ports.count, count, "\(String(describing: media)) \(position)")
        }
        let port = try XCTUnwrap(input.ports.first)
        XCTAssertTrue(port.input === input)
        XCTAssertEqual(port.sourceDeviceType, .builtInWideAngleCamera)
        XCTAssertEqual(port.sourceDevicePosition, .front)
    }

    func testALongExposureLengthensTheFrameAndAShorterFrameTheExposure() throws {
        let (bench, session, _, camera) = try makeStage()
        session.startRunning()
        bench.advance(milliseconds: 50)
        try camera.lockForConfiguration()
        XCTAssertEqual(camera.activeVideoMaxFrameDuration, CMTime(value: 1, timescale: 30))
        camera.setExposureModeCustom(duration: CMTime(value: 1, timescale: 5), iso: AVCaptureDevice.currentISO)
        XCTAssertEqual(camera.activeVideoMaxFrameDuration.seconds, 0.2, accuracy: 1e-6)
        XCTAssertEqual(camera.activeVideoMinFrameDuration, CMTime(value: 1, timescale: 30))
        camera.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 10)
        XCTAssertEqual(camera.exposureDuration.seconds, 0.1, accuracy: 1e-6)
        XCTAssertEqual(camera.activeVideoMaxFrameDuration.seconds, 0.1, accuracy: 1e-6)
        camera.unlockForConfiguration()
        session.stopRunning()
        bench.assertNoMisuse()
    }
}
