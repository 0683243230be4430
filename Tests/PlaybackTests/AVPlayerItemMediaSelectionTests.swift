import CaptureHAL
import Foundation
import KeyValueObserving
import MediaAssets
import MediaTypes
import TestSupport
import XCTest

@testable import Playback

final class AVPlayerItemMediaSelectionTests: XCTestCase {
    private let clock = SimClock()

    /// Returns a player of a movie of two seconds with two alternative audio tracks: a tone of 440 Hz in English, and
    /// one of 220 Hz in German, which is the default.
    private func makePlayer(_ media: AssetWriterFixture) throws -> AVPlayer {
        let writer = try media.makeWriter("movie.mov")
        let inputs = (0..<2).map { _ in media.makeAudioInput(kAudioFormatLinearPCM) }
        for input in inputs { writer.add(input) }
        (inputs[0].languageCode, inputs[1].languageCode) = ("eng", "deu")
        writer.add(AVAssetWriterInputGroup(inputs: inputs, defaultInput: inputs[1]))
        XCTAssertTrue(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for (input, divisor) in zip(inputs, [1, 2]) {
            let values = (0..<96000).map { Int16(Tone.sample($0 / divisor % 1200, level: 0.25) * 32767) }
            input.append(
                try AssetWriterFixture.audioSample(
                    values.withUnsafeBytes { Data($0) },
                    flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, bits: 16, channels: 1,
                    frameCount: values.count, at: AssetWriterFixture.start))
        }
        media.finish(writer)
        let player = media.system.run { AVPlayer(url: writer.outputURL) }
        clock.settle()
        XCTAssertEqual(player.currentItem?.status, .readyToPlay)
        return player
    }

    /// Plays 300 ms and returns the frequency of the tone in Hz; 0 for silence.
    private func frequency(_ media: AssetWriterFixture) throws -> Double {
        let start = clock.now
        clock.advance(by: .milliseconds(300))
        let samples = try media.system.soundOutput.samples(in: CMTimeRange(start: start, end: clock.now))
        let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }.dropFirst(4800)
        return left.allSatisfy { abs($0) < 0.001 } ? 0 : Tone.frequency(left)
    }

    func testTheSelectedAudioTrackIsPlayed() throws {
        let media = try AssetWriterFixture(clock: clock)
        let player = try makePlayer(media)
        let item = try XCTUnwrap(player.currentItem)
        let group = try XCTUnwrap(item.asset.mediaSelectionGroup(forMediaCharacteristic: .audible))
        let changes = Lock(0, order: .client)
        let observation = item.observe(\.currentMediaSelection) { _, _ in changes.withLock { $0 += 1 } }
        player.play()
        XCTAssertEqual(try frequency(media), 220, accuracy: 2)
        item.select(group.options[0], in: group)
        XCTAssertEqual(changes.withLock { $0 }, 1)
        XCTAssertEqual(item.currentMediaSelection.selectedMediaOption(in: group), group.options[0])
        XCTAssertEqual(item.tracks.map(\.isEnabled), [true, false])
        XCTAssertEqual(try frequency(media), 440, accuracy: 4)
        item.select(nil, in: group)
        XCTAssertEqual(
            item.currentMediaSelection.selectedMediaOption(in: group), group.options[0],
            "one option is always selected")
        item.tracks[0].isEnabled = false
        XCTAssertEqual(try frequency(media), 0)
        item.tracks[1].isEnabled = true
        item.selectMediaOptionAutomatically(in: group)
        XCTAssertEqual(item.currentMediaSelection.selectedMediaOption(in: group), group.options[1])
        XCTAssertEqual(try frequency(media), 220, accuracy: 2)
        withExtendedLifetime(observation) {}
    }

    func testCriteriaSelectTheLanguage() throws {
        let media = try AssetWriterFixture(clock: clock)
        let player = try makePlayer(media)
        let item = try XCTUnwrap(player.currentItem)
        let group = try XCTUnwrap(item.asset.mediaSelectionGroup(forMediaCharacteristic: .audible))
        func selected(_ item: AVPlayerItem) -> String? {
            item.currentMediaSelection.selectedMediaOption(in: group)?.extendedLanguageTag
        }
        XCTAssertEqual(selected(item), "de")
        let english = AVPlayerMediaSelectionCriteria(
            preferredLanguages: ["fr", "en-GB"], preferredMediaCharacteristics: nil)
        player.setMediaSelectionCriteria(english, forMediaCharacteristic: .audible)
        XCTAssertTrue(player.mediaSelectionCriteria(forMediaCharacteristic: .audible) === english)
        XCTAssertEqual(selected(item), "en")
        player.play()
        XCTAssertEqual(try frequency(media), 440, accuracy: 4)
        item.select(group.options[1], in: group)
        XCTAssertEqual(selected(item), "de", "the option that the client selects overrides the criteria")
        let next = media.system.run { AVPlayerItem(asset: item.asset) }
        player.replaceCurrentItem(with: next)
        clock.settle()
        XCTAssertEqual(selected(next), "en", "criteria apply to items that become ready")
        player.appliesMediaSelectionCriteriaAutomatically = false
        let last = media.system.run { AVPlayerItem(asset: item.asset) }
        player.replaceCurrentItem(with: last)
        clock.settle()
        XCTAssertEqual(selected(last), "de")
    }
}
