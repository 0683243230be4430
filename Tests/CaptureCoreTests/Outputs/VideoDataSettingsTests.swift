import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import CaptureCore
@testable import MediaAssets

final class VideoDataSettingsTests: XCTestCase {
    private func makeOutput(_ bench: CaptureFixture, _ frames: RecordingFrames) -> AVCaptureVideoDataOutput {
        let output = bench.run { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        return output
    }

    func testEachAvailableFormatIsDelivered() throws {
        let bench = try CaptureFixture(scene: .chart)
        let probe = bench.run { AVCaptureVideoDataOutput() }
        let formats = probe.availableVideoPixelFormatTypes
        XCTAssertEqual(
            Set(formats),
            [
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
                kCVPixelFormatType_32BGRA, kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_422YpCbCr8_yuvs,
            ])
        let listeners = formats.map { _ in RecordingFrames() }
        let outputs = listeners.map { makeOutput(bench, $0) }
        for (output, format) in zip(outputs, formats) {
            output.videoSettings = [kCVPixelBufferPixelFormatTypeKey: format]
        }
        let session = try bench.makeSession(microphone: nil, outputs)
        session.startRunning()
        bench.advance(milliseconds: 40)
        session.stopRunning()
        for (listener, format) in zip(listeners, formats) {
            XCTAssertEqual(listener.frames.map(\.pixelFormat), [format, format])
            XCTAssertEqual(listener.counters, [0, 1], fourCharacterText(format))
        }
        bench.assertNoMisuse()
    }

    func testASizeMustHaveTheFramesAspectRatioAndNotExceedIt() throws {
        let bench = try CaptureFixture()
        let frames = RecordingFrames()
        let output = makeOutput(bench, frames)
        let session = try bench.makeSession(microphone: nil, [output])
        func set(_ width: Any?, _ height: Any?) {
            output.videoSettings = [kCVPixelBufferWidthKey: width, kCVPixelBufferHeightKey: height]
                .compactMapValues { $0 }
        }
        for (width, height) in [(640, 480), (160, 160), (320, 200), (0, 0), (120, 160), (20000, 15000)] {
            bench.assertMisuse(.invalidArgument) { set(width, height) }
        }
        bench.assertMisuse(.invalidArgument) { set(160, nil) }
        bench.assertMisuse(.invalidArgument) { set("wide", 120) }
        XCTAssertNil(output.request.size)
        output.connection(with: .video)?.videoRotationAngle = 90
        bench.assertMisuse(.invalidArgument) { set(160, 120) }
        set(120, 160)
        bench.assertNoMisuse()
        session.startRunning()
        bench.advance(milliseconds: 10)
        XCTAssertEqual(frames.frames.map(\.width), [120])
        XCTAssertEqual(frames.frames.map(\.height), [160])
        session.stopRunning()
    }

    func testARequestedSizeNeverDistortsTheFrame() throws {
        let bench = try CaptureFixture(profile: "phone", scene: .chart)
        let frames = RecordingFrames()
        let output = makeOutput(bench, frames)
        let session = try bench.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [output])
        let connection = try XCTUnwrap(output.connection(with: .video))
        func lastSize() -> [Int] {
            bench.advance(milliseconds: 40)
            return frames.frames.last.map { [$0.width, $0.height] } ?? []
        }
        func readSize() -> [Int?] {
            [kCVPixelBufferWidthKey, kCVPixelBufferHeightKey].map { output.videoSettings[$0] as? Int }
        }
        output.videoSettings = [kCVPixelBufferWidthKey: 320, kCVPixelBufferHeightKey: 240]
        session.startRunning()
        XCTAssertEqual(lastSize(), [320, 240])
        for (angle, size) in [(90, [240, 320]), (180, [320, 240]), (270, [240, 320]), (0, [320, 240])] {
            connection.videoRotationAngle = CGFloat(angle)
            XCTAssertEqual(lastSize(), size)
            XCTAssertEqual(readSize(), size)
        }
        session.sessionPreset = .hd1280x720
        XCTAssertEqual(lastSize(), [320, 180])
        XCTAssertEqual(readSize(), [320, 180])
        let point = output.transformedMetadataObject(
            for: AVMetadataObject(
                .qr,
                AVMetadataObject.Detection(
                    time: .zero, bounds: CGRect(x: 0, y: 0, width: 1, height: 1), port: connection.inputPorts.first)),
            connection: connection)
        XCTAssertEqual(point?.bounds, CGRect(x: 0, y: 0, width: 320, height: 180))
        session.sessionPreset = .vga640x480
        XCTAssertEqual(lastSize(), [320, 240])
        session.stopRunning()
        bench.assertNoMisuse()
    }

    func testAngleAndSizeCanBeSetInOneConfiguration() throws {
        let bench = try CaptureFixture()
        let frames = RecordingFrames()
        let output = makeOutput(bench, frames)
        let session = try bench.makeSession(microphone: nil, [output])
        session.startRunning()
        session.beginConfiguration()
        output.connection(with: .video)?.videoRotationAngle = 90
        XCTAssertEqual(output.videoSettings[kCVPixelBufferWidthKey] as? Int, 240)
        output.videoSettings = [kCVPixelBufferWidthKey: 120, kCVPixelBufferHeightKey: 160]
        bench.advance(milliseconds: 10)
        session.commitConfiguration()
        bench.advance(milliseconds: 34)
        session.stopRunning()
        XCTAssertEqual(
            frames.frames.map { [$0.width, $0.height] }, [[160, 120], [120, 160]],
            "before the commit the picture is not turned, nor is it distorted")
        bench.assertNoMisuse()
    }

    func testSettingTheReturnedSettingsRequestsNoSize() throws {
        let bench = try CaptureFixture()
        let frames = RecordingFrames()
        let output = makeOutput(bench, frames)
        let session = try bench.makeSession(microphone: nil, [output])
        func setFormat(_ format: OSType) {
            var settings = output.videoSettings!
            settings[kCVPixelBufferPixelFormatTypeKey] = format
            output.videoSettings = settings
        }
        setFormat(kCVPixelFormatType_32BGRA)
        XCTAssertNil(output.request.size)
        output.connection(with: .video)?.videoRotationAngle = 90
        session.startRunning()
        bench.advance(milliseconds: 10)
        XCTAssertEqual(frames.frames.map { [$0.width, $0.height] }, [[240, 320]])
        output.videoSettings = [kCVPixelBufferWidthKey: 120, kCVPixelBufferHeightKey: 160]
        setFormat(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        output.connection(with: .video)?.videoRotationAngle = 0
        setFormat(kCVPixelFormatType_32BGRA)
        bench.advance(milliseconds: 34)
        XCTAssertEqual(frames.frames.last.map { [$0.width, $0.height] }, [160, 120])
        XCTAssertEqual(frames.frames.last?.pixelFormat, kCVPixelFormatType_32BGRA)
        session.stopRunning()
        bench.assertNoMisuse()
    }

    func testThePhotoPresetDeliversPreviewsByDefault() throws {
        let bench = try CaptureFixture(profile: "phone")
        let frames = RecordingFrames()
        let output = makeOutput(bench, frames)
        let session = try bench.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .hd1280x720, [output])
        func lastSize() -> [Int] {
            bench.advance(milliseconds: 70)
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
        bench.assertNoMisuse()
        bench.assertMisuse(.invalidArgument) {
            output.videoSettings = [kCVPixelBufferWidthKey: 640, kCVPixelBufferHeightKey: 480]
        }
        bench.assertMisuse(.invalidArgument) { output.deliversPreviewSizedOutputBuffers = false }
        output.automaticallyConfiguresOutputBufferDimensions = false
        XCTAssertFalse(output.deliversPreviewSizedOutputBuffers)
        XCTAssertEqual(lastSize(), [4032, 3024])
        output.videoSettings = [kCVPixelBufferWidthKey: 640, kCVPixelBufferHeightKey: 480]
        XCTAssertEqual(lastSize(), [640, 480])
        output.deliversPreviewSizedOutputBuffers = true
        XCTAssertEqual(lastSize(), [1440, 1080])
        bench.assertMisuse(.invalidArgument) {
            output.videoSettings = [kCVPixelBufferWidthKey: 640, kCVPixelBufferHeightKey: 480]
        }
        output.deliversPreviewSizedOutputBuffers = false
        output.automaticallyConfiguresOutputBufferDimensions = true
        XCTAssertEqual(lastSize(), [1440, 1080])
        // The same format without the preset.
        let device = try bench.device("phone.back-wide")
        try device.lockForConfiguration()
        device.activeFormat = device.activeFormat
        device.unlockForConfiguration()
        XCTAssertEqual(session.sessionPreset, .inputPriority)
        XCTAssertEqual(lastSize(), [4032, 3024])
        session.stopRunning()
        bench.assertNoMisuse()
    }

    func testTheSettingsReadBackRotated() throws {
        let bench = try CaptureFixture()
        let output = bench.run { AVCaptureVideoDataOutput() }
        let session = try bench.makeSession(microphone: nil, [output])
        output.connection(with: .video)?.videoRotationAngle = 270
        XCTAssertEqual(output.videoSettings[kCVPixelBufferWidthKey] as? Int, 240)
        XCTAssertEqual(output.videoSettings[kCVPixelBufferHeightKey] as? Int, 320)
        withExtendedLifetime(session) {}
    }

    @available(*, deprecated)
    func testFramesThatArriveTooEarlyAreSkipped() throws {
        let bench = try CaptureFixture()
        let (slow, connected, all) = (RecordingFrames(), RecordingFrames(), RecordingFrames())
        let outputs = [slow, connected, all].map { makeOutput(bench, $0) }
        outputs[0].minFrameDuration = CMTime(value: 1, timescale: 10)
        let session = try bench.makeSession(microphone: nil, outputs)
        let connection = try XCTUnwrap(outputs[1].connection(with: .video))
        XCTAssertTrue(connection.isVideoMinFrameDurationSupported)
        connection.videoMinFrameDuration = CMTime(value: 1, timescale: 20)
        session.startRunning()
        bench.advance(milliseconds: 1990)
        session.stopRunning()
        XCTAssertEqual(all.counters.count, 60)
        XCTAssertEqual(slow.counters, (0..<20).map { UInt32(3 * $0) })
        XCTAssertEqual(connected.counters.count, 40)
        XCTAssertEqual(slow.drops, [])
    }

    @available(*, deprecated)
    func testAudioHasNoMinimumFrameDuration() throws {
        let bench = try CaptureFixture()
        let output = bench.run { AVCaptureAudioDataOutput() }
        let session = try bench.makeSession(camera: nil, [output])
        let connection = try XCTUnwrap(output.connection(with: .audio))
        bench.assertMisuse(.invalidArgument) { connection.videoMinFrameDuration = CMTime(value: 1, timescale: 5) }
        bench.assertMisuse(.range) { connection.videoScaleAndCropFactor = 2 }
        XCTAssertEqual(connection.videoMaxScaleAndCropFactor, 1)
        withExtendedLifetime(session) {}
    }

    func testJPEGIsAvailableOnlyFromACameraThatDeliversIt() throws {
        let bench = try CaptureFixture()
        let output = bench.run { AVCaptureVideoDataOutput() }
        let session = try bench.makeSession(microphone: nil, [output])
        XCTAssertEqual(output.availableVideoCodecTypes, [])
        bench.assertMisuse(.invalidArgument) { output.videoSettings = [AVVideoCodecKey: AVVideoCodecType.jpeg] }
        withExtendedLifetime(session) {}
    }

    func testDroppedFramesHaveTheFormatDescription() throws {
        let bench = try CaptureFixture()
        let clock = bench.clock
        let frames = DropDescriptions { clock.spend(.milliseconds(50)) }
        let output = bench.run { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(frames, queue: DispatchQueue(label: "test.drops"))
        let session = try bench.makeSession(microphone: nil, [output])
        session.startRunning()
        bench.advance(milliseconds: 100)
        session.stopRunning()
        let found = frames.descriptions.withLock { $0 }
        XCTAssertGreaterThan(found.count, 0)
        XCTAssertTrue(found.allSatisfy { $0?.dimensions.pixelSize == PixelSize(width: 320, height: 240) })
    }

    private final class DropDescriptions: AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
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
