import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

/// Damages the boxes of small movies one at a time and expects that a repair never loses a packet that ffprobe reads
/// without reporting it.
final class MovieDamageTests: XCTestCase {
    /// A change of one box.
    private enum Damage: CaseIterable {
        case removed, duplicated, renamed, emptied
        case oneByteLarger, oneByteSmaller, eightBytesLarger, eightBytesSmaller, extremelyLarge
        case countPlusOne, countMinusOne, countPlusFive, countMinusFive

        func apply(to box: MovieBytes.Box, of movie: inout MovieBytes) {
            let size = UInt32(box.range.count)
            func add(_ value: Int, at offset: Int) {
                guard box.range.count >= offset + 4 else { return }
                movie[box, offset] = movie[box, offset] &+ UInt32(truncatingIfNeeded: value)
            }
            // The number of entries, after the version and flags; `stsz` and `trun` have another field before or after.
            let countOffset = box.type == "stsz" ? 16 : 12
            switch self {
            case .removed: movie.rename(box, "free")
            case .renamed: movie.rename(box, "zzzz")
            case .duplicated:
                let copy = movie.data[box.range]
                movie.replace(box.range.upperBound..<box.range.upperBound, with: copy, in: box.parents)
            case .emptied: movie.replace(box.range, with: MovieBytes.box(box.type, Data()), in: box.parents)
            case .oneByteLarger: movie[box, 0] = size + 1
            case .oneByteSmaller: movie[box, 0] = size - 1
            case .eightBytesLarger: movie[box, 0] = size + 8
            case .eightBytesSmaller: movie[box, 0] = size - 8
            case .extremelyLarge: movie[box, 0] = 0x7fff_ffff
            case .countPlusOne: add(1, at: countOffset)
            case .countMinusOne: add(-1, at: countOffset)
            case .countPlusFive: add(5, at: countOffset)
            case .countMinusFive: add(-5, at: countOffset)
            }
        }
    }

    private static let movies: [(name: String, arguments: [String])] = [
        ("plain", []), ("front", ["-movflags", "faststart"]),
        ("fragments", ["-movflags", "frag_keyframe+empty_moov"]),
        ("relative", ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]),
    ]

    /// The number of damages that are tried, and of wrong sizes, unless all cases are tried.
    private static let sampleCount = 40
    private static let sizeSampleCount = 400

    func testARepairReportsAllPacketsThatItLoses() throws {
        let folder = try MediaFixture.folder(self)
        var cases: [(name: String, whole: MovieBytes, index: Int, damage: Damage)] = []
        var packets: [String: [String: [String]]] = [:]
        for (name, arguments) in Self.movies {
            let url = folder.appendingPathComponent("\(name).mp4")
            let result = try ExternalTool.run(
                "ffmpeg",
                ["-y", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30:d=1"]
                    + ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=1", "-c:v", "libx264", "-g", "10", "-bf", "2"]
                    + ["-pix_fmt", "yuv420p", "-c:a", "aac"] + arguments + [url.path])
            XCTAssertEqual(result.status, 0, result.errors)
            let movie = MovieBytes(try Data(contentsOf: url))
            packets[name] = try MovieBytes.packets(url)
            for index in movie.boxes.indices {
                for damage in Damage.allCases { cases.append((name, movie, index, damage)) }
            }
        }
        var generator = SplitMix64(seed: 36)
        let selected = CaseSample.of(cases.shuffled(using: &generator), count: Self.sampleCount)
        var repairedCount = 0
        for item in selected {
            var damaged = item.whole
            let box = damaged.boxes[item.index]
            item.damage.apply(to: box, of: &damaged)
            let what = "\(item.name): \(box.type) at byte \(box.range.lowerBound) \(item.damage)"
            if try check(damaged, packets[item.name] ?? [:], what, in: folder) { repairedCount += 1 }
        }
        XCTAssertGreaterThan(repairedCount, selected.count / 10)
    }

    func testABoxOfAWrongSizeCostsNothing() throws {
        let folder = try MediaFixture.folder(self)
        let movies: [(name: String, arguments: [String])] =
            Self.movies.map { ("\($0.name).mp4", $0.arguments) } + [
                ("cmaf.mp4", ["-movflags", "cmaf+frag_keyframe"]),
                ("frames.mov", ["-movflags", "frag_every_frame+empty_moov+default_base_moof"]),
                ("plain.mov", ["-timecode", "01:00:00:00", "-c:a", "pcm_s16le"]),
            ]
        var cases: [(name: String, whole: MovieBytes, type: String, offset: Int, change: Int)] = []
        var repairedTracks: [String: [String]] = [:]
        for (name, arguments) in movies {
            let url = folder.appendingPathComponent(name)
            let result = try ExternalTool.run(
                "ffmpeg",
                ["-y", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.9"]
                    + ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=0.9", "-c:v", "libx264", "-g", "3", "-bf", "2"]
                    + ["-pix_fmt", "yuv420p", "-c:a", "aac"] + arguments + [url.path])
            XCTAssertEqual(result.status, 0, result.errors)
            let movie = MovieBytes(try Data(contentsOf: url))
            repairedTracks[name] = try XCTUnwrap(try repaired(movie.data, name)).tracks
            var offsets = movie.boxes.map { (type: $0.type, offset: $0.range.lowerBound) }
            // The first sample description is after the version, the flags and the count.
            offsets += offsets.filter { $0.type == "stsd" }.map { ("sample description", $0.offset + 16) }
            for (type, offset) in offsets {
                for change in [-16, -8, -4, -2, -1, 1, 2, 4, 8, 16] {
                    cases.append((name, movie, type, offset, change))
                }
            }
        }
        var generator = SplitMix64(seed: 37)
        let selected = CaseSample.of(cases.shuffled(using: &generator), count: Self.sizeSampleCount)
        var (repairedCount, refusedCount) = (0, 0)
        for item in selected {
            var damaged = item.whole
            damaged[item.offset] = damaged[item.offset] &+ UInt32(truncatingIfNeeded: item.change)
            guard let copy = try repaired(damaged.data, item.name) else {
                refusedCount += 1
                continue
            }
            repairedCount += 1
            XCTAssertEqual(
                copy.tracks, repairedTracks[item.name],
                "\(item.name): \(item.type) at byte \(item.offset), size changed by \(item.change)")
        }
        XCTAssertGreaterThan(repairedCount, selected.count / 100)
        XCTAssertGreaterThan(refusedCount, selected.count / 4)
    }

    /// What a repair preserves: the descriptions of the tracks.
    private struct Contents {
        var tracks: [String]

        init(_ data: Data) throws {
            let map = try MovieMap(reading: MemoryFile(data))
            tracks = map.tracks.map { track in
                let samples = track.samples.runs.map {
                    "\($0.decodeTime) \($0.presentationTime) \($0.duration) \($0.size) \($0.isSync) \($0.count)"
                }
                return [
                    "\(track.number) \(track.handler) \(track.timescale) \(track.edits) \(track.transform) \(track.size)",
                    "\(track.isEnabled) \(track.references.sorted { $0.key < $1.key })",
                    "\(track.sampleEntries.map(\.code)) \(samples)",
                    // Offsets of the samples differ, their bytes do not.
                    "\(track.samples.runs.map { data[Int($0.offset)..<Int($0.end)].map { $0 } })",
                ].joined(separator: " ")
            }
        }
    }

    /// Returns the movie that replaces a damaged one; nil if the damaged one stays.
    private func repaired(_ data: Data, _ name: String) throws -> Contents? {
        let storage = MemoryStorage(["/\(name)": data])
        let (source, target) = (URL(fileURLWithPath: "/\(name)"), URL(fileURLWithPath: "/repaired-\(name)"))
        // The result is nil for any error.
        guard (try? MovieRepair.repair(source, to: target, in: storage)) != nil else { return nil }
        let file = try storage.open(target, for: .reading)
        return try Contents(Data(file.bytes(at: 0, count: Int(file.byteCount()))))
    }

    /// Checks the results of a damaged movie.
    ///
    /// - Parameter whole: The packets of the undamaged movie.
    /// - Returns: Whether a repaired movie can replace the damaged one.
    private func check(
        _ movie: MovieBytes, _ whole: [String: [String]], _ what: String, in folder: URL
    ) throws -> Bool {
        let (source, target) = (folder.appendingPathComponent("a.mp4"), folder.appendingPathComponent("b.mp4"))
        try movie.data.write(to: source)
        defer {
            // The second file exists after a successful repair only.
            for url in [source, target] { try? FileManager.default.removeItem(at: url) }
        }
        let file = try DiskStorage().open(source, for: .reading)
        _ = try MovieChecker.problems(of: MovieMap(reading: file), in: file)
        // Other readers can find packets that are not in the undamaged movie, with bytes of other samples.
        let readable = try MovieBytes.packets(source).mapValues { Set($0) }.filter { whole[$0.key] != nil }
        func missing() throws -> [String] {
            let repaired = try MovieBytes.packets(target)
            return readable.flatMap { kind, packets in
                packets.intersection(whole[kind] ?? []).subtracting(repaired[kind] ?? []).map { "\(kind) \($0)" }
            }
        }
        var canReplace = false
        do {
            let summary = try MovieRepair.repair(source, to: target, in: DiskStorage())
            canReplace = true
            // ffprobe also reads the beginning of a packet that is incomplete in the file.
            let lost = try missing()
            XCTAssertLessThanOrEqual(lost.count, Int(summary.lostSampleCount), "\(what): \(lost)")
            try FileManager.default.removeItem(at: target)
        } catch let error as MovieError {
            XCTAssertFalse(error.message.isEmpty, what)
        }
        do {
            let summary = try MovieRepair.repair(source, to: target, in: DiskStorage(), acceptsLosses: true)
            let lost = try missing()
            if !lost.isEmpty, summary.lostSampleCount == 0 {
                XCTAssertFalse(summary.omissions.isEmpty, "\(what): \(lost)")
            }
        } catch let error as MovieError {
            XCTAssertNotEqual(error.code, .incomplete, what)
        }
        XCTAssertEqual(try Data(contentsOf: source), movie.data, what)
        return canReplace
    }
}
