import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// Passthrough exports of edited compositions.
final class PassthroughExportTests: XCTestCase {
    private func time(_ value: Int64, _ timescale: CMTimeScale = 30) -> CMTime {
        CMTime(value: value, timescale: timescale)
    }

    private func range(_ start: Int64, _ end: Int64, _ timescale: CMTimeScale = 30) -> CMTimeRange {
        CMTimeRange(start: time(start, timescale), end: time(end, timescale))
    }

    /// Creates an input with a key frame every ten frames and reordered frames between them.
    private func input(
        _ fixture: AssetWriterFixture, _ codec: AVVideoCodecType = .h264, _ properties: [String: Any] = [:]
    ) -> AVAssetWriterInput {
        fixture.makeVideoInput(
            codec: codec, [AVVideoMaxKeyFrameIntervalKey: 10].merging(properties) { $1 })
    }

    private func passthrough(
        _ fixture: AssetWriterFixture, _ asset: AVAsset, _ name: String = "out.mov", _ type: AVFileType = .mov,
        _ prepare: (AVAssetExportSession) -> Void = { _ in }
    ) throws -> AVAsset {
        let session = try fixture.export(asset, AVAssetExportPresetPassthrough, name, type, prepare)
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        try MovieInspection.assertNoProblems(fixture.url(name))
        return fixture.asset(name)
    }

    /// Asserts that this package's reader, libavformat and ffprobe return the given frames of a movie at the given
    /// times.
    private func assertShows(
        _ fixture: AssetWriterFixture, _ name: String, _ numbers: [Int], at times: [CMTime], line: UInt = #line
    ) throws {
        let frames = try fixture.asset(name).samples(.video, [:])
        XCTAssertEqual(frames.map(\.counter), numbers.map { UInt32($0) }, line: line)
        XCTAssertEqual(frames.map(\.presentationTimeStamp), times, line: line)
        let decoded = try DecodedMovie(fixture.url(name))
        XCTAssertEqual(decoded.counters, numbers.map { UInt32($0) }, line: line)
        let probed = try FFprobe.frames(fixture.url(name)).map(\.time)
        XCTAssertEqual(probed.count, times.count, line: line)
        for (probed, expected) in zip(probed, times) {
            XCTAssertEqual(probed, expected.seconds, accuracy: 2e-6, line: line)
        }
    }

    /// Asserts that the bytes of each sample of a movie are those of a sample of the sources.
    private func assertSamplesAreStored(_ copy: AVAsset, in sources: [AVAsset], line: UInt = #line) throws {
        let stored = Set(
            try sources.flatMap { try $0.samples(.video, nil) }.compactMap { try $0.dataBuffer?.dataBytes() })
        for sample in try copy.samples(.video, nil) {
            XCTAssertTrue(stored.contains(try XCTUnwrap(sample.dataBuffer).dataBytes()), line: line)
        }
    }

    func testTheEditListTrimsPartsThatBeginBetweenKeyFrames() throws {
        let fixture = try AssetWriterFixture()
        let first = try fixture.movie("a.mov", 0..<40, input(fixture))
        let second = try fixture.movie("b.mov", 100..<140, input(fixture))
        let composition = fixture.system.run { AVMutableComposition() }
        try composition.insertTimeRange(range(5, 18), of: first, at: .zero)
        try composition.insertTimeRange(range(17, 31), of: second, at: time(13))
        try composition.insertTimeRange(range(2, 4), of: first, at: time(27))
        for (name, type) in [("out.mov", AVFileType.mov), ("out.mp4", .mp4)] {
            let copy = try passthrough(fixture, composition, name, type)
            XCTAssertEqual(copy.duration, time(29))
            let numbers = Array(5..<18) + Array(117..<131) + [2, 3]
            try assertShows(fixture, name, numbers, at: (0..<29).map { time($0) })
            try assertSamplesAreStored(copy, in: [first, second])
            let mappings = try XCTUnwrap(copy.tracks.first).segments.map(\.timeMapping)
            XCTAssertEqual(mappings.map(\.target), [range(0, 13), range(13, 27), range(27, 29)])
        }
        fixture.assertNoMisuse()
    }

    func testPartsWithOpenGroupsOfPicturesAreJoinedAtARemovedRange() throws {
        let fixture = try AssetWriterFixture()
        // Key frames of HEVC are clean random access (CRA) pictures; frames that follow them in decode order may be
        // presented before them.
        let source = try fixture.movie("a.mov", 0..<40, input(fixture, .hevc))
        let composition = fixture.system.run { AVMutableComposition() }
        try composition.insertTimeRange(range(0, 40), of: source, at: .zero)
        composition.removeTimeRange(range(12, 25))
        _ = try passthrough(fixture, composition)
        try AssetWriterFixture.assertDecodesSilently(fixture.url("out.mov"))
        try assertShows(fixture, "out.mov", Array(0..<12) + Array(25..<40), at: (0..<27).map { time($0) })
    }

    func testEmptyRangesStayEmpty() throws {
        let fixture = try AssetWriterFixture()
        let source = try fixture.movie("a.mov", 0..<40, input(fixture))
        let composition = fixture.system.run { AVMutableComposition() }
        try composition.insertTimeRange(range(3, 23), of: source, at: time(4))
        composition.insertEmptyTimeRange(range(20, 26))
        let copy = try passthrough(fixture, composition)
        // libavformat ignores empty edits that follow other edits, so its result is not compared.
        let frames = try copy.samples(.video, [:])
        XCTAssertEqual(frames.map(\.counter), (3..<23).map { UInt32($0) })
        XCTAssertEqual(frames.map(\.presentationTimeStamp), (4..<20).map { time($0) } + (26..<30).map { time($0) })
        let segments = try XCTUnwrap(copy.tracks.first).segments
        XCTAssertEqual(segments.map(\.isEmpty), [true, false, true, false])
        XCTAssertEqual(
            segments.map(\.timeMapping.target), [range(0, 4), range(4, 20), range(20, 26), range(26, 30)])
    }

    func testScaledPartsOfSeveralMoviesHaveExactTimes() throws {
        let fixture = try AssetWriterFixture()
        let firstMovie = try fixture.movie("a.mov", 0..<96, framesPerSecond: 240, input(fixture))
        let secondMovie = try fixture.movie("b.mov", 100..<130, input(fixture))
        let composition = fixture.system.run { AVMutableComposition() }
        try composition.insertTimeRange(range(0, 96, 240), of: firstMovie, at: .zero)
        try composition.insertTimeRange(range(5, 26), of: secondMovie, at: time(96, 240))
        // Slow down the middle of the first part, and speed up the end of the second one by a factor of 1.5.
        composition.scaleTimeRange(
            CMTimeRange(start: time(24), duration: time(9)), toDuration: time(6))
        composition.scaleTimeRange(range(32, 64, 240), toDuration: time(256, 240))
        let first = (0..<96).map { (frame: Int64) -> CMTime in
            if frame < 32 { return time(frame, 240) }
            return frame < 64 ? time(32 + (frame - 32) * 8, 240) : time(288 + frame - 64, 240)
        }
        // The second part starts at 12/30 s, and the slow motion delays it by 224/240 s. Its first 12 frames are not
        // scaled.
        let second = (0..<21).map { (frame: Int64) -> CMTime in
            let start = time(12) + time(224, 240)
            return frame < 12 ? start + time(frame) : start + time(12) + time((frame - 12) * 2, 90)
        }
        let copy = try passthrough(fixture, composition)
        try assertShows(fixture, "out.mov", Array(0..<96) + Array(105..<126), at: first + second)
        try assertSamplesAreStored(copy, in: [firstMovie, secondMovie])
        XCTAssertEqual(copy.duration, composition.duration)
    }

    func testATimeRangeOfAnEditIsExported() throws {
        let fixture = try AssetWriterFixture()
        let source = try fixture.movie("a.mov", 0..<40, input(fixture))
        let composition = fixture.system.run { AVMutableComposition() }
        try composition.insertTimeRange(range(5, 20), of: source, at: .zero)
        try composition.insertTimeRange(range(27, 40), of: source, at: time(15))
        _ = try passthrough(fixture, composition) { $0.timeRange = self.range(3, 20) }
        try assertShows(
            fixture, "out.mov", Array(8..<20) + Array(27..<32), at: (0..<17).map { time($0) })
    }

    func testPartsWithDifferentParameterSetsHaveTheirOwnSampleDescriptions() throws {
        let fixture = try AssetWriterFixture()
        let first = try fixture.movie("a.mov", 0..<20, input(fixture))
        let second = try fixture.movie(
            "b.mov", 100..<120,
            input(fixture, .h264, [AVVideoProfileLevelKey: AVVideoProfileLevelH264BaselineAutoLevel]))
        let composition = fixture.system.run { AVMutableComposition() }
        try composition.insertTimeRange(range(0, 15), of: first, at: .zero)
        try composition.insertTimeRange(range(5, 20), of: second, at: time(15))
        try composition.insertTimeRange(range(0, 5), of: first, at: time(30))
        let copy = try passthrough(fixture, composition)
        XCTAssertEqual(copy.tracks.first?.formatDescriptions.count, 2)
        // libavformat selects wrong sample descriptions if the edit list repeats samples, so it is not compared.
        let frames = try copy.samples(.video, [:])
        XCTAssertEqual(
            frames.map(\.counter), (Array(0..<15) + Array(105..<120) + Array(0..<5)).map { UInt32($0) })
        XCTAssertEqual(frames.map(\.presentationTimeStamp), (0..<35).map { time($0) })
    }

    func testPartsOfDifferentCodecsFailTheExportWithAReason() throws {
        let fixture = try AssetWriterFixture()
        let first = try fixture.movie("a.mov", 0..<20, input(fixture))
        let second = try fixture.movie("b.mov", 100..<120, input(fixture, .hevc))
        let composition = fixture.system.run { AVMutableComposition() }
        try composition.insertTimeRange(range(0, 15), of: first, at: .zero)
        try composition.insertTimeRange(range(0, 15), of: second, at: time(15))
        let session = try fixture.export(composition, AVAssetExportPresetPassthrough, "out.mov")
        XCTAssertEqual(session.status, .failed)
        let error = try XCTUnwrap(session.error as? AVError)
        XCTAssertEqual(error.code, .operationNotSupportedForAsset)
        XCTAssertTrue(error.localizedDescription.contains("'avc1' and 'hvc1'"), error.localizedDescription)
        XCTAssertFalse(fixture.fileExists("out.mov"))
    }

    func testPixelAspectRatioAndCleanApertureArePreserved() throws {
        let fixture = try AssetWriterFixture()
        let geometry: [String: Any] = [
            AVVideoPixelAspectRatioKey: [
                AVVideoPixelAspectRatioHorizontalSpacingKey: 4, AVVideoPixelAspectRatioVerticalSpacingKey: 3,
            ],
            AVVideoCleanApertureKey: [AVVideoCleanApertureWidthKey: 300, AVVideoCleanApertureHeightKey: 220],
        ]
        let source = try fixture.movie("a.mov", 0..<10, fixture.makeVideoInput([:], geometry))
        for asset in [source, try passthrough(fixture, source)] {
            let description = try XCTUnwrap(asset.tracks.first?.typedFormatDescriptions.first)
            XCTAssertEqual(description.presentationDimensions(), CGSize(width: 400, height: 220))
        }
    }

    func testTheSpaceReservedForTheIndexIncludesTheEdits() throws {
        let fixture = try AssetWriterFixture()
        let source = try fixture.movie("a.mov", 0..<40, input(fixture))
        let composition = fixture.system.run { AVMutableComposition() }
        for part in 0..<10 {
            try composition.insertTimeRange(
                range(Int64(part) * 3, Int64(part) * 3 + 2), of: source, at: time(Int64(part) * 2))
        }
        let copy = try passthrough(fixture, composition) { $0.shouldOptimizeForNetworkUse = true }
        XCTAssertEqual(copy.duration, time(20))
        let data = try Data(contentsOf: fixture.url("out.mov"))
        let (index, media) = (data.range(of: Data("moov".utf8)), data.range(of: Data("mdat".utf8), options: .backwards))
        XCTAssertLessThan(try XCTUnwrap(index).lowerBound, try XCTUnwrap(media).lowerBound)
        try assertShows(
            fixture, "out.mov", (0..<10).flatMap { [$0 * 3, $0 * 3 + 1] }, at: (0..<20).map { time($0) })
    }
}
