import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

/// Tracks whose samples have several descriptions.
final class SampleDescriptionTests: XCTestCase {
    private static let partLength = 4096 * 3

    /// Returns the samples of a part: a tone with a frequency that depends on the index.
    private func part(_ index: Int) -> [Int16] {
        (0..<Self.partLength).map { frame in
            Int16(8000 * sin(Double(frame) * Double(index + 1) / 40))
        }
    }

    func testAudioIsDecodedByTheDescriptionOfEachSample() throws {
        let fixture = try AssetWriterFixture()
        let input = AudioStreamFormat(sampleRate: 48_000, channelCount: 1, sample: .int16)
        let encoders = try [AudioEncoderSettings.Codec.pcm, .alac].map { codec in
            try AudioEncoder(AudioEncoderSettings(codec: codec, input: input))
        }
        let writer = try MovieFileWriter(
            url: fixture.url("a.mov"), storage: fixture.system.storage,
            configuration: MovieFileWriter.Configuration(container: .mov, fragmentInterval: .invalid))
        var configuration = MovieTrackConfiguration(format: .audio(encoders[0].format), timescale: 48_000)
        configuration.additionalFormats = [.audio(encoders[1].format)]
        let track = try writer.addTrack(configuration)
        for index in 0..<3 {
            let encoder =
                index == 1 ? encoders[1] : try AudioEncoder(AudioEncoderSettings(codec: .pcm, input: input))
            var samples = try part(index).withUnsafeBytes { bytes in
                try encoder.encode(bytes, frameCount: Self.partLength)
            }
            samples += try encoder.finish()
            for var sample in samples {
                let offset = CMTime(value: Int64(index * Self.partLength), timescale: 48_000)
                sample.presentationTime = sample.presentationTime + offset
                sample.decodeTime = sample.decodeTime + offset
                sample.formatIndex = index % 2
                try writer.append(sample, to: track)
            }
        }
        try writer.finish()

        let asset = fixture.asset("a.mov")
        XCTAssertEqual(asset.tracks.first?.formatDescriptions.count, 2)
        let settings: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16]
        let decoded = try asset.samples(.audio, settings).flatMap { buffer in
            try XCTUnwrap(buffer.dataBuffer).withUnsafeBytes { [Int16]($0.bindMemory(to: Int16.self)) }
        }
        XCTAssertEqual(decoded, part(0) + part(1) + part(2))

        // A range that begins in the second part.
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: try XCTUnwrap(asset.tracks.first), outputSettings: settings)
        reader.add(output)
        reader.timeRange = CMTimeRange(
            start: CMTime(value: Int64(Self.partLength) + 5000, timescale: 48_000), duration: .positiveInfinity)
        XCTAssertTrue(reader.startReading())
        let remainingSamples = try output.drain().flatMap { buffer in
            try XCTUnwrap(buffer.dataBuffer).withUnsafeBytes { [Int16]($0.bindMemory(to: Int16.self)) }
        }
        XCTAssertEqual(remainingSamples, Array(part(1)[5000...]) + part(2))
    }

    func testTimedMetadataIsReadWithTheKeysOfEachSample() throws {
        let fixture = try AssetWriterFixture()
        let formats = ["com.example.first", "com.example.second"].map { name in
            TimedMetadataFormat(keys: [TimedMetadataFormat.Key(name: name, dataType: 1, localID: 1)])
        }
        let writer = try MovieFileWriter(
            url: fixture.url("a.mov"), storage: fixture.system.storage,
            configuration: MovieFileWriter.Configuration(container: .mov, fragmentInterval: .invalid))
        var configuration = MovieTrackConfiguration(format: .metadata(formats[0]), timescale: 600)
        configuration.additionalFormats = [.metadata(formats[1])]
        let track = try writer.addTrack(configuration)
        for (index, format) in formats.enumerated() {
            var sample = EncodedSample(
                data: format.sample([(key: 0, value: Data("value \(index)".utf8))]),
                presentationTime: CMTime(value: Int64(index), timescale: 1), duration: CMTime(value: 1, timescale: 1))
            sample.formatIndex = index
            try writer.append(sample, to: track)
        }
        try writer.finish()

        let asset = fixture.asset("a.mov")
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: try XCTUnwrap(asset.tracks.first), outputSettings: nil)
        let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        var items: [AVMetadataItem] = []
        while let group = adaptor.nextTimedMetadataGroup() { items += group.items }
        XCTAssertEqual(
            items.map { $0.identifier?.rawValue }, ["mdta/com.example.first", "mdta/com.example.second"])
        XCTAssertEqual(items.map(\.stringValue), ["value 0", "value 1"])
    }
}
