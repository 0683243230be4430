import AVFoundation
import CaptureGuide
import CaptureTesting
import TestSupport
import XCTest

/// How the algorithms of the guide change the sound of a part that is played at another speed.
@MainActor
final class PitchTests: XCTestCase {
    private func range(_ start: Double, _ end: Double) -> CMTimeRange {
        CMTimeRange(
            start: CMTime(seconds: start, preferredTimescale: 600), end: CMTime(seconds: end, preferredTimescale: 600))
    }

    /// Writes two seconds of numbered frames and a tone of 1000 Hz.
    private func tone(_ simulated: SimulatedSystem) async throws -> AVAsset {
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
            video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
            audio.append(try AssetWriterFixture.audioSample(frame * 1600..<(frame + 1) * 1600))
        }
        await writer.finishWriting()
        XCTAssertEqual(writer.status, .completed, "\(String(describing: writer.error))")
        return AVURLAsset(url: url)
    }

    /// Exports an edit and returns its sound, 48000 samples for each second.
    private func sound(
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

    private func part(_ samples: [Float], _ start: Double, _ end: Double) -> ArraySlice<Float> {
        samples[Int(start * 48_000)..<Int(end * 48_000)]
    }

    func testS1_44TheAlgorithmsKeepThePitchOrChangeItWithTheSpeed() async throws {
        let simulated = try SimulatedSystem()
        let asset = try await tone(simulated)
        for (algorithm, slow, fast) in [
            (AVAudioTimePitchAlgorithm.spectral, 1000.0, 1000.0), (.timeDomain, 1000, 1000),
            (AVAudioTimePitchAlgorithm(rawValue: "LowQualityZeroLatency"), 1000, 1000), (.varispeed, 500, 2000),
        ] {
            let name = algorithm.rawValue
            let slower = try await sound(
                try await SlowMotionEdit(asset, slowing: range(0.5, 1.5), by: 2), algorithm, simulated)
            XCTAssertEqual(Double(slower.count) / 48_000, 3, accuracy: 0.01, name)
            XCTAssertEqual(Tone.frequency(part(slower, 0.1, 0.4)), 1000, accuracy: 10, name)
            XCTAssertEqual(Tone.frequency(part(slower, 0.7, 2.3)), slow, accuracy: slow / 100, name)
            let edit = try await SlowMotionEdit(asset, slowing: range(0.5, 1.5), by: 1)
            edit.composition.scaleTimeRange(range(0.5, 1.5), toDuration: range(0, 0.5).duration)
            let faster = try await sound(edit, algorithm, simulated)
            XCTAssertEqual(Double(faster.count) / 48_000, 1.5, accuracy: 0.01, name)
            XCTAssertEqual(Tone.frequency(part(faster, 0.6, 0.9)), fast, accuracy: fast / 100, name)
            // No algorithm snaps: the speed is that of the edit, also between the speeds of older systems.
            let uneven = try await SlowMotionEdit(asset, slowing: range(0.5, 1.5), by: 1)
            uneven.composition.scaleTimeRange(range(0.5, 1.5), toDuration: range(0, 1.1).duration)
            let sound = try await sound(uneven, algorithm, simulated)
            let frequency = algorithm == .varispeed ? 1000 / 1.1 : 1000
            XCTAssertEqual(Tone.frequency(part(sound, 0.7, 1.4)), frequency, accuracy: 10, name)
        }
    }

    func testS1_44SpeedsFromAThirtySecondAreHeard() async throws {
        let simulated = try SimulatedSystem()
        let asset = try await tone(simulated)
        for algorithm in [AVAudioTimePitchAlgorithm.spectral, .varispeed] {
            for (factor, isHeard) in [(32, true), (40, false)] as [(Int32, Bool)] {
                let edit = try await SlowMotionEdit(asset, slowing: range(1, 1.05), by: factor)
                let sound = try await sound(edit, algorithm, simulated)
                let peak = Tone.peak(part(sound, 1.4, 2.2))
                XCTAssertEqual(peak > 0.05, isHeard, "\(algorithm.rawValue) at 1/\(factor): \(peak)")
            }
        }
    }
}
