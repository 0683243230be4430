import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Tests a camera that delivers compressed frames.
final class CompressedFrameTests: XCTestCase {
    private final class RecordingSamples: AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
        let queue = DispatchQueue(label: "test.samples")
        let all = Lock<[CMSampleBuffer]>([])

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) { all.withLock { $0.append(sampleBuffer) } }
    }

    func testCompressedFramesAreDeliveredUnchanged() throws {
        let camera = Lock<FakeCameraDevice?>(nil)
        let fixture = try CaptureFixture { clock in
            let created = try FakeCameraDevice(clock: clock)
            camera.withLock { $0 = created }
            return [FakeHost(created)]
        }
        let frameData = try XCTUnwrap(camera.withLock { $0?.frameData })
        let settings: [[String: Any]?] = [nil, [:], [AVVideoCodecKey: AVVideoCodecType.jpeg]]
        let listeners = settings.map { _ in RecordingSamples() }
        let outputs = fixture.inSystem { settings.map { _ in AVCaptureVideoDataOutput() } }
        let session = try fixture.makeSession(camera: "fake.camera", microphone: nil, preset: .high, outputs)
        for (index, output) in outputs.enumerated() {
            output.setSampleBufferDelegate(listeners[index], queue: listeners[index].queue)
            XCTAssertEqual(output.availableVideoCodecTypes, [.jpeg])
            output.videoSettings = settings[index]
        }
        fixture.assertNoMisuse()
        XCTAssertEqual(outputs[1].videoSettings[AVVideoCodecKey] as? String, AVVideoCodecType.jpeg.rawValue)
        XCTAssertEqual(
            outputs[0].videoSettings[kCVPixelBufferPixelFormatTypeKey] as? OSType,
            kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        session.startRunning()
        fixture.advance(milliseconds: 80)
        session.stopRunning()
        let samples = listeners.map { $0.all.withLock { $0 } }
        XCTAssertGreaterThan(samples[0].count, 1)
        XCTAssertEqual(samples.map(\.count), [Int](repeating: samples[0].count, count: 3))
        XCTAssertEqual(samples[0].first?.imageBuffer.map(CVPixelBufferGetWidth), 64)
        for sample in samples[1] + samples[2] {
            XCTAssertNil(sample.imageBuffer)
            XCTAssertEqual(try sample.dataBuffer?.dataBytes(), frameData)
            XCTAssertEqual(sample.formatDescription?.mediaSubType.rawValue, kCMVideoCodecType_JPEG)
            XCTAssertEqual(sample.formatDescription?.dimensions.pixelSize, PixelSize(width: 64, height: 48))
            XCTAssertEqual(sample.totalSampleSize, frameData.count)
        }
        XCTAssertEqual(samples[1].map(\.presentationTimeStamp), samples[0].map(\.presentationTimeStamp))
    }
}
