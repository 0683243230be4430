import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

final class AVMutableCompositionTests: XCTestCase {
    private func time(_ value: Int64, _ timescale: CMTimeScale = 30) -> CMTime {
        CMTime(value: value, timescale: timescale)
    }

    private func range(_ start: Int64, _ end: Int64, _ timescale: CMTimeScale = 30) -> CMTimeRange {
        CMTimeRange(start: time(start, timescale), end: time(end, timescale))
    }

    private func composition(_ fixture: AssetWriterFixture) -> AVMutableComposition {
        fixture.system.run { AVMutableComposition() }
    }

    private func addTrack(_ composition: AVMutableComposition) throws -> AVMutableCompositionTrack {
        try XCTUnwrap(
            composition.addMutableTrack(withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid))
    }

    func testEditsMoveLaterSegments() throws {
        let fixture = try AssetWriterFixture()
        let source = try XCTUnwrap(try fixture.movie("a.mov", 0..<30).tracks.first)
        let composition = composition(fixture)
        let track = try addTrack(composition)
        try track.insertTimeRange(range(0, 10), of: source, at: .zero)
        try track.insertTimeRange(range(20, 30), of: source, at: time(5))
        track.insertEmptyTimeRange(range(15, 18))
        track.scaleTimeRange(range(0, 5), toDuration: time(10))
        track.removeTimeRange(range(10, 12))
        let mappings = track.segments.map(\.timeMapping)
        XCTAssertEqual(mappings.map(\.target), [range(0, 10), range(10, 18), range(18, 21), range(21, 26)])
        XCTAssertEqual(mappings.map(\.source.start), [time(0), time(22), .invalid, time(5)])
        XCTAssertEqual(mappings.map(\.isEmpty), [false, false, true, false])
        XCTAssertEqual(composition.duration, time(26))
        XCTAssertEqual(
            track.samplePresentationTime(forTrackTime: time(4)) - source.samplePresentationTime(forTrackTime: .zero),
            time(2))
        XCTAssertEqual((track.segment(forTrackTime: time(22)))?.sourceTrackID, source.trackID)
        XCTAssertEqual((track.segment(forTrackTime: time(22)))?.sourceURL, fixture.url("a.mov"))
        XCTAssertEqual(try fixture.movie("b.mov", 0..<1).compatibleTrack(for: track)?.mediaType, .video)
        XCTAssertThrowsError(try track.insertTimeRange(range(40, 50), of: source, at: .zero))
        XCTAssertThrowsError(try track.validateSegments([AVCompositionTrackSegment(timeRange: range(1, 2))]))
        let copy = try XCTUnwrap(composition.copy() as? AVComposition)
        composition.removeTimeRange(range(0, 20))
        XCTAssertEqual(copy.duration, time(26))
        XCTAssertEqual(composition.duration, time(6))
        fixture.assertNoMisuse()
    }

    func testInsertedRangesFollowEachOtherIfASourceEndsEarly() throws {
        let fixture = try AssetWriterFixture()
        let source = try XCTUnwrap(try fixture.movie("a.mov", 0..<30).tracks.first)
        let track = try addTrack(composition(fixture))
        try track.insertTimeRange(range(10, 20), of: source, at: .zero)
        let ranges = [range(25, 40), range(0, 5)].map { NSValue(timeRange: $0) }
        try track.insertTimeRanges(ranges, of: [source, source], at: .zero)
        let mappings = track.segments.map(\.timeMapping)
        XCTAssertEqual(mappings.map(\.target), [range(0, 5), range(5, 10), range(10, 20)])
        XCTAssertEqual(mappings.map(\.source), [range(25, 30), range(0, 5), range(10, 20)])
        let outside = [range(0, 5), range(40, 50)].map { NSValue(timeRange: $0) }
        XCTAssertThrowsError(try track.insertTimeRanges(outside, of: [source, source], at: .invalid))
        XCTAssertEqual(track.timeRange, range(0, 20))
        try track.insertTimeRanges(ranges, of: [source, source], at: .invalid)
        XCTAssertEqual(track.timeRange, range(0, 30))
    }

    func testATrackHasTheFormatsOfAllItsSources() throws {
        let fixture = try AssetWriterFixture()
        let hybridLogGamma = [
            AVVideoColorPrimariesKey: AVVideoColorPrimaries_ITU_R_2020,
            AVVideoTransferFunctionKey: AVVideoTransferFunction_ITU_R_2100_HLG,
            AVVideoYCbCrMatrixKey: AVVideoYCbCrMatrix_ITU_R_2020,
        ]
        let reordering = fixture.makeVideoInput(
            [AVVideoAllowFrameReorderingKey: true], [AVVideoColorPropertiesKey: hybridLogGamma])
        let sources = try [
            fixture.movie("a.mov", 0..<20, fixture.makeVideoInput(codec: .jpeg)),
            fixture.movie("b.mov", 0..<20, reordering),
        ].map { try XCTUnwrap($0.tracks.first) }
        XCTAssertEqual(sources.map(\.requiresFrameReordering), [false, true])
        XCTAssertEqual(sources.map { $0.hasMediaCharacteristic(.containsHDRVideo) }, [false, true])
        let track = try addTrack(composition(fixture))
        for source in [sources[0], sources[1], sources[0]] {
            try track.insertTimeRange(range(0, 5), of: source, at: .invalid)
        }
        let codecs = track.typedFormatDescriptions.map(\.mediaSubType.rawValue)
        XCTAssertEqual(codecs, [kCMVideoCodecType_JPEG, kCMVideoCodecType_H264])
        XCTAssertTrue(track.requiresFrameReordering)
        XCTAssertTrue(track.hasMediaCharacteristic(.containsHDRVideo))
        XCTAssertTrue(track.isDecodable)
        track.removeTimeRange(range(5, 10))
        XCTAssertEqual(track.typedFormatDescriptions, sources[0].typedFormatDescriptions)
        XCTAssertFalse(track.requiresFrameReordering)
    }

    func testATrackWithASourceThatCannotBeDecodedIsNotDecodable() throws {
        let fixture = try AssetWriterFixture()
        let source = try XCTUnwrap(try fixture.movie("a.mov", 0..<10).tracks.first)
        var data = try Data(contentsOf: fixture.url("a.mov"))
        while let code = data.range(of: Data("avc1".utf8)) { data.replaceSubrange(code, with: "none".utf8) }
        try data.write(to: fixture.url("b.mov"))
        let unknown = try XCTUnwrap(fixture.asset("b.mov").tracks.first)
        XCTAssertFalse(unknown.isDecodable)
        let composition = composition(fixture)
        let track = try addTrack(composition)
        try track.insertTimeRange(range(0, 5), of: source, at: .invalid)
        XCTAssertTrue(track.isDecodable)
        try track.insertTimeRange(range(0, 5), of: unknown, at: .invalid)
        XCTAssertFalse(track.isDecodable)
        XCTAssertFalse(track.isPlayable)
        XCTAssertNil(AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetHighestQuality))
    }

    func testTheTracksOfAMutableCompositionAreMutable() async throws {
        let fixture = try AssetWriterFixture()
        let composition = fixture.system.run { AVMutableComposition(urlAssetInitializationOptions: ["a": 1]) }
        let failure = Lock<(any Error)?>(nil, order: .client)
        let source = try fixture.movie("a.mov", 0..<30)
        composition.insertTimeRange(range(0, 10), of: source, at: .zero) { error in failure.withLock { $0 = error } }
        XCTAssertNil(failure.withLock { $0 })
        composition.tracks.first?.scaleTimeRange(range(0, 10), toDuration: time(20))
        composition.tracks(withMediaType: .video).first?.scaleTimeRange(range(0, 20), toDuration: time(40))
        let loaded = try await composition.load(.tracks)
        loaded.first?.preferredVolume = 0.5
        let tracks = try await composition.loadTracks(withMediaCharacteristic: .visual)
        tracks.first?.languageCode = "deu"
        let copy = try XCTUnwrap(composition.copy() as? AVComposition)
        XCTAssertEqual(copy.tracks.map(\.timeRange), [range(0, 40)])
        XCTAssertEqual(copy.tracks(withMediaType: .video).first?.preferredVolume, 0.5)
        XCTAssertEqual(copy.tracks.first?.languageCode, "deu")
        XCTAssertEqual(copy.urlAssetInitializationOptions["a"] as? Int, 1)
        let asset: AVAsset = composition
        XCTAssertTrue(asset.tracks.first === composition.tracks.first, "the same tracks if its static type is AVAsset")
        composition.insertTimeRange(range(50, 60), of: source, at: .zero) { error in failure.withLock { $0 = error } }
        XCTAssertEqual((failure.withLock { $0 } as? AVError)?.code, .invalidSourceMedia)
    }

    func testScalingBeyondTheEndOfATrackKeepsTheTracksInSync() throws {
        let fixture = try AssetWriterFixture()
        let (long, short) = (try fixture.movie("a.mov", 0..<30), try fixture.movie("b.mov", 0..<20))
        let composition = composition(fixture)
        for source in [long, short] {
            let track = try addTrack(composition)
            try track.insertTimeRange(range(0, 30), of: try XCTUnwrap(source.tracks.first), at: .zero)
        }
        composition.scaleTimeRange(range(10, 30), toDuration: time(80))
        XCTAssertEqual(composition.tracks.map(\.timeRange.end), [time(90), time(50)])
        let mappings = composition.tracks.map { $0.segments.map(\.timeMapping.target) }
        XCTAssertEqual(mappings, [[range(0, 10), range(10, 90)], [range(0, 10), range(10, 50)]])
        composition.scaleTimeRange(
            CMTimeRange(start: .zero, duration: .positiveInfinity), toDuration: time(45))
        XCTAssertEqual(composition.tracks[0].timeRange.end, time(45))
    }

    func testSegmentsCanBeReplacedByValidOnes() throws {
        let fixture = try AssetWriterFixture()
        let source = try XCTUnwrap(try fixture.movie("a.mov", 0..<30).tracks.first)
        let composition = composition(fixture)
        let track = try addTrack(composition)
        let segments = fixture.system.run {
            [
                AVCompositionTrackSegment(timeRange: range(0, 3)),
                AVCompositionTrackSegment(
                    url: fixture.url("a.mov"), trackID: source.trackID, sourceTimeRange: range(10, 15),
                    targetTimeRange: range(3, 13)),
            ]
        }
        track.segments = segments
        XCTAssertEqual(track.segments.map(\.isEmpty), [true, false])
        XCTAssertEqual(track.timeRange, range(3, 13))
        let samples = try composition.samples(.video, [:])
        XCTAssertEqual(samples.map(\.counter), [10, 11, 12, 13, 14])
        XCTAssertEqual(samples.map(\.presentationTimeStamp), [3, 5, 7, 9, 11].map { time($0) })
        fixture.assertMisuse(.invalidArgument, "must start at 0.0 s") { track.segments = [segments[1]] }
        XCTAssertEqual(track.segments.count, 2)
    }

    func testAnInsertedAssetDoesNotChangeTheTransformOfATrack() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mov")
        let input = fixture.makeVideoInput()
        input.transform = CGAffineTransform(0, 1, -1, 0, 240, 0)
        try fixture.writeMedia(1, writer, video: input, audio: nil)
        let asset = fixture.system.run { AVURLAsset(url: fixture.url("a.mov")) }
        let composition = composition(fixture)
        try composition.insertTimeRange(range(0, 30), of: asset, at: .zero)
        XCTAssertEqual(composition.tracks.first?.preferredTransform, .identity)
        let size = composition.naturalSize
        composition.naturalSize = CGSize(width: 10, height: 20)
        XCTAssertEqual(composition.naturalSize, CGSize(width: 10, height: 20))
        composition.naturalSize = .zero
        XCTAssertEqual(composition.naturalSize, size)
    }

    func testTracksAreAssociatedUntilTheAssociationIsRemoved() throws {
        let fixture = try AssetWriterFixture()
        let composition = composition(fixture)
        let (first, second) = (try addTrack(composition), try addTrack(composition))
        first.addTrackAssociation(to: second, type: .timecode)
        XCTAssertEqual(first.availableTrackAssociationTypes, [AVAssetTrack.AssociationType.timecode.rawValue])
        XCTAssertTrue(first.associatedTracks(ofType: .timecode).first === second)
        let copy = try XCTUnwrap(composition.copy() as? AVComposition)
        first.removeTrackAssociation(to: second, type: .timecode)
        XCTAssertEqual(first.associatedTracks(ofType: .timecode), [])
        XCTAssertEqual(first.availableTrackAssociationTypes, [])
        XCTAssertEqual(copy.tracks.first?.associatedTracks(ofType: .timecode).map(\.trackID), [second.trackID])
    }

    func testReadersAndImagesFollowTheEditsOfSeveralFiles() throws {
        let fixture = try AssetWriterFixture()
        let (first, second) = (try fixture.movie("a.mov", 0..<20), try fixture.movie("b.mov", 100..<120))
        let composition = composition(fixture)
        try composition.insertTimeRange(range(5, 10), of: first, at: .zero)
        try composition.insertTimeRange(range(12, 15), of: second, at: time(5))
        try composition.insertTimeRange(range(0, 2), of: first, at: time(6))
        XCTAssertEqual(composition.tracks.count, 1)
        let samples = try composition.samples(.video, [:])
        XCTAssertEqual(samples.map(\.counter), [5, 6, 7, 8, 9, 112, 0, 1, 113, 114])
        XCTAssertEqual(samples.map(\.presentationTimeStamp), (0..<10).map { time($0) })
        let part = try composition.samples(.video, [:], range(4, 7))
        XCTAssertEqual(part.map(\.counter), [9, 112, 0])
        let generator = AVAssetImageGenerator(asset: composition)
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        for (frame, number) in [(0, 5), (5, 112), (7, 1), (9, 114)] {
            var actual = CMTime.invalid
            let image = try generator.copyCGImage(at: time(Int64(frame)), actualTime: &actual)
            XCTAssertEqual(actual, time(Int64(frame)), "\(number)")
            XCTAssertEqual(FrameMarker.read(from: image.pixelBuffer)?.counter, UInt32(number))
            XCTAssertEqual(image.width, AssetWriterFixture.width)
        }
    }

    func testPassthroughOfAScaledRecordingKeepsAllFrames() throws {
        let fixture = try AssetWriterFixture()
        let asset = try fixture.movie("a.mov", 0..<96, framesPerSecond: 240)
        let composition = composition(fixture)
        try composition.insertTimeRange(range(0, 96, 240), of: asset, at: .zero)
        composition.scaleTimeRange(range(32, 64, 240), toDuration: time(256, 240))
        let expected = (0..<96).map { (frame: Int64) -> CMTime in
            if frame < 32 { return time(frame, 240) }
            return frame < 64 ? time(32 + (frame - 32) * 8, 240) : time(288 + frame - 64, 240)
        }
        XCTAssertEqual(try composition.samples(.video, [:]).map(\.presentationTimeStamp), expected)
        let session = try fixture.export(composition, AVAssetExportPresetPassthrough, "b.mov")
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        try AssetWriterFixture.assertDecodesSilently(fixture.url("b.mov"))
        let copy = fixture.system.run { AVURLAsset(url: fixture.url("b.mov")) }
        let decoded = try copy.samples(.video, [:])
        XCTAssertEqual(decoded.map(\.presentationTimeStamp), expected)
        XCTAssertEqual(decoded.map(\.counter), (0..<96).map { UInt32($0) })
        let bytes = { (asset: AVAsset) in try asset.samples(.video, nil).map { try $0.dataBuffer?.dataBytes() } }
        XCTAssertEqual(try bytes(copy), try bytes(asset))
        let times = try FFprobe.frames(fixture.url("b.mov")).map(\.time)
        XCTAssertEqual(times.count, 96)
        for (time, expected) in zip(times, expected) { XCTAssertEqual(time, expected.seconds, accuracy: 1e-6) }
    }

    func testEncodingAcrossFilesKeepsTheFramesInOrder() throws {
        let fixture = try AssetWriterFixture()
        let (first, second) = (try fixture.movie("a.mov", 0..<20), try fixture.movie("b.mov", 100..<120))
        let composition = composition(fixture)
        try composition.insertTimeRange(range(15, 20), of: first, at: .zero)
        try composition.insertTimeRange(range(3, 8), of: second, at: time(5))
        let session = try fixture.export(composition, AVAssetExportPresetHighestQuality, "c.mov")
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        let copy = fixture.system.run { AVURLAsset(url: fixture.url("c.mov")) }
        XCTAssertEqual(try copy.samples(.video, [:]).map(\.counter), [15, 16, 17, 18, 19, 103, 104, 105, 106, 107])
    }
}
