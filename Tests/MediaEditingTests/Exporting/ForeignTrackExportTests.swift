import Foundation
import MediaCodecs
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// Passthrough exports of movies that other programs wrote, with tracks that this package does not write itself.
final class ForeignTrackExportTests: XCTestCase {
    func testAllTracksAreCopiedByteForByte() throws {
        let fixture = try AssetWriterFixture()
        let source = try fixture.movieWithManyTracks()
        XCTAssertEqual(
            source.tracks.map(\.mediaType.rawValue), ["vide", "soun", "soun", "sbtl", "meta", "text", "tmcd"])
        let session = try fixture.export(source, AVAssetExportPresetPassthrough, "out.mp4", .mp4)
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        XCTAssertEqual(session.omittedTracks, [])
        let copy = fixture.asset("out.mp4")
        XCTAssertEqual(try FFprobe.packets(fixture.url("out.mp4")), try FFprobe.packets(fixture.url("source.mp4")))
        XCTAssertEqual(copy.tracks.count, source.tracks.count)
        for (new, old) in zip(copy.tracks, source.tracks) {
            XCTAssertEqual(new.mediaType, old.mediaType)
            XCTAssertEqual(new.map.sampleEntries.map(\.bytes), old.map.sampleEntries.map(\.bytes), old.summary)
            XCTAssertEqual(new.isEnabled, old.isEnabled, old.summary)
            XCTAssertEqual(new.map.alternateGroup, old.map.alternateGroup, old.summary)
            XCTAssertEqual(new.preferredVolume, old.preferredVolume, old.summary)
            XCTAssertEqual(new.languageCode, old.languageCode, old.summary)
            XCTAssertEqual(new.naturalSize, old.naturalSize, old.summary)
            XCTAssertEqual(new.map.references, old.map.references, old.summary)
            XCTAssertEqual(new.map.storedBoxes, old.map.storedBoxes, old.summary)
        }
        XCTAssertEqual(copy.tracks.map(\.isEnabled), [true, true, false, true, false, false, false])
        XCTAssertEqual(copy.headerCreationSeconds, source.headerCreationSeconds)
        XCTAssertNotNil(copy.headerCreationSeconds)
        fixture.assertNoMisuse()
    }

    func testACutKeepsAllTracks() throws {
        let fixture = try AssetWriterFixture()
        let source = try fixture.movieWithManyTracks()
        let range = CMTimeRange(
            start: CMTime(value: 1, timescale: 2), end: CMTime(value: 5, timescale: 2))
        let session = try fixture.export(source, AVAssetExportPresetPassthrough, "out.mp4", .mp4) {
            $0.timeRange = range
        }
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        XCTAssertEqual(session.omittedTracks, [])
        let copy = fixture.asset("out.mp4")
        XCTAssertEqual(copy.tracks.map(\.mediaType), source.tracks.map(\.mediaType))
        XCTAssertEqual(copy.duration, range.duration)
        XCTAssertEqual(
            try FFprobe.frames(fixture.url("out.mp4")).map { Int(($0.time * 30).rounded()) }, Array(0..<60))
        // The text that is shown at the cut begins with the movie, and the one at the end ends with it.
        let texts = try FFprobe.lines(
            ["-select_streams", "s:0", "-show_entries", "packet=pts_time,duration_time"], fixture.url("out.mp4"))
        XCTAssertEqual(texts.first?.first, "0.000000")
        let sum = texts.compactMap { Double($0[1]) }.reduce(0, +)
        XCTAssertEqual(sum, 2, accuracy: 1e-3)
        fixture.assertNoMisuse()
    }

    func testTracksWithAChangedSpeedKeepTheirSamplesAndProperties() throws {
        let fixture = try AssetWriterFixture()
        let source = try fixture.movieWithManyTracks()
        let composition = fixture.system.run { AVMutableComposition() }
        try composition.insertTracks(of: source)
        composition.scaleTimeRange(
            CMTimeRange(start: CMTime(value: 1, timescale: 1), duration: CMTime(value: 1, timescale: 1)),
            toDuration: CMTime(value: 2, timescale: 1))
        let session = try fixture.export(composition, AVAssetExportPresetPassthrough, "out.mp4", .mp4)
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        XCTAssertEqual(session.omittedTracks, [])
        let copy = fixture.asset("out.mp4")
        XCTAssertEqual(copy.tracks.map(\.mediaType), source.tracks.map(\.mediaType))
        let (new, old) = (try FFprobe.packets(fixture.url("out.mp4")), try FFprobe.packets(fixture.url("source.mp4")))
        for (index, track) in source.tracks.enumerated() {
            XCTAssertEqual(copy.tracks[index].isEnabled, track.isEnabled)
            XCTAssertEqual(copy.tracks[index].map.alternateGroup, track.map.alternateGroup)
            XCTAssertEqual(copy.tracks[index].languageCode, track.languageCode)
            XCTAssertEqual(copy.tracks[index].map.references, track.map.references)
            guard track.mediaType != .audio else { continue }
            XCTAssertEqual(new["\(index)"]?.map(\.last), old["\(index)"]?.map(\.last), track.summary)
        }
        let frames = try FFprobe.frames(fixture.url("out.mp4")).map { Int(($0.time * 30).rounded()) }
        XCTAssertEqual(frames, Array(0..<30) + (0..<30).map { 30 + 2 * $0 } + Array(90..<120))
        // The second text, shown from 1.2 s to 1.9 s.
        let times = try XCTUnwrap(new["3"]).compactMap { Double($0[1]) }
        for (time, expected) in zip(times, [0, 0.2, 0.9, 1.4, 2.8, 3.2, 3.9]) {
            XCTAssertEqual(time, expected, accuracy: 2e-3)
        }
        fixture.assertNoMisuse()
    }

    func testTracksThatAFileTypeCannotContainAreReported() throws {
        let fixture = try AssetWriterFixture()
        let source = try fixture.movieWithManyTracks()
        let session = try fixture.export(source, AVAssetExportPresetPassthrough, "out.mov")
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        let copy = fixture.asset("out.mov")
        let kept = Set(copy.tracks.map(\.trackID))
        XCTAssertEqual(Set(session.omittedTracks.map(\.track)), Set(source.tracks.map(\.trackID)).subtracting(kept))
        for track in session.omittedTracks { XCTAssertFalse(track.reason.isEmpty, "\(track)") }
        let new = try FFprobe.packets(fixture.url("out.mov"))
        let old = try FFprobe.packets(fixture.url("source.mp4"))
        for index in ["0", "1", "2"] { XCTAssertEqual(new[index], old[index]) }
        fixture.assertNoMisuse()
    }

    func testOnlySelectedTracksAreExported() throws {
        let fixture = try AssetWriterFixture()
        let source = try fixture.movieWithManyTracks()
        let session = try fixture.export(source, AVAssetExportPresetPassthrough, "out.mp4", .mp4) {
            $0.exportedTrackIDs = [1, 3]
        }
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        XCTAssertEqual(session.omittedTracks, [])
        XCTAssertEqual(fixture.asset("out.mp4").tracks.map(\.trackID), [1, 3])
        fixture.assertNoMisuse()
    }

    func testNegativeCompositionOffsetsKeepTheirTimes() throws {
        let fixture = try AssetWriterFixture()
        // The offsets are 0, 60, 0, -40 and -20 ticks of 1/600 s, as phones write them.
        try fixture.ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=2", "-c:v", "libx264", "-x264-params",
            "keyint=5:bframes=3:b-adapt=0:b-pyramid=strict:scenecut=0", "-video_track_timescale", "600", "-movflags",
            "negative_cts_offsets", "@source.mp4")
        let source = fixture.asset("source.mp4")
        XCTAssertTrue(try XCTUnwrap(source.tracks.first).map.samples.runs.contains { $0.compositionOffset < 0 })
        func assertFrames(_ expected: [Int], _ name: String, line: UInt = #line) throws {
            let probed = try FFprobe.frames(fixture.url(name)).map { Int(($0.time * 600).rounded()) }
            XCTAssertEqual(probed, expected, line: line)
            let read = try fixture.asset(name).samples(.video, [:]).map { sample in
                Int((sample.presentationTimeStamp.seconds * 600).rounded())
            }
            XCTAssertEqual(read, expected, line: line)
        }
        let times = (0..<60).map { $0 * 20 }
        try assertFrames(times, "source.mp4")
        for (name, type) in [("out.mp4", AVFileType.mp4), ("out.mov", .mov)] {
            let session = try fixture.export(source, AVAssetExportPresetPassthrough, name, type)
            XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
            try assertFrames(times, name)
            let cut = try fixture.export(source, AVAssetExportPresetPassthrough, "cut-\(name)", type) {
                $0.timeRange = CMTimeRange(
                    start: CMTime(value: 240, timescale: 600), duration: CMTime(value: 600, timescale: 600))
            }
            XCTAssertEqual(cut.status, .completed, "\(String(describing: cut.error))")
            try assertFrames(Array(times.prefix(30)), "cut-\(name)")
            let composition = fixture.system.run { AVMutableComposition() }
            try composition.insertTracks(of: source)
            composition.scaleTimeRange(
                CMTimeRange(start: .zero, duration: source.duration), toDuration: CMTime(value: 4, timescale: 1))
            let slow = try fixture.export(composition, AVAssetExportPresetPassthrough, "slow-\(name)", type)
            XCTAssertEqual(slow.status, .completed, "\(String(describing: slow.error))")
            try assertFrames(times.map { $0 * 2 }, "slow-\(name)")
        }
        fixture.assertNoMisuse()
    }

    func testTracksOfUnknownCodecsAreVisible() throws {
        let fixture = try AssetWriterFixture()
        try fixture.ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=10:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v",
            "libx264", "-c:a", "aac", "@source.mp4")
        var data = try Data(contentsOf: fixture.url("source.mp4"))
        for (code, unknown) in [("avc1", "zzzv"), ("mp4a", "zzza")] {
            let range = try XCTUnwrap(data.range(of: Data(code.utf8), options: .backwards))
            data.replaceSubrange(range, with: Data(unknown.utf8))
        }
        try data.write(to: fixture.url("source.mp4"))
        let source = fixture.asset("source.mp4")
        XCTAssertEqual(source.tracks.map(\.mediaType), [.video, .audio])
        for (track, code) in zip(source.tracks, ["zzzv", "zzza"]) {
            XCTAssertFalse(track.isDecodable)
            XCTAssertFalse(track.isPlayable)
            let descriptions = track.typedFormatDescriptions
            let fourCharacterCode = code.utf8.reduce(0) { $0 << 8 | UInt32($1) }
            XCTAssertEqual(descriptions.map(\.mediaSubType.rawValue), [fourCharacterCode])
        }
        XCTAssertFalse(source.isPlayable)
        let session = try fixture.export(source, AVAssetExportPresetPassthrough, "out.mp4", .mp4)
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        XCTAssertEqual(try FFprobe.packets(fixture.url("out.mp4")), try FFprobe.packets(fixture.url("source.mp4")))
        fixture.assertNoMisuse()
    }

    func testSoundOfQuickTimeFilesIsConvertedToTheFormOfMPEG4() throws {
        let fixture = try AssetWriterFixture()
        for codec in ["ac3", "eac3", "alac", "aac"] {
            let (source, copy) = ("\(codec).mov", "\(codec).mp4")
            try fixture.ffmpeg(
                "-f", "lavfi", "-i", "testsrc2=s=160x120:r=10:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v",
                "libx264", "-c:a", codec, "@\(source)")
            let session = try fixture.export(fixture.asset(source), AVAssetExportPresetPassthrough, copy, .mp4)
            XCTAssertEqual(session.status, .completed, "\(codec): \(String(describing: session.error))")
            XCTAssertEqual(session.omittedTracks, [], codec)
            XCTAssertEqual(try FFprobe.packets(fixture.url(copy)), try FFprobe.packets(fixture.url(source)), codec)
            let decoded = try [source, copy].map { name in
                try ExternalTool.run(
                    "ffmpeg", ["-v", "error", "-i", fixture.url(name).path, "-map", "0:a", "-f", "md5", "-"])
            }
            XCTAssertEqual(decoded[1].errors, "", codec)
            XCTAssertEqual(decoded[1].text, decoded[0].text, codec)
        }
        fixture.assertNoMisuse()
    }

    func testAnEnabledTrackThatCannotBeStoredIsNamed() throws {
        let fixture = try AssetWriterFixture()
        try fixture.ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=10:d=1", "-f", "lavfi", "-i", "sine=d=1", "-c:v",
            "libx264", "-c:a", "pcm_s16le", "@source.mov")
        let source = fixture.asset("source.mov")
        let session = try XCTUnwrap(AVAssetExportSession(asset: source, presetName: AVAssetExportPresetPassthrough))
        XCTAssertEqual(session.supportedFileTypes, [.mov])
        let message = try XCTUnwrap(session.problem(with: .mp4)?.errorDescription)
        for text in ["track 2", "soun", "sowt", "source.mov"] { XCTAssertTrue(message.contains(text), message) }
        session.exportedTrackIDs = [1]
        XCTAssertNil(session.problem(with: .mp4))
    }

    func testAnExportThatEncodesCopiesTracksOfOtherMedia() throws {
        let fixture = try AssetWriterFixture()
        let source = try fixture.movieWithManyTracks()
        let session = try fixture.export(source, AVAssetExportPresetHighestQuality, "out.mp4", .mp4)
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        // The second sound track is disabled.
        XCTAssertEqual(session.omittedTracks.map(\.track), [3])
        let copy = fixture.asset("out.mp4")
        XCTAssertEqual(copy.tracks.map(\.mediaType.rawValue), ["vide", "soun", "sbtl", "meta", "text", "tmcd"])
        let (new, old) = (try FFprobe.packets(fixture.url("out.mp4")), try FFprobe.packets(fixture.url("source.mp4")))
        for (index, number) in [(2, 3), (3, 4), (4, 5), (5, 6)] {
            XCTAssertEqual(new["\(index)"]?.map { $0.dropFirst() }, old["\(number)"]?.map { $0.dropFirst() })
            let (track, original) = (copy.tracks[index], source.tracks[number])
            XCTAssertEqual(track.map.sampleEntries.map(\.bytes), original.map.sampleEntries.map(\.bytes))
            XCTAssertEqual(track.isEnabled, original.isEnabled, original.summary)
            XCTAssertEqual(track.map.storedBoxes, original.map.storedBoxes, original.summary)
        }
        XCTAssertEqual(copy.tracks.prefix(2).map(\.map.references), [["tmcd": [6]], ["chap": [5]]])
        XCTAssertEqual(copy.headerCreationSeconds, source.headerCreationSeconds)
        try MovieInspection.assertNoProblems(fixture.url("out.mp4"))
        fixture.assertNoMisuse()
    }

    func testACutThatIsEncodedCutsTheCopiedTracks() throws {
        let fixture = try AssetWriterFixture()
        let source = try fixture.movieWithManyTracks()
        let range = CMTimeRange(start: CMTime(value: 1, timescale: 2), end: CMTime(value: 5, timescale: 2))
        let video = fixture.system.run { AVMutableVideoComposition(propertiesOf: source) }
        video.sourceTrackIDForFrameTiming = kCMPersistentTrackID_Invalid
        video.frameDuration = CMTime(value: 1, timescale: 20)
        let session = try fixture.export(source, AVAssetExportPresetHighestQuality, "out.mp4", .mp4) {
            $0.timeRange = range
            $0.videoComposition = video
        }
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        XCTAssertEqual(try FFprobe.frames(fixture.url("out.mp4")).count, 40)
        let texts = try FFprobe.lines(
            ["-select_streams", "s:0", "-show_entries", "packet=pts_time,duration_time"], fixture.url("out.mp4"))
        XCTAssertEqual(texts.first?.first, "0.000000")
        XCTAssertEqual(texts.compactMap { Double($0[1]) }.reduce(0, +), 2, accuracy: 1e-3)
        fixture.assertNoMisuse()
    }

    func testTracksThatAFileOfSoundCannotContainAreReported() throws {
        let fixture = try AssetWriterFixture()
        let source = try fixture.movieWithManyTracks()
        let session = try fixture.export(source, AVAssetExportPresetAppleM4A, "out.m4a", .m4a)
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        let kept = fixture.asset("out.m4a").tracks
        XCTAssertEqual(kept.count + session.omittedTracks.count, source.tracks.count)
        XCTAssertTrue(session.omittedTracks.contains { $0.track == 1 })
        for track in session.omittedTracks { XCTAssertFalse(track.reason.isEmpty, "\(track)") }
        fixture.assertNoMisuse()
    }
}
