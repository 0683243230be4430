import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

final class AVCaptureAudioChannelTests: XCTestCase {
    func testTheVolumeOfAChannelScalesItsSamplesAndItsPowerLevel() throws {
        let fixture = try CaptureFixture()
        let (output, fileOutput) = fixture.inSystem { (AVCaptureAudioDataOutput(), AVCaptureAudioFileOutput()) }
        let session = try fixture.makeSession(camera: nil, [output, fileOutput])
        let channels = try XCTUnwrap(output.connection(with: .audio)).audioChannels
        XCTAssertEqual(channels.map(\.volume), [1, 1])
        XCTAssertEqual(channels.map(\.isEnabled), [true, true])
        let peaks = RecordingPeaks()
        output.setSampleBufferDelegate(peaks, queue: peaks.queue)
        session.startRunning()
        fixture.advance(milliseconds: 100)
        let full = peaks.removeAll()
        channels[0].volume = 0.5
        fixture.advance(milliseconds: 100)
        let half = peaks.removeAll()
        XCTAssertEqual(half[0] / full[0], 0.5, accuracy: 0.01)
        XCTAssertEqual(half[1] / full[1], 1, accuracy: 0.01)
        // The first channel is a sine of -20 dBFS. Its mean power is 3.01 dB less; half the volume is 6.02 dB less.
        XCTAssertEqual(channels[0].averagePowerLevel, -23.01 - 6.02, accuracy: 0.1)
        channels[1].isEnabled = false
        channels[0].volume = 2
        fixture.advance(milliseconds: 100)
        let doubled = peaks.removeAll()
        XCTAssertEqual(doubled[0] / full[0], 2, accuracy: 0.02)
        XCTAssertEqual(doubled[1], 0)
        XCTAssertEqual(channels[1].averagePowerLevel, -160)
        let fileChannels = try XCTUnwrap(fileOutput.connection(with: .audio)).audioChannels
        // The second channel is a sine of -26 dBFS.
        XCTAssertEqual(fileChannels[1].averagePowerLevel, -29.01, accuracy: 0.1, "each connection has its own channels")
        channels[0].volume = -3
        XCTAssertEqual(channels[0].volume, 0)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testLoudSamplesAreClippedInEachSampleType() {
        func amplified<Sample>(_ samples: [Sample], as type: AudioStreamFormat.Sample, by gain: Float) -> [Sample] {
            let chunk = AudioChunk(
                data: CMBlockBuffer(copying: samples.withUnsafeBytes { [UInt8]($0) }),
                format: AudioStreamFormat(sampleRate: 1000, channelCount: 1, sample: type), frameCount: samples.count,
                presentationTime: .zero, samplePosition: 0)
            return chunk.amplified(by: [gain]).data.withUnsafeBytes { Array($0.bindMemory(to: Sample.self)) }
        }
        XCTAssertEqual(amplified([100, -20000, 20000] as [Int16], as: .int16, by: 2), [200, .min, .max])
        XCTAssertEqual(amplified([100, .min, .max] as [Int32], as: .int32, by: 2), [200, .min, .max])
        XCTAssertEqual(amplified([0.25, -0.75, 0.75] as [Float], as: .float32, by: 2), [0.5, -1, 1])
        XCTAssertEqual(amplified([0.25, -0.75] as [Float], as: .float32, by: 0), [0, 0])
    }
}

/// Records the peak sample of each of two channels.
private final class RecordingPeaks: AVCaptureAudioDataOutputSampleBufferDelegate, Sendable {
    let queue = DispatchQueue(label: "test.levels")
    private let peaks = Lock<[Double]>([0, 0])

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        guard let data = sampleBuffer.dataBuffer else { return }
        let samples = data.withUnsafeBytes { bytes in
            (0..<(bytes.count / 2)).map { Double(bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self)) }
        }
        peaks.withLock { peaks in
            for (index, sample) in samples.enumerated() { peaks[index % 2] = max(peaks[index % 2], abs(sample)) }
        }
    }

    /// Returns and resets the peaks, in sample values.
    func removeAll() -> [Double] {
        peaks.withLock { peaks in
            defer { peaks = [0, 0] }
            return peaks
        }
    }
}
