import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import SimDevices

final class SimMicrophoneTests: XCTestCase {
    private func fixture(
        rate: Double = 48000, sample: AudioStreamFormat.Sample = .float32, profile: String = "phone",
        chunk: CMTime = .invalid, seed: UInt64 = 1
    ) throws -> (clock: SimClock, device: any OpenDevice, stream: any DeviceStream, host: SimHost) {
        let clock = SimClock(start: CMTime(nanoseconds: 123_456_789))
        let host = try SimHost(profile: profile, sound: .tone, seed: seed, clock: clock)
        let hardware = try XCTUnwrap(host.devices.last)
        let format = try XCTUnwrap(
            hardware.formats.first {
                if case .audio(let audio) = $0 { audio.sampleRate == rate && audio.sample == sample } else { false }
            })
        let device = try hardware.open()
        return (
            clock, device, try device.makeStream(StreamConfiguration(format: format, frameDuration: chunk)), host
        )
    }

    private func record(_ stream: any DeviceStream, _ clock: SimClock, _ duration: Duration) throws -> [AudioChunk] {
        let chunks = Lock<[AudioChunk]>([])
        try stream.start { event in
            if case .audio(let chunk) = event { chunks.withLock { $0.append(chunk) } }
        }
        clock.advance(by: duration)
        stream.stop()
        return chunks.withLock { $0 }
    }

    /// Returns one channel as floats.
    private func samples(_ chunk: AudioChunk, channel: Int = 0) -> [Float] {
        chunk.data.withUnsafeBytes { bytes in
            stride(from: channel, to: chunk.frameCount * chunk.format.channelCount, by: chunk.format.channelCount).map {
                switch chunk.format.sample {
                case .int16: Float(bytes.load(fromByteOffset: $0 * 2, as: Int16.self)) / 32768
                case .float32: bytes.load(fromByteOffset: $0 * 4, as: Float.self)
                case .int32: Float(bytes.load(fromByteOffset: $0 * 4, as: Int32.self)) / 2_147_483_648
                }
            }
        }
    }

    func testTheTonesPhaseMatchesTheTimestamps() throws {
        for (rate, sample) in [(48000.0, AudioStreamFormat.Sample.float32), (44100, .float32), (48000, .int16)] {
            let (clock, _, stream, host) = try fixture(rate: rate, sample: sample)
            let chunks = try record(stream, clock, .milliseconds(995))
            XCTAssertEqual(chunks.count, 100)
            for chunk in [chunks[0], chunks[57], chunks[99]] {
                let measurement = try XCTUnwrap(
                    ToneProbe().measure(samples(chunk), sampleRate: rate, startTime: chunk.presentationTime))
                XCTAssertEqual(measurement.offsetNanoseconds, 0, accuracy: 500, "\(rate) \(sample)")
                XCTAssertEqual(measurement.level, -18, accuracy: 0.1)
            }
            withExtendedLifetime(host) {}
        }
    }

    func testAProbeMeasuresAShift() throws {
        let (clock, _, stream, _) = try fixture()
        let chunk = try XCTUnwrap(try record(stream, clock, .milliseconds(1)).first)
        let earlierTime = chunk.presentationTime - CMTime(nanoseconds: 100_000)
        let measurement = try XCTUnwrap(ToneProbe().measure(samples(chunk), sampleRate: 48000, startTime: earlierTime))
        XCTAssertEqual(measurement.offsetNanoseconds, 100_000, accuracy: 500)
        XCTAssertNil(ToneProbe(frequency: 3000).measure(samples(chunk), sampleRate: 48000, startTime: earlierTime))
        XCTAssertNil(ToneProbe().measure([0, 1, 0], sampleRate: 48000, startTime: earlierTime))
    }

    func testPositionsAndTimestampsDoNotDrift() throws {
        let (clock, _, stream, _) = try fixture(rate: 44100, chunk: CMTime(value: 1024, timescale: 44100))
        let chunks = try record(stream, clock, .seconds(7))
        XCTAssertEqual(chunks.count, 302)
        for (index, chunk) in chunks.enumerated() {
            XCTAssertEqual(chunk.frameCount, 1024)
            XCTAssertEqual(chunk.samplePosition, Int64(index) * 1024)
            XCTAssertFalse(chunk.followsDiscontinuity)
            let exact = 123_456_789 + (chunk.samplePosition * 1_000_000_000 + 22050) / 44100
            XCTAssertEqual(chunk.presentationTime.nanoseconds, exact)
        }
    }

    func testSamplesDoNotDependOnTheChunkLength() throws {
        let (clockA, _, streamA, _) = try fixture(chunk: CMTime(value: 480, timescale: 48000))
        let (clockB, _, streamB, _) = try fixture(chunk: CMTime(value: 1000, timescale: 48000))
        let a = try record(streamA, clockA, .milliseconds(99)).flatMap { samples($0) }
        let b = try record(streamB, clockB, .milliseconds(99)).flatMap { samples($0) }
        XCTAssertEqual(Array(a.prefix(4000)), Array(b.prefix(4000)))
    }

    func testEachChannelHasItsTone() throws {
        let (clock, _, stream, _) = try fixture(sample: .int16, profile: "webcam")
        let chunk = try XCTUnwrap(try record(stream, clock, .milliseconds(1)).first)
        XCTAssertEqual(chunk.format.channelCount, 2)
        for (channel, frequency, level) in [(0, 1000.0, -20.0), (1, 1500, -26)] {
            let measurement = try XCTUnwrap(
                ToneProbe(frequency: frequency).measure(
                    samples(chunk, channel: channel), sampleRate: 48000, startTime: chunk.presentationTime))
            XCTAssertEqual(measurement.level, level, accuracy: 0.2)
            XCTAssertEqual(measurement.offsetNanoseconds, 0, accuracy: 2000)
        }
    }

    func testNoiseHasItsLevelAndIsDeterminedByTheSeed() throws {
        func noise(seed: UInt64) throws -> [Float] {
            var profile = try DeviceProfile.builtIn("phone")
            guard case .microphone(var microphone) = try XCTUnwrap(profile.devices.last) else { return [] }
            microphone.tones = []
            profile.devices = [.microphone(microphone)]
            let clock = SimClock()
            let host = try SimHost(profiles: [profile], sound: .tone, seed: seed, clock: clock)
            let hardware = try XCTUnwrap(host.devices.first)
            let stream = try hardware.open().makeStream(
                StreamConfiguration(format: hardware.formats[1], frameDuration: .invalid))
            return try record(stream, clock, .milliseconds(999)).flatMap { samples($0) }
        }
        let noiseOfSeedOne = try noise(seed: 1)
        XCTAssertEqual(noiseOfSeedOne, try noise(seed: 1))
        XCTAssertNotEqual(noiseOfSeedOne, try noise(seed: 2))
        let squares = noiseOfSeedOne.reduce(0.0) { $0 + Double($1 * $1) }
        XCTAssertEqual(10 * log10(squares / Double(noiseOfSeedOne.count)), -68, accuracy: 0.2)
    }

    func testGainAndMuteApply() throws {
        let (clock, device, stream, _) = try fixture()
        try device.set(.inputGain, to: .number(0.5))
        var chunk = try XCTUnwrap(try record(stream, clock, .milliseconds(1)).first)
        let measurement = try XCTUnwrap(
            ToneProbe().measure(samples(chunk), sampleRate: 48000, startTime: chunk.presentationTime))
        XCTAssertEqual(measurement.level, -24, accuracy: 0.1)
        try device.set(.mute, to: .flag(true))
        chunk = try XCTUnwrap(try record(stream, clock, .milliseconds(1)).first)
        XCTAssertTrue(samples(chunk).allSatisfy { $0 == 0 })
        XCTAssertThrowsError(try device.set(.inputGain, to: .number(2)))
        XCTAssertThrowsError(try device.set(.iso, to: .number(2)))
    }

    func testLostChunksLeaveAGap() throws {
        let (clock, _, stream, host) = try fixture()
        try host.schedule(.dropFrames(count: 2), uniqueID: "phone.microphone", at: .frame(3))
        let chunks = try record(stream, clock, .milliseconds(60))
        XCTAssertEqual(chunks.map(\.samplePosition), [0, 480, 960, 2400, 2880])
        XCTAssertEqual(chunks.map(\.followsDiscontinuity), [false, false, false, true, false])
        let measurement = try XCTUnwrap(
            ToneProbe().measure(samples(chunks[3]), sampleRate: 48000, startTime: chunks[3].presentationTime))
        XCTAssertEqual(measurement.offsetNanoseconds, 0, accuracy: 500)
    }

    func testVideoAndAudioStartTogether() throws {
        let clock = SimClock(start: CMTime(nanoseconds: 777))
        let host = try SimHost(scene: .grey, clock: clock)
        let camera = try XCTUnwrap(host.devices.first)
        let microphone = try XCTUnwrap(host.devices.last)
        let times = Lock<[CMTime]>([])
        var streams: [any DeviceStream] = []
        for hardware in [camera, microphone] {
            let stream = try hardware.open().makeStream(
                StreamConfiguration(format: hardware.formats[0], frameDuration: CMTime(value: 1, timescale: 30)))
            streams.append(stream)
            try stream.start { event in
                switch event {
                case .video(let frame): times.withLock { $0.append(frame.presentationTime) }
                case .audio(let chunk): times.withLock { $0.append(chunk.presentationTime) }
                default: break
                }
            }
        }
        clock.advance(by: .milliseconds(1))
        XCTAssertEqual(times.withLock { $0 }, [CMTime(nanoseconds: 777), CMTime(nanoseconds: 777)])
    }
}
