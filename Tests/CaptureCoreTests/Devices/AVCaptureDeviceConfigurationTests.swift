import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class AVCaptureDeviceConfigurationTests: XCTestCase {
    private func format(_ device: AVCaptureDevice, _ width: Int32, maximumFrameRate: Double = 30) throws
        -> AVCaptureDevice.Format
    {
        try XCTUnwrap(
            device.formats.first {
                $0.formatDescription.dimensions.width == width
                    && $0.videoSupportedFrameRateRanges.contains { $0.maxFrameRate == maximumFrameRate }
            })
    }

    func testFormatsReportSizePixelFormatAndRates() throws {
        let fixture = try CaptureFixture()
        let formats = try fixture.device(CaptureFixture.camera).formats
        XCTAssertEqual(formats.count, 13)
        let last = try XCTUnwrap(formats.last)
        XCTAssertEqual(last.formatDescription.dimensions.pixelSize, PixelSize(width: 1920, height: 1080))
        XCTAssertEqual(last.formatDescription.mediaSubType, .jpeg)
        XCTAssertEqual(last.videoSupportedFrameRateRanges.map(\.maxFrameRate), [30, 24, 20, 15, 10, 7.5, 5])
        let qvga = formats[4]
        XCTAssertEqual(qvga.formatDescription.dimensions.pixelSize, PixelSize(width: 320, height: 240))
        XCTAssertEqual(qvga.formatDescription.mediaSubType.rawValue, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        XCTAssertEqual(qvga.mediaType, .video)
        let range = try XCTUnwrap(qvga.videoSupportedFrameRateRanges.first)
        XCTAssertEqual(range.minFrameRate, 5, accuracy: 1e-9)
        XCTAssertEqual(range.maxFrameRate, 30, accuracy: 1e-9)
        XCTAssertEqual(range.minFrameDuration, CMTime(value: 1, timescale: 30))
        XCTAssertEqual(range.maxFrameDuration, CMTime(value: 1, timescale: 5))
        let audio = try XCTUnwrap(fixture.device(CaptureFixture.microphone).formats.first)
        XCTAssertEqual(audio.mediaType, .audio)
        XCTAssertEqual(audio.formatDescription.audioStreamBasicDescription?.mSampleRate, 48000)
        XCTAssertEqual(audio.formatDescription.audioStreamBasicDescription?.mChannelsPerFrame, 2)
    }

    func testEverySettingRequiresTheLock() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        let other = try format(device, 640)
        let before = device.activeFormat
        let settings: [(String, () throws -> Void)] = [
            ("setActiveFormat:", { device.activeFormat = other }),
            (
                "setActiveVideoMinFrameDuration:",
                { device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 15) }
            ),
            (
                "setActiveVideoMaxFrameDuration:",
                { device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 15) }
            ),
            ("setVideoZoomFactor:", { device.videoZoomFactor = 2 }),
            ("setTorchMode:", { device.torchMode = .on }),
            ("setTorchModeOnWithLevel:error:", { try device.setTorchModeOn(level: 0.5) }),
        ]
        for (method, change) in settings {
            let message = try fixture.assertMisuse(.generic, change)
            XCTAssertTrue(message.contains("\(method)] May not be called without first"), message)
        }
        XCTAssertTrue(device.activeFormat === before)
        XCTAssertEqual(device.activeVideoMinFrameDuration, CMTime(value: 1, timescale: 30))
        XCTAssertEqual(device.videoZoomFactor, 1)
        XCTAssertFalse(device.isTorchActive)
    }

    func testLocksNestAndEndWithTheLastUnlock() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        try device.lockForConfiguration()
        try device.lockForConfiguration()
        device.unlockForConfiguration()
        device.videoZoomFactor = 2
        fixture.assertNoMisuse()
        XCTAssertEqual(device.videoZoomFactor, 2)
        device.unlockForConfiguration()
        fixture.assertMisuse(.generic) { device.videoZoomFactor = 3 }
        // A superfluous unlock has no effect.
        device.unlockForConfiguration()
        try device.lockForConfiguration()
        device.videoZoomFactor = 3
        fixture.assertNoMisuse()
        device.unlockForConfiguration()
    }

    func testADisconnectedOrBusyDeviceCannotBeLocked() throws {
        let fixture = try CaptureFixture()
        let device = try fixture.device(CaptureFixture.camera)
        try fixture.host.setInUse(true, uniqueID: CaptureFixture.camera)
        XCTAssertTrue(device.isInUseByAnotherApplication)
        XCTAssertThrowsError(try device.lockForConfiguration()) {
            XCTAssertEqual(($0 as? AVError)?.code, .deviceInUseByAnotherApplication)
            XCTAssertTrue(($0 as? AVError)?.device === device)
        }
        try fixture.host.setInUse(false, uniqueID: CaptureFixture.camera)
        try device.lockForConfiguration()
        try fixture.host.disconnect(uniqueID: CaptureFixture.camera)
        fixture.clock.settle()
        XCTAssertThrowsError(try device.lockForConfiguration()) {
            XCTAssertEqual(($0 as? AVError)?.code, .deviceNotConnected)
        }
        device.unlockForConfiguration()
    }

    func testValuesOutOfRangeAreMisuseAndChangeNothing() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        let formatOfAnotherDevice = try XCTUnwrap(try fixture.device("phone.front").formats.first)
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        fixture.assertMisuse(.range) { device.videoZoomFactor = 0.5 }
        fixture.assertMisuse(.range) { device.videoZoomFactor = 17 }
        fixture.assertMisuse(.invalidArgument) { device.activeFormat = formatOfAnotherDevice }
        let message = fixture.assertMisuse(.invalidArgument) {
            device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 31)
        }
        XCTAssertTrue(message.contains("Unsupported frame duration - Supported ranges: ( <AVFrameRateRange:"), message)
        fixture.assertMisuse(.invalidArgument) { device.activeVideoMaxFrameDuration = CMTime(value: 2, timescale: 1) }
        try fixture.assertMisuse(.invalidArgument) { try device.setTorchModeOn(level: 0) }
        XCTAssertEqual(device.videoZoomFactor, 1)
        XCTAssertEqual(device.activeVideoMinFrameDuration, CMTime(value: 1, timescale: 30))
    }

    func testAnUnsupportedTorchModeIsMisuse() throws {
        let fixture = try CaptureFixture()
        let device = try fixture.device(CaptureFixture.camera)
        XCTAssertFalse(device.hasTorch)
        XCTAssertFalse(device.hasFlash)
        try device.lockForConfiguration()
        for mode in [AVCaptureDevice.TorchMode.off, .on, .auto] {
            XCTAssertFalse(device.isTorchModeSupported(mode))
            let message = fixture.assertMisuse(.invalidArgument) { device.torchMode = mode }
            XCTAssertTrue(message.contains("\(mode)"), message)
        }
        device.unlockForConfiguration()
    }

    func testANewFormatResetsTheFrameDurations() throws {
        let fixture = try CaptureFixture()
        let device = try fixture.device(CaptureFixture.camera)
        let tenthOfASecond = CMTime(value: 1, timescale: 10)
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        device.activeVideoMinFrameDuration = tenthOfASecond
        device.activeVideoMaxFrameDuration = tenthOfASecond
        XCTAssertEqual(device.activeVideoMinFrameDuration, tenthOfASecond)
        device.activeVideoMinFrameDuration = .invalid
        XCTAssertEqual(device.activeVideoMinFrameDuration, CMTime(value: 1, timescale: 30))
        XCTAssertEqual(device.activeVideoMaxFrameDuration, tenthOfASecond)
        device.activeVideoMinFrameDuration = tenthOfASecond
        device.activeFormat = try format(device, 320)
        XCTAssertEqual(device.activeVideoMinFrameDuration, CMTime(value: 1, timescale: 30))
        XCTAssertEqual(device.activeVideoMaxFrameDuration, CMTime(value: 1, timescale: 30))
        fixture.assertNoMisuse()
    }

    func testAddingTheInputOrChangingThePresetResetsTheFrameDurations() throws {
        let fixture = try CaptureFixture()
        let device = try fixture.device(CaptureFixture.camera)
        let tenthOfASecond = CMTime(value: 1, timescale: 10)
        let defaultDuration = CMTime(value: 1, timescale: 30)
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        device.activeVideoMinFrameDuration = tenthOfASecond
        let session = try fixture.makeSession(microphone: nil, [])
        XCTAssertEqual(device.activeVideoMinFrameDuration, defaultDuration)
        device.activeVideoMinFrameDuration = tenthOfASecond
        let microphone = try fixture.input(CaptureFixture.microphone)
        session.addInput(microphone)
        XCTAssertEqual(device.activeVideoMinFrameDuration, tenthOfASecond)
        session.removeInput(microphone)
        XCTAssertEqual(device.activeVideoMinFrameDuration, tenthOfASecond)
        session.sessionPreset = .high
        XCTAssertEqual(device.activeVideoMinFrameDuration, defaultDuration)
    }

    func testAFrameDurationSetWhileRunningTakesEffect() throws {
        let fixture = try CaptureFixture()
        let frames = RecordingFrames()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try fixture.makeSession(microphone: nil, [output])
        let device = try fixture.device(CaptureFixture.camera)
        session.startRunning()
        fixture.advance(milliseconds: 490)
        XCTAssertEqual(frames.frames.count, 15)
        try device.lockForConfiguration()
        device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 10)
        device.unlockForConfiguration()
        fixture.advance(milliseconds: 1010)
        // One frame at 0.5 s, then ten per second.
        XCTAssertEqual(frames.frames.count, 26)
        XCTAssertEqual(frames.counters, (0..<26).map { UInt32($0) })
        // A preset with the same format also resets the duration of the running stream.
        session.sessionPreset = .medium
        session.sessionPreset = .low
        frames.clear()
        // The new stream's first frame has the time of the last delivered one, so it is dropped.
        fixture.advance(milliseconds: 990)
        XCTAssertEqual(frames.frames.count, 29)
        session.stopRunning()
    }

    func testMinimumAndMaximumFrameDurationStayConsistent() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        device.activeFormat = try format(device, 1280, maximumFrameRate: 60)
        func frameRates() -> [Int32] {
            [device.activeVideoMinFrameDuration, device.activeVideoMaxFrameDuration, device.streamFrameDuration]
                .map { Int32((1 / $0.seconds).rounded()) }
        }
        let reported = Lock<[Int32]>([])
        let observation = device.observe(\.activeVideoMaxFrameDuration, options: .new) { _, change in
            reported.withLock { $0.append(Int32((1 / (change.newValue?.seconds ?? 0)).rounded())) }
        }
        device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 15)
        XCTAssertEqual(frameRates(), [15, 15, 15])
        XCTAssertEqual(reported.withLock { $0 }, [15])
        device.activeVideoMinFrameDuration = .invalid
        XCTAssertEqual(frameRates(), [30, 30, 30])
        device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 60)
        XCTAssertEqual(frameRates(), [60, 60, 60])
        device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 20)
        XCTAssertEqual(frameRates(), [20, 20, 20])
        device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 40)
        XCTAssertEqual(frameRates(), [40, 40, 40])
        device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 10)
        XCTAssertEqual(frameRates(), [40, 10, 40])
        observation.invalidate()
        fixture.assertNoMisuse()
    }

    func testANewFormatResetsThePointsOfInterest() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        let corner = CGPoint(x: 0.1, y: 0.9)
        let center = CGPoint(x: 0.5, y: 0.5)
        let reported = Lock<[CGPoint?]>([])
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        // The focus point is in effect; the exposure point takes effect when the exposure mode is set.
        device.focusPointOfInterest = corner
        device.focusMode = .autoFocus
        device.exposurePointOfInterest = corner
        let observations = [
            device.observe(\.focusPointOfInterest, options: .new) { _, change in
                reported.withLock { $0.append(change.newValue) }
            },
            device.observe(\.exposurePointOfInterest, options: .new) { _, change in
                reported.withLock { $0.append(change.newValue) }
            },
        ]
        device.activeFormat = device.activeFormat
        XCTAssertEqual(device.focusPointOfInterest, corner)
        device.activeFormat = try format(device, 640)
        XCTAssertEqual(device.focusPointOfInterest, center)
        XCTAssertEqual(device.exposurePointOfInterest, center)
        XCTAssertEqual(device.value(of: .focusPoint), .point(x: 0.5, y: 0.5))
        device.exposureMode = .continuousAutoExposure
        XCTAssertEqual(device.exposurePointOfInterest, center)
        XCTAssertEqual(reported.withLock { $0 }, [center, center])
        for observation in observations { observation.invalidate() }
        fixture.assertNoMisuse()
    }

    func testAMaximumFrameDurationBelowTheMinimumRaisesTheFrameRate() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        try device.lockForConfiguration()
        device.activeFormat = try format(device, 1280, maximumFrameRate: 60)
        device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 60)
        device.unlockForConfiguration()
        XCTAssertEqual(device.streamFrameDuration, CMTime(value: 1, timescale: 60))
        fixture.assertNoMisuse()
    }
}
