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

    /// Writes a movie with tracks of 16-bit sound at 48 kHz and, on request, video at 30 frames per second.
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

    private static func tone(_ frame: Int) -> Float {
        toneLevel * sin(2 * Float.pi * 440 * Float(frame % 1200) / Float(rate))
    }

    private func makePlayer(_ media: AssetWriterFixture, _ url: URL) -> AVPlayer {
        let player = media.system.run { AVPlayer(url: url) }
        clock.settle()
        XCTAssertEqual(player.currentItem?.status, .readyToPlay)
        return player
    }

    /// Advances the clock and returns what the left channel plays in that time.
    private func play(_ media: AssetWriterFixture, milliseconds: Int) throws -> [Float] {
        let start = clock.now
        clock.advance(by: .milliseconds(milliseconds))
        let samples = try media.system.soundOutput.samples(in: CMTimeRange(start: start, end: clock.now))
        XCTAssertEqual(samples.count, milliseconds * 48 * SoundOutput.channelCount)
        return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    }

    // MARK: Measurements

    /// The frequency of a tone in hertz, from its first to its last rising zero crossing.
    private func frequency(_ samples: some Collection<Float>) -> Double {
        let samples = Array(samples)
        var crossings: [Double] = []
        for index in 1..<max(1, samples.count) where samples[index - 1] < 0 && samples[index] >= 0 {
            crossings.append(Double(index) - Double(samples[index] / (samples[index] - samples[index - 1])))
        }
        guard let first = crossings.first, let last = crossings.last, crossings.count > 1 else { return 0 }
        return Double(crossings.count - 1) * Double(Self.rate) / (last - first)
    }

    private func peak(_ samples: some Collection<Float>) -> Float { samples.map(abs).max() ?? 0 }

    /// The greatest difference of neighboring samples.
    private func greatestStep(_ samples: [Float]) -> Float {
        zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    }

    // MARK: Tests

    func testAClapIsHeardWhenItIsSeen() throws {
        let media = try AssetWriterFixture(clock: clock)
        let url = try movie(
            media, seconds: 0.5, sound: [{ $0 == 9600 ? 0.9 : 0 }], isBright: { $0 >= 6 })
        clock.advance(by: .microseconds(12_345))
        let player = makePlayer(media, url)
        let output = AVPlayerItemVideoOutput()
        player.currentItem?.add(output)
        player.play()
        let start = clock.now
        var seen: CMTime?
        while player.rate != 0 {
            let buffer = try XCTUnwrap(
                output.copyPixelBuffer(forItemTime: player.currentTime(), itemTimeForDisplay: nil))
            CVPixelBufferLockBaseAddress(buffer, .readOnly)
            let luma = try XCTUnwrap(CVPixelBufferGetBaseAddressOfPlane(buffer, 0)).load(as: UInt8.self)
            CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
            if luma > 128, seen == nil { seen = clock.now }
            clock.advance(by: .milliseconds(1))
        }
        let samples = try media.system.soundOutput.samples(in: CMTimeRange(start: start, end: clock.now))
        let clap = try XCTUnwrap(samples.firstIndex { $0 > 0.5 }) / SoundOutput.channelCount
        XCTAssertEqual(Double(clap) / 48000, 0.2, accuracy: 1.0 / 48000)
        XCTAssertEqual((try XCTUnwrap(seen) - start).seconds, 0.2, accuracy: 0.001)
        XCTAssertEqual(samples[clap * 2], samples[clap * 2 + 1], "both channels")
        XCTAssertEqual(samples.filter { $0 > 0.5 }.count, 2)
    }

    func testChangesOfVolumeAndPausesDoNotClick() throws {
        let media = try AssetWriterFixture(clock: clock)
        let player = makePlayer(media, try movie(media, seconds: 1, sound: [Self.tone]))
        XCTAssertEqual(peak(try play(media, milliseconds: 20)), 0, "paused")
        let start = clock.now
        player.play()
        XCTAssertEqual(peak(try play(media, milliseconds: 50).dropFirst(240)), Self.toneLevel, accuracy: 0.001)
        player.volume = 0.5
        XCTAssertEqual(peak(try play(media, milliseconds: 50).dropFirst(240)), Self.toneLevel / 2, accuracy: 0.001)
        player.isMuted = true
        XCTAssertEqual(peak(try play(media, milliseconds: 50).dropFirst(240)), 0)
        player.isMuted = false
        XCTAssertEqual(peak(try play(media, milliseconds: 50).dropFirst(240)), Self.toneLevel / 2, accuracy: 0.001)
        player.seek(to: CMTime(value: 60_500, timescale: 90_000), toleranceBefore: .zero, toleranceAfter: .zero)
        clock.settle()
        XCTAssertGreaterThan(peak(try play(media, milliseconds: 50)), Self.toneLevel / 3)
        player.pause()
        XCTAssertEqual(peak(try play(media, milliseconds: 50).dropFirst(240)), 0)
        let all = try media.system.soundOutput.samples(in: CMTimeRange(start: start, end: clock.now))
        let left = stride(from: 0, to: all.count, by: 2).map { all[$0] }
        // The steepest part of the tone, and the slope of two ramps.
        let tone = Self.toneLevel * 2 * .pi * 440 / Float(Self.rate)
        XCTAssertLessThan(greatestStep(left), tone + 2 * Self.toneLevel / 240)
    }

    func testVarispeedChangesThePitchWithTheRate() throws {
        let media = try AssetWriterFixture(clock: clock)
        let player = makePlayer(media, try movie(media, seconds: 1, sound: [Self.tone]))
        player.currentItem?.audioTimePitchAlgorithm = .varispeed
        for (rate, expected) in [(1, 440), (0.5, 220), (2, 880)] as [(Float, Double)] {
            player.rate = rate
            let samples = try play(media, milliseconds: 150)
            XCTAssertEqual(frequency(samples.dropFirst(240)), expected, accuracy: expected / 100, "\(rate)")
            XCTAssertEqual(peak(samples.dropFirst(240)), Self.toneLevel, accuracy: 0.01, "\(rate)")
        }
        player.rate = -1
        XCTAssertEqual(peak(try play(media, milliseconds: 50).dropFirst(240)), 0, "reverse playback is silent")
    }

    func testTracksAndPlayersAreMixed() throws {
        let media = try AssetWriterFixture(clock: clock)
        let url = try movie(media, seconds: 0.3, sound: [Self.tone, Self.tone])
        let first = makePlayer(media, url)
        let second = makePlayer(media, url)
        first.play()
        second.play()
        XCTAssertEqual(peak(try play(media, milliseconds: 50).dropFirst(240)), 4 * Self.toneLevel, accuracy: 0.002)
        second.pause()
        XCTAssertEqual(peak(try play(media, milliseconds: 50).dropFirst(240)), 2 * Self.toneLevel, accuracy: 0.002)
        XCTAssertEqual(try media.system.soundOutput.samples(in: CMTimeRange(start: clock.now, end: clock.now)), [])
    }

    func testReadingInPartsGivesTheSameSamples() throws {
        let media = try AssetWriterFixture(clock: clock)
        let player = makePlayer(media, try movie(media, seconds: 0.5, sound: [Self.tone]))
        player.currentItem?.audioTimePitchAlgorithm = .varispeed
        let start = clock.now
        player.rate = 0.75
        let parts = try (0..<4).flatMap { _ in try play(media, milliseconds: 25) }
        let whole = try media.system.soundOutput.samples(in: CMTimeRange(start: start, end: clock.now))
        for (index, sample) in parts.enumerated() {
            XCTAssertEqual(sample, whole[index * 2], accuracy: 0.002, "\(index)")
        }
        XCTAssertGreaterThan(peak(parts), Self.toneLevel / 2)
    }

    func testAMovieThatIsCutIsAnErrorOfReading() throws {
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
