import MediaTypes
import TestSupport
import XCTest

@testable import MediaCodecs

final class AudioTimePitchTests: XCTestCase {
    private static let level: Float = 0.25
    /// One second of a tone.
    private let tone = (0..<48_000).map { Tone.sample($0, level: level) }

    private func makeConverter(
        _ speed: Double, _ method: AudioTimePitch.Method, channels: Int = 1
    ) throws -> AudioTimePitch {
        try AudioTimePitch(
            AudioStreamFormat(sampleRate: 48_000, channelCount: channels, sample: .float32), speed: speed,
            method: method, path: "a.mov")
    }

    /// Converts interleaved samples in blocks.
    private func convert(
        _ samples: [Float], by converter: AudioTimePitch, channels: Int = 1, blockFrames: Int = 1000
    ) throws -> [Float] {
        var bytes: [UInt8] = []
        for first in stride(from: 0, to: samples.count, by: blockFrames * channels) {
            let block = samples[first..<min(samples.count, first + blockFrames * channels)]
            bytes += try converter.convert(block.withUnsafeBytes { Array($0) }, frameCount: block.count / channels)
        }
        bytes += try converter.finish()
        return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    func testATimeStretchKeepsPitchAndLevelAtEverySpeed() throws {
        for method in [AudioTimePitch.Method.timeDomain, .spectral] {
            for speed in [0.125, 0.25, 0.5, 0.75, 1.25, 2, 4, 8] {
                let output = try convert(tone + tone, by: makeConverter(speed, method))
                XCTAssertEqual(output.count, Int(96_000 / speed), "\(method) \(speed)")
                // Windows that contain the start or the end of the tone contain other frequencies.
                let margin = max(2400, Int(4800 / speed))
                let body = output.dropFirst(margin).dropLast(margin)
                XCTAssertEqual(Tone.frequency(body), 440, accuracy: 1, "\(method) \(speed)")
                XCTAssertEqual(Tone.peak(body), Self.level, accuracy: 0.01, "\(method) \(speed)")
                XCTAssertLessThan(Tone.greatestStep(body), 1.05 * Tone.greatestStep(tone), "\(method) \(speed)")
                XCTAssertLessThan(Tone.greatestStep(output), 2 * Tone.greatestStep(tone), "\(method) \(speed)")
            }
        }
    }

    func testVarispeedChangesThePitch() throws {
        for (speed, frequency) in [(0.5, 220), (2, 880), (0.125, 55)] as [(Double, Double)] {
            let output = try convert(tone, by: makeConverter(speed, .varispeed))
            XCTAssertEqual(output.count, Int(48_000 / speed))
            XCTAssertEqual(Tone.frequency(output.dropLast(100)), frequency, accuracy: frequency / 1000)
            XCTAssertEqual(Tone.peak(output), Self.level, accuracy: 0.01)
        }
    }

    func testAClapKeepsItsRelativePosition() throws {
        // 1 ms of noise at 0.5 s and at 1 s.
        var claps = [Float](repeating: 0, count: 72_000)
        for start in [24_000, 48_000] { for index in 0..<48 { claps[start + index] = index % 5 < 2 ? 0.9 : -0.9 } }
        for method in [AudioTimePitch.Method.varispeed, .timeDomain, .spectral] {
            for speed in [0.5, 0.8, 1.5, 2] {
                let output = try convert(claps, by: makeConverter(speed, method))
                for time in [24_000.0, 48_000] {
                    let expected = Int(time / speed)
                    let around = expected - 2400..<expected + 2400
                    let loudest = try XCTUnwrap(around.max { abs(output[$0]) < abs(output[$1]) })
                    XCTAssertEqual(
                        Double(loudest) / 48, Double(expected) / 48, accuracy: 10, "ms, \(method) at \(speed)")
                    XCTAssertGreaterThan(abs(output[loudest]), 0.2, "\(method) at \(speed)")
                }
            }
        }
    }

    func testTheResultDoesNotDependOnBlocksOrEarlierInput() throws {
        for method in [AudioTimePitch.Method.varispeed, .timeDomain, .spectral] {
            let converter = try makeConverter(0.6, method)
            let inOneBlock = try convert(tone, by: converter, blockFrames: 48_000)
            converter.reset()
            let parts = try convert(tone, by: converter, blockFrames: 512)
            XCTAssertEqual(inOneBlock.count, parts.count)
            XCTAssertLessThan(zip(inOneBlock, parts).map { abs($0 - $1) }.max() ?? 1, 0.0001, "\(method)")
        }
    }

    func testChannelsAreNotMixed() throws {
        for method in [AudioTimePitch.Method.varispeed, .timeDomain, .spectral] {
            let stereo = tone.flatMap { sample -> [Float] in [sample, 0] }
            let output = try convert(stereo, by: makeConverter(0.5, method, channels: 2), channels: 2)
            let left = stride(from: 0, to: output.count, by: 2).map { output[$0] }
            let right = stride(from: 1, to: output.count, by: 2).map { output[$0] }
            XCTAssertEqual(Tone.peak(left.dropFirst(4800).dropLast(4800)), Self.level, accuracy: 0.01, "\(method)")
            XCTAssertLessThan(Tone.peak(right), 0.001, "\(method)")
        }
    }

    func testSpeedsOutOfRangeResultInSilenceOfTheRightLength() throws {
        for speed in [0.01, 33] {
            let output = try convert(tone, by: makeConverter(speed, .spectral))
            XCTAssertEqual(output.count, Int((48_000 / speed).rounded()))
            XCTAssertEqual(Tone.peak(output), 0)
        }
    }

    func testTheLowestAndHighestSpeedsAreNotSilent() throws {
        for speed in [1.0 / 32, 32] {
            for method in [AudioTimePitch.Method.timeDomain, .spectral] {
                let output = try convert(tone, by: makeConverter(speed, method))
                XCTAssertEqual(output.count, Int(48_000 / speed))
                XCTAssertGreaterThan(Tone.peak(output), Self.level / 2)
            }
        }
    }
}
