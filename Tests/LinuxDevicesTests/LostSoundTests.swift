import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes
import XCTest

@testable import LinuxDevices

/// The effect of a microphone's overrun on a movie.
final class LostSoundTests: XCTestCase {
    private let clock = SimClock(start: CMTime(value: 50, timescale: 1))
    private let rate = 48_000

    /// After a microphone has lost 250 ms, silence of this duration keeps audio and video synchronized.
    func testLostAudioIsSilenceOfTheSameDurationInTheMovie() throws {
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

        // A tone of 0.5 s, 0.25 s of lost audio, and the tone again, to the millisecond.
        let movie = try LabMovie(path: url.path)
        // The decoder also returns the padding of the last packet.
        XCTAssertEqual(Double(movie.samples.count), Double(rate * 5 / 4), accuracy: 1024)
        let quiet = movie.silences(longerThan: 0.02)
        XCTAssertEqual(quiet.count, 1, "\(quiet)")
        XCTAssertEqual(try XCTUnwrap(quiet.first).lowerBound, 0.5, accuracy: 0.004)
        XCTAssertEqual(try XCTUnwrap(quiet.first).upperBound, 0.75, accuracy: 0.004)
        XCTAssertGreaterThan(movie.energyFraction(at: 1000, from: 0.8, to: 1.2), 0.95)
    }

    /// A tone of one second with an overrun in its middle.
    private func capture(losing lostCount: Int) throws -> [AudioChunk] {
        let kernel = FakeKernel(clock: clock)
        let sound = FakeAudioSystem(kernel: kernel)
        sound.pcm.sampleRate = Double(rate)
        sound.pcm.wave = { position in
            let angle = 2 * Double.pi * 1000 * Double(position) / 48_000
            return Int16(12_000 * cos(angle))
        }
        let microphone = ALSAMicrophone(FakeAudioSystem.endpoint(), sound: sound, kernel: kernel, clock: clock)
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
    /// Returns the time ranges in seconds in which the amplitude is below 0.01.
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
