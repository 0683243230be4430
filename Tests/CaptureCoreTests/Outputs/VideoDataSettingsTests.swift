import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class VideoDataSettingsTests: XCTestCase {
    private func makeOutput(_ fixture: CaptureFixture, _ frames: RecordingFrames) -> AVCaptureVideoDataOutput {
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        return output
    }

    func testEachAvailableFormatIsDelivered() throws {
        let fixture = try CaptureFixture(scene: .chart)
        let probe = fixture.inSystem { AVCaptureVideoDataOutput() }
        let formats = probe.availableVideoPixelFormatTypes
        XCTAssertEqual(
            Set(formats),
            [
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
                kCVPixelFormatType_32BGRA, kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_422YpCbCr8_yuvs,
            ])
        let listeners = formats.map { _ in RecordingFrames() }
        let outputs = listeners.map { makeOutput(fixture, $0) }
        for (output, format) in zip(outputs, formats) {
            output.videoSettings = [kCVPixelBufferPixelFormatTypeKey: format]
        }
        let session = try fixture.makeSession(microphone: nil, outputs)
        session.startRunning()
        fixture.advance(milliseconds: 40)
        session.stopRunning()
        for (listener, format) in zip(listeners, formats) {
            XCTAssertEqual(listener.frames.map(\.pixelFormat), [format, format])
            XCTAssertEqual(listener.counters, [0, 1], fourCharacterText(format))
        }
        fixture.assertNoMisuse()
    }

    func testASizeMustHaveTheAspectRatioOfTheFrameAndNotExceedIt() throws {
        let fixture = try CaptureFixture()
        let frames = RecordingFrames()
        let output = makeOutput(fixture, frames)
        let session = try fixture.makeSession(microphone: nil, [output])
        func set(_ width: Any?, _ height: Any?) {
            output.videoSettings = [kCVPixelBufferWidthKey: width, kCVPixelBufferHeightKey: height]
                .compactMapValues { $0 }
        }
        for (width, height) in [(640, 480), (160, 160), (320, 200), (0, 0), (120, 160), (20000, 15000)] {
            fixture.assertMisuse(.invalidArgument) { set(width, height) }
        }
        fixture.assertMisuse(.invalidArgument) { set(160, nil) }
        fixture.assertMisuse(.invalidArgument) { set("wide", 120) }
        XCTAssertNil(output.request.size)
        output.connection(with: .video)?.videoRotationAngle = 90
        fixture.assertMisuse(.invalidArgument) { set(160, 120) }
        set(120, 160)
        fixture.assertNoMisuse()
        session.startRunning()
        fixture.advance(milliseconds: 10)
        XCTAssertEqual(frames.frames.map(\.width), [120])
        XCTAssertEqual(frames.frames.map(\.height), [160])
        session.stopRunning()
    }

    func testARequestedSizeNeverDistortsTheFrame() throws {
        let fixture = try CaptureFixture(profile: "phone", scene: .chart)
        let frames = RecordingFrames()
        let output = makeOutput(fixture, frames)
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [output])
        let connection = try XCTUnwrap(output.connection(with: .video))
        func lastSize() -> [Int] {
            fixture.advance(milliseconds: 40)
            return frames.frames.last.map { [$0.width, $0.height] } ?? []
        }
        func sizeInSettings() -> [Int?] {
            [kCVPixelBufferWidthKey, kCVPixelBufferHeightKey].map { output.videoSettings[$0] as? Int }
        }
        output.videoSettings = [kCVPixelBufferWidthKey: 320, kCVPixelBufferHeightKey: 240]
        session.startRunning()
        XCTAssertEqual(lastSize(), [320, 240])
        for (angle, size) in [(90, [240, 320]), (180, [320, 240]), (270, [240, 320]), (0, [320, 240])] {
            connection.videoRotationAngle = CGFloat(angle)
            XCTAssertEqual(lastSize(), size)
            XCTAssertEqual(sizeInSettings(), size)
        }
        session.sessionPreset = .hd1280x720
        XCTAssertEqual(lastSize(), [320, 180])
        XCTAssertEqual(sizeInSettings(), [320, 180])
        let transformed = output.transformedMetadataObject(
            for: AVMetadataObject(
                .qr,
                AVMetadataObject.Detection(
                    time: .zero, bounds: CGRect(x: 0, y: 0, width: 1, height: 1), port: connection.inputPorts.first)),
            connection: connection)
        XCTAssertEqual(transformed?.bounds, CGRect(x: 0, y: 0, width: 320, height: 180))
        session.sessionPreset = .vga640x480
        XCTAssertEqual(lastSize(), [320, 240])
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testAngleAndSizeCanBeSetInOneConfiguration() throws {
        let fixture = try CaptureFixture()
        let frames = RecordingFrames()
        let output = makeOutput(fixture, frames)
        let session = try fixture.makeSession(microphone: nil, [output])
        session.startRunning()
        session.beginConfiguration()
        output.connection(with: .video)?.videoRotationAngle = 90
        XCTAssertEqual(output.videoSettings[kCVPixelBufferWidthKey] as? Int, 240)
        output.videoSettings = [kCVPixelBufferWidthKey: 120, kCVPixelBufferHeightKey: 160]
        fixture.advance(milliseconds: 10)
        session.commitConfiguration()
        fixture.advance(milliseconds: 34)
        session.stopRunning()
        XCTAssertEqual(
            frames.frames.map { [$0.width, $0.height] }, [[160, 120], [120, 160]],
            "before the commit, the frame is neither rotated nor distorted")
        fixture.assertNoMisuse()
    }

    func testSettingTheReturnedSettingsRequestsNoSize() throws {
        let fixture = try CaptureFixture()
        let frames = RecordingFrames()
        let output = makeOutput(fixture, frames)
        let session = try fixture.makeSession(microphone: nil, [output])
        func setFormat(_ format: OSType) {
            var settings = output.videoSettings!
            settings[kCVPixelBufferPixelFormatTypeKey] = format
            output.videoSettings = settings
        }
        setFormat(kCVPixelFormatType_32BGRA)
        XCTAssertNil(output.request.size)
        output.connection(with: .video)?.videoRotationAngle = 90
        session.startRunning()
        fixture.advance(milliseconds: 10)
        XCTAssertEqual(frames.frames.map { [$0.width, $0.height] }, [[240, 320]])
        output.videoSettings = [kCVPixelBufferWidthKey: 120, kCVPixelBufferHeightKey: 160]
        setFormat(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        output.connection(with: .video)?.videoRotationAngle = 0
        setFormat(kCVPixelFormatType_32BGRA)
        fixture.advance(milliseconds: 34)
        XCTAssertEqual(frames.frames.last.map { [$0.width, $0.height] }, [160, 120])
        XCTAssertEqual(frames.frames.last?.pixelFormat, kCVPixelFormatType_32BGRA)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testThePhotoPresetDeliversPreviewsByDefault() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let frames = RecordingFrames()
        let output = makeOutput(fixture, frames)
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .hd1280x720, [output])
        func lastSize() -> [Int] {
            fixture.advance(milliseconds: 70)
            return frames.frames.last.map { [$0.width, $0.height] } ?? []
        }
        XCTAssertTrue(output.automaticallyConfiguresOutputBufferDimensions)
        XCTAssertFalse(output.deliversPreviewSizedOutputBuffers)
        session.startRunning()
        XCTAssertEqual(lastSize(), [1280, 720])
        session.sessionPreset = .photo
        XCTAssertEqual(lastSize(), [1440, 1080])
        XCTAssertTrue(output.deliversPreviewSizedOutputBuffers)
        XCTAssertEqual(output.videoSettings[kCVPixelBufferWidthKey] as? Int, 1440)
        output.connection(with: .video)?.videoRotationAngle = 90
        XCTAssertEqual(lastSize(), [1080, 1440])
        output.connection(with: .video)?.videoRotationAngle = 0
        fixture.assertNoMisuse()
        fixture.assertMisuse(.invalidArgument) {
            output.videoSettings = [kCVPixelBufferWidthKey: 640, kCVPixelBufferHeightKey: 480]
        }
        fixture.assertMisuse(.invalidArgument) { output.deliversPreviewSizedOutputBuffers = false }
        output.automaticallyConfiguresOutputBufferDimensions = false
        XCTAssertFalse(output.deliversPreviewSizedOutputBuffers)
        XCTAssertEqual(lastSize(), [4032, 3024])
        output.videoSettings = [kCVPixelBufferWidthKey: 640, kCVPixelBufferHeightKey: 480]
        XCTAssertEqual(lastSize(), [640, 480])
        output.deliversPreviewSizedOutputBuffers = true
        XCTAssertEqual(lastSize(), [1440, 1080])
        fixture.assertMisuse(.invalidArgument) {
            output.videoSettings = [kCVPixelBufferWidthKey: 640, kCVPixelBufferHeightKey: 480]
        }
        output.deliversPreviewSizedOutputBuffers = false
        output.automaticallyConfiguresOutputBufferDimensions = true
        XCTAssertEqual(lastSize(), [1440, 1080])
        // The same format without the preset.
        let device = try fixture.device("phone.back-wide")
        try device.lockForConfiguration()
        device.activeFormat = device.activeFormat
        device.unlockForConfiguration()
        XCTAssertEqual(session.sessionPreset, .inputPriority)
        XCTAssertEqual(lastSize(), [4032, 3024])
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testTheSettingsContainTheRotatedSize() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(microphone: nil, [output])
        output.connection(with: .video)?.videoRotationAngle = 270
        XCTAssertEqual(output.videoSettings[kCVPixelBufferWidthKey] as? Int, 240)
        XCTAssertEqual(output.videoSettings[kCVPixelBufferHeightKey] as? Int, 320)
        withExtendedLifetime(session) {}
    }

    @available(*, deprecated)
    func testFramesThatArriveTooEarlyAreSkipped() throws {
        let fixture = try CaptureFixture()
        let (limitedByOutput, limitedByConnection, unlimited) = (
            RecordingFrames(), RecordingFrames(), RecordingFrames()
        )
        let outputs = [limitedByOutput, limitedByConnection, unlimited].map { makeOutput(fixture, $0) }
        outputs[0].minFrameDuration = CMTime(value: 1, timescale: 10)
        let session = try fixture.makeSession(microphone: nil, outputs)
        let connection = try XCTUnwrap(outputs[1].connection(with: .video))
        XCTAssertTrue(connection.isVideoMinFrameDurationSupported)
        connection.videoMinFrameDuration = CMTime(value: 1, timescale: 20)
        session.startRunning()
        fixture.advance(milliseconds: 1990)
        session.stopRunning()
        XCTAssertEqual(unlimited.counters.count, 60)
        XCTAssertEqual(limitedByOutput.counters, (0..<20).map { UInt32(3 * $0) })
        XCTAssertEqual(limitedByConnection.counters.count, 40)
        XCTAssertEqual(limitedByOutput.drops, [])
    }

    @available(*, deprecated)
    func testAudioHasNoMinimumFrameDuration() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureAudioDataOutput() }
        let session = try fixture.makeSession(camera: nil, [output])
        let connection = try XCTUnwrap(output.connection(with: .audio))
        fixture.assertMisuse(.invalidArgument) { connection.videoMinFrameDuration = CMTime(value: 1, timescale: 5) }
        fixture.assertMisuse(.range) { connection.videoScaleAndCropFactor = 2 }
        XCTAssertEqual(connection.videoMaxScaleAndCropFactor, 1)
        withExtendedLifetime(session) {}
    }

    func testJPEGIsAvailableOnlyFromACameraThatDeliversIt() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(microphone: nil, [output])
        XCTAssertEqual(output.availableVideoCodecTypes, [])
        fixture.assertMisuse(.invalidArgument) { output.videoSettings = [AVVideoCodecKey: AVVideoCodecType.jpeg] }
        withExtendedLifetime(session) {}
    }

    func testDroppedFramesHaveTheFormatDescription() throws {
        let fixture = try CaptureFixture()
        let clock = fixture.clock
        let frames = RecordingDropDescriptions { clock.spend(.milliseconds(50)) }
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(frames, queue: DispatchQueue(label: "test.drops"))
        let session = try fixture.makeSession(microphone: nil, [output])
        session.startRunning()
        fixture.advance(milliseconds: 100)
        session.stopRunning()
        let found = frames.descriptions.withLock { $0 }
        XCTAssertGreaterThan(found.count, 0)
        XCTAssertTrue(found.allSatisfy { $0?.dimensions.pixelSize == PixelSize(width: 320, height: 240) })
    }

    private final class RecordingDropDescriptions: AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
        let descriptions = Lock<[CMFormatDescription?]>([])
        private let onFrame: @Sendable () -> Void

        init(_ onFrame: @escaping @Sendable () -> Void) { self.onFrame = onFrame }

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) { onFrame() }

        func captureOutput(
            _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) { descriptions.withLock { $0.append(sampleBuffer.formatDescription) } }
    }
}
