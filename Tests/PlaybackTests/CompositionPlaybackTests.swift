import CaptureHAL
import Foundation
import MediaAssets
import MediaEditing
import MediaTypes
import TestSupport
import XCTest

@testable import Playback

final class CompositionPlaybackTests: XCTestCase {
    private func time(_ frame: Int64) -> CMTime { PlaybackFixture.time(frame) }

    /// Returns a composition of the first 48 frames of a movie, with frames 16 to 31 slowed down by a factor of 8.
    private func slowMotion(_ fixture: PlaybackFixture) throws -> AVMutableComposition {
        try fixture.system.run {
            let composition = AVMutableComposition()
            try composition.insertTimeRange(
                CMTimeRange(start: .zero, duration: time(48)), of: AVURLAsset(url: fixture.url), at: .zero)
            composition.scaleTimeRange(CMTimeRange(start: time(16), duration: time(16)), toDuration: time(128))
            return composition
        }
    }

    func testAScaledSegmentIsShownAtExactTimes() throws {
        let fixture = try PlaybackFixture()
        let composition = try slowMotion(fixture)
        let player = fixture.system.run { AVPlayer(playerItem: AVPlayerItem(asset: composition)) }
        let output = AVPlayerItemVideoOutput()
        player.currentItem?.add(output)
        fixture.clock.settle()
        XCTAssertEqual(player.currentItem?.duration, time(160))
        for rate in [1, 0.5, 2] as [Double] {
            player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero)
            fixture.clock.settle()
            let start = fixture.clock.now
            player.rate = Float(rate)
            for frame in 0..<160 {
                let now = player.currentTime()
                var displayTime = CMTime.invalid
                let number = PlaybackFixture.number(
                    output.copyPixelBuffer(forItemTime: now, itemTimeForDisplay: &displayTime))
                let expected = frame < 16 ? frame : frame < 144 ? 16 + (frame - 16) / 8 : frame - 112
                XCTAssertEqual(number, expected, "frame \(frame) at rate \(rate)")
                let shownFrame = frame < 16 || frame >= 144 ? frame : 16 + (frame - 16) / 8 * 8
                XCTAssertEqual(displayTime, time(Int64(shownFrame)), "frame \(frame) at rate \(rate)")
                // Round up, so that the clock has reached the frame.
                let nanoseconds = Int64((Double(frame + 1) / 240 / rate * 1e9).rounded(.up))
                fixture.clock.advance(to: start + CMTime(nanoseconds: nanoseconds))
            }
            XCTAssertEqual(player.currentTime(), time(160))
            XCTAssertEqual(player.rate, 0)
        }
    }

    func testObserversAreCalledInAScaledSegment() throws {
        let fixture = try PlaybackFixture()
        let composition = try slowMotion(fixture)
        let player = fixture.system.run { AVPlayer(playerItem: AVPlayerItem(asset: composition)) }
        fixture.clock.settle()
        let times = Lock<[CMTime]>([], order: .client)
        let boundaries = [time(16), time(80), time(144)].map { NSValue(time: $0) }
        let observer = player.addBoundaryTimeObserver(forTimes: boundaries, queue: nil) { [weak player] in
            let now = player?.currentTime() ?? .invalid
            times.withLock { $0.append(now) }
        }
        player.rate = 4
        fixture.advance(frames: 200, rate: 4)
        XCTAssertEqual(times.withLock { $0 }, [time(16), time(80), time(144)])
        player.removeTimeObserver(observer)
    }

    func testTheSoundOfAScaledSegmentKeepsItsPitch() throws {
        let clock = SimClock()
        let media = try AssetWriterFixture(clock: clock)
        let writer = try media.makeWriter("tone.mov")
        try media.writeMedia(1, writer, video: nil, audio: media.makeAudioInput(kAudioFormatLinearPCM))
        let composition = try media.system.run {
            let composition = AVMutableComposition()
            let second = CMTime(value: 1, timescale: 1)
            try composition.insertTimeRange(
                CMTimeRange(start: .zero, duration: second), of: AVURLAsset(url: writer.outputURL), at: .zero)
            composition.scaleTimeRange(
                CMTimeRange(start: .zero, duration: second), toDuration: CMTime(value: 2, timescale: 1))
            return composition
        }
        for (algorithm, frequency) in [(.spectral, 1000), (.timeDomain, 1000), (.varispeed, 500)]
            as [(AVAudioTimePitchAlgorithm, Double)]
        {
            let player = media.system.run { AVPlayer(playerItem: AVPlayerItem(asset: composition)) }
            player.currentItem?.audioTimePitchAlgorithm = algorithm
            clock.settle()
            let start = clock.now
            player.play()
            clock.advance(by: .milliseconds(1800))
            player.pause()
            let samples = try media.system.soundOutput.samples(in: CMTimeRange(start: start, end: clock.now))
            let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
            XCTAssertEqual(
                Tone.frequency(left.dropFirst(9600)), frequency, accuracy: frequency / 100, algorithm.rawValue)
            clock.advance(by: .milliseconds(20))
        }
    }
}
