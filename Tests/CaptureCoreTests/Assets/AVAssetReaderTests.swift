import AssetTypes
import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import CaptureCore

final class AVAssetReaderTests: XCTestCase {
    func testEveryFrameIsReadWithItsTime() throws {
        let fixture = try MovieRecordingFixture()
        let asset = try fixture.asset(milliseconds: 1500)
        let reference = try fixture.decode()
        let samples = try read(asset, .video, [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]).samples
        XCTAssertEqual(samples.map(\.presentationTimeStamp), reference.frames.map(\.time))
        XCTAssertEqual(
            samples.map { $0.imageBuffer.flatMap(FrameMarker.read(from:))?.counter },
            reference.frames.map { $0.marker?.counter })
        XCTAssertTrue(
            samples.allSatisfy {
                $0.imageBuffer.map(CVPixelBufferGetPixelFormatType) == kCVPixelFormatType_32BGRA
            })
        for (first, second) in zip(samples, samples.dropFirst()) {
            XCTAssertEqual(first.presentationTimeStamp + first.duration, second.presentationTimeStamp)
        }
        XCTAssertEqual(samples.last.map { $0.presentationTimeStamp + $0.duration }, asset.duration)
    }

    func testFramesHaveTheRequestedSize() throws {
        let fixture = try MovieRecordingFixture(microphone: nil)
        let asset = try fixture.asset(milliseconds: 300)
        let samples = try read(asset, .video, [kCVPixelBufferWidthKey: 160, kCVPixelBufferHeightKey: 120]).samples
        let pixels = try XCTUnwrap(samples.first?.imageBuffer)
        XCTAssertEqual(CVPixelBufferGetWidth(pixels), 160)
        XCTAssertEqual(CVPixelBufferGetHeight(pixels), 120)
        XCTAssertEqual(CVPixelBufferGetPixelFormatType(pixels), kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    }

    func testAudioIsReadWithExactTimesAndSamples() throws {
        let fixture = try MovieRecordingFixture()
        let asset = try fixture.asset(milliseconds: 1500)
        let reference = try fixture.decode()
        let samples = try read(
            asset, .audio,
            [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32]
        ).samples
        let frameCount = samples.reduce(0) { $0 + $1.numSamples }
        XCTAssertEqual(frameCount, Int((asset.duration.seconds * reference.sampleRate).rounded()))
        XCTAssertEqual(samples.first?.presentationTimeStamp, .zero)
        var time = CMTime.zero
        var audio: [Float] = []
        for sample in samples {
            XCTAssertEqual(sample.presentationTimeStamp, time)
            time = time + sample.duration
            let data = try XCTUnwrap(sample.dataBuffer).dataBytes()
            let channels = data.count / 4 / sample.numSamples
            data.withUnsafeBytes { bytes in
                for frame in 0..<sample.numSamples {
                    audio.append(bytes.loadUnaligned(fromByteOffset: frame * channels * 4, as: Float.self))
                }
            }
        }
        let offset = Int((reference.audioStart.seconds * reference.sampleRate).rounded())
        for index in stride(from: 0, to: min(audio.count, reference.audioSamples.count) - abs(offset), by: 97) {
            XCTAssertEqual(audio[index], reference.audioSamples[index - offset], accuracy: 1e-6)
        }
    }

    func testAudioIsReadInEveryFormat() throws {
        let fixture = try MovieRecordingFixture()
        let asset = try fixture.asset(milliseconds: 700)
        let outputSettings: [(settings: [String: Any], bytesPerSample: Int)] = [
            ([:], 2), ([AVLinearPCMBitDepthKey: 24, AVLinearPCMIsBigEndianKey: true], 3),
            ([AVLinearPCMBitDepthKey: 32, AVLinearPCMIsNonInterleaved: true], 4),
            ([AVLinearPCMBitDepthKey: 64, AVLinearPCMIsFloatKey: true], 8),
            ([AVSampleRateKey: 16000, AVNumberOfChannelsKey: 1], 2), ([AVSampleRateKey: 44100.0], 2),
        ]
        for (settings, bytesPerSample) in outputSettings {
            let samples = try read(asset, .audio, settings.merging([AVFormatIDKey: kAudioFormatLinearPCM]) { $1 })
                .samples
            let stream = try XCTUnwrap(samples.first?.formatDescription?.audioStreamBasicDescription)
            let frameCount = samples.reduce(0) { $0 + $1.numSamples }
            XCTAssertEqual(
                frameCount, Int((asset.duration.seconds * stream.mSampleRate).rounded()), "\(settings)")
            let byteCount = samples.reduce(0) { $0 + ($1.dataBuffer?.dataLength ?? 0) }
            XCTAssertEqual(byteCount, frameCount * bytesPerSample * Int(stream.mChannelsPerFrame), "\(settings)")
        }
    }

    func testATimeRangeIsReadExactly() throws {
        let fixture = try MovieRecordingFixture()
        let asset = try fixture.asset(milliseconds: 1500)
        let reference = try fixture.decode()
        let range = CMTimeRange(
            start: CMTime(value: 510, timescale: 1000), end: CMTime(value: 900, timescale: 1000))
        let video = try read(asset, .video, [:], range).samples
        let expected = reference.frames.filter { frame in
            frame.time < range.end && frame.time + CMTime(value: 1, timescale: 30) > range.start
        }
        XCTAssertEqual(
            video.map { $0.imageBuffer.flatMap(FrameMarker.read(from:))?.counter }, expected.map { $0.marker?.counter })
        let audio = try read(asset, .audio, [AVFormatIDKey: kAudioFormatLinearPCM], range).samples
        XCTAssertEqual(audio.first?.presentationTimeStamp, range.start)
        XCTAssertEqual(
            audio.reduce(0) { $0 + $1.numSamples }, Int((range.duration.seconds * reference.sampleRate).rounded()))
    }

    func testUndecodedSamplesAreThoseOfTheFile() throws {
        let fixture = try MovieRecordingFixture()
        let asset = try fixture.asset(milliseconds: 1500)
        let video = try XCTUnwrap(asset.tracks(withMediaType: .video).first)
        let samples = try read(asset, .video, nil).samples
        XCTAssertEqual(samples.map(\.totalSampleSize), video.map.presentedRuns.map { Int($0.size) })
        XCTAssertEqual(samples.count, 45)
        XCTAssertEqual(samples.first?.presentationTimeStamp, .zero)
        XCTAssertEqual(samples.first?.sampleAttachments[0][.notSync] as? Bool, nil)
        XCTAssertEqual(samples[1].sampleAttachments[0][.notSync] as? Bool, true)
        XCTAssertEqual(samples.first?.formatDescription?.nalUnitHeaderLength, 4)
        let audio = try read(asset, .audio, nil).samples
        // The priming is trimmed from the presented audio.
        XCTAssertEqual(audio.first?.outputPresentationTimeStamp, .zero)
        XCTAssertLessThan(try XCTUnwrap(audio.first?.presentationTimeStamp), .zero)
        XCTAssertEqual(
            audio.last.map { $0.outputPresentationTimeStamp + $0.outputDuration }, asset.duration)
    }

    func testUndecodedSamplesOfARangeStartAtTheKeyFrame() throws {
        let fixture = try MovieRecordingFixture(microphone: nil)
        let asset = try fixture.asset(milliseconds: 1500)
        let range = CMTimeRange(start: CMTime(value: 1, timescale: 2), duration: CMTime(value: 1, timescale: 5))
        let samples = try read(asset, .video, nil, range).samples
        XCTAssertNil(samples.first?.sampleAttachments[0][.notSync])
        let shown = samples.filter { $0.sampleAttachments[0][.doNotDisplay] == nil }
        XCTAssertEqual(shown.count, 6)
        XCTAssertGreaterThan(samples.count, shown.count)
    }

    func testTimeRangesCanBeReadRepeatedly() throws {
        let fixture = try MovieRecordingFixture(microphone: nil)
        let asset = try fixture.asset(milliseconds: 1000)
        let reader = try fixture.capture.inSystem { try AVAssetReader(asset: asset) }
        let track = try XCTUnwrap(asset.tracks.first)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: [:])
        output.supportsRandomAccess = true
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        let all = output.drain()
        XCTAssertEqual(reader.status, .reading)
        let range = CMTimeRange(start: all[3].presentationTimeStamp, end: all[5].presentationTimeStamp)
        output.reset(forReadingTimeRanges: [NSValue(timeRange: range)])
        let again = output.drain()
        XCTAssertEqual(again.map(\.presentationTimeStamp), all[3..<5].map(\.presentationTimeStamp))
        output.markConfigurationAsFinal()
        XCTAssertEqual(reader.status, .completed)
        fixture.capture.assertNoMisuse()
        let message = fixture.capture.assertMisuse(.invalidArgument) { output.reset(forReadingTimeRanges: []) }
        XCTAssertTrue(message.contains("markConfigurationAsFinal"), message)
    }

    func testWrongUseIsReported() throws {
        let fixture = try MovieRecordingFixture(microphone: nil)
        let asset = try fixture.asset(milliseconds: 300)
        let capture = fixture.capture
        let track = try XCTUnwrap(asset.tracks.first)
        capture.assertMisuse(.invalidArgument) {
            _ = AVAssetReaderTrackOutput(track: track, outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264])
        }
        capture.assertMisuse(.invalidArgument) {
            _ = AVAssetReaderTrackOutput(track: track, outputSettings: [kCVPixelBufferPixelFormatTypeKey: 1])
        }
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        XCTAssertTrue(reader.canAdd(output))
        reader.add(output)
        capture.assertMisuse(.invalidArgument) { reader.add(output) }
        capture.assertMisuse(.internalInconsistency) { XCTAssertNil(output.copyNextSampleBuffer()) }
        XCTAssertTrue(reader.startReading())
        capture.assertMisuse(.internalInconsistency) { XCTAssertFalse(reader.startReading()) }
        capture.assertMisuse(.internalInconsistency) { reader.timeRange = .zero }
        XCTAssertNotNil(output.copyNextSampleBuffer())
        reader.cancelReading()
        XCTAssertNil(output.copyNextSampleBuffer())
        XCTAssertEqual(reader.status, .cancelled)
    }

    func testDamagedFramesFailTheReader() throws {
        let fixture = try MovieRecordingFixture(microphone: nil)
        _ = try fixture.asset(milliseconds: 500)
        let track = try XCTUnwrap(fixture.capture.inSystem { AVAsset(url: fixture.capture.url("a.mov")) }.tracks.first)
        var data = try Data(contentsOf: fixture.capture.url("a.mov"))
        let run = track.map.samples.runs[0]
        data.replaceSubrange(Int(run.offset)..<Int(run.end), with: repeatElement(0xff, count: Int(run.size)))
        try data.write(to: fixture.capture.url("a.mov"))
        let asset = fixture.capture.inSystem { AVAsset(url: fixture.capture.url("a.mov")) }
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: try XCTUnwrap(asset.tracks.first), outputSettings: [:])
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        XCTAssertNil(output.copyNextSampleBuffer())
        XCTAssertEqual(reader.status, .failed)
        XCTAssertEqual((reader.error as? AVError)?.code, .decodeFailed)
    }

    private func read(
        _ asset: AVAsset, _ type: AVMediaType, _ settings: [String: Any]?, _ range: CMTimeRange? = nil
    ) throws -> (samples: [CMSampleBuffer], reader: AVAssetReader) {
        let reader = try AVAssetReader(asset: asset)
        if let range { reader.timeRange = range }
        let output = AVAssetReaderTrackOutput(
            track: try XCTUnwrap(asset.tracks(withMediaType: type).first), outputSettings: settings)
        XCTAssertTrue(reader.canAdd(output))
        reader.add(output)
        XCTAssertTrue(reader.startReading(), "\(String(describing: reader.error))")
        let samples = output.drain()
        XCTAssertEqual(reader.status, .completed, "\(String(describing: reader.error))")
        return (samples, reader)
    }
}
