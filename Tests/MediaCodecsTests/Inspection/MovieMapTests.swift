import Foundation
import MediaStorage
import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

final class MovieMapTests: XCTestCase {
    func testAFinishedRecordingIsReadBack() throws {
        let folder = try MediaFixture.folder(self)
        for container in [MovieContainer.mov, .mp4] {
            var script = RecordingScript()
            script.container = container
            script.orientation = MovieOrientation(rotationAngle: 90)
            let url = folder.appendingPathComponent("a.\(container.rawValue)")
            let summary = try script.record(url, seconds: 2)
            let (map, problems) = try read(url)
            XCTAssertEqual(problems, [])
            XCTAssertEqual(map.isQuickTime, container == .mov)
            XCTAssertTrue(map.fragments.isEmpty)
            let video = try XCTUnwrap(map.tracks.first(where: \.isVideo))
            let audio = try XCTUnwrap(map.tracks.first(where: \.isAudio))
            XCTAssertEqual(video.samples.sampleCount, Int64(summary.videoFrameCount))
            XCTAssertEqual(video.transform, CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 96, ty: 0))
            XCTAssertEqual(video.timeRange, CMTimeRange(start: .zero, duration: CMTime(value: 2, timescale: 1)))
            XCTAssertEqual(audio.timeRange, CMTimeRange(start: .zero, duration: CMTime(value: 2, timescale: 1)))
            XCTAssertEqual(video.sampleEntries.first?.code, "avc1")
            XCTAssertEqual(video.formatDescription?.dimensions.pixelSize, PixelSize(width: 160, height: 96))
            XCTAssertEqual(audio.formatDescription?.audioStreamBasicDescription?.mSampleRate, 48000)
            XCTAssertEqual(audio.formatDescription?.audioStreamBasicDescription?.mFramesPerPacket, 1024)
        }
    }

    func testTheMapAgreesWithAnIndependentReader() throws {
        let url = try MediaFixture.folder(self).appendingPathComponent("a.mov")
        try RecordingScript().record(url, seconds: 1)
        let map = try read(url).map
        let movie = try ParsedMovie(url)
        for (track, other) in zip(map.tracks, movie.tracks) {
            XCTAssertEqual(track.samples.runs.map(\.offset), other.samples.map { Int64($0.offset) })
            XCTAssertEqual(track.samples.runs.map(\.size), other.samples.map { UInt32($0.size) })
            XCTAssertEqual(track.samples.runs.map(\.presentationTime), other.samples.map(\.presentation))
            XCTAssertEqual(track.samples.runs.map(\.isSync), other.samples.map(\.isKeyFrame))
        }
    }

    func testPCMFramesShareRuns() throws {
        let url = try MediaFixture.folder(self).appendingPathComponent("a.mov")
        var script = RecordingScript()
        script.hasVideo = false
        script.audioCodec = .pcm
        try script.record(url, seconds: 2)
        let (map, problems) = try read(url)
        XCTAssertEqual(problems, [])
        let track = try XCTUnwrap(map.tracks.first)
        XCTAssertEqual(track.samples.sampleCount, 96000)
        XCTAssertLessThan(track.samples.runs.count, 20)
        XCTAssertTrue(track.sampleEntries.first?.isLinearPCM ?? false)
    }

    func testAnUnknownMediaDurationIsNil() throws {
        for version: UInt8 in [0, 1] {
            var builder = BoxBuilder()
            builder.box("moov") { moov in
                moov.box("trak") { trak in
                    trak.fullBox("tkhd") { header in
                        header.zeros(8)
                        header.unsigned32(1)
                        header.zeros(68)
                    }
                    trak.box("mdia") { media in
                        media.fullBox("mdhd", version: version) { header in
                            header.zeros(version == 1 ? 16 : 8)
                            header.unsigned32(600)
                            if version == 1 { header.unsigned64(.max) } else { header.unsigned32(.max) }
                            header.zeros(4)
                        }
                        media.fullBox("hdlr") { handler in
                            handler.zeros(4)
                            handler.code("vide")
                            handler.zeros(13)
                        }
                    }
                }
            }
            let track = try XCTUnwrap(MovieMap(reading: MemoryFile(builder.bytes)).tracks.first)
            XCTAssertEqual(track.handler, "vide", "version \(version)")
            XCTAssertEqual(track.timescale, 600, "version \(version)")
            XCTAssertNil(track.mediaDuration, "version \(version)")
        }
    }

    func testASampleTableWithFlagsHasOneRunPerSample() throws {
        var builder = BoxBuilder()
        builder.box("moov") { moov in
            moov.box("trak") { trak in
                trak.fullBox("tkhd") { header in
                    header.zeros(8)
                    header.unsigned32(1)
                    header.zeros(68)
                }
                trak.box("mdia") { media in
                    media.fullBox("mdhd") { header in
                        header.zeros(8)
                        header.unsigned32(8000)
                        header.zeros(8)
                    }
                    media.fullBox("hdlr") { handler in
                        handler.zeros(4)
                        handler.code("soun")
                        handler.zeros(13)
                    }
                    media.box("minf") { $0.box("stbl") { Self.appendSampleTable(to: &$0) } }
                }
            }
        }
        let samples = try XCTUnwrap(MovieMap(reading: MemoryFile(builder.bytes)).tracks.first).samples
        XCTAssertEqual(samples.runs.map(\.count), [1, 1, 1, 1])
        XCTAssertEqual(samples.runs.map(\.isSync), [true, false, true, false])
        XCTAssertEqual(samples.runs.map(\.isDroppable), [false, false, false, true])
    }

    /// Appends the boxes of four samples with a common size and duration: the first and the third are sync samples, and
    /// the last is droppable.
    private static func appendSampleTable(to table: inout BoxBuilder) {
        table.fullBox("stts") { box in
            for number: UInt32 in [1, 4, 1] { box.unsigned32(number) }
        }
        table.fullBox("stsc") { box in
            for number: UInt32 in [1, 1, 4, 1] { box.unsigned32(number) }
        }
        table.fullBox("stsz") { box in
            for number: UInt32 in [2, 4] { box.unsigned32(number) }
        }
        table.fullBox("stco") { box in
            for number: UInt32 in [1, 8] { box.unsigned32(number) }
        }
        table.fullBox("stss") { box in
            for number: UInt32 in [2, 1, 3] { box.unsigned32(number) }
        }
        table.fullBox("sdtp") { $0.data([0, 0, 0, 8]) }
    }

    func testFragmentsOfAnUnfinishedRecordingAreRead() throws {
        let url = try MediaFixture.folder(self).appendingPathComponent("a.mov")
        var script = RecordingScript()
        script.interval = CMTime(value: 1, timescale: 1)
        let recorder = try script.makeRecorder(url)
        try script.feed(0..<3.5, into: recorder)
        let (map, problems) = try read(url)
        XCTAssertEqual(problems.filter { $0.severity == .error }, [])
        XCTAssertEqual(map.fragments.map(\.sequenceNumber), [1, 2, 3].prefix(map.fragments.count).map { UInt32($0) })
        XCTAssertGreaterThanOrEqual(map.fragments.count, 2)
        XCTAssertGreaterThanOrEqual(map.duration.seconds, 2)
        recorder.cancel()
    }

    func testMetadataIsReadBack() throws {
        let folder = try MediaFixture.folder(self)
        let script = RecordingScript()
        for container in [MovieContainer.mov, .mp4] {
            var script = script
            script.container = container
            let url = folder.appendingPathComponent("a.\(container.rawValue)")
            let recorder = try script.makeRecorder(url)
            recorder.metadata = MovieMetadata(
                creationSecondsSince1970: 1_795_228_860, creationDate: "2026-11-21T02:41:00+0000", make: "Maker",
                model: "Model", software: "Software", location: "+48.8577+002.2950/",
                custom: [MovieMetadata.Entry(key: "com.example.take", value: "7")])
            try script.feed(0..<0.5, into: recorder)
            _ = try recorder.finish(at: RecordingScript.time(CMTime(value: 1, timescale: 2)))
            let map = try read(url).map
            XCTAssertEqual(map.creationSecondsSince1970, 1_795_228_860)
            let texts = map.metadata.compactMap { entry -> String? in
                if case .text(let text) = entry.value { text } else { nil }
            }
            XCTAssertEqual(
                Set(texts),
                ["2026-11-21T02:41:00+0000", "Maker", "Model", "Software", "+48.8577+002.2950/", "7"])
        }
    }

    func testOnlyFramesOfPCMShareRuns() throws {
        let folder = try MediaFixture.folder(self)
        let cases: [(name: String, arguments: [String], sharesRuns: Bool)] = [
            ("ac3.mp4", ["-c:a", "ac3"], false), ("mp3.mov", ["-c:a", "mp3", "-b:a", "128k"], false),
            ("fragments.mp4", ["-c:a", "ac3", "-movflags", "cmaf+delay_moov"], false),
            ("ima4.mov", ["-c:a", "adpcm_ima_qt"], false),
            ("linear.mov", ["-c:a", "pcm_s16le"], true), ("companded.mov", ["-c:a", "pcm_mulaw"], true),
        ]
        for (name, arguments, sharesRuns) in cases {
            let url = folder.appendingPathComponent(name)
            let result = try ExternalTool.run(
                "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=f=440:r=48000:d=1"] + arguments + [url.path])
            XCTAssertEqual(result.status, 0, "\(name): \(result.errors)")
            let track = try XCTUnwrap(try read(url).map.tracks.first, name)
            if sharesRuns {
                XCTAssertEqual(track.samples.sampleCount, 48000, name)
                XCTAssertLessThan(track.samples.runs.count, 100, name)
            } else {
                let packets = try FFprobe.lines(["-show_entries", "packet=size"], url)
                XCTAssertEqual(track.samples.runs.map { Int($0.size) }, packets.compactMap { Int($0[0]) }, name)
                XCTAssertTrue(track.samples.runs.allSatisfy { $0.count == 1 }, name)
            }
        }
    }

    private func read(_ url: URL) throws -> (map: MovieMap, problems: [MovieProblem]) {
        let file = try DiskStorage().open(url, for: .reading)
        let map = try MovieMap(reading: file)
        return (map, try MovieChecker.problems(of: map, in: file))
    }
}
