import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// A clap is a white frame with a click. Edits keep the frame and the click in sync.
final class EditedClapTests: XCTestCase {
    /// The index of the white frame; the movie has 30 frames.
    private static let clap = 24

    private func time(_ frame: Int64) -> CMTime { CMTime(value: frame, timescale: 30) }

    private func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
        CMTimeRange(start: time(start), end: time(end))
    }

    /// Writes one second of black frames and silence, with one white frame and a click at its start.
    private func movie(
        _ fixture: AssetWriterFixture, _ format: AudioFormatID = kAudioFormatLinearPCM, clickLength: Int = 1,
        keyFrameInterval: Int = 90
    ) throws -> AVAsset {
        let writer = try fixture.makeWriter("clap.mov")
        let video = fixture.makeVideoInput([AVVideoMaxKeyFrameIntervalKey: keyFrameInterval])
        let audio = fixture.makeAudioInput(format)
        for input in [video, audio] { writer.add(input) }
        XCTAssertTrue(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: .zero)
        for frame in 0..<30 {
            let pixels = try XCTUnwrap(
                CVPixelBuffer(
                    width: AssetWriterFixture.width, height: AssetWriterFixture.height,
                    pixelFormat: kCVPixelFormatType_32BGRA))
            let level: UInt8 = frame == Self.clap ? 255 : 0
            pixels.fill { _, _ in [level, level, level, 255] }
            video.append(
                try CMSampleBuffer(
                    imageBuffer: pixels, formatDescription: CMFormatDescription(imageBuffer: pixels),
                    sampleTiming: CMSampleTimingInfo(
                        duration: time(1), presentationTimeStamp: time(Int64(frame)), decodeTimeStamp: .invalid)))
            let samples = (0..<1600).map { Int16(frame == Self.clap && $0 < clickLength ? 30000 : 0) }
            audio.append(
                try AssetWriterFixture.audioSample(
                    samples.withUnsafeBytes { Data($0) },
                    flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, bits: 16, channels: 1,
                    frameCount: samples.count, at: time(Int64(frame))))
        }
        fixture.finish(writer)
        return fixture.system.run { AVURLAsset(url: fixture.url("clap.mov")) }
    }

    func testEditsKeepVideoAndAudioInSync() throws {
        let fixture = try AssetWriterFixture()
        let source = try movie(fixture)
        let composition = fixture.system.run { AVMutableComposition() }
        try composition.insertTimeRange(range(0, 30), of: source, at: .zero)
        try composition.insertTimeRange(range(15, 30), of: source, at: time(8))
        composition.removeTimeRange(range(10, 13))
        composition.scaleTimeRange(range(20, 30), toDuration: time(20))
        composition.scaleTimeRange(range(40, 52), toDuration: time(24))
        composition.insertEmptyTimeRange(range(2, 5))
        let claps: [Int64] = [17, 55]

        let reader = try AVAssetReader(asset: composition)
        let videoOutput = AVAssetReaderVideoCompositionOutput(
            videoTracks: composition.tracks(withMediaType: .video), videoSettings: nil)
        videoOutput.videoComposition = AVVideoComposition(propertiesOf: composition)
        let audioOutput = AVAssetReaderAudioMixOutput(
            audioTracks: composition.tracks(withMediaType: .audio), audioSettings: nil)
        audioOutput.audioTimePitchAlgorithm = .varispeed
        for output in [videoOutput, audioOutput] { reader.add(output) }
        XCTAssertTrue(reader.startReading(), "\(String(describing: reader.error))")
        let white = try videoOutput.drain().filter { try XCTUnwrap($0.imageBuffer).pixel(160, 120)[1] > 128 }
        XCTAssertEqual(white.map(\.presentationTimeStamp), claps.map { time($0) })
        let samples = try audioOutput.drain().flatMap { buffer in
            try XCTUnwrap(buffer.dataBuffer).withUnsafeBytes { [Float]($0.bindMemory(to: Float.self)) }
        }
        XCTAssertEqual(reader.status, .completed, "\(String(describing: reader.error))")
        XCTAssertEqual(Double(samples.count) / 48_000, composition.duration.seconds, accuracy: 0.001)
        for clap in claps {
            let expected = Int(clap * 1600)
            let part = expected - 1600..<expected + 1600
            let loudest = try XCTUnwrap(part.max { abs(samples[$0]) < abs(samples[$1]) })
            XCTAssertEqual(Double(loudest - expected) / 48_000, 0, accuracy: 0.001, "\(clap)")
            XCTAssertGreaterThan(abs(samples[loudest]), 0.2)
        }
        let loud = samples.indices.filter { abs(samples[$0]) > 0.2 }
        XCTAssertTrue(loud.allSatisfy { sample in claps.contains { abs(sample - Int($0 * 1600)) < 240 } })
    }

    func testOtherPlayersPresentTheFlashOfAnExportWithItsClick() throws {
        let fixture = try AssetWriterFixture()
        let source = try movie(fixture, kAudioFormatMPEG4AAC, clickLength: 48)
        let shortened = fixture.system.run { AVMutableComposition() }
        try shortened.insertTimeRange(range(15, 30), of: source, at: .zero)
        try shortened.insertTimeRange(range(20, 30), of: source, at: time(15))
        let scaled = fixture.system.run { AVMutableComposition() }
        try scaled.insertTimeRange(range(15, 30), of: source, at: .zero)
        try scaled.insertTimeRange(range(18, 30), of: source, at: time(15))
        try scaled.insertTimeRange(range(22, 26), of: source, at: time(27))
        scaled.scaleTimeRange(range(27, 31), toDuration: time(32))
        scaled.scaleTimeRange(range(15, 27), toDuration: time(6))
        let constantRate = fixture.system.run { AVMutableVideoComposition(propertiesOf: scaled) }
        constantRate.sourceTrackIDForFrameTiming = kCMPersistentTrackID_Invalid
        constantRate.frameDuration = time(1)
        for (name, edit, composition, claps) in [
            ("cut.mov", shortened, nil, [9, 19]), ("scaled.mov", scaled, nil, [9, 18, 37]),
            ("scaled.mp4", scaled, nil, [9, 18, 37]), ("constant.mov", scaled, constantRate, [9, 18, 37]),
        ] as [(String, AVAsset, AVVideoComposition?, [Double])] {
            let preset = composition == nil ? AVAssetExportPresetPassthrough : AVAssetExportPresetHighestQuality
            let session = try fixture.export(edit, preset, name, name.hasSuffix("mp4") ? .mp4 : .mov) {
                $0.videoComposition = composition
                $0.audioTimePitchAlgorithm = .varispeed
            }
            XCTAssertEqual(session.status, .completed, "\(name): \(String(describing: session.error))")
            var players = [("FFmpeg", try PlayedMovie.ffmpeg(fixture.url(name)))]
            // qtdemux of GStreamer truncates tracks with several edits.
            if composition != nil { players.append(("GStreamer", try PlayedMovie.gstreamer(fixture.url(name)))) }
            for (player, played) in players { try assertInSync(played, claps, "\(name) in \(player)") }
        }
    }

    func testOtherPlayersPresentStoredEditsFromKeyFrames() throws {
        let fixture = try AssetWriterFixture()
        let source = try movie(fixture, clickLength: 48, keyFrameInterval: 6)
        let shortened = fixture.system.run { AVMutableComposition() }
        try shortened.insertTimeRange(range(18, 30), of: source, at: .zero)
        try shortened.insertTimeRange(range(12, 30), of: source, at: time(12))
        try shortened.insertTimeRange(range(24, 30), of: source, at: time(30))
        let spedUp = fixture.system.run { AVMutableComposition() }
        try spedUp.insertTimeRange(range(18, 30), of: source, at: .zero)
        try spedUp.insertTimeRange(range(12, 30), of: source, at: time(12))
        spedUp.scaleTimeRange(range(12, 30), toDuration: time(9))
        try spedUp.insertTimeRange(range(18, 30), of: source, at: time(21))
        spedUp.scaleTimeRange(range(21, 33), toDuration: time(48))
        // The middle third is eight times as long.
        let slowedDown = fixture.system.run { AVMutableComposition() }
        try slowedDown.insertTimeRange(range(0, 30), of: source, at: .zero)
        slowedDown.scaleTimeRange(range(10, 20), toDuration: time(80))
        for (name, edit, claps) in [
            ("cut.mov", shortened, [6, 24, 30]), ("faster.mov", spedUp, [6, 18, 45]), ("slower.mov", slowedDown, [94]),
        ] as [(String, AVAsset, [Double])] {
            let session = try fixture.export(edit, AVAssetExportPresetPassthrough, name) {
                $0.audioTimePitchAlgorithm = .varispeed
            }
            XCTAssertEqual(session.status, .completed, "\(name): \(String(describing: session.error))")
            let track = try XCTUnwrap(fixture.asset(name).tracks(withMediaType: .video).first)
            XCTAssertEqual(track.segments.count, 1, name)
            try assertInSync(PlayedMovie.ffmpeg(fixture.url(name)), claps, "\(name) in FFmpeg")
            try assertInSync(PlayedMovie.gstreamer(fixture.url(name)), claps, "\(name) in GStreamer")
        }
    }

    /// Asserts that a player shows flashes at the given frames, and plays a click with each of them.
    private func assertInSync(_ played: PlayedMovie, _ claps: [Double], _ what: String, line: UInt = #line) throws {
        let lumas = played.lumas
        let flashes = lumas.indices.filter { index in
            lumas[index].value > 0.5 && (index == 0 || lumas[index - 1].value < 0.5)
        }.map { lumas[$0].time }
        XCTAssertEqual(flashes.count, claps.count, "\(what): \(flashes)", line: line)
        for (clap, flash) in zip(claps, flashes) {
            XCTAssertEqual(flash, clap / 30, accuracy: 1 / 60, "the flash of \(what)", line: line)
            let near = played.peaks.filter { abs($0.time - flash) < 0.1 }
            let click = try XCTUnwrap(near.max { $0.value < $1.value }, what, line: line)
            XCTAssertGreaterThan(click.value, 0.2, what, line: line)
            XCTAssertEqual(click.time, flash, accuracy: 1 / 30, "the click of \(what)", line: line)
        }
    }
}
