import Foundation
import MediaTypes
import XCTest

@testable import PixelKernels

final class LayerCompositorTests: XCTestCase {
    private let compositor = LayerCompositor()

    private func image(_ width: Int, _ height: Int, _ color: (Int, Int) -> [UInt8]) throws -> CVPixelBuffer {
        let buffer = try XCTUnwrap(
            CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA))
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        for y in 0..<height {
            for x in 0..<width {
                (base + y * CVPixelBufferGetBytesPerRow(buffer) + 4 * x).copyMemory(from: color(x, y), byteCount: 4)
            }
        }
        return buffer
    }

    /// Returns an image in which each pixel has a different color.
    private func pattern(_ width: Int, _ height: Int) throws -> CVPixelBuffer {
        try image(width, height) { x, y in [UInt8(x * 7 % 256), UInt8(y * 5 % 256), UInt8((x + y) * 3 % 256), 255] }
    }

    private func pixels(_ buffer: CVPixelBuffer) throws -> [[[UInt8]]] {
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        return (0..<CVPixelBufferGetHeight(buffer)).map { y in
            (0..<CVPixelBufferGetWidth(buffer)).map { x in
                let pixel = base + y * CVPixelBufferGetBytesPerRow(buffer) + 4 * x
                return [UInt8](UnsafeRawBufferPointer(start: pixel, count: 4))
            }
        }
    }

    private func drawn(
        _ source: CVPixelBuffer, crop: CGRect = .infinite, _ transform: CGAffineTransform, opacity: Float = 1,
        width: Int = 40, height: Int = 30
    ) throws -> [[[UInt8]]] {
        let target = try image(width, height) { _, _ in [10, 20, 30, 255] }
        try compositor.draw(source, crop: crop, transform: transform, opacity: opacity, over: target)
        return try pixels(target)
    }

    func testQuarterTurnsAndMirrorsMoveEachPixelExactly() throws {
        let source = try pattern(40, 30)
        let original = try pixels(source)
        for (transform, map) in [
            (CGAffineTransform(0, 1, -1, 0, 30, 0), { (x: Int, y: Int) in (29 - y, x) }),
            (CGAffineTransform(-1, 0, 0, -1, 40, 30), { (x: Int, y: Int) in (39 - x, 29 - y) }),
            (CGAffineTransform(0, -1, 1, 0, 0, 40), { (x: Int, y: Int) in (y, 39 - x) }),
            (CGAffineTransform(-1, 0, 0, 1, 40, 0), { (x: Int, y: Int) in (39 - x, y) }),
            (
                CGAffineTransform(rotationAngle: .pi / 2).concatenating(CGAffineTransform(translationX: 30, y: 0)),
                { (x: Int, y: Int) in (29 - y, x) }
            ),
        ] as [(CGAffineTransform, (Int, Int) -> (Int, Int))] {
            let result = try drawn(source, transform, width: 40, height: 40)
            for y in 0..<30 {
                for x in 0..<40 {
                    let (column, row) = map(x, y)
                    XCTAssertEqual(result[row][column], original[y][x], "\(transform) \(x), \(y)")
                }
            }
        }
    }

    func testFractionalOffsetsHaveSmoothEdges() throws {
        let white = try image(10, 10) { _, _ in [255, 255, 255, 255] }
        let result = try drawn(white, CGAffineTransform(translationX: 5.25, y: 4))
        XCTAssertEqual(result[4][4], [10, 20, 30, 255])
        XCTAssertEqual(result[4][5], [194, 196, 199, 255])
        XCTAssertEqual(result[4][6], [255, 255, 255, 255])
        XCTAssertEqual(result[4][14], [255, 255, 255, 255])
        XCTAssertEqual(result[13][15], [71, 79, 86, 255])
        XCTAssertEqual(result[3][8], [10, 20, 30, 255])
        XCTAssertEqual(result[14][8], [10, 20, 30, 255])
    }

    func testOpacityBlendsTheImageWithTheTarget() throws {
        let white = try image(10, 10) { _, _ in [255, 255, 255, 255] }
        for transform in [CGAffineTransform.identity, CGAffineTransform(scaleX: 2, y: 2)] {
            XCTAssertEqual(try drawn(white, transform, opacity: 0.5)[5][5], [133, 138, 143, 255])
        }
        XCTAssertEqual(try drawn(white, .identity, opacity: 0)[5][5], [10, 20, 30, 255])
        XCTAssertEqual(try drawn(white, .identity, opacity: 7)[5][5], [255, 255, 255, 255])
    }

    func testPixelsOutsideTheCropDoNotAffectItsEdges() throws {
        let split = try image(20, 20) { x, _ in x < 10 ? [255, 255, 255, 255] : [0, 0, 0, 255] }
        let crop = CGRect(x: -5, y: 5, width: 15, height: 10)
        let result = try drawn(split, crop: crop, CGAffineTransform(scaleX: 2, y: 1))
        XCTAssertEqual(result[5][19], [255, 255, 255, 255])
        XCTAssertEqual(result[5][20], [10, 20, 30, 255])
        XCTAssertEqual(result[4][0], [10, 20, 30, 255])
        XCTAssertEqual(result[14][0], [255, 255, 255, 255])
        XCTAssertEqual(result[15][0], [10, 20, 30, 255])
    }

    func testShrinkingAveragesAllPixels() throws {
        // Columns that alternate between black and white have the average everywhere.
        let lines = try image(80, 60) { x, _ in x % 2 == 0 ? [0, 0, 0, 255] : [254, 254, 254, 255] }
        let result = try drawn(lines, CGAffineTransform(scaleX: 0.25, y: 0.25))
        for (x, y) in [(0, 0), (19, 14), (7, 9)] { XCTAssertEqual(result[y][x], [127, 127, 127, 255]) }
        XCTAssertEqual(result[0][20], [10, 20, 30, 255])
        XCTAssertEqual(result[15][0], [10, 20, 30, 255])
    }

    func testExtremeTransformsDrawNothingOutsideAndNeverFail() throws {
        let white = try image(10, 10) { _, _ in [255, 255, 255, 255] }
        let untouched = [[[UInt8]]](
            repeating: [[UInt8]](repeating: [10, 20, 30, 255], count: 40), count: 30)
        for transform in [
            CGAffineTransform(translationX: 1e12, y: 0), CGAffineTransform(translationX: -10, y: 0),
            CGAffineTransform(translationX: 40, y: 30), CGAffineTransform(scaleX: 0, y: 1),
            CGAffineTransform(scaleX: .infinity, y: 1), CGAffineTransform(scaleX: .nan, y: 1),
            CGAffineTransform(1, 1, 1, 1, 0, 0), CGAffineTransform(translationX: .nan, y: 0),
            CGAffineTransform(1e-5, 0, 0, 1e9, 5, -1e12),
        ] { XCTAssertEqual(try drawn(white, transform), untouched, "\(transform)") }
        let enlarged = try drawn(white, CGAffineTransform(scaleX: 1000, y: 1000))
        XCTAssertEqual(enlarged[29][39], [255, 255, 255, 255])
        XCTAssertThrowsError(
            try compositor.draw(
                XCTUnwrap(CVPixelBuffer(width: 8, height: 8, pixelFormat: kCVPixelFormatType_OneComponent8)),
                transform: .identity, opacity: 1, over: white))
    }

    func testFillWritesTheColor() throws {
        let target = try pattern(9, 5)
        try compositor.fill(target, red: 1, green: 0.5, blue: -1, alpha: 1)
        XCTAssertEqual(
            try pixels(target), [[[UInt8]]](repeating: [[UInt8]](repeating: [0, 128, 255, 255], count: 9), count: 5))
    }
}
