import Foundation
import Glibc
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

/// Truncated, damaged and extreme files result in media or an error, but never in a crash or high memory use.
final class MovieFuzzTests: XCTestCase {
    /// The kind of movie to damage: with the index before or after the media, or in fragments.
    private enum Kind: CaseIterable {
        case inFront, atEnd, fragmented
    }

    func testAMovieTruncatedAtAnyByteIsReadAsFarAsPossible() throws {
        for kind in Kind.allCases {
            let data = try smallMovie(kind)
            let completeCount = try exercise(data)
            XCTAssertGreaterThan(completeCount, 0)
            // Within media and reserved space, only every 16th length is tested, because the result hardly depends on
            // the exact byte; elsewhere every third, unless all cases are tried.
            let boxes = try MovieMap(reading: MemoryFile(data)).boxes
            let insensitiveRanges = boxes.filter { ["free", "mdat"].contains($0.type) }.map(\.body)
            // Without the beginning of the index, there are no samples.
            let index = try XCTUnwrap(boxes.first { $0.type == "moov" }?.offset) + 8
            for count in 0..<data.count
            where count % 16 == 0
                || (CaseSample.isComplete || count % 3 == 0)
                    && !insensitiveRanges.contains(where: { $0.contains(Int64(count)) })
            {
                let samples = try exercise(data.prefix(count), isThorough: count % 8 == 0)
                XCTAssertLessThanOrEqual(samples, completeCount, "\(kind) cut after \(count) bytes")
                if kind == .atEnd, count < index {
                    XCTAssertEqual(samples, 0, "\(kind) cut after \(count) bytes")
                }
            }
        }
    }

    func testReplacedBytesNeverCauseACrash() throws {
        var generator = SplitMix64(seed: 5)
        for kind in Kind.allCases {
            let data = try smallMovie(kind)
            let map = try MovieMap(reading: MemoryFile(data))
            // In the headers nearly every byte is significant.
            let offsets = map.boxes.filter { $0.type != "mdat" && $0.type != "free" }.flatMap {
                Array($0.offset..<$0.end)
            }
            for round in 0..<(CaseSample.isComplete ? 600 : 250) {
                var broken = data
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let isAnywhere = round % 5 == 0
                    let offset = isAnywhere ? data.indices.randomElement(using: &generator) : nil
                    guard let offset = offset ?? offsets.randomElement(using: &generator).map({ Int($0) }) else {
                        continue
                    }
                    broken[offset] = UInt8.random(in: 0...255, using: &generator)
                }
                try exercise(broken)
            }
        }
    }

    func testExtremeSizesAndCountsDoNotAllocateMuchMemory() throws {
        let types = [
            "ftyp", "moov", "mvhd", "trak", "tkhd", "edts", "elst", "mdia", "mdhd", "hdlr", "minf", "stbl", "stsd",
            "avc1",
            "avcC", "mp4a", "lpcm", "esds", "stts", "ctts", "stss", "stsc", "stsz", "stco", "sdtp", "mvex", "trex",
            "moof",
            "mfhd", "traf", "tfhd", "tfdt", "trun", "mdat", "meta", "keys", "ilst", "data",
        ]
        let before = try Self.peakByteCount()
        for kind in [Kind.atEnd, .fragmented] {
            let data = try smallMovie(kind)
            for type in types {
                var start = data.startIndex
                while let found = data.range(of: Data(type.utf8), in: start..<data.endIndex) {
                    start = found.upperBound
                    for word in 0..<8 where found.lowerBound - 4 + 4 * word + 4 <= data.count {
                        for value in [0, 0x7fff_ffff, 0xffff_ffff] as [UInt32] {
                            var broken = data
                            let offset = found.lowerBound - 4 + 4 * word
                            withUnsafeBytes(of: value.bigEndian) {
                                broken.replaceSubrange(offset..<offset + 4, with: $0)
                            }
                            // The type is not changed.
                            if word != 1 { try exercise(broken, isThorough: word < 5 && value == 0xffff_ffff) }
                        }
                    }
                }
            }
        }
        XCTAssertLessThan(try Self.peakByteCount() - before, 256 << 20)
    }

    /// Returns the peak memory use of the process.
    private static func peakByteCount() throws -> Int {
        var usage = rusage()
        XCTAssertEqual(getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage), 0)
        return usage.ru_maxrss * 1024
    }

    /// Checks and reads a file.
    ///
    /// - Parameter isThorough: Whether to decode and repair it as well.
    /// - Returns: The number of samples in its index; 0 if it cannot be read.
    @discardableResult
    private func exercise(_ data: Data, isThorough: Bool = true) throws -> Int64 {
        let storage = MemoryStorage(["/a.mov": data])
        let url = URL(fileURLWithPath: "/a.mov")
        var count: Int64 = 0
        do {
            let memory = try storage.open(url, for: .reading)
            _ = try MovieChecker.problems(of: MovieMap(reading: memory), in: memory)
            let file = try MovieFile(reading: memory)
            for track in file.map.tracks {
                count += track.samples.sampleCount
                _ = (track.segments, track.timeRange, track.presentedRuns.count, track.formatDescription)
                guard isThorough else { continue }
                if track.isVideo { try decodeVideo(file, track) }
                if track.isAudio { try decodeAudio(file, track) }
            }
        } catch let error as MediaFileError {
            XCTAssertTrue(error.message.contains("/a.mov"), error.message)
        }
        guard isThorough else { return count }
        do {
            _ = try MovieRepair.repair(url, to: URL(fileURLWithPath: "/b.mov"), in: storage)
            XCTAssertTrue(storage.fileExists(at: URL(fileURLWithPath: "/b.mov")))
        } catch {
            XCTAssertFalse(error.message.isEmpty)
            XCTAssertFalse(storage.fileExists(at: URL(fileURLWithPath: "/b.mov")), error.message)
        }
        return count
    }

    private func decodeVideo(_ file: MovieFile, _ track: TrackMap) throws {
        let source: VideoFrameSource
        do {
            source = try VideoFrameSource(file, track)
        } catch { return }
        let frames = source.times.frames
        for index in Set([0, frames.count / 2, frames.count - 1]) where frames.indices.contains(index) {
            // A damaged frame cannot be decoded.
            guard let frame = try? source.frame(index) else { continue }
            let pixels = try MediaFixture.makeBuffer(frame.width, frame.height, source.pixelFormat)
            try? source.render(frame, into: pixels)
        }
    }

    private func decodeAudio(_ file: MovieFile, _ track: TrackMap) throws {
        let source: AudioFrameSource
        do {
            source = try AudioFrameSource(file, track, sample: .int16)
        } catch { return }
        source.start(100..<30_000)
        var frameCount = 0
        while let chunk = try? source.next() {
            frameCount += chunk.frameCount
            XCTAssertEqual(chunk.bytes.count, chunk.frameCount * source.format.bytesPerFrame)
        }
        XCTAssertLessThanOrEqual(frameCount, 60_000)
    }

    private func smallMovie(_ kind: Kind) throws -> Data {
        let url = try MediaFixture.folder(self).appendingPathComponent("a.mov")
        var script = RecordingScript(width: 32, height: 32)
        script.interval = CMTime(value: 1, timescale: 5)
        script.putsIndexInFront = kind == .inFront
        script.audioCodec = kind == .atEnd ? .pcm : .aac
        (script.sampleRate, script.channelCount) = (8000, 1)
        let recorder = try script.makeRecorder(url)
        recorder.metadata = MovieMetadata(make: "Maker", custom: [.init(key: "com.example.take", value: "7")])
        try script.feed(0..<(kind == .fragmented ? 0.9 : 0.3), into: recorder)
        if kind != .fragmented { _ = try recorder.finish(at: RecordingScript.time(CMTime(value: 3, timescale: 10))) }
        defer { if kind == .fragmented { recorder.cancel() } }
        return try Data(contentsOf: url)
    }
}
