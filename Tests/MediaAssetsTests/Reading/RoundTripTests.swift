import Foundation
import MediaCodecs
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

/// Tests that the asset reader returns what the asset writer wrote, each sample at its exact time.
final class RoundTripTests: XCTestCase {
    /// Irregular times in a timescale of 90,000.
    private static let irregular: [CMTime] = [
        0, 3003, 6006, 6100, 12_000, 12_001, 15_015, 30_000, 33_003, 39_999, 45_000, 48_003, 90_000, 90_090, 91_000,
        93_003, 120_000,
    ].map { CMTime(value: $0, timescale: 90_000) }

    private func asset(_ fixture: AssetWriterFixture, _ name: String) -> AVAsset {
        fixture.system.run { AVURLAsset(url: fixture.url(name)) }
    }

    /// Writes frames at given times and asserts that the file has no problems.
    private func write(
        _ fixture: AssetWriterFixture, _ name: String, _ type: AVFileType, _ video: AVAssetWriterInput,
        at times: [CMTime]
    ) throws {
        let writer = try fixture.makeWriter(name, type)
        writer.add(video)
        XCTAssertTrue(writer.startWriting())
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for (index, time) in times.enumerated() {
            let duration = index + 1 < times.count ? times[index + 1] - time : CMTime(value: 1, timescale: 30)
            XCTAssertTrue(video.append(try AssetWriterFixture.videoSample(index, at: time, duration: duration)))
        }
        fixture.finish(writer)
        XCTAssertEqual(writer.status, .completed, "\(name): \(String(describing: writer.error))")
        fixture.assertNoMisuse()
        try MovieInspection.assertNoProblems(fixture.url(name))
    }

    func testEveryCodecKeepsIrregularTimes() throws {
        let fixture = try AssetWriterFixture()
        for (type, name) in [(AVFileType.mov, "mov"), (.mp4, "mp4")] {
            for codec in [AVVideoCodecType.h264, .hevc, .jpeg] where type == .mov || codec != .jpeg {
                for reorders in [false, true] where codec != .jpeg || !reorders {
                    let file = "\(codec.rawValue)-\(reorders).\(name)"
                    let properties: [String: Any] =
                        codec == .jpeg
                        ? [:] : [AVVideoAllowFrameReorderingKey: reorders, AVVideoMaxKeyFrameIntervalKey: 6]
                    try write(fixture, file, type, fixture.makeVideoInput(codec: codec, properties), at: Self.irregular)
                    try assertReadsBack(asset(fixture, file), Self.irregular, reorders: reorders, file)
                }
            }
        }
    }

    private func assertReadsBack(_ asset: AVAsset, _ times: [CMTime], reorders: Bool, _ message: String) throws {
        let track = try XCTUnwrap(asset.tracks(withMediaType: .video).first, message)
        XCTAssertEqual(track.requiresFrameReordering, reorders, message)
        let decoded = try asset.samples(.video, [:])
        XCTAssertEqual(decoded.map(\.presentationTimeStamp), times, message)
        XCTAssertEqual(decoded.map(\.counter), times.indices.map { UInt32($0) }, message)
        for (first, second) in zip(decoded, decoded.dropFirst()) {
            XCTAssertEqual(first.presentationTimeStamp + first.duration, second.presentationTimeStamp, message)
        }
        let stored = try asset.samples(.video, nil)
        XCTAssertEqual(stored.map(\.presentationTimeStamp).sorted(), times, message)
        XCTAssertEqual(stored.map(\.presentationTimeStamp) != times, reorders, message)
        let decodeTimes = stored.map { $0.decodeTimeStamp.isValid ? $0.decodeTimeStamp : $0.presentationTimeStamp }
        XCTAssertEqual(decodeTimes, decodeTimes.sorted(), message)
        for (sample, decodeTime) in zip(stored, decodeTimes) {
            XCTAssertLessThanOrEqual(decodeTime, sample.presentationTimeStamp, message)
        }
        // Ranges from the middle of one frame to the middle of another.
        for first in stride(from: 0, to: times.count - 2, by: 3) {
            let start = CMTimeMultiplyByRatio(times[first] + times[first + 1], multiplier: 1, divisor: 2)
            let end = CMTimeMultiplyByRatio(times[first + 1] + times[first + 2], multiplier: 1, divisor: 2)
            let part = try asset.samples(.video, [:], CMTimeRange(start: start, end: end))
            XCTAssertEqual(part.map(\.counter), [UInt32(first), UInt32(first + 1)], message)
        }
    }

    func testFramesHiddenByAnEditListAreNotReturned() throws {
        let fixture = try AssetWriterFixture()
        for reorders in [false, true] {
            let file = "early-\(reorders).mov"
            let times = (-3..<15).map { CMTime(value: Int64($0), timescale: 30) }
            let video = fixture.makeVideoInput([AVVideoAllowFrameReorderingKey: reorders])
            try write(fixture, file, .mov, video, at: times)
            let asset = asset(fixture, file)
            let visibleTimes = Array(times.dropFirst(3))
            let decoded = try asset.samples(.video, [:])
            XCTAssertEqual(decoded.map(\.presentationTimeStamp), visibleTimes)
            XCTAssertEqual(decoded.map(\.counter), (3..<18).map { UInt32($0) })
            // Stored samples before the edit are marked as not displayed.
            let stored = try asset.samples(.video, nil)
            XCTAssertEqual(stored.count, 18)
            XCTAssertEqual(stored.filter { $0.sampleAttachments[0][.doNotDisplay] as? Bool == true }.count, 3)
        }
    }

    func testATrackThatStartsLateKeepsItsStart() throws {
        let fixture = try AssetWriterFixture()
        let writer = try fixture.makeWriter("late.mov")
        let (video, audio) = (fixture.makeVideoInput(), fixture.makeAudioInput())
        writer.add(video)
        writer.add(audio)
        writer.startWriting()
        writer.startSession(atSourceTime: AssetWriterFixture.start)
        for frame in 6..<30 {
            video.append(try AssetWriterFixture.videoSample(frame, at: CMTime(value: Int64(frame), timescale: 30)))
        }
        for chunk in 5..<50 { audio.append(try AssetWriterFixture.audioSample(chunk * 960..<(chunk + 1) * 960)) }
        fixture.finish(writer)
        try MovieInspection.assertNoProblems(fixture.url("late.mov"))
        let asset = asset(fixture, "late.mov")
        XCTAssertEqual(asset.duration, CMTime(value: 1, timescale: 1))
        let tracks = try ["vide", "soun"].map { type in
            try XCTUnwrap(asset.tracks(withMediaType: AVMediaType(type)).first)
        }
        XCTAssertEqual(tracks[0].timeRange.start, CMTime(value: 1, timescale: 5))
        XCTAssertEqual(tracks[0].segments.map(\.isEmpty), [true, false])
        XCTAssertEqual(
            try asset.samples(.video, [:]).map(\.presentationTimeStamp),
            (6..<30).map { CMTime(value: $0, timescale: 30) })
        let audioSamples = try asset.samples(.audio, RoundTripTests.floatSettings)
        XCTAssertEqual(audioSamples.first?.presentationTimeStamp, CMTime(value: 1, timescale: 10))
        try assertTone(audioSamples, from: 4800, count: 43_200, tone: 4800..<48_000, accuracy: 0.02, "late")
    }

    private static var floatSettings: [String: Any] {
        [
            AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
        ]
    }

    func testAudioOfEveryCodecAndContainerIsCompleteAndOnTime() throws {
        let fixture = try AssetWriterFixture()
        let all = [kAudioFormatMPEG4AAC, kAudioFormatLinearPCM, kAudioFormatAppleLossless, kAudioFormatOpus]
        for (type, name, codecs) in [
            (AVFileType.mov, "mov", all), (.mp4, "mp4", all.filter { $0 != kAudioFormatLinearPCM }),
            (.m4a, "m4a", all.filter { $0 != kAudioFormatLinearPCM }), (.caf, "caf", all),
            (.wav, "wav", [kAudioFormatLinearPCM]),
        ] {
            for codec in codecs {
                let file = "\(codec).\(name)"
                let writer = try fixture.makeWriter(file, type)
                try fixture.writeMedia(1, writer, video: nil, audio: fixture.makeAudioInput(codec))
                XCTAssertEqual(writer.status, .completed, "\(file): \(String(describing: writer.error))")
                if type != .caf, type != .wav { try MovieInspection.assertNoProblems(fixture.url(file)) }
                let asset = asset(fixture, file)
                XCTAssertEqual(asset.duration, CMTime(value: 1, timescale: 1), file)
                let isExact = codec == kAudioFormatLinearPCM || codec == kAudioFormatAppleLossless
                let audioSamples = try asset.samples(.audio, Self.floatSettings)
                XCTAssertEqual(audioSamples.first?.presentationTimeStamp, .zero, file)
                try assertTone(audioSamples, from: 0, count: 48_000, accuracy: isExact ? 1e-6 : 0.02, file)
                // Ranges are exact to one audio frame.
                let range = CMTimeRange(
                    start: CMTime(value: 12_345, timescale: 48_000), end: CMTime(value: 34_567, timescale: 48_000))
                let part = try asset.samples(.audio, Self.floatSettings, range)
                XCTAssertEqual(part.first?.presentationTimeStamp, range.start, file)
                try assertTone(part, from: 12_345, count: 22_222, accuracy: isExact ? 1e-6 : 0.02, file)
                let stored = try asset.samples(.audio, nil)
                XCTAssertEqual(stored.first?.outputPresentationTimeStamp, .zero, file)
                XCTAssertEqual(
                    stored.last.map { $0.outputPresentationTimeStamp + $0.outputDuration },
                    CMTime(value: 1, timescale: 1), file)
            }
        }
    }

    /// Asserts that samples contain the fixture's tone without gaps.
    ///
    /// - Parameters:
    ///   - first: The number of the first audio frame.
    ///   - tone: The audio frames in which the tone sounds.
    private func assertTone(
        _ samples: [CMSampleBuffer], from first: Int, count: Int, tone: Range<Int> = 0..<48_000, accuracy: Float,
        _ message: String
    ) throws {
        var values: [Float] = []
        var time = samples.first?.presentationTimeStamp ?? .invalid
        for sample in samples {
            XCTAssertEqual(sample.presentationTimeStamp, time, message)
            time = time + sample.duration
            try XCTUnwrap(sample.dataBuffer).dataBytes().withUnsafeBytes { bytes in
                values += bytes.bindMemory(to: Float.self)
            }
        }
        XCTAssertEqual(values.count, count, message)
        // Codecs ring at the tone's abrupt ends.
        let edge = accuracy < 0.001 ? 0 : 2400
        for index in stride(from: 0, to: values.count, by: 7) {
            let frame = first + index
            guard tone.lowerBound + edge..<tone.upperBound - edge ~= frame else { continue }
            let expected = Float(Int16(6000 * sin(2 * Double.pi * 1000 * Double(frame) / 48_000))) / 32_768
            guard abs(values[index] - expected) > accuracy else { continue }
            return XCTFail("\(message): frame \(frame) is \(values[index]), not \(expected)")
        }
    }

    func testStoredSamplesCanBeWrittenAgain() throws {
        let fixture = try AssetWriterFixture()
        for (codec, reorders) in [(AVVideoCodecType.h264, true), (.h264, false), (.hevc, true), (.jpeg, false)] {
            let name = "\(codec.rawValue)-\(reorders)"
            let writer = try fixture.makeWriter("\(name).mov")
            let properties: [String: Any] = codec == .jpeg ? [:] : [AVVideoAllowFrameReorderingKey: reorders]
            try fixture.writeMedia(
                1, writer, video: fixture.makeVideoInput(codec: codec, properties), audio: fixture.makeAudioInput())
            let source = asset(fixture, "\(name).mov")
            let copy = try fixture.makeWriter("\(name)-copy.mov")
            let inputs = [AVMediaType.video, .audio].map { type in
                fixture.system.run { AVAssetWriterInput(mediaType: type, outputSettings: nil) }
            }
            for input in inputs { copy.add(input) }
            XCTAssertTrue(copy.startWriting())
            copy.startSession(atSourceTime: .zero)
            for input in inputs {
                for sample in try source.samples(input.mediaType, nil) { XCTAssertTrue(input.append(sample)) }
                input.markAsFinished()
            }
            fixture.finish(copy)
            XCTAssertEqual(copy.status, .completed, "\(name): \(String(describing: copy.error))")
            try MovieInspection.assertNoProblems(fixture.url("\(name)-copy.mov"))
            let copiedAsset = asset(fixture, "\(name)-copy.mov")
            XCTAssertEqual(copiedAsset.duration, source.duration, name)
            for type in [AVMediaType.video, .audio] {
                let (before, after) = (try source.samples(type, nil), try copiedAsset.samples(type, nil))
                XCTAssertEqual(
                    before.map(\.presentationTimeStamp), after.map(\.presentationTimeStamp), "\(name) \(type)")
                XCTAssertEqual(
                    try before.map { try $0.dataBuffer?.dataBytes() }, try after.map { try $0.dataBuffer?.dataBytes() },
                    "\(name) \(type)")
            }
            try assertTone(
                try copiedAsset.samples(.audio, Self.floatSettings), from: 0, count: 48_000, accuracy: 0.02, name)
        }
    }
}
