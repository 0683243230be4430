import AVFoundation
import CaptureGuide
import CaptureTesting
import TestSupport
import XCTest

/// Tests the guide's edits of a recorded movie of 240 frames per second.
///
/// The number in the name of a test is that of its row in docs/tutorials.md: `testS1_43…` tests S1-43.
@MainActor
final class EditingTests: XCTestCase {
    /// Whether the recording is three seconds long, as in the guide, instead of half a second; `CI/long-edit` sets it.
    private static let isLong = ProcessInfo.processInfo.environment["OBSCURA_LONG_EDIT"] == "1"
    private let recordingDuration: Duration = isLong ? .seconds(3) : .milliseconds(500)
    /// The time range in the middle that is played more slowly.
    private let slowRange =
        isLong
        ? CMTimeRange(start: CMTime(value: 1, timescale: 1), duration: CMTime(value: 1, timescale: 1))
        : CMTimeRange(start: CMTime(value: 1, timescale: 8), duration: CMTime(value: 1, timescale: 8))
    private let slowdown: Int32 = 8

    /// Records the street at 240 frames per second, and returns the movie's URL.
    private func record(_ simulated: SimulatedSystem) throws -> URL {
        let results = Events<MovieRecorder.Result>()
        let recorder = MovieRecorder { results.add($0) }
        let session = try makeSession(.hd1280x720, recorder.output)
        let device = try camera(of: session)
        let format = try XCTUnwrap(device.format(width: 1280, height: 720, framesPerSecond: 240))
        try device.use(format, framesPerSecond: 240)
        session.startRunning()
        simulated.advance(by: .milliseconds(100))
        recorder.start(to: simulated.folder.appendingPathComponent("street.mov"))
        simulated.advance(by: recordingDuration)
        recorder.stop()
        XCTAssertTrue(simulated.advance(until: { results.count == 1 }))
        session.stopRunning()
        return try XCTUnwrap(results.last).url
    }

    /// Converts a time of the recording to a time of the edit, in seconds.
    private func editTime(_ time: Double) -> Double {
        let (start, end) = (slowRange.start.seconds, slowRange.end.seconds)
        if time <= start { return time }
        return time < end ? start + (time - start) * Double(slowdown) : time + (end - start) * Double(slowdown - 1)
    }

    /// Returns the encoded samples of a movie's video track in decoding order.
    private func samples(_ url: URL) async throws -> [Data] {
        let asset = AVURLAsset(url: url)
        let track = try await asset.loadTracks(withMediaType: .video)
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: try XCTUnwrap(track.first), outputSettings: nil)
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        var samples: [Data] = []
        while let sample = output.copyNextSampleBuffer() {
            if let data = try sample.dataBuffer?.dataBytes() { samples.append(data) }
        }
        return samples
    }

    func testS1_43TheRateSetsTheSpeedOfPlayback() throws {
        let simulated = try SimulatedSystem(hasMarker: true)
        let player = AVPlayer(url: try record(simulated))
        simulated.advance(by: .zero)
        XCTAssertEqual(player.currentItem?.status, .readyToPlay)
        for rate in [0.5, 1, 5] as [Float] {
            player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero)
            simulated.advance(by: .zero)
            player.playImmediately(atRate: rate)
            simulated.advance(by: .milliseconds(80))
            XCTAssertEqual(player.currentTime().seconds, 0.08 * Double(rate), accuracy: 1e-6, "\(rate)")
            player.pause()
        }
    }

    func testS1_45AndS1_46ARangeOfAnInsertedMovieIsScaled() async throws {
        let simulated = try SimulatedSystem(hasMarker: true)
        let asset = AVURLAsset(url: try record(simulated))
        let edit = try await SlowMotionEdit(asset, slowing: slowRange, by: slowdown)
        let duration = try await asset.load(.duration)
        XCTAssertEqual(
            edit.composition.duration, duration + CMTimeMultiply(slowRange.duration, multiplier: slowdown - 1))
        let track = try XCTUnwrap(edit.composition.tracks(withMediaType: .video).first)
        XCTAssertEqual(
            track.segments.map(\.timeMapping.source.duration),
            [slowRange.start, slowRange.duration, duration - slowRange.end])
        XCTAssertEqual(
            track.segments.map(\.timeMapping.target.duration),
            [slowRange.start, CMTimeMultiply(slowRange.duration, multiplier: slowdown), duration - slowRange.end])
    }

    func testS1_47PassthroughKeepsAllFramesWithNewTimes() async throws {
        let simulated = try SimulatedSystem(hasMarker: true)
        let url = try record(simulated)
        let edit = try await SlowMotionEdit(AVURLAsset(url: url), slowing: slowRange, by: slowdown)
        let exported = simulated.folder.appendingPathComponent("all.mov")
        try await edit.exportAllFrames(to: exported)
        let (before, after) = (try DecodedMovie(url), try DecodedMovie(exported))
        XCTAssertGreaterThan(before.frames.count, Self.isLong ? 710 : 110)
        XCTAssertEqual(before.counters, after.counters)
        XCTAssertFalse(after.counters.contains(nil))
        for (old, new) in zip(before.frames, after.frames) {
            XCTAssertEqual(new.time.seconds, editTime(old.time.seconds), accuracy: 1e-6)
        }
        let times = try FFprobe.frames(exported).map(\.time)
        XCTAssertEqual(times.count, after.frames.count)
        for (probedTime, frame) in zip(times, after.frames) {
            XCTAssertEqual(probedTime, frame.time.seconds, accuracy: 2e-6)
        }
        let (recordedSamples, exportedSamples) = (try await samples(url), try await samples(exported))
        XCTAssertEqual(recordedSamples, exportedSamples)
    }

    func testS1_48AConstantRateShowsTheFrameOfEachTime() async throws {
        let simulated = try SimulatedSystem(hasMarker: true)
        let url = try record(simulated)
        let edit = try await SlowMotionEdit(AVURLAsset(url: url), slowing: slowRange, by: slowdown)
        let exported = simulated.folder.appendingPathComponent("constant.mov")
        try await edit.export(to: exported, framesPerSecond: 30, pitch: .spectral)
        let (before, after) = (try DecodedMovie(url), try DecodedMovie(exported))
        XCTAssertEqual(after.frames.count, Int((edit.composition.duration.seconds * 30).rounded(.up)))
        let shown = zip(before.frames, before.counters).map { (time: editTime($0.time.seconds), counter: $1) }
        for (index, counter) in after.counters.enumerated() {
            let time = Double(index) / 30
            XCTAssertEqual(after.frames[index].time.seconds, time, accuracy: 1e-6)
            XCTAssertEqual(counter, shown.last { $0.time <= time + 1e-9 }?.counter, "\(time) s")
        }
    }
}
