import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

final class AVSampleCursorTests: XCTestCase {
    /// Writes a movie of one second with audio, reordered frames, and a key frame every 15 frames.
    private func movie(_ fixture: AssetWriterFixture) throws -> AVAsset {
        let writer = try fixture.makeWriter("a.mov")
        let video = fixture.makeVideoInput([
            AVVideoMaxKeyFrameIntervalKey: 15, AVVideoAllowFrameReorderingKey: true,
        ])
        try fixture.writeMedia(1, writer, video: video, audio: fixture.makeAudioInput())
        return fixture.system.run { AVURLAsset(url: fixture.url("a.mov")) }
    }

    private func cursor(_ fixture: AssetWriterFixture, _ type: AVMediaType = .video) throws -> AVSampleCursor {
        let track = try XCTUnwrap(try movie(fixture).tracks(withMediaType: type).first)
        XCTAssertTrue(track.canProvideSampleCursors)
        return try XCTUnwrap(track.makeSampleCursorAtFirstSampleInDecodeOrder())
    }

    func testStepsInDecodeAndPresentationOrderReachAllSamples() throws {
        let fixture = try AssetWriterFixture()
        let cursor = try cursor(fixture)
        var decoded: [(decode: CMTime, presentation: CMTime)] = []
        repeat {
            decoded.append((cursor.decodeTimeStamp, cursor.presentationTimeStamp))
        } while cursor.stepInDecodeOrder(byCount: 1) == 1
        XCTAssertEqual(decoded.count, 30)
        XCTAssertEqual(decoded.map { $0.decode }, decoded.map { $0.decode }.sorted())
        XCTAssertNotEqual(decoded.map { $0.presentation }, decoded.map { $0.presentation }.sorted())
        // At the last sample, no step forward and 29 steps backward are possible.
        XCTAssertEqual(cursor.stepInDecodeOrder(byCount: 5), 0)
        XCTAssertEqual(cursor.stepInDecodeOrder(byCount: -100), -29)
        XCTAssertEqual(cursor.stepInPresentationOrder(byCount: -100), 0)
        var presented: [CMTime] = []
        repeat { presented.append(cursor.presentationTimeStamp) } while cursor.stepInPresentationOrder(byCount: 1) == 1
        XCTAssertEqual(presented, decoded.map { $0.presentation }.sorted())
    }

    func testStepsByTimeSnapToSamples() throws {
        let fixture = try AssetWriterFixture()
        let cursor = try cursor(fixture)
        let start = cursor.presentationTimeStamp
        var isPinned = ObjCBool(true)
        let moved = cursor.stepByPresentationTime(CMTime(value: 110, timescale: 1000), wasPinned: &isPinned)
        XCTAssertEqual(moved, CMTime(value: 3, timescale: 30))
        XCTAssertEqual(cursor.presentationTimeStamp, start + moved)
        XCTAssertFalse(isPinned.boolValue)
        XCTAssertEqual(
            cursor.stepByPresentationTime(CMTime(value: 10, timescale: 1), wasPinned: &isPinned),
            CMTime(value: 26, timescale: 30))
        XCTAssertTrue(isPinned.boolValue)
    }

    func testDecodingStartsAtSyncSamples() throws {
        let fixture = try AssetWriterFixture()
        let cursor = try cursor(fixture)
        XCTAssertTrue(cursor.currentSampleSyncInfo.sampleIsFullSync.boolValue)
        XCTAssertEqual(cursor.samplesRequiredForDecoderRefresh, 0)
        XCTAssertNil(cursor.currentSampleDependencyAttachments)
        XCTAssertEqual(
            CMFormatDescriptionGetMediaSubType(cursor.copyCurrentSampleFormatDescription()), kCMVideoCodecType_H264)
        var distances: [Int] = []
        for _ in 0..<29 {
            cursor.stepInDecodeOrder(byCount: 1)
            let sync = try XCTUnwrap(cursor.copy() as? AVSampleCursor)
            sync.stepInDecodeOrder(byCount: -Int64(cursor.samplesRequiredForDecoderRefresh))
            XCTAssertTrue(sync.currentSampleSyncInfo.sampleIsFullSync.boolValue)
            XCTAssertEqual(
                cursor.currentSampleDependencyInfo.sampleDependsOnOthers.boolValue,
                cursor.samplesRequiredForDecoderRefresh > 0)
            distances.append(cursor.samplesRequiredForDecoderRefresh)
        }
        XCTAssertEqual(distances.filter { $0 == 0 }.count, 1)
        XCTAssertEqual(distances.max(), 14)
    }

    func testStorageRangesLocateTheSamplesInTheFile() throws {
        let fixture = try AssetWriterFixture()
        let asset = try movie(fixture)
        let track = try XCTUnwrap(asset.tracks(withMediaType: .video).first)
        let cursor = try XCTUnwrap(track.makeSampleCursorAtLastSampleInDecodeOrder())
        cursor.stepInDecodeOrder(byCount: -29)
        let reader = try fixture.system.run { try AVAssetReader(asset: asset) }
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        let file = try Data(contentsOf: try XCTUnwrap(cursor.currentChunkStorageURL))
        var count = 0
        while let sample = output.copyNextSampleBuffer() {
            guard let data = try sample.dataBuffer?.dataBytes() else { continue }
            let range = cursor.currentSampleStorageRange
            XCTAssertEqual(file.dropFirst(Int(range.offset)).prefix(Int(range.length)), data)
            let chunk = cursor.currentChunkStorageRange
            XCTAssertLessThanOrEqual(chunk.offset, range.offset)
            XCTAssertLessThanOrEqual(range.offset + range.length, chunk.offset + chunk.length)
            XCTAssertLessThan(cursor.currentSampleIndexInChunk, cursor.currentChunkInfo.chunkSampleCount)
            cursor.stepInDecodeOrder(byCount: 1)
            count += 1
        }
        XCTAssertEqual(count, 30)
    }

    func testCursorsComparePositionsAndReportReordering() throws {
        let fixture = try AssetWriterFixture()
        let track = try XCTUnwrap(try movie(fixture).tracks(withMediaType: .video).first)
        let first = try XCTUnwrap(track.makeSampleCursorAtFirstSampleInDecodeOrder())
        let last = try XCTUnwrap(track.makeSampleCursorAtLastSampleInDecodeOrder())
        XCTAssertEqual(first.comparePositionInDecodeOrder(withPositionOf: last), .orderedAscending)
        XCTAssertEqual(last.comparePositionInDecodeOrder(withPositionOf: last), .orderedSame)
        XCTAssertFalse(first.samplesWithEarlierDecodeTimeStampsMayHaveLaterPresentationTimeStamps(than: first))
        XCTAssertFalse(last.samplesWithLaterDecodeTimeStampsMayHaveEarlierPresentationTimeStamps(than: last))
        // With reordered frames, a sample can be presented before a sample that precedes it in decode order.
        let cursor = try XCTUnwrap(first.copy() as? AVSampleCursor)
        var isReordered = false
        repeat {
            isReordered =
                isReordered || cursor.samplesWithLaterDecodeTimeStampsMayHaveEarlierPresentationTimeStamps(than: cursor)
        } while cursor.stepInDecodeOrder(byCount: 1) == 1
        XCTAssertTrue(isReordered)
    }

    func testACursorAtATimeIsAtTheSamplePresentedThen() throws {
        let fixture = try AssetWriterFixture()
        let track = try XCTUnwrap(try movie(fixture).tracks(withMediaType: .video).first)
        let first = try XCTUnwrap(track.makeSampleCursor(presentationTimeStamp: .negativeInfinity))
        let start = first.presentationTimeStamp
        let middle = try XCTUnwrap(
            track.makeSampleCursor(presentationTimeStamp: start + CMTime(value: 51, timescale: 100)))
        XCTAssertEqual(middle.presentationTimeStamp - start, CMTime(value: 15, timescale: 30))
        let last = try XCTUnwrap(track.makeSampleCursor(presentationTimeStamp: .positiveInfinity))
        XCTAssertEqual(last.presentationTimeStamp - start, CMTime(value: 29, timescale: 30))
    }

    func testAudioSamplesAreIndependentlyDecodable() throws {
        let fixture = try AssetWriterFixture()
        let cursor = try cursor(fixture, .audio)
        cursor.stepInDecodeOrder(byCount: 10)
        XCTAssertTrue(cursor.currentSampleAudioDependencyInfo.audioSampleIsIndependentlyDecodable.boolValue)
        XCTAssertEqual(
            cursor.samplesRequiredForDecoderRefresh,
            cursor.currentSampleAudioDependencyInfo.audioSamplePacketRefreshCount)
        XCTAssertEqual(cursor.currentSampleDuration, CMTime(value: 1024, timescale: 48000))
    }
}
