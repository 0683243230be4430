import AVFoundation
import CaptureTesting
import SimDevices
import SlowMotion
import XCTest

/// A recording of the simulated street at 240 frames per second, played at several rates.
final class StreetPlaybackTests: XCTestCase {
    func testARecordingOfTheStreetShowsTheRightFramesAtEachRate() throws {
        let simulated = try SimulatedSystem(hasMarker: true)
        let asset = AVURLAsset(url: try record(simulated))
        try assertShowsEachFrame(of: asset, in: simulated, at: [0.25, 1, 2, -1])
    }

    func testAnEditOfTheStreetShowsTheRightFramesBeforeAndAfterItsExport() throws {
        let simulated = try SimulatedSystem(hasMarker: true)
        let composition = AVMutableComposition()
        let asset = AVURLAsset(url: try record(simulated))
        try composition.insertTimeRange(CMTimeRange(start: .zero, duration: asset.duration), of: asset, at: .zero)
        let part = CMTimeRange(start: CMTime(value: 1, timescale: 20), duration: CMTime(value: 1, timescale: 20))
        composition.scaleTimeRange(part, toDuration: CMTimeMultiply(part.duration, multiplier: 8))
        try assertShowsEachFrame(of: composition, in: simulated, at: [0.25, 1, 2, -1])
        let url = simulated.folder.appendingPathComponent("edit.mov")
        let export = try XCTUnwrap(
            AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetPassthrough))
        (export.outputURL, export.outputFileType) = (url, .mov)
        export.exportAsynchronously {}
        simulated.advance(by: .milliseconds(100))
        XCTAssertEqual(export.status, .completed, "\(String(describing: export.error))")
        try assertShowsEachFrame(of: AVURLAsset(url: url), in: simulated, at: [0.25, 1, 2, -1])
    }

    /// Records 150 ms of the street.
    private func record(_ simulated: SimulatedSystem) throws -> URL {
        let isFinished = expectation(description: "finished")
        let recorder = try SlowMotionRecorder { _, error in
            XCTAssertNil(error)
            isFinished.fulfill()
        }
        recorder.session.startRunning()
        simulated.advance(by: .milliseconds(50))
        let url = simulated.folder.appendingPathComponent("street.mov")
        recorder.start(to: url)
        simulated.advance(by: .milliseconds(150))
        recorder.stop()
        wait(for: [isFinished], timeout: 10)
        recorder.session.stopRunning()
        return url
    }

    /// Asserts that a player shows each frame at its time, and that observers are called at exact times.
    private func assertShowsEachFrame(of asset: AVAsset, in simulated: SimulatedSystem, at rates: [Double]) throws {
        let source = try readFrames(asset)
        XCTAssertGreaterThan(source.count, 24)
        let player = AVPlayer(playerItem: AVPlayerItem(asset: asset))
        let output = AVPlayerItemVideoOutput()
        player.currentItem?.add(output)
        simulated.advance(by: .zero)
        XCTAssertEqual(player.currentItem?.status, .readyToPlay)
        let duration = try XCTUnwrap(player.currentItem?.duration)
        for rate in rates {
            player.pause()
            player.seek(to: rate < 0 ? duration : .zero, toleranceBefore: .zero, toleranceAfter: .zero)
            simulated.advance(by: .zero)
            var reached: [CMTime] = []
            let boundary = player.addBoundaryTimeObserver(
                forTimes: source.dropFirst().map { NSValue(time: $0.time) }, queue: .main
            ) { MainActor.assumeIsolated { reached.append(player.currentTime()) } }
            player.playImmediately(atRate: Float(rate))
            var previous: UInt32?
            var displayedCounters: [UInt32] = []
            // Read frames at 960 Hz, so that each frame is returned even at double speed.
            while player.timeControlStatus == .playing {
                simulated.advance(by: .nanoseconds(1_041_667))
                let now = player.currentTime()
                let buffer = output.copyPixelBuffer(forItemTime: now, itemTimeForDisplay: nil)
                let counter = buffer.flatMap { FrameMarker.read(from: $0) }?.counter
                let expected = source.last { $0.time <= max(now, source[0].time) }?.counter
                XCTAssertEqual(counter, expected, "\(now.seconds) s at rate \(rate)")
                if let counter, counter != previous { displayedCounters.append(counter) }
                previous = counter
            }
            let counters = source.map(\.counter)
            XCTAssertEqual(displayedCounters, rate < 0 ? counters.reversed() : counters, "\(rate)")
            let times = source.dropFirst().map(\.time)
            XCTAssertEqual(reached, rate < 0 ? times.reversed() : times, "\(rate)")
            player.removeTimeObserver(boundary)
        }
    }

    func testAnAsyncSeekReturnsWhetherItFinished() async throws {
        let url = try PlaybackFixture(frameCount: 8).keepMovie()
        defer { try? FileManager.default.removeItem(at: url) }
        let simulated = try SimulatedSystem()
        let player = AVPlayer(url: url)
        let isFinished = await player.seek(
            to: PlaybackFixture.time(3), toleranceBefore: .zero, toleranceAfter: .zero)
        XCTAssertTrue(isFinished)
        XCTAssertEqual(player.currentTime(), PlaybackFixture.time(3))
        withExtendedLifetime(simulated) {}
    }

    /// Reads the presentation times and the numbers of all frames.
    private func readFrames(_ asset: AVAsset) throws -> [(time: CMTime, counter: UInt32)] {
        let reader = try AVAssetReader(asset: asset)
        let track = try XCTUnwrap(asset.tracks(withMediaType: .video).first)
        let output = AVAssetReaderTrackOutput(
            track: track,
            outputSettings: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange])
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        var frames: [(time: CMTime, counter: UInt32)] = []
        while let sample = output.copyNextSampleBuffer() {
            let marker = try XCTUnwrap(sample.imageBuffer.flatMap { FrameMarker.read(from: $0) })
            frames.append((sample.presentationTimeStamp, marker.counter))
        }
        return frames
    }
}
