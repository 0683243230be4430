import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Tests the effect of a microphone's overrun on a movie.
final class LostSoundTests: XCTestCase {
    private let clock = SimClock(start: CMTime(value: 50, timescale: 1))
    private let rate = 48_000

    /// If a microphone loses 250 ms, silence of this duration keeps audio and video synchronized.
    func testLostAudioIsReplacedBySilenceOfTheSameDuration() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("lost-\(UUID().uuidString).mov")
        // The file does not exist if the test fails early.
        defer { try? FileManager.default.removeItem(at: url) }
        let chunks = try capture(losing: 12_000)
        XCTAssertEqual(chunks.filter(\.followsDiscontinuity).map(\.samplePosition), [Int64(rate / 2 + 12_000)])

        let format = try XCTUnwrap(chunks.first).format
        let recorder = try MovieRecorder(
            MovieRecorder.Configuration(
                container: .mov, fragmentInterval: .invalid, metadata: MovieMetadata(), video: nil,
                audio: AudioEncoderSettings(input: format)),
            url: url, storage: DiskStorage(), start: chunks[0].presentationTime)
        for chunk in chunks { try recorder.append(chunk) }
        _ = try recorder.finish(at: chunks[0].presentationTime + CMTime(value: 5, timescale: 4))

        // The movie has 0.5 s of the tone, 0.25 s of silence for the lost audio, and the tone again.
        let movie = try LabMovie(path: url.path)
        // The decoder also returns the padding of the last packet.
        XCTAssertEqual(Double(movie.samples.count), Double(rate * 5 / 4), accuracy: 1024)
        let silences = movie.silences(longerThan: 0.02)
        XCTAssertEqual(silences.count, 1, "\(silences)")
        XCTAssertEqual(try XCTUnwrap(silences.first).lowerBound, 0.5, accuracy: 0.004)
        XCTAssertEqual(try XCTUnwrap(silences.first).upperBound, 0.75, accuracy: 0.004)
        XCTAssertGreaterThan(movie.energyFraction(at: 1000, from: 0.8, to: 1.2), 0.95)
    }

    /// Captures one second of a 1 kHz tone. After half a second, an overrun loses `lostCount` frames.
    private func capture(losing lostCount: Int) throws -> [AudioChunk] {
        let kernel = FakeKernel(clock: clock)
        let sound = FakeAudioSystem(kernel: kernel)
        sound.pcm.sampleRate = Double(rate)
        sound.pcm.waveform = { position in
            let angle = 2 * Double.pi * 1000 * Double(position) / 48_000
            return Int16(12_000 * cos(angle))
        }
        let microphone = ALSAMicrophone(FakeAudioSystem.endpoint(), audioSystem: sound, kernel: kernel, clock: clock)
        let opened = try microphone.open()
        let stream = try opened.makeStream(
            StreamConfiguration(
                format: try XCTUnwrap(microphone.formats.first), frameDuration: CMTime(value: 1, timescale: 50)))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        for count in 1...50 {
            clock.advance(by: .milliseconds(20))
            sound.pcm.push(rate / 50)
            XCTAssertEqual(receiver.wait(for: count).count, count)
            if count == 25 {
                clock.advance(by: .milliseconds(lostCount * 1000 / rate))
                sound.pcm.overrun(losing: lostCount)
                XCTAssertTrue(kernel.waitUntil { sound.pcm.startCount == 2 })
            }
        }
        stream.stop()
        opened.close()
        return receiver.events.compactMap(\.chunk)
    }
}

extension LabMovie {
    /// Returns the time ranges, in seconds, in which the amplitude is below 0.01 for longer than `seconds`.
    fileprivate func silences(longerThan seconds: Double) -> [Range<Double>] {
        var spans: [Range<Double>] = []
        var begin: Int?
        for index in 0...samples.count {
            if index < samples.count, abs(samples[index]) < 0.01 {
                begin = begin ?? index
            } else if let first = begin {
                if Double(index - first) / sampleRate > seconds {
                    spans.append(Double(first) / sampleRate..<Double(index) / sampleRate)
                }
                begin = nil
            }
        }
        return spans
    }
}
