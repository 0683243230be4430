import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class AudioSettingsTests: XCTestCase {
    private func makeOutput(_ fixture: CaptureFixture, _ listener: RecordingAudio) -> AVCaptureAudioDataOutput {
        let output = fixture.inSystem { AVCaptureAudioDataOutput() }
        output.setSampleBufferDelegate(listener, queue: listener.queue)
        return output
    }

    func testAudioIsDeliveredInTheRequestedFormat() throws {
        let fixture = try CaptureFixture()
        let listeners = (0..<3).map { _ in RecordingAudio() }
        let outputs = listeners.map { makeOutput(fixture, $0) }
        outputs[1].audioSettings = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 16000, AVNumberOfChannelsKey: 1,
            AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
        ]
        outputs[2].audioSettings = [AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true]
        // A session that is not a multi-cam session allows only one audio data output.
        let session = fixture.inSystem { AVCaptureMultiCamSession() }
        session.addInput(try fixture.input(CaptureFixture.microphone))
        for output in outputs { session.addOutput(output) }
        fixture.advance(milliseconds: 100)
        session.startRunning()
        fixture.advance(milliseconds: 999)
        session.stopRunning()
        fixture.assertNoMisuse()

        let monoChunks = listeners[1].chunks
        XCTAssertEqual(monoChunks.first?.time.seconds ?? 0, 0.1, accuracy: 1e-9)
        XCTAssertEqual(Set(monoChunks.map(\.frameCount)), [1024])
        XCTAssertTrue((14...15).contains(monoChunks.count), "\(monoChunks.count) buffers of 64 ms in a second")
        var expected = CMTime.milliseconds(100)
        for chunk in monoChunks {
            XCTAssertEqual(chunk.format?.mSampleRate, 16000)
            XCTAssertEqual(chunk.format?.mChannelsPerFrame, 1)
            XCTAssertEqual(chunk.byteCount, 2048)
            XCTAssertEqual(chunk.time.seconds, expected.seconds, accuracy: 1e-9)
            expected = chunk.time + CMTime(value: 1024, timescale: 16000)
        }
        let (nativeChunks, floatChunks) = (listeners[0].chunks, listeners[2].chunks)
        XCTAssertEqual(floatChunks.map(\.time), nativeChunks.map(\.time))
        XCTAssertEqual(floatChunks.map(\.frameCount), nativeChunks.map(\.frameCount))
        XCTAssertEqual(floatChunks.first?.format?.mBitsPerChannel, 32)
        XCTAssertEqual(floatChunks.first.map { $0.byteCount }, nativeChunks.first.map { $0.frameCount * 8 })
    }

    func testConversionKeepsTheAudioLevel() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureAudioDataOutput() }
        output.audioSettings = [
            AVSampleRateKey: 24000, AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
        ]
        let listener = RecordingSamples()
        output.setSampleBufferDelegate(listener, queue: DispatchQueue(label: "test.samples"))
        let session = try fixture.makeSession(camera: nil, [output])
        session.startRunning()
        fixture.advance(milliseconds: 1000)
        session.stopRunning()
        let samples = Array(listener.samples.withLock { $0 }.dropFirst(2400).prefix(12000))
        XCTAssertEqual(samples.count, 12000)
        // Two sines of -20 and -26 dBFS peak, mixed to one channel: half of the power of each (ITU-R BS.775).
        let power = samples.map { Double($0) * Double($0) }.reduce(0, +) / 12000
        XCTAssertEqual(10 * log10(power), 10 * log10((0.005 + 0.00125) / 2), accuracy: 0.2)
    }

    func testUnsupportedSettingsAreMisuse() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureAudioDataOutput() }
        XCTAssertNil(output.audioSettings)
        for settings: [String: Any] in [
            [AVFormatIDKey: kAudioFormatMPEG4AAC], [AVLinearPCMBitDepthKey: 20], [AVSampleRateKey: 5],
            [AVNumberOfChannelsKey: 0], [AVLinearPCMIsNonInterleaved: true], [AVSampleRateKey: "fast"],
        ] {
            fixture.assertMisuse(.invalidArgument) { output.audioSettings = settings }
        }
        XCTAssertNil(output.audioSettings)
        output.audioSettings = [AVSampleRateKey: 8000]
        XCTAssertEqual(output.audioSettings?[AVSampleRateKey] as? Int, 8000)
        output.audioSettings = nil
        XCTAssertNil(output.audioSettings)
        fixture.assertNoMisuse()
    }

    private final class RecordingSamples: AVCaptureAudioDataOutputSampleBufferDelegate, Sendable {
        let samples = Lock<[Float]>([])

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            let values = sampleBuffer.dataBuffer?.withUnsafeBytes { bytes in
                (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
            }
            samples.withLock { $0 += values ?? [] }
        }
    }
}
