import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import Capture

final class VideoDataSettingsTests: XCTestCase {
    private func makeOutput(_ bench: CaptureBench, _ frames: RecordingFrames) -> AVCaptureVideoDataOutput {
        let output = bench.run { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        return output
    }

    func testEachFormatOnOfferIsDeliveredWithTheSamePicture() throws {
        let bench = try CaptureBench(scene: .chart)
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

    func testASizeMustHaveThePicturesShapeAndNotExceedIt() throws {
        let bench = try CaptureBench()
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

    func testTheSettingsReadBackAsTurned() throws {
        let bench = try CaptureBench()
        let output = bench.run { AVCaptureVideoDataOutput() }
        let session = try bench.makeSession(microphone: nil, [output])
        output.connection(with: .video)?.videoRotationAngle = 270
        XCTAssertEqual(output.videoSettings[kCVPixelBufferWidthKey] as? Int, 240)
        XCTAssertEqual(output.videoSettings[kCVPixelBufferHeightKey] as? Int, 320)
        withExtendedLifetime(session) {}
    }

    @available(*, deprecated)
    func testFramesThatComeTooSoonAreLeftOut() throws {
        let bench = try CaptureBench()
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
    func testSoundHasNoLeastFrameDuration() throws {
        let bench = try CaptureBench()
        let output = bench.run { AVCaptureAudioDataOutput() }
        let session = try bench.makeSession(camera: nil, [output])
        let connection = try XCTUnwrap(output.connection(with: .audio))
        bench.assertMisuse(.invalidArgument) { connection.videoMinFrameDuration = CMTime(value: 1, timescale: 5) }
        bench.assertMisuse(.range) { connection.videoScaleAndCropFactor = 2 }
        XCTAssertEqual(connection.videoMaxScaleAndCropFactor, 1)
        withExtendedLifetime(session) {}
    }

    func testWithoutJPEGFromTheCameraNoneIsOnOffer() throws {
        let bench = try CaptureBench()
        let output = bench.run { AVCaptureVideoDataOutput() }
        let session = try bench.makeSession(microphone: nil, [output])
        XCTAssertEqual(output.availableVideoCodecTypes, [])
        bench.assertMisuse(.invalidArgument) { output.videoSettings = [AVVideoCodecKey: AVVideoCodecType.jpeg] }
        withExtendedLifetime(session) {}
    }

    func testDroppedFramesSayWhatTheyWouldHaveBeen() throws {
        let bench = try CaptureBench()
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
        XCTAssertTrue(found.allSatisfy { $0?.dimensions == CMVideoDimensions(width: 320, height: 240) })
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
