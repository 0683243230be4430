import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import SimDevices

/// Measures the audio of simulated microphones.
final class AudioGeneratorTests: XCTestCase {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("obscura-sound-\(UUID().uuidString)", isDirectory: true)

    override func setUpWithError() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() {
        // Failures are ignored; the system cleans up temporary files.
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns a profile with one microphone and additional keys.
    private func profile(_ keys: String, channels: Int = 1) throws -> DeviceProfile {
        let text = """
            profile: 1
            name: test
            manufacturer: Obscura
            devices:
              - microphone:
                  id: m
                  name: M
                  model: m
                  sampleRates: [48 kHz]
                  channels: \(channels)
                  samples: [float32]
                  noiseFloor: -160 dBFS
            """
        let indentedKeys = keys.split(separator: "\n").map { "      \($0)\n" }.joined()
        return try DeviceProfile(yaml: text + "\n" + indentedKeys, file: folder.appendingPathComponent("p.yaml").path)
    }

    /// Returns the samples of each channel of a stream that starts at `start`.
    ///
    /// - Parameter gain: The input gain, 0 … 1; nil for the default.
    private func record(
        _ profile: DeviceProfile, seconds: Double = 1, start: CMTime = .zero, gain: Double? = nil
    ) throws -> [[Double]] {
        let clock = SimClock(start: start)
        let host = try SimHost(profiles: [profile], scene: .grey, clock: clock)
        let hardware = try XCTUnwrap(host.devices.last)
        let device = try hardware.open()
        if let gain { try device.set(.inputGain, to: .number(gain)) }
        let stream = try device.makeStream(
            StreamConfiguration(format: hardware.formats[0], frameDuration: .invalid))
        let received = Lock<[Float]>([])
        try stream.start { event in
            guard case .audio(let chunk) = event else { return }
            let floats = chunk.data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            received.withLock { $0 += floats }
        }
        clock.advance(by: .nanoseconds(Int64(seconds * 1e9) - 1))
        let all = received.withLock { $0 }
        guard case .audio(let format) = hardware.formats[0] else { return [] }
        return (0..<format.channelCount).map { channel in
            stride(from: channel, to: all.count, by: format.channelCount).map { Double(all[$0]) }
        }
    }

    /// Returns the peak amplitude in dBFS at a frequency in hertz, by Goertzel's algorithm (G. Goertzel, 1958).
    private func level(_ samples: some Collection<Double>, _ frequency: Double) -> Double {
        let factor = 2 * cos(2 * Double.pi * frequency / 48000)
        var (last, before) = (0.0, 0.0)
        for sample in samples { (last, before) = (sample + factor * last - before, last) }
        let power = last * last + before * before - factor * last * before
        return 20 * log10(max(2 * power.squareRoot() / Double(samples.count), 1e-9))
    }

    /// Returns the root mean square in dBFS.
    private func rootMeanSquareLevel(_ samples: some Collection<Double>) -> Double {
        10 * log10(samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count))
    }

    /// Returns the total harmonic distortion: the amplitude of the harmonics 2 … 9 relative to the fundamental.
    private func distortion(_ samples: [Double], _ frequency: Double) -> Double {
        let harmonics = (2...9).reduce(0.0) { $0 + pow(10, level(samples, frequency * Double($1)) / 10) }
        return (harmonics / pow(10, level(samples, frequency) / 10)).squareRoot()
    }

    func testAToneIsPureAndHasItsLevel() throws {
        let audio = try record(profile("tones: [{frequency: 1000 Hz, level: -6 dBFS}]"))[0]
        XCTAssertEqual(level(audio, 1000), -6, accuracy: 0.001)
        XCTAssertLessThan(distortion(audio, 1000), 1e-6)
        XCTAssertEqual(rootMeanSquareLevel(audio), -9.01, accuracy: 0.01)
    }

    func testNoiseIsWhiteAndHasItsLevel() throws {
        var deviceProfile = try profile("")
        guard case .microphone(var microphone) = deviceProfile.devices[0] else { return XCTFail("no microphone") }
        microphone.noiseFloor = -60
        deviceProfile.devices[0] = .microphone(microphone)
        let audio = try record(deviceProfile, seconds: 4)[0]
        XCTAssertEqual(rootMeanSquareLevel(audio), -60, accuracy: 0.1)
        // Each tenth of the spectrum contains a tenth of the power.
        for band in 0..<10 {
            let powers = (0..<24).map { pow(10, level(audio, Double(band) * 2400 + 50 + Double($0) * 97) / 10) }
            // The mean square of a bin's amplitude is 4 σ² / N.
            let expected = -60 + 10 * log10(4 / Double(audio.count))
            XCTAssertEqual(10 * log10(powers.reduce(0, +) / 24), expected, accuracy: 3, "band \(band)")
        }
    }

    func testASweepIsLinear() throws {
        let audio = try record(
            profile("sounds: [{sweep: [500 Hz, 4500 Hz], every: 2 s, level: -12 dBFS}]"), seconds: 4)[0]
        XCTAssertEqual(rootMeanSquareLevel(audio), -15.01, accuracy: 0.05)
        for (second, frequency) in [(0.25, 1000.0), (1, 2500), (1.75, 4000), (2.25, 1000)] {
            // Count the rising zero crossings in 50 ms.
            let firstSample = Int((second - 0.025) * 48000)
            let part = audio[firstSample..<firstSample + 2400]
            let crossings = zip(part, part.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
            XCTAssertEqual(Double(crossings) / 0.05, frequency, accuracy: 25)
        }
        let falling = try record(
            profile("sounds: [{sweep: [4500 Hz, 500 Hz], every: 2 s, level: -12 dBFS}]"), seconds: 2)[0]
        let endOfSweep = falling[84000..<86400]
        XCTAssertEqual(
            Double(zip(endOfSweep, endOfSweep.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count) / 0.05, 960, accuracy: 40
        )
    }

    func testClicksAreAlignedToTheClock() throws {
        // The stream starts 0.3 s after a click.
        let audio = try record(
            profile("sounds: [{clicks: 500 ms, level: -6 dBFS}]"), seconds: 1, start: CMTime(value: 113, timescale: 10))[
                0]
        let loud = audio.indices.filter { abs(audio[$0]) > 0.01 }
        XCTAssertEqual(loud.first, 9601)
        let gaps = zip(loud, loud.dropFirst()).filter { $1 - $0 > 1000 }
        XCTAssertEqual(gaps.map { $0.1 }, [33601])
        XCTAssertEqual(Double(gaps[0].0), 9600 + 240, accuracy: 3)
        XCTAssertEqual(level(audio[9600..<9840], 2000), -6, accuracy: 0.1)
    }

    func testTheLampIsOnDuringAClick() throws {
        let flash = SceneFlash(periodNanoseconds: 1_000_000_000)
        XCTAssertEqual(flash.litFraction(from: 0, to: 10_000_000), 1)
        XCTAssertEqual(flash.litFraction(from: 35_000_000, to: 45_000_000), 0.5)
        XCTAssertEqual(flash.litFraction(from: 500_000_000, to: 600_000_000), 0)
        XCTAssertEqual(flash.litFraction(from: 990_000_000, to: 1_090_000_000), 0.4)
        let deviceProfile = try profile("sounds: [{clicks: 250 ms, level: -6 dBFS, flash: true}]")
        XCTAssertEqual(deviceProfile.devices[0].sounds.first?.flash, SceneFlash(periodNanoseconds: 250_000_000))
    }

    func testTheLampFlashesInSyncWithTheClicks() throws {
        var deviceProfile = try profile("sounds: [{clicks: 500 ms, level: -6 dBFS, flash: true}]")
        deviceProfile.devices += try DeviceProfile.builtIn("webcam").devices.prefix(1)
        let clock = SimClock(start: CMTime(value: 3, timescale: 10))
        let host = try SimHost(profiles: [deviceProfile], scene: .grey, clock: clock)
        let camera = try XCTUnwrap(host.devices.last)
        let opened = try camera.open()
        let stream = try opened.makeStream(
            StreamConfiguration(format: camera.formats[4], frameDuration: CMTime(value: 1, timescale: 25)))
        // Disable the automatic exposure. An exposure of 10 ms ends before the next frame.
        try opened.set(.exposureDuration, to: .number(0.01))
        try opened.set(.iso, to: .number(200))
        let levels = Lock<[(milliseconds: Int64, luma: Double)]>([])
        try stream.start { event in
            guard case .video(let frame) = event, case .pixels(let buffer) = frame.payload else { return }
            let level = (frame.presentationTime.nanoseconds / 1_000_000, buffer.mean(0.3, 0.3, 0.4, 0.4).y)
            levels.withLock { $0.append(level) }
        }
        clock.advance(by: .milliseconds(1390))
        let all = levels.withLock { $0 }
        let median = all.map(\.luma).sorted()[all.count / 2]
        XCTAssertEqual(all.filter { $0.luma > median + 20 }.map(\.milliseconds), [500, 1020, 1500])
    }

    func testAFileIsPlayedSampleExactAndLoops() throws {
        let samples = (0..<24000).map { Int16(12000 * sin(Double($0) * 0.11) + Double($0 % 700)) }
        try writeWave(samples, rate: 48000, to: "a.wav")
        let looped = try record(profile("sounds: [{file: a.wav, level: 0 dBFS}]"), seconds: 1)[0]
        XCTAssertEqual(looped.count, 48000)
        for index in 0..<48000 {
            XCTAssertEqual(looped[index] * 32768, Double(samples[index % 24000]), accuracy: 0.01)
            if abs(looped[index] * 32768 - Double(samples[index % 24000])) > 0.01 { break }
        }
        let playedOnce = try record(profile("sounds: [{file: a.wav, level: -6.0206 dBFS, loop: false}]"), seconds: 1)[0]
        XCTAssertEqual(playedOnce[1000] * 65536, Double(samples[1000]), accuracy: 0.1)
        XCTAssertLessThan(rootMeanSquareLevel(playedOnce[24000...]), -150)
    }

    func testAFileOfAnotherRateIsResampled() throws {
        let samples = (0..<32000).map { Int16((16000 * sin(Double($0) * 2 * .pi * 440 / 16000)).rounded()) }
        try writeWave(samples, rate: 16000, to: "b.wav")
        let audio = try record(profile("sounds: [{file: b.wav, level: 0 dBFS}]"), seconds: 1)[0]
        XCTAssertEqual(level(audio, 440), 20 * log10(16000.0 / 32768), accuracy: 0.2)
        XCTAssertLessThan(level(audio, 470), -60)
    }

    func testGainAmplifiesAndClippingDistorts() throws {
        let keys = "tones: [{frequency: 1000 Hz, level: -12 dBFS}]\ngain: [-20 dB, 30 dB]\nclipLevel: -1 dBFS"
        let deviceProfile = try profile(keys)
        XCTAssertEqual(level(try record(deviceProfile)[0], 1000), -12, accuracy: 0.01)
        XCTAssertEqual(level(try record(deviceProfile, gain: 0)[0], 1000), -32, accuracy: 0.01)
        // A gain of 0.5 is 5 dB.
        let louder = try record(deviceProfile, gain: 0.5)[0]
        XCTAssertEqual(level(louder, 1000), -7, accuracy: 0.01)
        XCTAssertLessThan(distortion(louder, 1000), 1e-5)
        let clipped = try record(deviceProfile, gain: 1)[0]
        XCTAssertEqual(20 * log10(clipped.max() ?? 0), -1, accuracy: 0.001)
        XCTAssertEqual(20 * log10(-(clipped.min() ?? 0)), -1, accuracy: 0.001)
        // A sine clipped at a ninth of its peak is nearly a square wave. Its harmonics 3 … 9 are 43 %.
        XCTAssertEqual(distortion(clipped, 1000), 0.4, accuracy: 0.05)
    }

    func testChannelsHaveIndividualLevelsAndSounds() throws {
        let keys = """
            tones: [{frequency: 1000 Hz, level: -20 dBFS}]
            channelLevels: [0 dB, -6 dB, 3 dB]
            sounds: [{sweep: [3 kHz, 3 kHz], every: 1 s, level: -30 dBFS, channel: 1}]
            """
        let audio = try record(profile(keys, channels: 3))
        XCTAssertEqual(audio.map { ($0.count) }, [48000, 48000, 48000])
        for (channel, expected) in zip(0..<3, [-20.0, -26, -17]) {
            XCTAssertEqual(level(audio[channel], 1000), expected, accuracy: 0.01)
            XCTAssertEqual(level(audio[channel], 3000), channel == 1 ? -36 : -160, accuracy: channel == 1 ? 0.01 : 25)
        }
    }

    func testInvalidSoundsAreErrorsWithTheirLine() throws {
        for (keys, words) in [
            ("sounds: [{level: -6 dBFS}]", "one of sweep, clicks and file"),
            ("sounds: [{clicks: 1 s, file: a.wav, level: -6 dBFS}]", "one of sweep, clicks and file"),
            ("sounds: [{clicks: 1 s, every: 2 s, level: -6 dBFS}]", "takes no \"every\""),
            ("sounds: [{clicks: 1 s}]", "\"level\" is missing"),
            ("sounds: [{clicks: 1 s, level: -6 dBFS, channel: 1}]", "out of range"),
            ("sounds: [{file: none.wav, level: -6 dBFS}]", "there is no file"),
            ("sounds: [{sweep: [100 Hz], every: 1 s, level: -6 dBFS}]", "at least 2"),
            ("gain: [0 dBFS, 10 dBFS]", "use dB"),
            ("channelLevels: [0 dB, 0 dB]", "2 levels for 1 channels"),
            ("faults: [{frame: 3, do: green-frames}]", "use it for a camera"),
        ] {
            XCTAssertThrowsError(try profile(keys), keys) { error in
                XCTAssertTrue("\(error)".contains(words), "\(error)")
                XCTAssertEqual((error as? ProfileError)?.line, 13, "\(error)")
            }
        }
        try Data("no sound".utf8).write(to: folder.appendingPathComponent("text.wav"))
        let deviceProfile = try profile("sounds: [{file: text.wav, level: -6 dBFS}]")
        XCTAssertThrowsError(try SimHost(profiles: [deviceProfile], clock: SimClock())) { error in
            XCTAssertTrue("\(error)".contains("text.wav cannot be read"), "\(error)")
        }
    }

    /// Writes a RIFF file of 16-bit samples (IBM and Microsoft, "Multimedia Programming Interface", 1991).
    private func writeWave(_ samples: [Int16], rate: UInt32, to name: String) throws {
        var data = Data("RIFF".utf8)
        func add(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) } }
        func add(_ value: UInt16) { withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) } }
        add(UInt32(36 + samples.count * 2))
        data.append(Data("WAVEfmt ".utf8))
        add(UInt32(16))
        for value in [1, 1] as [UInt16] { add(value) }
        add(rate)
        add(rate * 2)
        for value in [2, 16] as [UInt16] { add(value) }
        data.append(Data("data".utf8))
        add(UInt32(samples.count * 2))
        for sample in samples { add(UInt16(bitPattern: sample)) }
        try data.write(to: folder.appendingPathComponent(name))
    }
}
