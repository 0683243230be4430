import Foundation
import MediaTypes
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

final class CoreAudioReaderTests: XCTestCase {
    private let url = URL(fileURLWithPath: "/a.caf")

    /// Writes a tone of one second. If `isFinished` is false, the file is that of an interrupted recording.
    private func write(_ codec: AudioEncoderSettings.Codec, isFinished: Bool = true) throws -> Data {
        let storage = MemoryStorage()
        let input = AudioStreamFormat(sampleRate: 48000, channelCount: 2, sample: .int16)
        let encoder = try AudioEncoder(AudioEncoderSettings(codec: codec, input: input))
        let writer = try AudioFileWriter(
            url: url, storage: storage,
            configuration: .init(
                container: .caf, checkpointInterval: CMTime(value: 1, timescale: 4),
                protectedDuration: CMTime(value: 10, timescale: 1)))
        let track = try writer.addTrack(
            MovieTrackConfiguration(format: .audio(encoder.format), timescale: encoder.format.sampleRate))
        for chunk in 0..<50 {
            let bytes = SyntheticMedia.audio(frames: chunk * 960..<(chunk + 1) * 960, channels: 2) {
                SyntheticMedia.tone($0)
            }
            for sample in try bytes.withUnsafeBytes({ try encoder.encode($0, frameCount: 960) }) {
                try writer.append(sample, to: track)
            }
        }
        if isFinished {
            for sample in try encoder.finish() { try writer.append(sample, to: track) }
            writer.setPresentationEnd(CMTime(value: 1, timescale: 1), of: track)
            try writer.finish()
        }
        let file = try storage.open(url, for: .reading)
        return Data(try file.bytes(at: 0, count: Int(file.byteCount())))
    }

    private func open(_ data: Data) throws(MediaFileError) -> MovieFile? {
        let file = try MemoryStorage([url.path: data]).openMedia(url)
        return try CoreAudioReader.read(file).map { MovieFile($0, file) }
    }

    func testPacketsHaveTheRightOffsetsAndTimes() throws {
        for (codec, framesPerPacket) in [
            (AudioEncoderSettings.Codec.aac, 1024), (.alac, 4096), (.opus, 960), (.pcm, 1),
        ] as [(AudioEncoderSettings.Codec, UInt32)] {
            let file = try XCTUnwrap(open(write(codec)))
            let track = try XCTUnwrap(file.map.tracks.first)
            XCTAssertEqual(
                track.timeRange, CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1)), "\(codec)")
            XCTAssertTrue(track.samples.runs.allSatisfy { $0.duration == framesPerPacket }, "\(codec)")
            let source = try AudioFrameSource(file, track, sample: .int16)
            let start = track.edits.first?.mediaTime ?? 0
            source.start(start..<start + 48000)
            var pcm: [UInt8] = []
            while let chunk = try source.next() { pcm += chunk.bytes }
            XCTAssertEqual(pcm.count, 48000 * 4, "\(codec)")
            guard codec == .pcm || codec == .alac else { continue }
            let values = pcm.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
            XCTAssertTrue((0..<48000).allSatisfy { values[2 * $0] == SyntheticMedia.tone($0) }, "\(codec)")
        }
    }

    func testAnInterruptedRecordingIsReadUpToTheEndOfItsTable() throws {
        for codec in [AudioEncoderSettings.Codec.aac, .pcm] {
            let file = try XCTUnwrap(open(write(codec, isFinished: false)))
            XCTAssertGreaterThan(file.map.duration.seconds, 0.6, "\(codec)")
        }
    }

    func testDamagedFilesAreReadInPartOrRejected() throws {
        var generator = SplitMix64(seed: 9)
        for codec in [AudioEncoderSettings.Codec.aac, .alac, .opus, .pcm] {
            let data = try write(codec)
            for count in stride(from: 0, to: data.count, by: max(1, data.count / 400)) {
                try readAll(data.prefix(count))
            }
            for _ in 0..<400 {
                var broken = data
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let offset = Int.random(in: 0..<min(600, data.count), using: &generator)
                    broken[offset] = UInt8.random(in: 0...255, using: &generator)
                }
                try readAll(broken)
            }
        }
        XCTAssertNil(try open(Data("RIFF and no more".utf8)))
        XCTAssertThrowsError(try open(Data("caff\u{0}\u{1}\u{0}\u{0}".utf8))) {
            XCTAssertEqual(($0 as? MediaFileError)?.code, .noMedia)
        }
    }

    private func readAll(_ data: Data) throws {
        do {
            guard let file = try open(data), let track = file.map.tracks.first else { return }
            _ = (track.segments, track.timeRange)
            let source = try AudioFrameSource(file, track, sample: .float32)
            source.start(500..<9000)
            while try source.next() != nil {}
        } catch {
            XCTAssertTrue(error.message.contains("/a.caf"), error.message)
        }
    }
}
