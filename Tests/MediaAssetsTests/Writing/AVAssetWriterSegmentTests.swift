import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

final class AVAssetWriterSegmentTests: XCTestCase {
    private final class RecordingDelegate: AVAssetWriterDelegate, Sendable {
        struct Segment {
            let data: Data
            let type: AVAssetSegmentType
            let report: AVAssetSegmentReport?
        }

        private let state = Lock<[Segment]>([])

        var segments: [Segment] { state.withLock { $0 } }

        func assetWriter(
            _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data, segmentType: AVAssetSegmentType,
            segmentReport: AVAssetSegmentReport?
        ) {
            state.withLock { $0.append(Segment(data: segmentData, type: segmentType, report: segmentReport)) }
        }
    }

    private func makeWriter(
        _ fixture: AssetWriterFixture, _ delegate: RecordingDelegate, interval: CMTime,
        profile: AVFileTypeProfile = .mpeg4AppleHLS
    ) -> AVAssetWriter {
        let writer = fixture.system.run { AVAssetWriter(contentType: .mpeg4Movie) }
        writer.delegate = delegate
        writer.outputFileTypeProfile = profile
        writer.preferredOutputSegmentInterval = interval
        writer.initialSegmentStartTime = AssetWriterFixture.start
        return writer
    }

    private func join(_ segments: [RecordingDelegate.Segment]) -> Data { segments.reduce(Data()) { $0 + $1.data } }

    func testJoinedSegmentsAreAMovieAndEachPlaysAfterTheInitializationSegment() throws {
        let fixture = try AssetWriterFixture()
        for (codec, reorders) in [(AVVideoCodecType.h264, false), (.h264, true), (.hevc, false)] {
            let received = RecordingDelegate()
            let writer = makeWriter(fixture, received, interval: CMTime(value: 1, timescale: 1))
            let video = fixture.makeVideoInput(codec: codec, [AVVideoAllowFrameReorderingKey: reorders])
            try fixture.writeMedia(3, writer, video: video, audio: fixture.makeAudioInput())
            XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
            let segments = received.segments
            XCTAssertEqual(segments.map(\.type), [.initialization, .separable, .separable, .separable])
            XCTAssertNil(segments.first?.report)

            let name = "\(codec.rawValue)-\(reorders)"
            let joinedFile = fixture.url("\(name).mp4")
            try join(segments).write(to: joinedFile)
            try AssetWriterFixture.assertDecodesSilently(joinedFile)
            let movie = try DecodedMovie(joinedFile)
            XCTAssertEqual(movie.counters, (0..<90).map { UInt32($0) }, name)
            let start = AssetWriterFixture.start
            for (index, frame) in movie.frames.enumerated() {
                XCTAssertEqual(frame.time, start + CMTime(value: Int64(index), timescale: 30), name)
            }
            XCTAssertEqual(movie.audioStart.seconds, start.seconds, accuracy: 0.0221)

            for number in 1...3 {
                let part = fixture.url("\(name)-\(number).mp4")
                try join([segments[0], segments[number]]).write(to: part)
                try AssetWriterFixture.assertDecodesSilently(part)
                XCTAssertEqual(
                    try DecodedMovie(part).counters, ((number - 1) * 30..<number * 30).map { UInt32($0) }, name)
            }

            for (number, segment) in segments.dropFirst().enumerated() {
                let reports = try XCTUnwrap(segment.report).trackReports
                XCTAssertEqual(reports.map(\.mediaType), [.video, .audio])
                XCTAssertEqual(reports.map(\.trackID), [1, 2])
                XCTAssertEqual(
                    reports[0].earliestPresentationTimeStamp, start + CMTime(value: Int64(number), timescale: 1))
                XCTAssertEqual(reports[0].duration.seconds, 1, accuracy: 1e-6)
                let first = try XCTUnwrap(reports[0].firstVideoSampleInformation)
                XCTAssertTrue(first.isSyncSample)
                // The sample is at its offset: a length field followed by a NAL unit.
                let length = segment.data.dropFirst(first.offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
                XCTAssertLessThanOrEqual(length + 4, first.length)
                XCTAssertNil(reports[1].firstVideoSampleInformation)
            }
        }
        fixture.assertNoMisuse()
    }

    func testFlushingEndsASegmentAfterTheAppendedSamples() throws {
        let fixture = try AssetWriterFixture()
        let received = RecordingDelegate()
        let writer = makeWriter(fixture, received, interval: .indefinite)
        let video = fixture.makeVideoInput()
        writer.add(video)
        writer.startWriting()
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 0..<50 {
            if [7, 29].contains(frame) { writer.flushSegment() }
            video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        fixture.finish(writer)
        let segments = received.segments
        XCTAssertEqual(segments.map(\.type), [.initialization, .separable, .separable, .separable])
        let counts = try segments.dropFirst().map { segment in
            let url = fixture.url("\(segment.data.count).mp4")
            try join([segments[0], segment]).write(to: url)
            try AssetWriterFixture.assertDecodesSilently(url)
            return try DecodedMovie(url).frames.count
        }
        XCTAssertEqual(counts, [7, 22, 21])
        fixture.assertNoMisuse()
    }

    func testJoinedAudioOnlySegmentsContainAllAudio() throws {
        let fixture = try AssetWriterFixture()
        let received = RecordingDelegate()
        let writer = makeWriter(
            fixture, received, interval: CMTime(value: 1, timescale: 2), profile: .mpeg4CMAFCompliant)
        try fixture.writeMedia(2, writer, video: nil, audio: fixture.makeAudioInput())
        let segments = received.segments
        XCTAssertGreaterThanOrEqual(segments.count, 4)
        let joinedFile = fixture.url("a.mp4")
        try join(segments).write(to: joinedFile)
        try AssetWriterFixture.assertDecodesSilently(joinedFile)
        XCTAssertEqual(try DecodedMovie(joinedFile).audioDuration, 2, accuracy: 0.05)
    }

    func testMissingSegmentSettingsAreMisuse() throws {
        let fixture = try AssetWriterFixture()
        let received = RecordingDelegate()
        let writer = fixture.system.run { AVAssetWriter(contentType: .mpeg4Movie) }
        writer.add(fixture.makeVideoInput())
        fixture.assertMisuse(.internalInconsistency, "needs a delegate") { XCTAssertFalse(writer.startWriting()) }
        writer.delegate = received
        fixture.assertMisuse(.internalInconsistency, "initialSegmentStartTime") { writer.startWriting() }
        fixture.assertMisuse(.invalidArgument, "above 0") { writer.preferredOutputSegmentInterval = .zero }
        fixture.assertMisuse(.internalInconsistency, "indefinite") { writer.flushSegment() }
        fixture.assertMisuse(.invalidArgument, "segments cannot have the type") { _ = AVAssetWriter(contentType: .wav) }
        let file = try fixture.makeWriter("a.mp4", .mp4)
        fixture.assertMisuse(.internalInconsistency, "needs a delegate") { file.flushSegment() }
    }
}
