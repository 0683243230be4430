import AVFoundation
import CaptureGuide
import CaptureTesting
import TestSupport
import XCTest

/// Tests how the guide's pitch algorithms change the audio of a range that is played at another speed.
///
/// The number in the name of a test is that of its row in docs/tutorials.md: `testS1_44…` tests S1-44.
@MainActor
final class PitchTests: XCTestCase {
    private func timeRange(_ start: Double, _ end: Double) -> CMTimeRange {
        CMTimeRange(
            start: CMTime(seconds: start, preferredTimescale: 600), end: CMTime(seconds: end, preferredTimescale: 600))
    }

    /// Writes a movie of two seconds with numbered frames and a tone of 1000 Hz.
    private func writeTone(_ simulated: SimulatedSystem) async throws -> AVAsset {
        let url = simulated.folder.appendingPathComponent("tone.mov")
        let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
        let video = AVAssetWriterInput(
            mediaType: .video,
            outputSettings: [
                AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: AssetWriterFixture.width,
                AVVideoHeightKey: AssetWriterFixture.height,
            ])
        let audio = AVAssetWriterInput(
            mediaType: .audio,
            outputSettings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48000.0, AVNumberOfChannelsKey: 1])
        for input in [video, audio] { writer.add(input) }
        XCTAssertTrue(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 0..<60 {
            while !video.isReadyForMoreMediaData || !audio.isReadyForMoreMediaData {
                await simulated.wait(for: .milliseconds(10))
            }
            video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
            audio.append(try AssetWriterFixture.audioSample(frame * 1600..<(frame + 1) * 1600))
        }
        await writer.finishWriting()
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        return AVURLAsset(url: url)
    }

    /// Exports an edit and returns its audio at 48000 samples per second.
    private func exportedAudio(
        _ edit: SlowMotionEdit, _ algorithm: AVAudioTimePitchAlgorithm, _ simulated: SimulatedSystem
    ) async throws -> [Float] {
        let url = simulated.folder.appendingPathComponent("\(UUID().uuidString).mov")
        try await edit.export(to: url, framesPerSecond: 30, pitch: algorithm)
        let asset = AVURLAsset(url: url)
        let track = try await asset.loadTracks(withMediaType: .audio)
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(
            track: try XCTUnwrap(track.first),
            outputSettings: [
                AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
            ])
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        var samples: [Float] = []
        while let buffer = output.copyNextSampleBuffer() {
            samples += try XCTUnwrap(buffer.dataBuffer).withUnsafeBytes { [Float]($0.bindMemory(to: Float.self)) }
        }
        return samples
    }

    /// Returns the samples between two times in seconds.
    private func part(_ samples: [Float], _ start: Double, _ end: Double) -> ArraySlice<Float> {
        samples[Int(start * 48_000)..<Int(end * 48_000)]
    }

    func testS1_44TheAlgorithmsKeepThePitchOrChangeItWithTheSpeed() async throws {
        let simulated = try SimulatedSystem()
        let asset = try await writeTone(simulated)
        for (algorithm, slow, fast) in [
            (AVAudioTimePitchAlgorithm.spectral, 1000.0, 1000.0), (.timeDomain, 1000, 1000),
            (AVAudioTimePitchAlgorithm(rawValue: "LowQualityZeroLatency"), 1000, 1000), (.varispeed, 500, 2000),
        ] {
            let name = algorithm.rawValue
            let slower = try await exportedAudio(
                try await SlowMotionEdit(asset, slowing: timeRange(0.5, 1.5), by: 2), algorithm, simulated)
            XCTAssertEqual(Double(slower.count) / 48_000, 3, accuracy: 0.01, name)
            XCTAssertEqual(Tone.frequency(part(slower, 0.1, 0.4)), 1000, accuracy: 10, name)
            XCTAssertEqual(Tone.frequency(part(slower, 0.7, 2.3)), slow, accuracy: slow / 100, name)
            let edit = try await SlowMotionEdit(asset, slowing: timeRange(0.5, 1.5), by: 1)
            edit.composition.scaleTimeRange(timeRange(0.5, 1.5), toDuration: timeRange(0, 0.5).duration)
            let faster = try await exportedAudio(edit, algorithm, simulated)
            XCTAssertEqual(Double(faster.count) / 48_000, 1.5, accuracy: 0.01, name)
            XCTAssertEqual(Tone.frequency(part(faster, 0.6, 0.9)), fast, accuracy: fast / 100, name)
            // No algorithm rounds the speed. On early versions of iOS, "LowQualityZeroLatency" supports only a few
            // fixed speeds; 1/1.1 is between two of them.
            let slightlySlower = try await SlowMotionEdit(asset, slowing: timeRange(0.5, 1.5), by: 1)
            slightlySlower.composition.scaleTimeRange(timeRange(0.5, 1.5), toDuration: timeRange(0, 1.1).duration)
            let audio = try await exportedAudio(slightlySlower, algorithm, simulated)
            let frequency = algorithm == .varispeed ? 1000 / 1.1 : 1000
            XCTAssertEqual(Tone.frequency(part(audio, 0.7, 1.4)), frequency, accuracy: 10, name)
        }
    }

    func testS1_44AudioIsSilentBelowAThirtySecondOfTheSpeed() async throws {
        let simulated = try SimulatedSystem()
        let asset = try await writeTone(simulated)
        for algorithm in [AVAudioTimePitchAlgorithm.spectral, .varispeed] {
            for (factor, isAudible) in [(32, true), (40, false)] as [(Int32, Bool)] {
                let edit = try await SlowMotionEdit(asset, slowing: timeRange(1, 1.05), by: factor)
                let audio = try await exportedAudio(edit, algorithm, simulated)
                let peak = Tone.peak(part(audio, 1.4, 2.2))
                XCTAssertEqual(peak > 0.05, isAudible, "\(algorithm.rawValue) at 1/\(factor): \(peak)")
            }
        }
    }
}
