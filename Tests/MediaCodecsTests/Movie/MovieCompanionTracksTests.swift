import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs

final class MovieCompanionTracksTests: XCTestCase {
    private func time(_ milliseconds: Int64) -> CMTime {
        RecordingScript.time(CMTime(value: milliseconds, timescale: 1000))
    }

    func testTheTimecodeStartsAtTheFirstFrame() throws {
        let folder = try TemporaryFolder()
        let cases: [(Int32, Double, String)] = [
            (30, 0, "00:00:00:00"), (30, 45296.5, "12:34:56:15"), (25, 86399.96, "23:59:59:24"),
            (60, 3600.25, "01:00:00:15"),
        ]
        for (rate, seconds, expected) in cases {
            let url = folder.file("\(rate)-\(seconds).mov")
            var script = RecordingScript()
            script.frameRate = rate
            script.timeOfDay = seconds
            try script.record(url, seconds: 1)
            let tags = try MediaTools.probe(url, "stream_tags=timecode", ["-select_streams", "d"])
            XCTAssertEqual(tags, [expected])
            let movie = try ParsedMovie(url)
            let timecode = try XCTUnwrap(movie.track("tmcd"))
            XCTAssertEqual(movie.video?.references, ["tmcd": [timecode.id]])
            XCTAssertEqual(timecode.samples.map(\.duration), [movie.video?.mediaDuration ?? 0])
            XCTAssertEqual(movie.duration, movie.timescale)
            try MediaTools.assertDecodes(url)
        }
    }

    func testDropFrameTimecodeMatchesRealTime() throws {
        let format = try XCTUnwrap(TimecodeSampleFormat(frameDuration: CMTime(value: 1001, timescale: 30000)))
        XCTAssertTrue(format.dropsFrameNumbers)
        XCTAssertEqual(format.framesPerSecond, 30)
        // Ten minutes have 17982 frames.
        XCTAssertEqual(Array(format.sample(secondsSinceMidnight: 600)), [0, 0, 0x46, 0x3e])
        XCTAssertEqual(
            TimecodeSampleFormat(frameDuration: CMTime(value: 1, timescale: 30))?.dropsFrameNumbers, false)
        XCTAssertNil(TimecodeSampleFormat(frameDuration: CMTime(value: 1, timescale: 480)))
        XCTAssertNil(TimecodeSampleFormat(frameDuration: CMTime(value: 3, timescale: 1)))
        XCTAssertNil(TimecodeSampleFormat(frameDuration: .invalid))
    }

    func testMPEG4FilesHaveNoTimecode() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mp4")
        var script = RecordingScript()
        script.container = .mp4
        script.timeOfDay = 5
        try script.record(url, seconds: 1)
        XCTAssertEqual(try ParsedMovie(url).tracks.map(\.kind), ["vide", "soun"])
    }

    func testAnInterruptedRecordingHasTimecode() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        var script = RecordingScript()
        script.interval = CMTime(value: 1, timescale: 1)
        script.timeOfDay = 60
        let recorder = try script.makeRecorder(url)
        try script.feed(0..<2.9, into: recorder)
        let interrupted = folder.file("dead.mov")
        try FileManager.default.copyItem(at: url, to: interrupted)
        recorder.cancel()
        XCTAssertEqual(
            try MediaTools.probe(interrupted, "stream_tags=timecode", ["-select_streams", "d"]), ["00:01:00:00"])
        try MediaTools.assertDecodes(interrupted)
    }

    func testOrientationChangesAreRecordedInATrack() throws {
        let folder = try TemporaryFolder()
        for container in [MovieContainer.mov, .mp4] {
            let url = folder.file("a.\(container)")
            var script = RecordingScript()
            script.container = container
            script.recordsOrientationChanges = true
            script.orientation = MovieOrientation(rotationAngle: 90)
            let recorder = try script.makeRecorder(url)
            // The first change happens before the encoder has returned the first frame.
            try script.feed(0..<0.1, into: recorder)
            try recorder.changeOrientation(to: MovieOrientation(rotationAngle: 0), at: time(50))
            try script.feed(0.1..<1, into: recorder)
            try recorder.changeOrientation(to: MovieOrientation(rotationAngle: 0), at: time(600))
            try recorder.changeOrientation(to: MovieOrientation(rotationAngle: 180, isMirrored: true), at: time(700))
            try script.feed(1..<2, into: recorder)
            _ = try recorder.finish(at: time(2000))
            let movie = try ParsedMovie(url)
            let track = try XCTUnwrap(movie.track("meta"))
            XCTAssertEqual(track.references, ["cdsc": [try XCTUnwrap(movie.video).id]])
            XCTAssertEqual(track.sampleEntry, "mebx")
            XCTAssertNotNil(track.sampleEntryBody.range(of: Data("com.apple.quicktime.video-orientation".utf8)))
            XCTAssertEqual(
                track.samples.map { Array(movie.sampleData($0)) }, [6, 1, 4].map { [0, 0, 0, 10, 0, 0, 0, 1, 0, $0] })
            XCTAssertEqual(track.samples.map(\.presentation), [0, 4500, 63000])
            XCTAssertEqual(track.mediaDuration, 180_000)
            try MediaTools.assertDecodes(url)
        }
    }

    func testOrientationsAreEXIFOrientations() {
        let numbers = [false, true].map { isMirrored in
            [0, 90, 180, 270].map { MovieOrientation(rotationAngle: $0, isMirrored: isMirrored).exifOrientation }
        }
        XCTAssertEqual(numbers, [[1, 6, 3, 8], [2, 7, 4, 5]])
    }

    func testChaptersAreReadBack() throws {
        let folder = try TemporaryFolder()
        for container in [MovieContainer.mov, .mp4] {
            for reservedByteCount in [nil, 100] {
                let url = folder.file("a\(reservedByteCount ?? 0).\(container)")
                let script = SampleScript(seconds: 5)
                let writer = try script.makeWriter(
                    url, DiskStorage(), container: container, interval: CMTime(value: 1, timescale: 1),
                    reservedIndexByteCount: reservedByteCount
                )
                for item in script.items {
                    try writer.append(item.sample, to: item.isVideo ? script.videoTrack : script.audioTrack)
                }
                writer.metadata.chapters = [
                    .init(start: .zero, title: "Start"), .init(start: CMTime(value: 3, timescale: 2), title: "Gärten"),
                    .init(start: CMTime(value: 9, timescale: 1), title: "too late"),
                ]
                try writer.finish()
                let result = try MediaTools.run(
                    "ffprobe",
                    ["-v", "quiet", "-show_entries", "chapter=start_time,end_time:chapter_tags=title"]
                        + ["-of", "csv=p=0", url.path])
                XCTAssertEqual(
                    result.text.split(separator: "\n"),
                    ["0.000000,1.500000,Start", "1.500000,5.000000,Gärten"], "\(container)")
                let movie = try ParsedMovie(url)
                let titles = try XCTUnwrap(movie.track("text"))
                XCTAssertFalse(titles.isEnabled)
                XCTAssertEqual(movie.video?.references, ["chap": [titles.id]])
                try script.assertContainsFirstSamples(
                    ParsedMovie(url, kinds: ["vide", "soun"]), isFragmented: false)
            }
        }
    }

    func testPixelAspectRatioAndCleanApertureAreWritten() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        var configuration = SampleScript.videoConfiguration
        guard case .video(var video) = configuration.format else { return XCTFail("no video") }
        video.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3)
        video.cleanAperture = CleanAperture(
            width: .init(60), height: .init(48), horizontalOffset: .init(-1, 2), verticalOffset: .init(0))
        configuration.format = .video(video)
        configuration.language = "deu"
        let writer = try MovieFileWriter(
            url: url, storage: DiskStorage(), configuration: .init(container: .mov))
        let track = try writer.addTrack(configuration)
        try writer.append(
            EncodedSample(data: Data([1]), presentationTime: .zero, duration: CMTime(value: 1, timescale: 30)),
            to: track)
        try writer.finish()
        // Since FFmpeg 6, ffprobe ends lines with tags with a comma.
        XCTAssertEqual(
            try FFprobe.lines(["-show_entries", "stream=sample_aspect_ratio:stream_tags=language"], url),
            [["4:3", "deu"]])
        let parsedTrack = try XCTUnwrap(try ParsedMovie(url).video)
        XCTAssertEqual([parsedTrack.width, parsedTrack.height], [80, 48])
        let aperture = try XCTUnwrap(parsedTrack.sampleEntryBody.range(of: Data("clap".utf8)))
        XCTAssertEqual(
            Array(parsedTrack.sampleEntryBody[aperture.upperBound..<aperture.upperBound + 32]),
            [0, 0, 0, 60, 0, 0, 0, 1, 0, 0, 0, 48, 0, 0, 0, 1, 255, 255, 255, 255, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1])
    }
}
