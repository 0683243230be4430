import Foundation
import Glibc
import MediaTypes
import XCTest

@testable import MediaCodecs

/// Files that are cut off, damaged or absurd: what comes of them is media or an error, never a crash or a flood.
final class MovieFuzzTests: XCTestCase {
    /// How a movie that is damaged was made.
    private enum Kind: CaseIterable {
        case inFront, atEnd, fragmented
    }

    func testAMovieCutAfterAnyByteIsReadAsFarAsItGoes() throws {
        for kind in Kind.allCases {
            let data = try smallMovie(kind)
            let whole = try exercise(data)
            XCTAssertGreaterThan(whole, 0)
            // Inside media, and room that is kept free, hardly anything changes from byte to byte.
            let idle = try MovieMap(reading: MemoryFile(data)).boxes.filter { ["free", "mdat"].contains($0.type) }.map(
                \.body)
            for count in 0..<data.count
            where count % 16 == 0 || !idle.contains(where: { $0.contains(Int64(count)) }) {
                let samples = try exercise(data.prefix(count), isThorough: count % 8 == 0)
                XCTAssertLessThanOrEqual(samples, whole, "\(kind) cut after \(count) bytes")
                if kind == .atEnd, count < data.count - 8 {
                    XCTAssertEqual(samples, 0, "\(kind) cut after \(count) bytes")
                }
            }
        }
    }

    func testFlippedBytesNeverCrash() throws {
        var generator = SeededGenerator(state: 5)
        for kind in Kind.allCases {
            let data = try smallMovie(kind)
            let map = try MovieMap(reading: MemoryFile(data))
            // In the headers nearly every byte means something.
            let places = map.boxes.filter { $0.type != "mdat" && $0.type != "free" }.flatMap {
                Array($0.offset..<$0.end)
            }
            for round in 0..<600 {
                var broken = data
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let isMedia = round % 5 == 0
                    let place = isMedia ? data.indices.randomElement(using: &generator) : nil
                    guard let place = place ?? places.randomElement(using: &generator).map({ Int($0) }) else {
                        continue
                    }
                    broken[place] = UInt8.random(in: 0...255, using: &generator)
                }
                try exercise(broken)
            }
        }
    }

    func testAbsurdSizesAndCountsAreRefusedWithoutMemoryForThem() throws {
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
                            let place = found.lowerBound - 4 + 4 * word
                            withUnsafeBytes(of: value.bigEndian) {
                                broken.replaceSubrange(place..<place + 4, with: $0)
                            }
                            // The type itself stays.
                            if word != 1 { try exercise(broken, isThorough: word < 5 && value == 0xffff_ffff) }
                        }
                    }
                }
            }
        }
        XCTAssertLessThan(try Self.peakByteCount() - before, 256 << 20)
    }

    /// The most memory that the process has had.
    private static func peakByteCount() throws -> Int {
        var usage = rusage()
        XCTAssertEqual(getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage), 0)
        return usage.ru_maxrss * 1024
    }

    /// Does everything to a file that can be done.
    ///
    /// - Parameter isThorough: Whether it is also decoded and repaired, where it tells of samples.
    /// - Returns: How many samples it tells of.
    @discardableResult
    private func exercise(_ data: Data, isThorough: Bool = true) throws -> Int64 {
        let storage = MemoryStorage(["/a.mov": data])
        let url = URL(fileURLWithPath: "/a.mov")
        var count: Int64 = 0
        do {
            let memory = try storage.open(url, for: .reading)
            _ = try MovieChecker.problems(of: MovieMap(reading: memory), in: memory)
            let file = try MovieFile(url, in: storage)
            for track in file.map.tracks {
                count += track.samples.sampleCount
                _ = (track.segments, track.timeRange, track.shownRuns.count, track.formatDescription)
                guard isThorough else { continue }
                if track.isVideo { try look(file, track) }
                if track.isAudio { try listen(file, track) }
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

    private func look(_ file: MovieFile, _ track: TrackMap) throws {
        let source: FrameSource
        do {
            source = try FrameSource(file, track)
        } catch { return }
        let frames = source.times.frames
        for index in Set([0, frames.count / 2, frames.count - 1]) where frames.indices.contains(index) {
            // A damaged frame has none.
            guard let frame = try? source.frame(index) else { continue }
            let pixels = try MediaFixture.makeBuffer(frame.width, frame.height, source.pixelFormat)
            try? source.render(frame, into: pixels)
        }
    }

    private func listen(_ file: MovieFile, _ track: TrackMap) throws {
        let source: SoundSource
        do {
            source = try SoundSource(file, track, sample: .int16)
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
        try script.play(0..<(kind == .fragmented ? 0.9 : 0.3), into: recorder)
        if kind != .fragmented { _ = try recorder.finish(at: RecordingScript.time(CMTime(value: 3, timescale: 10))) }
        defer { if kind == .fragmented { recorder.cancel() } }
        return try Data(contentsOf: url)
    }
}
