import AssetTypes
import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import Playback

/// A movie of numbered frames in a system with virtual time.
final class PlaybackFixture {
    static let frameRate: Int32 = 240
    let media: AssetWriterFixture
    let clock = SimClock()
    var system: CaptureSystem { media.system }
    let url: URL

    /// Writes a movie at 240 frames per second, with a key frame every eight frames.
    init(
        frameCount: Int = 48, transform: CGAffineTransform = .identity, backgroundModes: Set<BackgroundMode> = []
    ) throws {
        media = try AssetWriterFixture(clock: clock, backgroundModes: backgroundModes)
        let input = media.makeVideoInput([
            AVVideoMaxKeyFrameIntervalKey: 8, AVVideoAllowFrameReorderingKey: false,
        ])
        input.mediaTimeScale = 240
        input.transform = transform
        let writer = try media.makeWriter("movie.mov")
        writer.add(input)
        XCTAssertTrue(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for number in 0..<frameCount {
            input.append(
                try AssetWriterFixture.videoSample(
                    number, at: Self.time(Int64(number)), duration: Self.time(1)))
        }
        input.markAsFinished()
        writer.endSession(atSourceTime: AssetWriterFixture.start + Self.time(Int64(frameCount)))
        media.finish(writer)
        url = writer.outputURL
    }

    /// Returns the start time of a frame.
    static func time(_ frame: Int64) -> CMTime { CMTime(value: frame, timescale: frameRate) }

    /// Returns the number in the marker of a frame.
    static func number(_ buffer: CVPixelBuffer?) -> Int? {
        buffer.flatMap { FrameMarker.read(from: $0) }.map { Int($0.counter) }
    }

    /// Moves the movie out of the folder that is removed with the fixture, and returns its new URL.
    func keepMovie() throws -> URL {
        let keptURL = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString).mov")
        try FileManager.default.moveItem(at: url, to: keptURL)
        return keptURL
    }

    /// Returns a player with an item that is ready.
    func makePlayer() throws -> AVPlayer {
        let player = system.run { AVPlayer(url: url) }
        clock.settle()
        XCTAssertEqual(player.currentItem?.status, .readyToPlay)
        XCTAssertNil(player.currentItem?.error)
        return player
    }

    /// Returns a player, its item, which is ready, and the compositor of the item's frames.
    func makeComposedPlayer() throws -> (AVPlayer, AVPlayerItem, RecordingCompositor) {
        let player = try makePlayer()
        let item = try XCTUnwrap(player.currentItem)
        item.videoComposition = try RecordingCompositor.composition(of: item.asset)
        return (player, item, try XCTUnwrap(item.customVideoCompositor as? RecordingCompositor))
    }

    /// Advances the clock by the time in which a number of frames is played at a rate.
    func advance(frames: Double, rate: Double = 1) {
        clock.advance(by: .nanoseconds(Int64(frames / Double(Self.frameRate) / abs(rate) * 1e9)))
    }
}
