import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import MediaAssets

final class AVAssetWriterSegmentTests: XCTestCase {
    private final class RecordingSegments: AVAssetWriterDelegate, Sendable {
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
        _ bench: WriterBench, _ delegate: RecordingSegments, interval: CMTime,
        profile: AVFileTypeProfile = .mpeg4AppleHLS
    ) -> AVAssetWriter {
        let writer = bench.system.run { AVAssetWriter(contentType: .mpeg4Movie) }
        writer.delegate = delegate
        writer.outputFileTypeProfile = profile
        writer.preferredOutputSegmentInterval = interval
        writer.initialSegmentStartTime = WriterBench.start
        return writer
    }

    private func join(_ segments: [RecordingSegments.Segment]) -> Data { segments.reduce(Data()) { $0 + $1.data } }

    func testSegmentsJoinedAreAMovieAndEachPlaysAfterTheFirst() throws {
        let bench = try WriterBench()
        for (codec, reorders) in [(AVVideoCodecType.h264, false), (.h264, true), (.hevc, false)] {
            let received = RecordingSegments()
            let writer = makeWriter(bench, received, interval: CMTime(value: 1, timescale: 1))
            let video = bench.makeVideo(codec: codec, [AVVideoAllowFrameReorderingKey: reorders])
            try bench.play(3, writer, video: video, audio: bench.makeAudio())
            XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
            let segments = received.segments
            XCTAssertEqual(segments.map(\.type), [.initialization, .separable, .separable, .separable])
            XCTAssertNil(segments.first?.report)

            let name = "\(codec.rawValue)-\(reorders)"
            let whole = bench.url("\(name).mp4")
            try join(segments).write(to: whole)
            try WriterBench.assertDecodesSilently(whole)
            let movie = try DecodedMovie(whole)
            XCTAssertEqual(movie.counters, (0..<90).map { UInt32($0) }, name)
            let start = WriterBench.start
            for (index, frame) in movie.frames.enumerated() {
                XCTAssertEqual(frame.time, start + CMTime(value: Int64(index), timescale: 30), name)
            }
            XCTAssertEqual(movie.soundStart.seconds, start.seconds, accuracy: 0.0221)

            for number in 1...3 {
                let part = bench.url("\(name)-\(number).mp4")
                try join([segments[0], segments[number]]).write(to: part)
                try WriterBench.assertDecodesSilently(part)
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
                // The sample is at its place: a NAL unit behind its length.
                let length = segment.data.dropFirst(first.offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
                XCTAssertLessThanOrEqual(length + 4, first.length)
                XCTAssertNil(reports[1].firstVideoSampleInformation)
            }
        }
        bench.assertNoMisuse()
    }

    func testFlushedSegmentsEndWhereTheyAreToldTo() throws {
        let bench = try WriterBench()
        let received = RecordingSegments()
        let writer = makeWriter(bench, received, interval: .indefinite)
        let video = bench.makeVideo()
        writer.add(video)
        writer.startWriting()
        writer.startSession(atSourceTime: WriterBench.start)
        for frame in 0..<50 {
            if [7, 29].contains(frame) { writer.flushSegment() }
            video.append(try WriterBench.frame(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        bench.finish(writer)
        let segments = received.segments
        XCTAssertEqual(segments.map(\.type), [.initialization, .separable, .separable, .separable])
        let counts = try segments.dropFirst().map { segment in
            let url = bench.url("\(segment.data.count).mp4")
            try join([segments[0], segment]).write(to: url)
            try WriterBench.assertDecodesSilently(url)
            return try DecodedMovie(url).frames.count
        }
        XCTAssertEqual(counts, [7, 22, 21])
        bench.assertNoMisuse()
    }

    func testSoundAloneIsCutAtPackets() throws {
        let bench = try WriterBench()
        let received = RecordingSegments()
        let writer = makeWriter(
            bench, received, interval: CMTime(value: 1, timescale: 2), profile: .mpeg4CMAFCompliant)
        try bench.play(2, writer, video: nil, audio: bench.makeAudio())
        let segments = received.segments
        XCTAssertGreaterThanOrEqual(segments.count, 4)
        let whole = bench.url("a.mp4")
        try join(segments).write(to: whole)
        try WriterBench.assertDecodesSilently(whole)
        XCTAssertEqual(try DecodedMovie(whole).soundDuration, 2, accuracy: 0.05)
    }

    func testWhatSegmentsNeedIsAskedFor() throws {
        let bench = try WriterBench()
        let received = RecordingSegments()
        let bare = bench.system.run { AVAssetWriter(contentType: .mpeg4Movie) }
        bare.add(bench.makeVideo())
        bench.assertMisuse(.internalInconsistency, "needs a delegate") { XCTAssertFalse(bare.startWriting()) }
        bare.delegate = received
        bench.assertMisuse(.internalInconsistency, "initialSegmentStartTime") { bare.startWriting() }
        bench.assertMisuse(.invalidArgument, "above 0") { bare.preferredOutputSegmentInterval = .zero }
        bench.assertMisuse(.internalInconsistency, "indefinite") { bare.flushSegment() }
        bench.assertMisuse(.invalidArgument, "segments cannot be of type") { _ = AVAssetWriter(contentType: .wav) }
        let file = try bench.makeWriter("a.mp4", .mp4)
        bench.assertMisuse(.internalInconsistency, "needs a delegate") { file.flushSegment() }
    }
}
