import CaptureHAL
import Foundation
import MediaAssets
import MediaEditing
import MediaTypes
import TestSupport
import XCTest

@testable import Playback

final class AVPlayerItemAudioMixTests: XCTestCase {
    private let clock = SimClock()

    private func time(_ milliseconds: Int64) -> CMTime { CMTime(value: milliseconds, timescale: 1000) }

    /// Writes one second of a constant sample.
    private func movie(_ media: AssetWriterFixture) throws -> URL {
        let writer = try media.makeWriter("movie.mov")
        let input = media.makeAudioInput(kAudioFormatLinearPCM)
        writer.add(input)
        XCTAssertTrue(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: .zero)
        let values = [Int16](repeating: 8192, count: 48_000)
        input.append(
            try AssetWriterFixture.audioSample(
                values.withUnsafeBytes { Data($0) },
                flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, bits: 16, channels: 1,
                frameCount: values.count, at: .zero))
        media.finish(writer)
        return writer.outputURL
    }

    func testTheAudioMixOfAnItemIsApplied() throws {
        let media = try AssetWriterFixture(clock: clock)
        let url = try movie(media)
        let player = media.system.run { AVPlayer(url: url) }
        clock.settle()
        let item = try XCTUnwrap(player.currentItem)
        let parameters = AVMutableAudioMixInputParameters(track: item.asset.tracks.first)
        parameters.setVolumeRamp(
            fromStartVolume: 1, toEndVolume: 0, timeRange: CMTimeRange(start: time(200), end: time(400)))
        let other = AVMutableAudioMixInputParameters()
        other.trackID = 99
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters, other]
        item.audioMix = mix
        XCTAssertEqual(item.audioMix?.inputParameters.count, 2)
        let start = clock.now
        player.play()
        clock.advance(by: .milliseconds(600))
        item.audioMix = nil
        clock.advance(by: .milliseconds(200))
        let samples = try media.system.soundOutput.samples(in: CMTimeRange(start: start, end: clock.now))
        for (milliseconds, expected) in [
            (100, 0.25), (199, 0.25), (250, 0.1875), (300, 0.125), (350, 0.0625), (500, 0), (650, 0.25),
        ] as [(Int, Float)] {
            XCTAssertEqual(samples[milliseconds * 96], expected, accuracy: 0.001, "\(milliseconds) ms")
            XCTAssertEqual(samples[milliseconds * 96 + 1], expected, accuracy: 0.001, "\(milliseconds) ms")
        }
        media.assertNoMisuse()
    }
}
