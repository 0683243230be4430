import CLinuxDevices
import CaptureHAL
import MediaTypes
import XCTest

@testable import LinuxDevices

final class V4L2FormatListTests: XCTestCase {
    func testSizesAndFrameRatesAreInTheDriversOrder() throws {
        let fixture = V4L2Fixture(FakeV4L2Device(modes: [.yuyv(), .mjpeg()]))
        let formats = try fixture.camera().formats.compactMap { format -> VideoStreamFormat? in
            if case .video(let video) = format { video } else { nil }
        }
        XCTAssertEqual(formats.map { $0.dimensions.width }, [64, 32, 64])
        XCTAssertEqual(
            formats.map(\.encoding),
            [
                .pixels(kCVPixelFormatType_422YpCbCr8_yuvs), .pixels(kCVPixelFormatType_422YpCbCr8_yuvs),
                .compressed(kCMVideoCodecType_JPEG),
            ])
        XCTAssertEqual(
            formats[0].frameDurations,
            [FrameDurationRange(CMTime(value: 1, timescale: 30)), FrameDurationRange(CMTime(value: 1, timescale: 15))])
    }

    func testARangeOfSizesYieldsTheStandardSizesInTheRangeAndTheLargest() {
        var range = v4l2_frmsize_stepwise()
        (range.min_width, range.max_width, range.step_width) = (48, 1000, 16)
        (range.min_height, range.max_height, range.step_height) = (32, 600, 4)
        let sizes = V4L2FormatList.stepwise(range).map { "\($0.width)x\($0.height)" }
        XCTAssertEqual(
            sizes,
            [
                "160x120", "176x144", "320x180", "320x240", "352x288", "640x360", "640x480", "800x600", "848x480",
                "960x540",
                "1000x600",
            ])
    }

    func testTheCurrentFrameRateIsListedIfTheDriverListsNone() throws {
        var mode = FakeV4L2Device.Mode.yuyv()
        mode.intervals = []
        let formats = try V4L2Fixture(FakeV4L2Device(modes: [mode])).camera().formats
        guard case .video(let first)? = formats.first else { return XCTFail("no format") }
        XCTAssertEqual(first.frameDurations, [FrameDurationRange(CMTime(value: 1, timescale: 30))])
    }

    func testFormatsAreFullRangeIfTheDriverReportsFullRange() throws {
        let fake = FakeV4L2Device()
        fake.quantization = V4L2_QUANTIZATION_FULL_RANGE.rawValue
        guard case .video(let first)? = try V4L2Fixture(fake).camera().formats.first else {
            return XCTFail("no format")
        }
        XCTAssertEqual(first.encoding, .pixels(kCVPixelFormatType_422YpCbCr8FullRange))
    }

    func testUnknownPixelFormatsAreSkipped() throws {
        var unknown = FakeV4L2Device.Mode.yuyv()
        unknown.fourcc = 0x2121_2121
        XCTAssertEqual(try V4L2Fixture(FakeV4L2Device(modes: [unknown, .mjpeg()])).camera().formats.count, 1)
    }
}
