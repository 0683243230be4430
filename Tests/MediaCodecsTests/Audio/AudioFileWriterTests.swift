import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs

final class AudioFileWriterTests: XCTestCase {
    private let input = AudioStreamFormat(sampleRate: 48000, channelCount: 1, sample: .int16)

    /// Writes a tone of two seconds in chunks of 20 ms.
    private func write(
        _ codec: AudioEncoderSettings.Codec, _ container: AudioFileContainer, to url: URL,
        storage: any CaptureStorage = DiskStorage(), interval: CMTime = CMTime(value: 1, timescale: 4),
        protectedDuration: CMTime = CMTime(value: 60, timescale: 1), pcm: PCMFormat? = nil, channels: Int = 1
    ) throws {
        let input = AudioStreamFormat(sampleRate: 48000, channelCount: channels, sample: .int16)
        let encoder = try AudioEncoder(AudioEncoderSettings(codec: codec, input: input, pcmFormat: pcm))
        let writer = try AudioFileWriter(
            url: url, storage: storage,
            configuration: .init(
                container: container, checkpointInterval: interval, protectedDuration: protectedDuration))
        let track = try writer.addTrack(
            MovieTrackConfiguration(format: .audio(encoder.format), timescale: encoder.format.sampleRate))
        func append(_ samples: [EncodedSample]) throws {
            for sample in samples { try writer.append(sample, to: track) }
        }
        for chunk in 0..<100 {
            let bytes = SyntheticMedia.audio(frames: chunk * 960..<(chunk + 1) * 960, channels: channels) {
                SyntheticMedia.tone($0)
            }
            try append(try bytes.withUnsafeBytes { try encoder.encode($0, frameCount: 960) })
        }
        try append(try encoder.finish())
        writer.setPresentationEnd(CMTime(value: 2, timescale: 1), of: track)
        try writer.finish()
    }

    func testEveryPCMFormatIsReadByFFmpeg() throws {
        let folder = try TemporaryFolder()
        let expected = (0..<96000).map { SyntheticMedia.tone($0) }
        for container in AudioFileContainer.allCases {
            for littleEndian in [PCMFormat.int16, .int24, .int32, .float32, .float64] {
                for isBigEndian in [false, true] where container == .caf || !isBigEndian {
                    for channels in [1, 2, 6] {
                        let format = littleEndian.withByteOrder(isBigEndian: isBigEndian)
                        let url = folder.file("\(format.hashValue)-\(channels).\(container.rawValue)")
                        try write(.pcm, container, to: url, pcm: format, channels: channels)
                        let result = try MediaTools.run(
                            "ffmpeg",
                            ["-v", "error", "-i", url.path, "-filter_complex", "pan=mono|c0=c0", "-f", "s16le", "-"])
                        XCTAssertEqual(result.errors, "")
                        let pcm = result.output.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
                        XCTAssertTrue(pcm == expected, "\(format) of \(channels) channels in \(container)")
                    }
                }
            }
        }
    }

    func testThePacketTableContainsPrimingAndRemainder() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.caf")
        try write(.aac, .caf, to: url)
        let data = try Data(contentsOf: url)
        let table = try XCTUnwrap(data.range(of: Data("pakt".utf8))).upperBound
        func number(_ offset: Int, _ count: Int) -> Int {
            data[table + offset..<table + offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        // Two seconds and the priming take 94.75 packets. A `free` chunk follows the chunk of the table.
        XCTAssertEqual(number(8, 8), 95)
        XCTAssertEqual(number(16, 8), 96000)
        XCTAssertEqual(number(24, 4), 1024)
        XCTAssertEqual(number(28, 4), 95 * 1024 - 1024 - 96000)
        XCTAssertEqual(Array(data[table + 8 + number(0, 8)..<table + 12 + number(0, 8)]), Array("free".utf8))
        XCTAssertEqual(try MediaTools.decodeAudio(url).count, 95 * 1024)
    }

    func testATableThatExceedsItsReservedSpaceIsWrittenAfterTheAudio() throws {
        let folder = try TemporaryFolder()
        for protectedDuration in [CMTime(value: 1, timescale: 10), CMTime(value: 0, timescale: 1)] {
            let url = folder.file("\(protectedDuration.value).caf")
            try write(.aac, .caf, to: url, protectedDuration: protectedDuration)
            XCTAssertEqual(try MediaTools.decodeAudio(url).count, 95 * 1024)
            let data = try Data(contentsOf: url)
            let media = try XCTUnwrap(data.range(of: Data("data".utf8))).lowerBound
            XCTAssertGreaterThan(try XCTUnwrap(data.range(of: Data("pakt".utf8))).lowerBound, media)
        }
    }

    func testAPowerFailureKeepsTheAudioUpToTheLastCheckpoint() throws {
        for (codec, container) in [
            (AudioEncoderSettings.Codec.pcm, AudioFileContainer.wav), (.pcm, .caf), (.aac, .caf), (.alac, .caf),
        ] {
            let completeStorage = SimStorage()
            let folder = try TemporaryFolder()
            try write(codec, container, to: folder.file("whole"), storage: completeStorage)
            var counts: [Int] = []
            for operation in CaseSample.of(1...completeStorage.operations.count, count: 12) {
                let storage = SimStorage()
                storage.inject(.powerLoss, atOperation: operation)
                let url = folder.file("\(operation).\(container.rawValue)")
                try write(codec, container, to: url, storage: storage)
                guard FileManager.default.fileExists(atPath: url.path) else { continue }
                let result = try MediaTools.run(
                    "ffmpeg", ["-v", "error", "-i", url.path, "-ac", "1", "-f", "s16le", "-"])
                counts.append(result.output.count / 2)
            }
            XCTAssertEqual(counts, counts.sorted(), "\(codec) in \(container)")
            // A power failure in the last third of the operations keeps more than one second of audio.
            XCTAssertGreaterThan(counts.filter { $0 > 48000 }.count, counts.count / 3, "\(codec) in \(container)")
            XCTAssertGreaterThan(counts.last ?? 0, 95000)
        }
    }

    func testGapsAreRejected() throws {
        let folder = try TemporaryFolder()
        let writer = try AudioFileWriter(
            url: folder.file("a.wav"), storage: DiskStorage(), configuration: .init(container: .wav))
        let format = AudioSampleFormat(codec: .pcm(.int16), sampleRate: 8000, channelCount: 1)
        let track = try writer.addTrack(MovieTrackConfiguration(format: .audio(format), timescale: 8000))
        func sample(_ frame: Int64) -> EncodedSample {
            EncodedSample(
                data: Data(count: 20), presentationTime: CMTime(value: frame, timescale: 8000),
                duration: CMTime(value: 10, timescale: 8000), sampleCount: 10)
        }
        try writer.append(sample(0), to: track)
        try writer.append(sample(10), to: track)
        XCTAssertThrowsError(try writer.append(sample(21), to: track)) {
            XCTAssertEqual(($0 as? MovieError)?.code, .invalidSample)
        }
        XCTAssertThrowsError(try writer.addTrack(MovieTrackConfiguration(format: .audio(format), timescale: 8000)))
        try writer.finish()
        XCTAssertThrowsError(try writer.append(sample(20), to: track)) {
            XCTAssertEqual(($0 as? MovieError)?.code, .invalidState)
        }
    }

    func testUnsupportedFormatsAreRejected() {
        let bigEndian = AudioSampleFormat(
            codec: .pcm(PCMFormat.int16.withByteOrder(isBigEndian: true)), sampleRate: 48000, channelCount: 1)
        let aac = AudioSampleFormat(codec: .aac(configuration: Data([0x11, 0x88])), sampleRate: 48000, channelCount: 1)
        XCTAssertNotNil(AudioFileContainer.wav.rejectionReason(for: .audio(bigEndian)))
        XCTAssertNotNil(AudioFileContainer.wav.rejectionReason(for: .audio(aac)))
        XCTAssertNil(AudioFileContainer.caf.rejectionReason(for: .audio(bigEndian)))
        XCTAssertNil(AudioFileContainer.caf.rejectionReason(for: .audio(aac)))
        XCTAssertNotNil(AudioFileContainer.caf.rejectionReason(for: SampleScript.videoConfiguration.format))
    }
}
