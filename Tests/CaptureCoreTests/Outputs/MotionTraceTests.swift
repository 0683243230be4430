import MediaTypes
import XCTest

@testable import CaptureCore

/// Tests the measurement of movement by which the movies of Live Photos are trimmed.
final class MotionTraceTests: XCTestCase {
    private func time(_ frame: Int) -> CMTime { CMTime(value: CMTimeValue(frame), timescale: 30) }

    /// Returns an image with irregular stripes in both directions that are shifted.
    private func image(shift: Int, noise: Int) throws -> CVPixelBuffer {
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        let pixels = try XCTUnwrap(CVPixelBuffer(width: 320, height: 240, pixelFormat: format))
        pixels.withPlane(0) { plane in
            let bytes = UnsafeMutableRawPointer(mutating: UnsafeRawPointer(plane.baseAddress))
            for y in 0..<240 {
                for x in 0..<320 {
                    let stripe = ((x + shift + 3200) / 16 * 7919 + (y / 16) * 104_729) % 160
                    let value = 40 + stripe + (noise * (x * 31 + y * 17) % 3)
                    let offset = y * plane.bytesPerRow + x
                    bytes.storeBytes(of: UInt8(clamping: value), toByteOffset: offset, as: UInt8.self)
                }
            }
        }
        return pixels
    }

    private func trace(_ shifts: [Int], noise: Int = 0) throws -> MotionTrace {
        var trace = MotionTrace()
        for (frame, shift) in shifts.enumerated() {
            trace.append(try image(shift: shift, noise: noise * frame), at: time(frame))
        }
        return trace
    }

    func testAStillOrSlowlyMovingImageIsNotTrimmed() throws {
        for speed in [0, 2] {
            let trimmed = try trace((0..<90).map { $0 * speed }, noise: 1).trimmed(time(0), time(90), around: time(45))
            XCTAssertEqual(trimmed.start, time(0), "\(speed)")
            XCTAssertEqual(trimmed.end, time(90), "\(speed)")
        }
    }

    func testFastMovementBeforeAndAfterThePhotoIsTrimmed() throws {
        // 40 pixels per frame are 3.75 widths per second.
        let shifts = (0..<90).map { $0 < 20 ? $0 * 40 : $0 < 70 ? 800 : 800 + ($0 - 69) * 40 }
        let trimmed = try trace(shifts).trimmed(time(0), time(90), around: time(45))
        XCTAssertEqual(trimmed.start, time(20))
        XCTAssertEqual(trimmed.end, time(70))
    }

    func testOneJoltIsNotTrimmedAndTheMomentOfThePhotoRemains() throws {
        let jolt = (0..<90).map { $0 < 20 ? 0 : 40 }
        XCTAssertEqual(try trace(jolt).trimmed(time(0), time(90), around: time(45)).start, time(0))
        let throughout = try trace((0..<90).map { $0 * 40 }).trimmed(time(0), time(90), around: time(45))
        XCTAssertEqual(throughout.start, time(45) - CMTime(value: 3, timescale: 10))
        XCTAssertEqual(throughout.end, time(45) + CMTime(value: 3, timescale: 10))
    }
}
