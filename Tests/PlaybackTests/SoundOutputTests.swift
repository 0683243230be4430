import AssetTypes
import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes
import TestSupport
import XCTest

@testable import Playback

final class SoundOutputTests: XCTestCase {
    private static let rate = SoundOutput.sampleRate
    private static let toneLevel: Float = 0.25
    private let clock = SimClock()

    // MARK: Movies

    /// Writes a movie with tracks of 16-bit audio at 48 kHz and video at 30 frames per second.
    ///
    /// - Parameters:
    ///   - sound: For each audio track, the sample from -1 to 1 of an audio frame.
    ///   - isBright: Whether a video frame is white or black; nil for a movie without video.
    private func movie(
        _ media: AssetWriterFixture, seconds: Double, sound: [(Int) -> Float], isBright: ((Int) -> Bool)? = nil
    ) throws -> URL {
        let writer = try media.makeWriter("movie.mov")
        let inputs = sound.map { _ in media.makeAudioInput(kAudioFormatLinearPCM) }
        let video = isBright.map { _ in media.makeVideoInput([AVVideoAllowFrameReorderingKey: false]) }
        for input in inputs + [video].compactMap({ $0 }) { media.system.run { writer.add(input) } }
        XCTAssertTrue(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for number in 0..<Int(seconds * 30) {
            if let video, let isBright { video.append(try frame(number, isBright: isBright(number))) }
            for (input, sound) in zip(inputs, sound) {
                let range = number * 1600..<(number + 1) * 1600
                let values = range.map { Int16(sound($0) * 32767) }
                input.append(
                    try AssetWriterFixture.audioSample(
                        values.withUnsafeBytes { Data($0) },
                        flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, bits: 16, channels: 1,
                        frameCount: values.count,
                        at: AssetWriterFixture.start + CMTime(value: Int64(range.lowerBound), timescale: 48000)))
            }
        }
        media.finish(writer)
        return writer.outputURL
    }

    private func frame(_ number: Int, isBright: Bool) throws -> CMSampleBuffer {
        let buffer = try AssetWriterFixture.pixelBuffer(number)
        CVPixelBufferLockBaseAddress(buffer, [])
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddressOfPlane(buffer, 0))
        memset(base, isBright ? 235 : 16, CVPixelBufferGetBytesPerRowOfPlane(buffer, 0) * AssetWriterFixture.height)
        CVPixelBufferUnlockBaseAddress(buffer, [])
        return try CMSampleBuffer(
            imageBuffer: buffer, formatDescription: CMFormatDescription(imageBuffer: buffer),
            sampleTiming: CMSampleTimingInfo(
                duration: CMTime(value: 1, timescale: 30),
                presentationTimeStamp: AssetWriterFixture.start + CMTime(value: Int64(number), timescale: 30),
                decodeTimeStamp: .invalid))
    }

    private static func tone(_ frame: Int) -> Float { Tone.sample(frame % 1200, level: toneLevel) }

    private func makePlayer(_ media: AssetWriterFixture, _ url: URL) -> AVPlayer {
        let player = media.system.run { AVPlayer(url: url) }
        clock.settle()
        XCTAssertEqual(player.currentItem?.status, .readyToPlay)
        return player
    }

    /// Advances the clock and returns the samples of the left channel in that time.
    private func play(_ media: AssetWriterFixture, milliseconds: Int) throws -> [Float] {
        let start = clock.now
        clock.advance(by: .milliseconds(milliseconds))
        let samples = try media.system.soundOutput.samples(in: CMTimeRange(start: start, end: clock.now))
        XCTAssertEqual(samples.count, milliseconds * 48 * SoundOutput.channelCount)
        return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    }

    // MARK: Tests

    func testAClapIsPlayedWhenItsFrameIsShown() throws {
        let media = try AssetWriterFixture(clock: clock)
        let url = try movie(
            media, seconds: 0.5, sound: [{ $0 == 9600 ? 0.9 : 0 }], isBright: { $0 >= 6 })
        clock.advance(by: .microseconds(12_345))
        let player = makePlayer(media, url)
        let output = AVPlayerItemVideoOutput()
        player.currentItem?.add(output)
        player.play()
        let start = clock.now
        var flashTime: CMTime?
        while player.rate != 0 {
            let buffer = try XCTUnwrap(
                output.copyPixelBuffer(forItemTime: player.currentTime(), itemTimeForDisplay: nil))
            CVPixelBufferLockBaseAddress(buffer, .readOnly)
            let luma = try XCTUnwrap(CVPixelBufferGetBaseAddressOfPlane(buffer, 0)).load(as: UInt8.self)
            CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
            if luma > 128, flashTime == nil { flashTime = clock.now }
            clock.advance(by: .milliseconds(1))
        }
        let samples = try media.system.soundOutput.samples(in: CMTimeRange(start: start, end: clock.now))
        let clap = try XCTUnwrap(samples.firstIndex { $0 > 0.5 }) / SoundOutput.channelCount
        XCTAssertEqual(Double(clap) / 48000, 0.2, accuracy: 1.0 / 48000)
        XCTAssertEqual((try XCTUnwrap(flashTime) - start).seconds, 0.2, accuracy: 0.001)
        XCTAssertEqual(samples[clap * 2], samples[clap * 2 + 1], "both channels")
        XCTAssertEqual(samples.filter { $0 > 0.5 }.count, 2)
    }

    func testChangesOfVolumeAndPausesDoNotClick() throws {
        let media = try AssetWriterFixture(clock: clock)
        let player = makePlayer(media, try movie(media, seconds: 1, sound: [Self.tone]))
        XCTAssertEqual(Tone.peak(try play(media, milliseconds: 20)), 0, "paused")
        let start = clock.now
        player.play()
        XCTAssertEqual(Tone.peak(try play(media, milliseconds: 50).dropFirst(240)), Self.toneLevel, accuracy: 0.001)
        player.volume = 0.5
        XCTAssertEqual(Tone.peak(try play(media, milliseconds: 50).dropFirst(240)), Self.toneLevel / 2, accuracy: 0.001)
        player.isMuted = true
        XCTAssertEqual(Tone.peak(try play(media, milliseconds: 50).dropFirst(240)), 0)
        player.isMuted = false
        XCTAssertEqual(Tone.peak(try play(media, milliseconds: 50).dropFirst(240)), Self.toneLevel / 2, accuracy: 0.001)
        player.seek(to: CMTime(value: 60_500, timescale: 90_000), toleranceBefore: .zero, toleranceAfter: .zero)
        clock.settle()
        XCTAssertGreaterThan(Tone.peak(try play(media, milliseconds: 50)), Self.toneLevel / 3)
        player.pause()
        XCTAssertEqual(Tone.peak(try play(media, milliseconds: 50).dropFirst(240)), 0)
        let all = try media.system.soundOutput.samples(in: CMTimeRange(start: start, end: clock.now))
        let left = stride(from: 0, to: all.count, by: 2).map { all[$0] }
        // The limit is the steepest slope of the tone plus the slopes of two volume ramps.
        let tone = Self.toneLevel * 2 * .pi * 440 / Float(Self.rate)
        XCTAssertLessThan(Tone.greatestStep(left), tone + 2 * Self.toneLevel / 240)
    }

    func testThePitchAtOtherRatesFollowsTheAlgorithm() throws {
        let media = try AssetWriterFixture(clock: clock)
        let url = try movie(media, seconds: 2, sound: [Self.tone])
        for (algorithm, keepsPitch) in [(.varispeed, false), (.timeDomain, true), (.spectral, true)]
            as [(AVAudioTimePitchAlgorithm, Bool)]
        {
            let player = makePlayer(media, url)
            player.currentItem?.audioTimePitchAlgorithm = algorithm
            for rate in [1, 0.5, 2, 0.25, 4] as [Float] {
                player.rate = rate
                let samples = try play(media, milliseconds: 200)
                let expected = keepsPitch ? 440 : 440 * Double(rate)
                let label = "\(algorithm.rawValue) \(rate)"
                XCTAssertEqual(Tone.frequency(samples.dropFirst(240)), expected, accuracy: expected / 100, label)
                XCTAssertEqual(Tone.peak(samples.dropFirst(240)), Self.toneLevel, accuracy: 0.02, label)
            }
            player.rate = -1
            XCTAssertEqual(Tone.peak(try play(media, milliseconds: 50).dropFirst(240)), 0, "reverse is silent")
            player.pause()
        }
    }

    func testAPlayerKeepsThePitchByDefault() throws {
        let media = try AssetWriterFixture(clock: clock)
        let player = makePlayer(media, try movie(media, seconds: 1, sound: [Self.tone]))
        player.rate = 2
        XCTAssertEqual(
            Tone.frequency(try play(media, milliseconds: 200).dropFirst(240)), 440, accuracy: 4.4)
    }

    func testChangesOfTheRateDoNotClick() throws {
        let media = try AssetWriterFixture(clock: clock)
        let url = try movie(media, seconds: 2, sound: [Self.tone])
        for algorithm in [AVAudioTimePitchAlgorithm.varispeed, .timeDomain, .spectral] {
            let player = makePlayer(media, url)
            player.currentItem?.audioTimePitchAlgorithm = algorithm
            let start = clock.now
            for rate in [1, 0.5, 2, 0.75, 1, 1.5] as [Float] {
                player.rate = rate
                clock.advance(by: .milliseconds(120))
                player.volume = player.volume == 1 ? 0.8 : 1
                clock.advance(by: .milliseconds(60))
            }
            player.pause()
            clock.advance(by: .milliseconds(20))
            let all = try media.system.soundOutput.samples(in: CMTimeRange(start: start, end: clock.now))
            let left = stride(from: 0, to: all.count, by: 2).map { all[$0] }
            // The limit is the steepest slope of the tone at the highest rate plus the slopes of two volume ramps.
            let pitch: Float = algorithm == .varispeed ? 2 : 1
            let tone = Self.toneLevel * 2 * .pi * 440 * pitch / Float(Self.rate)
            XCTAssertLessThan(
                Tone.greatestStep(left), 1.05 * tone + 2 * Self.toneLevel / 240, algorithm.rawValue)
            // Between the changes the level does not drop.
            for change in 0..<6 {
                for part in [(20, 100), (140, 165)] {
                    let range = (change * 180 + part.0) * 48..<(change * 180 + part.1) * 48
                    XCTAssertGreaterThan(Tone.peak(left[range]), 0.75 * Self.toneLevel, algorithm.rawValue)
                }
            }
        }
    }

    func testAClapIsPlayedAtItsTimeAtOtherRates() throws {
        let media = try AssetWriterFixture(clock: clock)
        // 1 ms of noise after one second.
        let url = try movie(
            media, seconds: 2, sound: [{ (48_000..<48_048).contains($0) ? ($0 % 5 < 2 ? 0.9 : -0.9) : 0 }])
        for algorithm in [AVAudioTimePitchAlgorithm.varispeed, .timeDomain, .spectral] {
            for rate in [0.5, 2] {
                let player = makePlayer(media, url)
                player.currentItem?.audioTimePitchAlgorithm = algorithm
                player.rate = Float(rate)
                let samples = try play(media, milliseconds: Int(1200 / rate))
                let loudest = try XCTUnwrap(samples.indices.max { abs(samples[$0]) < abs(samples[$1]) })
                XCTAssertEqual(
                    Double(loudest) / 48, 1000 / rate, accuracy: 10, "ms, \(algorithm.rawValue) at \(rate)")
                player.pause()
            }
        }
    }

    func testTracksAndPlayersAreMixed() throws {
        let media = try AssetWriterFixture(clock: clock)
        let url = try movie(media, seconds: 0.3, sound: [Self.tone, Self.tone])
        let first = makePlayer(media, url)
        let second = makePlayer(media, url)
        first.play()
        second.play()
        XCTAssertEqual(Tone.peak(try play(media, milliseconds: 50).dropFirst(240)), 4 * Self.toneLevel, accuracy: 0.002)
        second.pause()
        XCTAssertEqual(Tone.peak(try play(media, milliseconds: 50).dropFirst(240)), 2 * Self.toneLevel, accuracy: 0.002)
        XCTAssertEqual(try media.system.soundOutput.samples(in: CMTimeRange(start: clock.now, end: clock.now)), [])
    }

    func testReadingInPartsReturnsTheSameSamples() throws {
        let media = try AssetWriterFixture(clock: clock)
        let url = try movie(media, seconds: 0.5, sound: [Self.tone])
        for algorithm in [AVAudioTimePitchAlgorithm.varispeed, .timeDomain, .spectral] {
            let player = makePlayer(media, url)
            player.currentItem?.audioTimePitchAlgorithm = algorithm
            let start = clock.now
            player.rate = 0.75
            let parts = try (0..<12).flatMap { _ in try play(media, milliseconds: 25) }
            player.pause()
            let continuous = try media.system.soundOutput.samples(in: CMTimeRange(start: start, end: clock.now))
            XCTAssertEqual(
                parts, stride(from: 0, to: continuous.count, by: 2).map { continuous[$0] }, algorithm.rawValue)
            XCTAssertGreaterThan(Tone.peak(parts), Self.toneLevel / 2)
        }
    }

    func testATruncatedMovieIsAReadError() throws {
        let media = try AssetWriterFixture(clock: clock)
        let url = try movie(media, seconds: 0.3, sound: [Self.tone])
        let player = makePlayer(media, url)
        player.play()
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: 100)
        try handle.close()
        XCTAssertThrowsError(try play(media, milliseconds: 50)) { XCTAssertTrue($0 is AVError, "\($0)") }
    }
}
