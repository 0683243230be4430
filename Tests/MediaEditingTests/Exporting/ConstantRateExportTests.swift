import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// Exports at a constant frame rate, with scaled audio, and with audio mixes.
final class ConstantRateExportTests: XCTestCase {
    private func time(_ value: Int64, _ timescale: CMTimeScale = 30) -> CMTime {
        CMTime(value: value, timescale: timescale)
    }

    private func range(_ start: Int64, _ end: Int64, _ timescale: CMTimeScale = 30) -> CMTimeRange {
        CMTimeRange(start: time(start, timescale), end: time(end, timescale))
    }

    func testEachFrameShowsTheSourceFrameAtItsTime() throws {
        let fixture = try AssetWriterFixture()
        let source = try fixture.movie("a.mov", 0..<96, framesPerSecond: 240)
        let composition = fixture.system.run { AVMutableComposition() }
        try composition.insertTimeRange(range(0, 96, 240), of: source, at: .zero)
        composition.scaleTimeRange(range(32, 64, 240), toDuration: time(256, 240))
        let edited = try composition.samples(.video, [:]).map { ($0.presentationTimeStamp, $0.counter) }
        let video = fixture.system.run { AVMutableVideoComposition(propertiesOf: composition) }
        video.sourceTrackIDForFrameTiming = kCMPersistentTrackID_Invalid
        for rate in [30, 25, 60] as [CMTimeScale] {
            video.frameDuration = time(1, rate)
            let name = "\(rate).mov"
            let session = try fixture.export(composition, AVAssetExportPresetHighestQuality, name) {
                $0.videoComposition = video
            }
            XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
            let frames = try fixture.asset(name).samples(.video, [:])
            let count = Int((composition.duration.seconds * Double(rate)).rounded(.up))
            XCTAssertEqual(frames.map(\.presentationTimeStamp), (0..<count).map { time(Int64($0), rate) }, "\(rate)")
            for frame in frames {
                let expected = edited.last { $0.0 <= frame.presentationTimeStamp }?.1
                XCTAssertEqual(frame.counter, expected, "\(frame.presentationTimeStamp.seconds) s at \(rate)")
            }
            XCTAssertEqual(try FFprobe.frames(fixture.url(name)).count, count)
            try AssetWriterFixture.assertDecodesSilently(fixture.url(name))
        }
        fixture.assertNoMisuse()
    }

    func testThePitchOfScaledAudioDependsOnTheAlgorithm() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mov")
        try fixture.writeMedia(2, writer, video: fixture.makeVideoInput(), audio: fixture.makeAudioInput())
        let composition = fixture.system.run { AVMutableComposition() }
        try composition.insertTimeRange(range(0, 60), of: fixture.asset("a.mov"), at: .zero)
        composition.scaleTimeRange(range(0, 60), toDuration: time(120))
        for (algorithm, frequency) in [
            (AVAudioTimePitchAlgorithm.spectral, 1000.0), (.timeDomain, 1000), (.varispeed, 500),
        ] {
            for preset in [AVAssetExportPresetHighestQuality, AVAssetExportPresetPassthrough] {
                let name = "\(algorithm.rawValue)-\(preset).mov"
                let session = try fixture.export(composition, preset, name) {
                    $0.audioTimePitchAlgorithm = algorithm
                }
                XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
                let audio = try decodedAudio(of: fixture.asset(name))
                XCTAssertEqual(Double(audio.count), 4 * 48_000, accuracy: 2400, name)
                XCTAssertEqual(
                    Tone.frequency(audio[48_000..<144_000]), frequency, accuracy: frequency / 100, name)
            }
        }
    }

    func testAnAudioMixResultsInOneTrack() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("a.mov")
        try fixture.writeMedia(1, writer, video: fixture.makeVideoInput(), audio: fixture.makeAudioInput())
        let asset = fixture.asset("a.mov")
        let audio = try XCTUnwrap(asset.tracks(withMediaType: .audio).first)
        let parameters = AVMutableAudioMixInputParameters(track: audio)
        parameters.setVolume(0.25, at: .zero)
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        let session = try fixture.export(asset, AVAssetExportPresetAppleM4A, "out.m4a", .m4a) { $0.audioMix = mix }
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        let (before, after) = (try decodedAudio(of: asset), try decodedAudio(of: fixture.asset("out.m4a")))
        // Not the peaks: encoded again, the tone can have a click, which depends on the last bits of the decoded samples
        // and therefore on the version of FFmpeg.
        let level = { (samples: [Float]) in Tone.level(samples[9600..<38_400]) }
        XCTAssertEqual(level(after) / level(before), 0.25, accuracy: 0.02)
        XCTAssertEqual(fixture.asset("out.m4a").tracks.count, 1)
        // The passthrough preset ignores the mix.
        let copied = try fixture.export(asset, AVAssetExportPresetPassthrough, "copy.mov") { $0.audioMix = mix }
        XCTAssertEqual(copied.status, .completed)
        XCTAssertEqual(level(try decodedAudio(of: fixture.asset("copy.mov"))), level(before), accuracy: 0.001)
    }

    /// Returns the decoded audio samples of an asset.
    private func decodedAudio(of asset: AVAsset) throws -> [Float] {
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
        ]
        return try asset.samples(.audio, settings).flatMap { sample in
            try XCTUnwrap(sample.dataBuffer).dataBytes().withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        }
    }
}
