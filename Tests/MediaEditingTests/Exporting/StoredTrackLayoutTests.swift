import Foundation
import MediaCodecs
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// The times of copied samples.
final class StoredTrackLayoutTests: XCTestCase {
    private func time(_ milliseconds: Int64) -> CMTime { CMTime(value: milliseconds, timescale: 1000) }

    /// Asserts that a copy of a part of a movie presents the frames of the part at their times.
    private func assertCut(
        _ name: String, _ type: AVFileType, _ fixture: AssetWriterFixture, _ start: Int64, _ end: Int64,
        line: UInt = #line
    ) throws {
        let times = try FFprobe.frames(fixture.url(name)).map(\.time)
        let output = "cut-\(start)-\(name)"
        let session = try fixture.export(fixture.asset(name), AVAssetExportPresetPassthrough, output, type) {
            $0.timeRange = CMTimeRange(start: self.time(start), end: self.time(end))
        }
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))", line: line)
        try MovieInspection.assertNoProblems(fixture.url(output), line: line)
        let (first, last) = (Double(start) / 1000, Double(end) / 1000)
        let ends = times.dropFirst() + [.infinity]
        let expected = zip(times, ends).filter { $0 < last && $1 > first }.map { max(0, $0.0 - first) }
        let found = try FFprobe.frames(fixture.url(output)).map(\.time)
        XCTAssertEqual(found.count, expected.count, output, line: line)
        for (a, b) in zip(found, expected) { XCTAssertEqual(a, b, accuracy: 1e-3, output, line: line) }
        let asset = fixture.asset(output)
        let track = try XCTUnwrap(asset.tracks.firstVideoTrack)
        XCTAssertEqual(track.map.presentedRuns.count, expected.count, output, line: line)
    }

    func testACutOfReorderedFramesWithDifferentDurationsShowsEachFrameOnce() throws {
        let fixture = try AssetWriterFixture()
        // The durations of samples are the times between frames in decode order, not in presentation order.
        try fixture.ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=2", "-vf",
            "settb=1/30000,setpts=(N+0.4*mod(N\\,3))/30/TB", "-fps_mode", "vfr", "-enc_time_base", "1/30000", "-c:v",
            "libx264", "-bf", "2", "-g", "15", "-b_strategy", "0", "@a.mp4")
        for start in stride(from: Int64(410), to: 620, by: 15) { try assertCut("a.mp4", .mp4, fixture, start, 1505) }
        fixture.assertNoMisuse()
    }

    func testFramesOfFragmentsWithoutAnEditListKeepTheirTimes() throws {
        let fixture = try AssetWriterFixture()
        try fixture.ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=2", "-vf", "settb=1/30000,setpts=(N+0.4*mod(N\\,3))/30/TB",
            "-fps_mode", "vfr", "-enc_time_base", "1/30000", "-c:v", "libx264", "-bf", "2", "-g", "15", "-b_strategy",
            "0", "-movflags", "frag_keyframe+empty_moov", "@a.mp4")
        let runs = try XCTUnwrap(fixture.asset("a.mp4").tracks.firstVideoTrack).map.samples
        let first = Double(runs.presentationStart) / 30_000
        XCTAssertGreaterThan(first, 0.05)
        for (name, type) in [("out.mp4", AVFileType.mp4), ("out.mov", .mov)] {
            let session = try fixture.export(fixture.asset("a.mp4"), AVAssetExportPresetPassthrough, name, type)
            XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
            let frames = try FFprobe.frames(fixture.url(name))
            XCTAssertEqual(frames.count, 60)
            XCTAssertEqual(try XCTUnwrap(frames.first).time, first, accuracy: 1e-3, name)
            let read = try fixture.asset(name).samples(.video, [:])
            XCTAssertEqual(try XCTUnwrap(read.first).presentationTimeStamp.seconds, first, accuracy: 1e-3, name)
        }
        fixture.assertNoMisuse()
    }

    func testCutSoundIsDecodedAsInTheWholeMovie() throws {
        let fixture = try AssetWriterFixture()
        // The packets of these codecs depend on earlier ones.
        for codec in ["aac", "ac3", "eac3", "mp2", "libmp3lame", "libopus"] {
            let (source, output) = ("\(codec).mp4", "cut-\(codec).mp4")
            try fixture.ffmpeg(
                "-f", "lavfi", "-i", "sine=f=440:r=48000:d=3", "-c:a", codec, "-b:a", "48k", "@\(source)")
            let session = try fixture.export(
                fixture.asset(source), AVAssetExportPresetPassthrough, output, .mp4
            ) { $0.timeRange = CMTimeRange(start: self.time(1015), end: self.time(1500)) }
            XCTAssertEqual(session.status, .completed, "\(codec): \(String(describing: session.error))")
            let samples = try decoded(fixture.url(output))
            XCTAssertGreaterThan(samples.count, 20_000, codec)
            let (first, later) = (Tone.peak(samples[0..<500]), Tone.peak(samples[5000..<10_000]))
            XCTAssertEqual(first, later, accuracy: 0.02, codec)
        }
    }

    func testACutKeepsTheGroupsOfItsSamples() throws {
        let fixture = try AssetWriterFixture()
        // ffmpeg writes a group for the packets of AAC (roll) to MPEG-4 files.
        try fixture.ffmpeg("-f", "lavfi", "-i", "sine=r=48000:d=3", "-c:a", "aac", "@a.mp4")
        let session = try fixture.export(fixture.asset("a.mp4"), AVAssetExportPresetPassthrough, "cut.mp4", .mp4) {
            $0.timeRange = CMTimeRange(start: self.time(1000), end: self.time(2000))
        }
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        XCTAssertEqual(session.omittedBoxes, [])
        let old = try XCTUnwrap(fixture.asset("a.mp4").tracks.first).map
        let new = try XCTUnwrap(fixture.asset("cut.mp4").tracks.first).map
        XCTAssertEqual(old.storedBoxes?.sampleBoxes.count, 2)
        XCTAssertEqual(new.storedBoxes?.sampleBoxes.first, old.storedBoxes?.sampleBoxes.first)
        // One run with all samples in the group 1.
        let count = withUnsafeBytes(of: UInt32(new.samples.sampleCount).bigEndian) { Data($0) }
        let groups = try XCTUnwrap(new.storedBoxes?.sampleBoxes.last)
        XCTAssertEqual(groups.suffix(12), Data([0, 0, 0, 1]) + count + Data([0, 0, 0, 1]))
        try MovieInspection.assertNoProblems(fixture.url("cut.mp4"))
    }

    /// Returns the sound of a file as ffmpeg decodes it.
    private func decoded(_ url: URL) throws -> [Float] {
        let result = try ExternalTool.run(
            "ffmpeg", ["-v", "error", "-i", url.path, "-ac", "1", "-f", "f32le", "-"])
        return result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
}
