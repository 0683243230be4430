import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

final class AudioMixTests: XCTestCase {
    private func time(_ milliseconds: Int64) -> CMTime { CMTime(value: milliseconds, timescale: 1000) }

    private func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
        CMTimeRange(start: time(start), end: time(end))
    }

    /// Writes one second of 16-bit linear PCM at 48 kHz with one constant value for each channel.
    private func movie(_ fixture: AssetWriterFixture, _ name: String, _ channels: [Int16]) throws -> AVAsset {
        let writer = try fixture.makeWriter(name)
        let input = fixture.makeAudioInput(kAudioFormatLinearPCM, [AVNumberOfChannelsKey: channels.count])
        writer.add(input)
        XCTAssertTrue(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: .zero)
        for chunk in 0..<10 {
            let samples = (0..<4800).flatMap { _ in channels }
            input.append(
                try AssetWriterFixture.audioSample(
                    samples.withUnsafeBytes { Data($0) },
                    flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, bits: 16,
                    channels: channels.count, frameCount: 4800, at: time(Int64(chunk) * 100)))
        }
        fixture.finish(writer)
        return fixture.system.run { AVURLAsset(url: fixture.url(name)) }
    }

    /// Creates a composition with one audio track for each movie.
    private func composition(
        _ fixture: AssetWriterFixture, _ sources: [(asset: AVAsset, start: Int64)]
    ) throws -> AVMutableComposition {
        let composition = fixture.system.run { AVMutableComposition() }
        for (asset, start) in sources {
            let track = try XCTUnwrap(
                composition.addMutableTrack(withMediaType: .audio, preferredTrackID: kCMPersistentTrackID_Invalid))
            try track.insertTimeRange(range(0, 1000), of: try XCTUnwrap(asset.tracks.first), at: time(start))
        }
        return composition
    }

    private func mixed(
        _ asset: AVAsset, _ mix: AVAudioMix? = nil, _ settings: [String: Any]? = nil, _ part: CMTimeRange? = nil
    ) throws -> [CMSampleBuffer] {
        let reader = try AVAssetReader(asset: asset)
        if let part { reader.timeRange = part }
        let output = AVAssetReaderAudioMixOutput(
            audioTracks: asset.tracks(withMediaType: .audio), audioSettings: settings)
        output.audioMix = mix
        reader.add(output)
        XCTAssertTrue(reader.startReading(), "\(String(describing: reader.error))")
        let samples = output.drain()
        XCTAssertEqual(reader.status, .completed, "\(String(describing: reader.error))")
        return samples
    }

    private func values<Sample>(_ buffers: [CMSampleBuffer], _ type: Sample.Type) throws -> [Sample] {
        try buffers.flatMap { buffer in
            try XCTUnwrap(buffer.dataBuffer).withUnsafeBytes { [Sample]($0.bindMemory(to: type)) }
        }
    }

    /// Creates a mix with one closure for each track, which sets the parameters of the track.
    private func mix(
        _ asset: AVAsset, _ configurations: [(AVMutableAudioMixInputParameters) -> Void]
    ) -> AVMutableAudioMix {
        let mix = AVMutableAudioMix()
        mix.inputParameters = zip(asset.tracks, configurations).map { track, configure in
            let parameters = AVMutableAudioMixInputParameters(track: track)
            configure(parameters)
            return parameters
        }
        return mix
    }

    func testTracksAreSummedAtTheirTimes() throws {
        let fixture = try AssetWriterFixture()
        let asset = try composition(
            fixture,
            [
                (try movie(fixture, "a.mov", [8192]), 0),
                (try movie(fixture, "b.mov", [4096, -2048]), 250),
            ])
        let buffers = try mixed(asset)
        let samples = try values(buffers, Float.self)
        XCTAssertEqual(buffers.first?.presentationTimeStamp, .zero)
        XCTAssertEqual(buffers.first?.formatDescription?.audioStreamBasicDescription?.mChannelsPerFrame, 2)
        XCTAssertEqual(samples.count, 2 * 60_000)
        for (frame, left, right) in [
            (0, 0.25, 0.25), (11_999, 0.25, 0.25), (12_000, 0.375, 0.1875), (47_999, 0.375, 0.1875),
            (48_000, 0.125, -0.0625), (59_999, 0.125, -0.0625),
        ] as [(Int, Float, Float)] {
            XCTAssertEqual(samples[2 * frame], left, "\(frame)")
            XCTAssertEqual(samples[2 * frame + 1], right, "\(frame)")
        }
        let part = try mixed(asset, nil, nil, range(240, 260))
        XCTAssertEqual(part.first?.presentationTimeStamp, time(240))
        let mono = try values(part, Float.self).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        XCTAssertEqual(mono, [Float](repeating: 0.25, count: 480) + [Float](repeating: 0.375, count: 480))
        fixture.assertNoMisuse()
    }

    func testSilencePrecedesATrackThatStartsLate() throws {
        let fixture = try AssetWriterFixture()
        let source = try movie(fixture, "a.mov", [8192])
        let asset = try composition(fixture, [(source, 500)])
        let samples = try values(try mixed(asset), Float.self)
        XCTAssertEqual(samples.count, 72_000)
        XCTAssertEqual(samples[..<24_000].max(), 0)
        XCTAssertEqual(samples[24_000...].min(), 0.25)
    }

    func testVolumesChangeInStepsAndRamps() throws {
        let fixture = try AssetWriterFixture()
        let asset = try composition(
            fixture, [(try movie(fixture, "a.mov", [16384]), 0), (try movie(fixture, "b.mov", [8192]), 0)])
        let mix = mix(
            asset,
            [
                { $0.setVolumeRamp(fromStartVolume: 0, toEndVolume: 1, timeRange: self.range(250, 750)) },
                {
                    $0.setVolume(0, at: .zero)
                    $0.setVolume(2, at: self.time(500))
                },
            ])
        let samples = try values(try mixed(asset, mix), Float.self)
        XCTAssertEqual(samples.count, 48_000)
        for frame in stride(from: 0, to: 48_000, by: 7) {
            let first = frame < 12_000 ? 1 : min(1, Float(frame - 12_000) / 24_000)
            let second: Float = frame < 24_000 ? 0 : 2
            XCTAssertEqual(samples[frame], 0.5 * first + 0.25 * second, accuracy: 1e-5, "\(frame)")
        }
    }

    func testLoudSumsAreClippedInIntegerFormats() throws {
        let fixture = try AssetWriterFixture()
        let asset = try composition(
            fixture, [(try movie(fixture, "a.mov", [30000]), 0), (try movie(fixture, "b.mov", [30000]), 0)])
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
            AVNumberOfChannelsKey: 2,
        ]
        XCTAssertEqual(Set(try values(try mixed(asset, nil, settings), Int16.self)), [32767])
    }

    func testAMixForOtherTracksIsMisuse() throws {
        let fixture = try AssetWriterFixture()
        let asset = try composition(fixture, [(try movie(fixture, "a.mov", [1]), 0)])
        let mix = mix(asset, [{ $0.trackID = 9 }])
        fixture.assertMisuse(.invalidArgument, "track 9") {
            AVAssetReaderAudioMixOutput(audioTracks: asset.tracks, audioSettings: nil).audioMix = mix
        }
        fixture.assertMisuse(.invalidArgument, "must contain audio tracks only") {
            _ = AVAssetReaderAudioMixOutput(audioTracks: [], audioSettings: nil)
        }
        let parameters = AVMutableAudioMixInputParameters()
        parameters.setVolumeRamp(fromStartVolume: 0, toEndVolume: 1, timeRange: range(0, 2))
        fixture.assertMisuse(.invalidArgument, "must not overlap") {
            parameters.setVolumeRamp(fromStartVolume: 0, toEndVolume: 1, timeRange: range(1, 3))
        }
        var (start, end, found): (Float, Float, CMTimeRange) = (9, 9, .invalid)
        XCTAssertTrue(parameters.getVolumeRamp(for: time(1), startVolume: &start, endVolume: &end, timeRange: &found))
        XCTAssertEqual([start, end], [0, 1])
        XCTAssertEqual(found, range(0, 2))
        let copy = try XCTUnwrap(mix.copy() as? AVAudioMix)
        mix.inputParameters = []
        XCTAssertEqual(copy.inputParameters.map(\.trackID), [9])
    }

    // MARK: Taps

    /// Creates a tap that doubles the samples, records the calls, and returns 1 / `divisor` of the frames.
    private func doublingTap(
        _ flags: MTAudioProcessingTapCreationFlags, _ calls: Lock<[String]>, keepingOneFrameOf divisor: Int = 1
    ) throws -> MTAudioProcessingTap {
        var callbacks = MTAudioProcessingTapCallbacks(
            version: kMTAudioProcessingTapCallbacksVersion_0, clientInfo: nil,
            init: { _, _, storage in
                storage.pointee = calloc(1, 8)
                calls.withLock { $0.append("init") }
            },
            finalize: { tap in
                free(MTAudioProcessingTapGetStorage(tap))
                calls.withLock { $0.append("finalize") }
            },
            prepare: { _, count, format in
                calls.withLock {
                    $0.append("prepare \(count) \(format.pointee.mSampleRate) \(format.pointee.mChannelsPerFrame)")
                }
            },
            unprepare: { _ in calls.withLock { $0.append("unprepare") } },
            process: { tap, count, _, list, countOut, flagsOut in
                var (time, read): (CMTimeRange, CMItemCount) = (.invalid, 0)
                XCTAssertEqual(MTAudioProcessingTapGetSourceAudio(tap, count, list, flagsOut, &time, &read), 0)
                for buffer in UnsafeMutableAudioBufferListPointer(list) {
                    let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
                    for frame in 0..<read { samples?[frame] *= 2 }
                }
                countOut.pointee = read / divisor
                calls.withLock {
                    $0.append("\(time.start.value) \(time.duration.value) \(flagsOut.pointee)")
                }
            })
        var tap: MTAudioProcessingTap?
        XCTAssertEqual(MTAudioProcessingTapCreate(kCFAllocatorDefault, &callbacks, flags, &tap), 0)
        return try XCTUnwrap(tap)
    }

    func testATapProcessesTheSamplesOfItsTrack() throws {
        let fixture = try AssetWriterFixture()
        let asset = try composition(
            fixture, [(try movie(fixture, "a.mov", [8192]), 0), (try movie(fixture, "b.mov", [4096]), 0)])
        let calls = Lock<[String]>([])
        do {
            let tap = try doublingTap(kMTAudioProcessingTapCreationFlag_PreEffects, calls)
            let mix = mix(
                asset,
                [
                    {
                        $0.audioTapProcessor = tap
                        $0.setVolume(0.5, at: .zero)
                    }
                ])
            let samples = try values(try mixed(asset, mix), Float.self)
            XCTAssertEqual(samples.count, 48_000)
            XCTAssertEqual(Set(samples), [0.375])
        }
        XCTAssertEqual(
            calls.withLock { $0 },
            [
                "init", "prepare 8192 48000.0 1", "0 8192 256", "8192 8192 0", "16384 8192 0", "24576 8192 0",
                "32768 8192 0", "40960 7040 512", "unprepare", "finalize",
            ])
    }

    func testATapAfterEffectsReceivesScaledSamplesAndMissingFramesAreSilent() throws {
        let fixture = try AssetWriterFixture()
        let asset = try composition(fixture, [(try movie(fixture, "a.mov", [8192]), 0)])
        let calls = Lock<[String]>([])
        let tap = try doublingTap(kMTAudioProcessingTapCreationFlag_PostEffects, calls, keepingOneFrameOf: 2)
        let mix = mix(
            asset,
            [
                {
                    $0.audioTapProcessor = tap
                    $0.setVolume(0.25, at: .zero)
                }
            ])
        let samples = try values(try mixed(asset, mix, nil, range(0, 100)), Float.self)
        XCTAssertEqual(samples, [Float](repeating: 0.125, count: 2400) + [Float](repeating: 0, count: 2400))
    }

    func testATapNeedsExactlyOneEffectsFlagAndReadsSourceAudioOnlyInItsProcessCallback() throws {
        let tap = try doublingTap(kMTAudioProcessingTapCreationFlag_PreEffects, Lock([]))
        var list = AudioBufferList()
        XCTAssertEqual(MTAudioProcessingTapGetSourceAudio(tap, 1, &list, nil, nil, nil), -12780)
        var callbacks = MTAudioProcessingTapCallbacks(
            version: 0, clientInfo: nil, init: nil, finalize: nil, prepare: nil, unprepare: nil,
            process: { _, _, _, _, _, _ in })
        var unmanaged: Unmanaged<MTAudioProcessingTap>?
        XCTAssertEqual(MTAudioProcessingTapCreate(nil, &callbacks, 0, &unmanaged), -12780)
        XCTAssertNil(unmanaged)
        XCTAssertEqual(
            MTAudioProcessingTapCreate(nil, &callbacks, kMTAudioProcessingTapCreationFlag_PostEffects, &unmanaged), 0)
        XCTAssertNotNil(unmanaged?.takeRetainedValue())
    }
}
