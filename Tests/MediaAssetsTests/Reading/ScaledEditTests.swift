import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

/// Edit lists whose rate is not 1.
final class ScaledEditTests: XCTestCase {
    /// Writes a movie of one track and changes the duration and the rate in its edit list.
    private func movie(
        _ fixture: AssetWriterFixture, video: AVAssetWriterInput?, audio: AVAssetWriterInput?,
        slowedDownBy factor: UInt32
    ) throws -> AVAsset {
        let writer = try fixture.makeWriter("a.mov")
        try fixture.writeMedia(1, writer, video: video, audio: audio)
        var data = try Data(contentsOf: fixture.url("a.mov"))
        let box = try XCTUnwrap(data.range(of: Data("elst".utf8), options: .backwards)).lowerBound - 4
        let segmentDuration = data[box + 16..<box + 20].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        for (value, offset) in [(segmentDuration * factor, 16), (65536 / factor, 24)] {
            withUnsafeBytes(of: value.bigEndian) { data.replaceSubrange(box + offset..<box + offset + 4, with: $0) }
        }
        try data.write(to: fixture.url("a.mov"))
        return fixture.system.run { AVURLAsset(url: fixture.url("a.mov")) }
    }

    func testFramesAtOneEighthOfTheRateHaveExactTimes() throws {
        let fixture = try AssetWriterFixture()
        let asset = try movie(fixture, video: fixture.makeVideoInput(), audio: nil, slowedDownBy: 8)
        let track = try XCTUnwrap(asset.tracks.first)
        XCTAssertEqual(track.timeRange.duration, CMTime(value: 8, timescale: 1))
        let mapping = try XCTUnwrap(track.segments.first).timeMapping
        XCTAssertEqual(mapping.source.duration, CMTime(value: 1, timescale: 1))
        XCTAssertEqual(
            track.samplePresentationTime(forTrackTime: CMTime(value: 4, timescale: 1)) - mapping.source.start,
            CMTime(value: 1, timescale: 2))
        let expected = (0..<30).map { CMTime(value: Int64($0 * 8), timescale: 30) }
        let duration = CMTime(value: 8, timescale: 30)
        let decoded = try asset.samples(.video, [:])
        XCTAssertEqual(decoded.map(\.presentationTimeStamp), expected)
        XCTAssertEqual(decoded.map(\.duration), [CMTime](repeating: duration, count: 30))
        XCTAssertEqual(decoded.map(\.counter), (0..<30).map { UInt32($0) })
        let stored = try asset.samples(.video, nil)
        XCTAssertEqual(stored.map(\.presentationTimeStamp).sorted(), expected)
        XCTAssertEqual(stored.map(\.duration), [CMTime](repeating: duration, count: 30))
        XCTAssertFalse(decoded.contains { $0.presentationTimeStamp.hasBeenRounded })
    }

    func testAudioAtHalfTheRateIsTwiceAsLong() throws {
        let fixture = try AssetWriterFixture()
        let input = fixture.makeAudioInput(kAudioFormatLinearPCM)
        let asset = try movie(fixture, video: nil, audio: input, slowedDownBy: 2)
        let samples = try asset.samples(.audio, [AVFormatIDKey: kAudioFormatLinearPCM])
        XCTAssertEqual(samples.first?.presentationTimeStamp, .zero)
        XCTAssertEqual(Double(samples.map(\.numSamples).reduce(0, +)), 96_000, accuracy: 64)
        let range = CMTimeRange(start: CMTime(value: 3, timescale: 2), duration: CMTime(value: 1, timescale: 4))
        let part = try asset.samples(.audio, [AVFormatIDKey: kAudioFormatLinearPCM], range)
        XCTAssertEqual(part.first?.presentationTimeStamp, range.start)
        XCTAssertEqual(Double(part.map(\.numSamples).reduce(0, +)), 12_000, accuracy: 64)
    }

    func testThePitchOfAScaledEditDependsOnTheAlgorithm() throws {
        let fixture = try AssetWriterFixture()
        let input = fixture.makeAudioInput(kAudioFormatLinearPCM)
        let asset = try movie(fixture, video: nil, audio: input, slowedDownBy: 2)
        let track = try XCTUnwrap(asset.tracks.first)
        for (algorithm, factor) in [(.spectral, 1), (.timeDomain, 1), (.varispeed, 0.5)]
            as [(AVAudioTimePitchAlgorithm, Double)]
        {
            for isFloat in [false, true] {
                let reader = try AVAssetReader(asset: asset)
                let output = AVAssetReaderTrackOutput(
                    track: track,
                    outputSettings: [
                        AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: isFloat,
                        AVLinearPCMBitDepthKey: isFloat ? 32 : 16, AVNumberOfChannelsKey: 1,
                    ])
                if algorithm != .spectral { output.audioTimePitchAlgorithm = algorithm }
                reader.add(output)
                XCTAssertTrue(reader.startReading())
                var samples: [Float] = []
                while let sample = output.copyNextSampleBuffer() {
                    sample.dataBuffer?.withUnsafeBytes { bytes in
                        samples +=
                            isFloat
                            ? Array(bytes.bindMemory(to: Float.self))
                            : bytes.bindMemory(to: Int16.self).map { Float($0) / 32768 }
                    }
                }
                XCTAssertEqual(reader.status, .completed)
                XCTAssertEqual(samples.count, 96_000)
                let frequency = Tone.frequency(samples.dropFirst(4800).dropLast(4800))
                XCTAssertEqual(
                    frequency, 1000 * factor, accuracy: 5, algorithm.rawValue)
            }
        }
    }
}
