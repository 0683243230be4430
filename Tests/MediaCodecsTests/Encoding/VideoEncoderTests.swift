import Foundation
import MediaTypes
import XCTest

@testable import MediaCodecs

final class VideoEncoderTests: XCTestCase {
    private func encode(
        _ settings: VideoEncoderSettings, frames: Int, forced: Set<Int> = []
    ) throws -> (samples: [EncodedSample], format: VideoSampleFormat) {
        let encoder = try VideoEncoder(settings)
        var samples: [EncodedSample] = []
        for frame in 0..<frames {
            let buffer = try SyntheticMedia.frame(frame, width: 160, height: 96)
            samples += try encoder.encode(
                buffer, at: CMTime(value: Int64(frame * frame), timescale: 1000),
                duration: CMTime(value: 1, timescale: 30), forceKeyFrame: forced.contains(frame))
        }
        samples += try encoder.finish()
        return (samples, encoder.format)
    }

    private let dimensions = CMVideoDimensions(width: 160, height: 96)

    func testLargeFramesDelayTheOutputByFewerFrames() {
        let expected: [(width: Int32, height: Int32, rate: Int32, lookahead: Int)] = [
            (640, 480, 30, 10), (1920, 1080, 30, 10), (1920, 1080, 12, 4), (3840, 2160, 30, 2), (7680, 4320, 30, 1),
            (640, 480, 2, 0),
        ]
        for (width, height, rate, lookahead) in expected {
            let settings = VideoEncoderSettings(
                codec: .h264, dimensions: CMVideoDimensions(width: width, height: height),
                expectedFrameDuration: CMTime(value: 1, timescale: rate))
            XCTAssertEqual(settings.lookahead, lookahead, "\(width)x\(height) at \(rate)")
        }
    }

    func testSamplesHaveTheFramesTimesAndForcedKeyFrames() throws {
        for codec in VideoSampleFormat.Codec.allCases {
            let result = try encode(
                VideoEncoderSettings(codec: codec, dimensions: dimensions), frames: 40, forced: [17])
            XCTAssertEqual(
                result.samples.map(\.presentationTime), (0..<40).map { CMTime(value: Int64($0 * $0), timescale: 1000) })
            XCTAssertEqual(result.samples.map(\.decodeTime), result.samples.map(\.presentationTime))
            XCTAssertTrue(result.samples[0].isKeyFrame)
            XCTAssertTrue(result.samples[17].isKeyFrame)
            XCTAssertEqual(result.samples[16].isKeyFrame, codec.isIntraOnly)
        }
    }

    func testNALUnitsArePrecededByTheirLengths() throws {
        for codec in [VideoSampleFormat.Codec.h264, .hevc] {
            let result = try encode(VideoEncoderSettings(codec: codec, dimensions: dimensions), frames: 20)
            for sample in result.samples {
                var offset = 0
                var count = 0
                while offset < sample.data.count {
                    let length = sample.data[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
                    offset += 4 + length
                    count += 1
                }
                XCTAssertEqual(offset, sample.data.count)
                XCTAssertGreaterThan(count, 0)
            }
        }
    }

    func testReorderedFramesAreDecodedBeforePresentation() throws {
        var settings = VideoEncoderSettings(codec: .h264, dimensions: dimensions)
        settings.allowsFrameReordering = true
        let samples = try encode(settings, frames: 40).samples
        XCTAssertEqual(samples.count, 40)
        XCTAssertNotEqual(samples.map(\.presentationTime), samples.map(\.presentationTime).sorted())
        XCTAssertEqual(Set(samples.map(\.presentationTime)).count, 40)
        for (sample, next) in zip(samples, samples.dropFirst()) {
            XCTAssertLessThan(sample.decodeTime, next.decodeTime)
        }
        for sample in samples { XCTAssertLessThanOrEqual(sample.decodeTime, sample.presentationTime) }
        XCTAssertTrue(samples.contains(where: \.isDroppable))
    }

    func testTheAverageBitRateIsRespected() throws {
        var settings = VideoEncoderSettings(codec: .h264, dimensions: dimensions)
        settings.averageBitRate = 50_000
        let small = try encode(settings, frames: 90).samples.reduce(0) { $0 + $1.data.count }
        XCTAssertLessThan(small, 50_000 * 3 / 8 * 13 / 10)
        settings.averageBitRate = 200_000
        let large = try encode(settings, frames: 90).samples.reduce(0) { $0 + $1.data.count }
        XCTAssertLessThan(small * 3 / 2, large)
    }

    func testHigherQualityResultsInMoreBytes() throws {
        for codec in VideoSampleFormat.Codec.allCases where !codec.isProRes {
            var settings = VideoEncoderSettings(codec: codec, dimensions: dimensions)
            settings.quality = 0.2
            let low = try encode(settings, frames: 10).samples.reduce(0) { $0 + $1.data.count }
            settings.quality = 0.9
            let high = try encode(settings, frames: 10).samples.reduce(0) { $0 + $1.data.count }
            XCTAssertLessThan(low, high, "\(codec)")
        }
    }

    func testTheConfigurationContainsTheProfile() throws {
        var settings = VideoEncoderSettings(codec: .h264, dimensions: dimensions)
        for (profile, number) in [(VideoEncoderSettings.Profile.baseline, UInt8(66)), (.main, 77), (.high, 100)] {
            settings.profile = profile
            let configuration = try VideoEncoder(settings).format.configuration
            XCTAssertEqual(configuration[0], 1)
            XCTAssertEqual(configuration[1], number)
        }
    }

    func testKeyFramesAreNotFartherApartThanTheMaximumDuration() throws {
        for codec in [VideoSampleFormat.Codec.h264, .hevc] {
            var settings = VideoEncoderSettings(codec: codec, dimensions: dimensions)
            settings.maximumKeyFrameDuration = CMTime(value: 1, timescale: 2)
            let encoder = try VideoEncoder(settings)
            var samples: [EncodedSample] = []
            for frame in 0..<40 {
                samples += try encoder.encode(
                    try SyntheticMedia.frame(frame, width: 160, height: 96),
                    at: CMTime(value: Int64(frame), timescale: 25), duration: CMTime(value: 1, timescale: 25))
            }
            samples += try encoder.finish()
            let keys = samples.indices.filter { samples[$0].isKeyFrame }
            XCTAssertEqual(keys, [0, 12, 24, 36], "\(codec)")
        }
    }

    func testKeyFramesOfAlternatingFramesAreNotFartherApartThanTheMaximumDuration() throws {
        var settings = VideoEncoderSettings(codec: .h264, dimensions: dimensions)
        settings.expectedFrameDuration = CMTime(value: 1, timescale: 60)
        settings.alternatesDroppableFrames = true
        // 15 frames, but only frames with even numbers can be key frames.
        settings.maximumKeyFrameDuration = CMTime(value: 1, timescale: 4)
        let encoder = try VideoEncoder(settings)
        var samples: [EncodedSample] = []
        for frame in 0..<60 {
            samples += try encoder.encode(
                try SyntheticMedia.frame(frame, width: 160, height: 96),
                at: CMTime(value: Int64(frame), timescale: 60), duration: CMTime(value: 1, timescale: 60))
        }
        samples += try encoder.finish()
        XCTAssertEqual(
            samples.filter(\.isKeyFrame).map(\.presentationTime),
            [0, 14, 28, 42, 56].map { CMTime(value: $0, timescale: 60) })
    }

    func testLevelEntropyModeAndPixelAspectRatioAreInTheStream() throws {
        var settings = VideoEncoderSettings(codec: .h264, dimensions: dimensions)
        settings.level = "4.1"
        XCTAssertEqual(try VideoEncoder(settings).format.configuration[3], 41)
        let cabac = try VideoEncoder(settings).format.configuration
        settings.entropyMode = .cavlc
        XCTAssertNotEqual(try VideoEncoder(settings).format.configuration, cabac)
        settings.pixelAspectRatio = PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3)
        let wideConfiguration = try VideoEncoder(settings).format.configuration
        settings.pixelAspectRatio = nil
        XCTAssertNotEqual(try VideoEncoder(settings).format.configuration, wideConfiguration)
        settings.level = "77"
        XCTAssertThrowsError(try VideoEncoder(settings))
    }

    func testTheStreamContainsNoVersionStrings() throws {
        for codec in [VideoSampleFormat.Codec.h264, .hevc] {
            let result = try encode(VideoEncoderSettings(codec: codec, dimensions: dimensions), frames: 5)
            let all = result.samples.reduce(into: result.format.configuration) { $0.append($1.data) }
            for text in ["x264", "x265", "AVX"] { XCTAssertNil(all.range(of: Data(text.utf8)), "\(codec): \(text)") }
        }
    }

    func testInvalidSettingsAndFramesAreRejected() throws {
        var still = VideoEncoderSettings(codec: .h264, dimensions: dimensions)
        still.isStillPicture = true
        var monochrome = VideoEncoderSettings(codec: .hevc, dimensions: dimensions)
        monochrome.isMonochrome = true
        monochrome.bitsPerComponent = 10
        for bad in [
            still, monochrome,
            VideoEncoderSettings(codec: .h264, dimensions: CMVideoDimensions(width: 161, height: 96)),
            VideoEncoderSettings(codec: .h264, dimensions: CMVideoDimensions(width: 0, height: 96)),
            VideoEncoderSettings(codec: .h264, dimensions: dimensions, expectedFrameDuration: .zero),
            VideoEncoderSettings(codec: .h264, dimensions: dimensions, averageBitRate: 3),
            VideoEncoderSettings(codec: .h264, dimensions: dimensions, maximumKeyFrameInterval: 0),
            VideoEncoderSettings(codec: .h264, dimensions: dimensions, threadCount: 0),
        ] {
            XCTAssertThrowsError(try VideoEncoder(bad)) {
                XCTAssertEqual(($0 as? EncodingError)?.code, .invalidSettings)
            }
        }
        let encoder = try VideoEncoder(VideoEncoderSettings(codec: .h264, dimensions: dimensions))
        let duration = CMTime(value: 1, timescale: 30)
        XCTAssertThrowsError(
            try encoder.encode(SyntheticMedia.frame(0, width: 128, height: 96), at: .zero, duration: duration)
        ) { XCTAssertEqual(($0 as? EncodingError)?.code, .formatMismatch) }
        _ = try encoder.encode(SyntheticMedia.frame(0, width: 160, height: 96), at: .zero, duration: duration)
        XCTAssertThrowsError(
            try encoder.encode(SyntheticMedia.frame(0, width: 160, height: 96), at: .zero, duration: duration)
        ) { XCTAssertEqual(($0 as? EncodingError)?.code, .formatMismatch) }
        _ = try encoder.finish()
        XCTAssertThrowsError(
            try encoder.encode(SyntheticMedia.frame(0, width: 160, height: 96), at: duration, duration: duration)
        ) { XCTAssertEqual(($0 as? EncodingError)?.code, .invalidState) }
    }

    func testProResEncodesOddSizesThatFitItsChroma() throws {
        for (codec, width, height) in [
            (VideoSampleFormat.Codec.proRes422, 64, 49), (.proRes422HQ, 64, 49), (.proRes4444, 65, 49),
        ] {
            let encoder = try VideoEncoder(
                VideoEncoderSettings(
                    codec: codec, dimensions: CMVideoDimensions(width: Int32(width), height: Int32(height))))
            var samples = try encoder.encode(
                try SyntheticMedia.frame(0, width: width, height: height), at: .zero,
                duration: CMTime(value: 1, timescale: 30))
            samples += try encoder.finish()
            XCTAssertEqual(samples.count, 1, "\(codec)")
            // The frame header contains the size after 16 bytes (SMPTE RDD 36, 5.1 and 5.1.1).
            let size = try XCTUnwrap(samples.first, "\(codec)").data.dropFirst(16).prefix(4)
            XCTAssertEqual(Array(size), [0, UInt8(width), 0, UInt8(height)], "\(codec)")
        }
        let settings = VideoEncoderSettings(codec: .proRes422, dimensions: CMVideoDimensions(width: 65, height: 48))
        XCTAssertThrowsError(try VideoEncoder(settings)) {
            XCTAssertEqual(($0 as? EncodingError)?.code, .invalidSettings)
        }
    }

    func testPixelBuffersAreReleased() throws {
        let pool = CVPixelBufferPool(
            width: 160, height: 96, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
            maximumBufferCount: 3)
        for codec in VideoSampleFormat.Codec.allCases {
            let encoder = try VideoEncoder(VideoEncoderSettings(codec: codec, dimensions: dimensions))
            for frame in 0..<60 {
                let buffer = try XCTUnwrap(pool.makeBuffer(), "\(codec) holds all buffers at frame \(frame)")
                _ = try encoder.encode(
                    buffer, at: CMTime(value: Int64(frame), timescale: 30), duration: CMTime(value: 1, timescale: 30))
            }
        }
    }
}
