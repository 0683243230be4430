import CaptureHAL
import MediaTypes
import XCTest

final class StreamFormatTests: XCTestCase {
    private let small = CMVideoDimensions(width: 320, height: 180)
    private let large = CMVideoDimensions(width: 640, height: 360)
    private let frameDurations = [FrameDurationRange(CMTime(value: 1, timescale: 30))]

    func testVideoFormatsAreEqualIfTheirFrameAndPhotoSizesAreEqual() {
        func format(_ photos: [CMVideoDimensions] = []) -> VideoStreamFormat {
            VideoStreamFormat(
                dimensions: small, encoding: .pixels(kCVPixelFormatType_32BGRA), frameDurations: frameDurations,
                photoDimensions: photos)
        }
        // Without photo sizes, a format has photos of the size of its frames.
        XCTAssertEqual(format(), format([small]))
        XCTAssertNotEqual(format(), format([small, large]))
        var other = format()
        other.photoDimensions.append(large)
        XCTAssertEqual(other, format([small, large]))
        other = format()
        other.dimensions.width = 640
        XCTAssertEqual(other.dimensions.width, 640)
        XCTAssertEqual(Set([format(), other, format()]).count, 2)
    }

    func testDepthFormatsAndCalibrationsWithOtherSizesAreNotEqual() {
        let depth = DepthStreamFormat(
            dimensions: small, pixelFormat: kCVPixelFormatType_DepthFloat32, frameDurations: frameDurations)
        var otherDepth = depth
        XCTAssertEqual(depth, otherDepth)
        otherDepth.dimensions = large
        XCTAssertNotEqual(depth, otherDepth)
        let calibration = CameraCalibration(referenceDimensions: small, focalLength: 300, centerX: 160, centerY: 90)
        var otherCalibration = calibration
        XCTAssertEqual(calibration, otherCalibration)
        otherCalibration.referenceDimensions.height = 240
        XCTAssertNotEqual(calibration, otherCalibration)
    }
}
