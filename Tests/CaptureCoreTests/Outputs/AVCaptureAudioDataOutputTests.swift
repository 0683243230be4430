import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import CaptureCore

final class AVCaptureAudioDataOutputTests: XCTestCase {
    func testAudioIsDeliveredWithoutGapsAndWithTheDevicesTimes() throws {
        let fixture = try CaptureFixture()
        let sound = RecordingAudio()
        let output = fixture.inSystem { AVCaptureAudioDataOutput() }
        output.setSampleBufferDelegate(sound, queue: sound.queue)
        let session = try fixture.makeSession(camera: nil, [output])
        fixture.advance(milliseconds: 100)
        session.startRunning()
        fixture.advance(milliseconds: 999)
        session.stopRunning()
        var expected = CMTime.milliseconds(100)
        for chunk in sound.chunks {
            XCTAssertEqual(chunk.time.seconds, expected.seconds, accuracy: 1e-9)
            XCTAssertEqual(chunk.byteCount, chunk.frameCount * 4)
            XCTAssertEqual(chunk.format?.mChannelsPerFrame, 2)
            XCTAssertEqual(chunk.format?.mSampleRate, 48000)
            expected = chunk.time + CMTime(value: Int64(chunk.frameCount), timescale: 48000)
        }
        XCTAssertEqual(sound.chunks.map(\.frameCount).reduce(0, +), 48000)
        fixture.assertNoMisuse()
    }

    func testASlowClientLosesNoAudio() throws {
        let fixture = try CaptureFixture()
        let clock = fixture.clock
        let counts = Lock<[Int]>([])
        final class SlowClient: AVCaptureAudioDataOutputSampleBufferDelegate, Sendable {
            let onSample: @Sendable (CMSampleBuffer) -> Void
            init(_ onSample: @escaping @Sendable (CMSampleBuffer) -> Void) { self.onSample = onSample }
            func captureOutput(
                _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
            ) { onSample(sampleBuffer) }
        }
        let slowClient = SlowClient { sample in
            counts.withLock { $0.append(sample.numSamples) }
            clock.spend(.milliseconds(45))
        }
        let output = fixture.inSystem { AVCaptureAudioDataOutput() }
        output.setSampleBufferDelegate(slowClient, queue: DispatchQueue(label: "test.slow"))
        let session = try fixture.makeSession(camera: nil, [output])
        session.startRunning()
        fixture.advance(milliseconds: 499)
        session.stopRunning()
        fixture.advance(milliseconds: 2000)
        XCTAssertEqual(counts.withLock { $0.reduce(0, +) }, 24000)
    }

    func testADelegateWithoutAQueueIsMisuse() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureAudioDataOutput() }
        fixture.assertMisuse(.invalidArgument) { output.setSampleBufferDelegate(RecordingAudio(), queue: nil) }
        XCTAssertNil(output.sampleBufferDelegate)
        XCTAssertNil(output.sampleBufferCallbackQueue)
    }
}
