import Foundation
import MediaTypes
import XCTest

@testable import MediaCodecs

/// Recordings with 60, 120 and 240 frames per second in which every second frame is droppable.
final class HighFrameRateTests: XCTestCase {
    private func record(
        _ url: URL, _ codec: VideoSampleFormat.Codec, rate: Int32, seconds: Double, interval: CMTime
    ) throws -> ParsedMovie {
        var script = RecordingScript()
        script.codec = codec
        script.frameRate = rate
        script.interval = interval
        script.alternatesDroppableFrames = true
        try script.record(url, seconds: seconds)
        return try ParsedMovie(url)
    }

    /// Returns the NAL units of a sample without their lengths.
    private func units(_ data: Data) -> [[UInt8]] {
        let bytes = [UInt8](data)
        var units: [[UInt8]] = []
        var offset = 0
        while offset < bytes.count {
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            units.append(Array(bytes[offset + 4..<offset + 4 + length]))
            offset += 4 + length
        }
        return units
    }

    /// Whether the frame is a non-reference frame according to its slice headers.
    private func isDroppable(_ data: Data, _ codec: VideoSampleFormat.Codec) -> Bool {
        let slices = units(data).filter { codec == .h264 ? (1...5).contains($0[0] & 0x1f) : $0[0] >> 1 & 0x3f < 32 }
        XCTAssertFalse(slices.isEmpty)
        return slices.allSatisfy { unit in
            let type = unit[0] >> 1 & 0x3f
            return codec == .h264 ? unit[0] >> 5 & 3 == 0 : type < 16 && type % 2 == 0
        }
    }

    func testEverySecondFrameIsDroppableAndAllTimesAreExact() throws {
        let folder = try TemporaryFolder()
        for codec in [VideoSampleFormat.Codec.h264, .hevc] {
            for rate in [60, 120, 240] as [Int32] {
                let url = folder.file("\(codec)-\(rate).mov")
                // An odd number of frames, and fragments that request key frames at odd frames.
                let interval = CMTime(value: 21, timescale: 40)
                let count = Int(rate) * 3 / 2 + 1
                let movie = try record(
                    url, codec, rate: rate, seconds: Double(count) / Double(rate), interval: interval)
                let video = try XCTUnwrap(movie.video)
                XCTAssertEqual(video.samples.count, count)
                let start = try XCTUnwrap(video.edits.first).mediaTime
                let samplesInDisplayOrder = video.samples.sorted { $0.presentation < $1.presentation }
                XCTAssertEqual(
                    samplesInDisplayOrder.map { ($0.presentation - start) * Int64(rate) },
                    (0..<count).map { Int64($0) * video.timescale })
                XCTAssertEqual(
                    samplesInDisplayOrder.map { isDroppable(movie.sampleData($0), codec) },
                    (0..<count).map { $0 % 2 == 1 },
                    "\(codec) at \(rate)")
                XCTAssertGreaterThanOrEqual(samplesInDisplayOrder.filter(\.isKeyFrame).count, 3)
                XCTAssertTrue(zip(0..., samplesInDisplayOrder).allSatisfy { $0 % 2 == 0 || !$1.isKeyFrame })
                XCTAssertEqual(
                    video.dependencies,
                    video.samples.map {
                        ($0.isKeyFrame ? 0x20 : 0x10) | (isDroppable(movie.sampleData($0), codec) ? 8 : 4)
                    })
                try MediaTools.assertDecodes(url)
                let rateText = try MediaTools.probe(url, "stream=avg_frame_rate", ["-select_streams", "v"])
                XCTAssertEqual(rateText, ["\(rate)/1"])
            }
        }
    }

    func testDroppingDroppableFramesDoesNotChangeTheOthers() throws {
        let folder = try TemporaryFolder()
        for codec in [VideoSampleFormat.Codec.h264, .hevc] {
            let url = folder.file("\(codec).mov")
            let movie = try record(url, codec, rate: 120, seconds: 1, interval: CMTime(value: 3, timescale: 10))
            let video = try XCTUnwrap(movie.video)
            var stream = Data()
            for unit in Self.parameterSets(video.sampleEntryBody, codec) { stream += [0, 0, 0, 1] + unit }
            for sample in video.samples where !isDroppable(movie.sampleData(sample), codec) {
                for unit in units(movie.sampleData(sample)) { stream += [0, 0, 0, 1] + unit }
            }
            let referenceFile = folder.file("half.\(codec == .h264 ? "264" : "265")")
            try stream.write(to: referenceFile)
            let allPixels = try MediaTools.decodeVideo(url, isFullRange: false)
            let referencePixels = try MediaTools.decodeVideo(referenceFile, isFullRange: false)
            let size = 160 * 96 * 3 / 2
            XCTAssertEqual(allPixels.count, 120 * size)
            XCTAssertEqual(referencePixels.count, 60 * size)
            for frame in 0..<referencePixels.count / size {
                XCTAssertEqual(
                    referencePixels.subdata(in: frame * size..<(frame + 1) * size),
                    allPixels.subdata(in: 2 * frame * size..<(2 * frame + 1) * size), "\(codec) frame \(frame)")
            }
        }
    }

    func testFragmentsMarkDroppableFrames() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.mov")
        var script = RecordingScript()
        script.frameRate = 60
        script.interval = CMTime(value: 1, timescale: 1)
        script.alternatesDroppableFrames = true
        let recorder = try script.makeRecorder(url)
        try script.feed(0..<2.5, into: recorder)
        let interrupted = folder.file("dead.mov")
        try FileManager.default.copyItem(at: url, to: interrupted)
        recorder.cancel()
        let movie = try ParsedMovie(interrupted)
        let samples = try XCTUnwrap(movie.video?.samples)
        XCTAssertEqual(samples.count, 120)
        for sample in samples { XCTAssertEqual(sample.isDroppable, isDroppable(movie.sampleData(sample), .h264)) }
        try MediaTools.assertDecodes(interrupted)
    }

    func testTheLevelAllowsTheFrameRate() throws {
        // ITU-T H.264, Table A-1: macroblocks per second.
        let cases: [(Int32, Int32, Int32, UInt8)] = [
            (1920, 1080, 30, 40), (1920, 1080, 60, 42), (1920, 1080, 120, 51), (1920, 1080, 240, 52),
            (1280, 720, 60, 32), (1280, 720, 240, 51),
        ]
        for (width, height, rate, level) in cases {
            var settings = VideoEncoderSettings(
                codec: .h264, dimensions: CMVideoDimensions(width: width, height: height),
                expectedFrameDuration: CMTime(value: 1, timescale: rate))
            settings.alternatesDroppableFrames = rate >= 60
            let configuration = try VideoEncoder(settings).format.configuration
            XCTAssertEqual(configuration[3], level, "\(width)x\(height) at \(rate)")
        }
    }

    /// Returns the parameter sets in `avcC` or `hvcC`.
    private static func parameterSets(_ entry: Data, _ codec: VideoSampleFormat.Codec) -> [[UInt8]] {
        let bytes = [UInt8](entry)
        guard let tag = entry.range(of: Data((codec == .h264 ? "avcC" : "hvcC").utf8)) else { return [] }
        var position = tag.upperBound - entry.startIndex
        var sets: [[UInt8]] = []
        func readSets(_ count: Int) {
            for _ in 0..<count {
                let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
                sets.append(Array(bytes[position + 2..<position + 2 + length]))
                position += 2 + length
            }
        }
        if codec == .h264 {
            position += 6
            readSets(Int(bytes[position - 1] & 0x1f))
            position += 1
            readSets(Int(bytes[position - 1]))
        } else {
            position += 23
            for _ in 0..<bytes[position - 1] {
                position += 3
                readSets(Int(bytes[position - 2]) << 8 | Int(bytes[position - 1]))
            }
        }
        return sets
    }
}
