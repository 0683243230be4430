import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// Progress, errors and tracks of exports that encode.
final class TranscodingExportTests: XCTestCase {
    private func time(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 30) }

    func testTheProgressIncreasesFromZeroToOne() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("both.mov")
        try fixture.writeMedia(2, writer, video: fixture.makeVideoInput(), audio: fixture.makeAudioInput())
        let video = try fixture.movie("video.mov", 0..<60)
        for (asset, name) in [(fixture.asset("both.mov"), "a.mov"), (video, "b.mov")] {
            let preset = try XCTUnwrap(ExportPreset.named(AVAssetExportPresetHighestQuality))
            let range = CMTimeRange(start: time(15), end: time(45))
            let export = try TranscodingExport(
                asset, preset, in: range, to: fixture.url(name), as: .mov, AVAssetExportSession.Options())
            var fractions: [Float] = []
            let isComplete = try export.run { fraction in
                fractions.append(fraction)
                return true
            }
            XCTAssertTrue(isComplete, name)
            XCTAssertEqual(fractions, fractions.sorted(), name)
            XCTAssertEqual(fractions.first, 0, name)
            XCTAssertEqual(fractions.last, 1, name)
            XCTAssertGreaterThan(Set(fractions).count, 20, name)
            XCTAssertTrue(fractions.contains { abs($0 - 0.5) < 0.05 }, name)
        }
    }

    func testTheEncodedSizeIsEvenAndDoesNotExceedTheOriginal() {
        let limit = CMVideoDimensions(width: 640, height: 480)
        let cases: [(size: (Int32, Int32), limit: CMVideoDimensions?, expected: (Int32, Int32))] = [
            ((1920, 1080), nil, (1920, 1080)), ((1919, 1079), nil, (1918, 1078)), ((1917, 1081), nil, (1916, 1080)),
            ((1920, 1080), limit, (640, 360)), ((1080, 1920), limit, (360, 640)), ((1000, 999), limit, (480, 480)),
            ((639, 479), limit, (638, 478)), ((3, 2), nil, (2, 2)),
        ]
        for (size, limit, expected) in cases {
            let result = ExportPreset.size(CMVideoDimensions(width: size.0, height: size.1), within: limit)
            XCTAssertEqual([result.width, result.height], [expected.0, expected.1], "\(size)")
        }
    }

    /// Writes a movie with a video track and two alternative audio tracks. The second audio track is enabled.
    private func movieWithAlternatives(_ fixture: AssetWriterFixture) throws -> AVAsset {
        let writer = try fixture.makeWriter("languages.mov")
        let video = fixture.makeVideoInput()
        let audio = [fixture.makeAudioInput(), fixture.makeAudioInput()]
        for (input, language) in zip(audio, ["eng", "deu"]) { input.languageCode = language }
        for input in [video] + audio { writer.add(input) }
        writer.add(AVAssetWriterInputGroup(inputs: audio, defaultInput: audio[1]))
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 0..<30 {
            video.append(try AssetWriterFixture.videoSample(frame, at: time(Int64(frame))))
            let samples = try AssetWriterFixture.audioSample(frame * 1600..<(frame + 1) * 1600)
            for input in audio { input.append(samples) }
        }
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        return fixture.asset("languages.mov")
    }

    func testAlternativeAudioTracksAreEncodedOnlyIfTheHandlingPreservesThem() throws {
        let fixture = try AssetWriterFixture()
        let asset = try movieWithAlternatives(fixture)
        XCTAssertEqual(asset.tracks(withMediaType: .audio).map(\.isEnabled), [false, true])
        for (preset, name) in [(AVAssetExportPresetPassthrough, "stored"), (AVAssetExportPreset640x480, "new")] {
            let defaultExport = try fixture.export(asset, preset, "\(name)-plain.mov")
            XCTAssertEqual(defaultExport.status, .completed, "\(String(describing: defaultExport.error))")
            let single = fixture.asset("\(name)-plain.mov")
            let keepsAll = preset == AVAssetExportPresetPassthrough
            XCTAssertEqual(
                single.tracks(withMediaType: .audio).map(\.languageCode), keepsAll ? ["eng", "deu"] : ["deu"], name)
            XCTAssertEqual(single.trackGroups.count, keepsAll ? 1 : 0, name)
            let preservingExport = try fixture.export(asset, preset, "\(name)-kept.mov") {
                $0.audioTrackGroupHandling = .preserveAlternateTracks
            }
            XCTAssertEqual(preservingExport.status, .completed, "\(String(describing: preservingExport.error))")
            let copy = fixture.asset("\(name)-kept.mov")
            let audio = copy.tracks(withMediaType: .audio)
            XCTAssertEqual(audio.map(\.languageCode), ["eng", "deu"], name)
            XCTAssertEqual(audio.map(\.isEnabled), [false, true], name)
            XCTAssertEqual(copy.trackGroups.map { $0.trackIDs.map(\.int32Value) }, [audio.map(\.trackID)], name)
        }
        fixture.assertNoMisuse()
    }

    func testAnAudioMixAndPreservedAlternativesExcludeEachOther() throws {
        let fixture = try AssetWriterFixture()
        let asset = try fixture.movie("video.mov", 0..<3)
        let first = try XCTUnwrap(AVAssetExportSession(asset: asset, presetName: AVAssetExportPreset640x480))
        first.audioMix = AVMutableAudioMix()
        fixture.assertMisuse(.invalidArgument, "audioMix") { first.audioTrackGroupHandling = .preserveAlternateTracks }
        XCTAssertEqual(first.audioTrackGroupHandling, [])
        let second = try XCTUnwrap(AVAssetExportSession(asset: asset, presetName: AVAssetExportPreset640x480))
        second.audioTrackGroupHandling = .preserveAlternateTracks
        fixture.assertMisuse(.invalidArgument, "audioTrackGroupHandling") { second.audioMix = AVMutableAudioMix() }
        XCTAssertNil(second.audioMix)
    }
}
