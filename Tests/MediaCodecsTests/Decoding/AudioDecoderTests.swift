import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes
import XCTest

final class AudioDecoderTests: XCTestCase {
    private func decode(
        _ path: String, sample: AudioStreamFormat.Sample = .int16
    ) throws -> (chunks: [AudioDecoder.Chunk], damageMessages: [String]) {
        let reader = try MediaFileReader(path: path)
        let track = try XCTUnwrap(reader.tracks.first { !$0.isVideo })
        reader.select([track.index])
        let decoder = try AudioDecoder(reader: reader, track: track, sample: sample)
        var (chunks, damageMessages): ([AudioDecoder.Chunk], [String]) = ([], [])
        while true {
            let output: AudioDecoder.Output
            let event = try reader.next()
            switch event {
            case .packet(let packet): output = try decoder.decode(packet)
            case .damaged(let message):
                damageMessages.append(message)
                continue
            case .end: output = try decoder.decode(nil)
            }
            chunks += output.chunks
            if let damage = output.errorMessage { damageMessages.append(damage) }
            if case .end = event { return (chunks, damageMessages) }
        }
    }

    func testMP3IsDecodedAsByFFmpeg() throws {
        let (chunks, damageMessages) = try decode(MediaFixture.path("handheld-3s.mp4"))
        let frames = chunks.map { MediaFixture.Frame(time: $0.time.value, checksum: MediaFixture.adler($0.bytes)) }
        XCTAssertEqual(frames, try MediaFixture.frames("handheld-3s.audio.framecrc"))
        XCTAssertEqual(damageMessages, [])
        XCTAssertTrue(chunks.allSatisfy { $0.time.timescale == 44100 })
    }

    func testFloatSamplesEqualIntegerSamples() throws {
        let integers = try decode(MediaFixture.path("handheld-3s.mp4")).chunks
        let floats = try decode(MediaFixture.path("handheld-3s.mp4"), sample: .float32).chunks
        XCTAssertEqual(integers.map(\.frameCount), floats.map(\.frameCount))
        for (integer, float) in zip(integers, floats) {
            for index in 0..<integer.frameCount {
                let int16Sample = Int16(
                    bitPattern: UInt16(integer.bytes[2 * index]) | UInt16(integer.bytes[2 * index + 1]) << 8)
                let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(float.bytes[4 * index + $1]) << (8 * $1) }
                let sample = max(-1, min(1, Double(Float(bitPattern: bits))))
                XCTAssertEqual(Double(int16Sample), sample * 32768, accuracy: 1.01)
            }
        }
    }

    func testAWaveFileIsDecodedWithoutLoss() throws {
        let folder = try MediaFixture.folder(self)
        let url = folder.appendingPathComponent("ramp.wav")
        let samples = (0..<5000).map { UInt16(truncatingIfNeeded: $0 * 13) }
        try TestWave.data(samples, rate: 8000, channelCount: 2).write(to: url)
        let (chunks, damageMessages) = try decode(url.path)
        XCTAssertEqual(damageMessages, [])
        let bytes = chunks.flatMap(\.bytes)
        XCTAssertEqual(bytes, samples.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        XCTAssertEqual(chunks.first?.time.seconds, 0)
    }
}

/// Builds RIFF files of 16-bit samples.
enum TestWave {
    static func data(_ samples: [UInt16], rate: UInt32, channelCount: UInt16) -> Data {
        func little<Number: FixedWidthInteger>(_ number: Number) -> Data {
            withUnsafeBytes(of: number.littleEndian) { Data($0) }
        }
        var data = Data("RIFF".utf8) + little(UInt32(36 + 2 * samples.count)) + Data("WAVEfmt ".utf8)
        data += little(UInt32(16)) + little(UInt16(1)) + little(channelCount) + little(rate)
        data += little(rate * UInt32(channelCount) * 2) + little(channelCount * 2) + little(UInt16(16))
        data += Data("data".utf8) + little(UInt32(2 * samples.count))
        for sample in samples { data += little(sample) }
        return data
    }
}
