import Foundation
import MediaTypes
import XCTest

@testable import PixelKernels

final class BayerMosaicTests: XCTestCase {
    /// Creates a mosaic from a function that returns red, green or blue (0, 1, 2) of a pixel.
    private func mosaic(_ width: Int, _ height: Int, _ sample: (Int, Int, Int) -> Int) throws -> BayerMosaic {
        let buffer = try XCTUnwrap(
            CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_14Bayer_RGGB))
        buffer.withPlane(0) { plane in
            for row in 0..<height {
                for column in 0..<width {
                    plane.baseAddress.storeBytes(
                        of: UInt16(sample(column, row, row % 2 + column % 2)),
                        toByteOffset: row * plane.bytesPerRow + column * 2, as: UInt16.self)
                }
            }
        }
        return try BayerMosaic(buffer, blackLevel: 500, whiteLevel: 16000)
    }

    private func words(_ data: Data) -> [Int] {
        stride(from: 0, to: data.count, by: 2).map { Int(data[$0]) | Int(data[$0 + 1]) << 8 }
    }

    func testAUniformColorIsExactAlsoAtTheEdges() throws {
        let words = words(try mosaic(8, 6) { 500 + [1000, 3000, 7000][$2] }.interpolatedData())
        XCTAssertEqual(words.count, 8 * 6 * 3)
        for pixel in stride(from: 0, to: words.count, by: 3) {
            XCTAssertEqual(Array(words[pixel..<pixel + 3]), [1000, 3000, 7000])
        }
    }

    func testAGradientIsInterpolatedInsideTheImage() throws {
        let words = words(try mosaic(16, 12) { column, row, _ in 500 + 100 * column + 50 * row }.interpolatedData())
        for row in 2..<10 {
            for column in 2..<14 {
                for color in 0..<3 {
                    XCTAssertEqual(words[(row * 16 + column) * 3 + color], 100 * column + 50 * row)
                }
            }
        }
    }

    func testSamplesBelowBlackAndAboveWhiteAreClipped() throws {
        XCTAssertEqual(Set(words(try mosaic(6, 6) { _, _, _ in 100 }.interpolatedData())), [0])
        XCTAssertEqual(Set(words(try mosaic(6, 6) { _, _, _ in 16383 }.interpolatedData())), [15500])
    }

    func testTheBufferHasTheSameSamplesAndAlpha() throws {
        let mosaic = try mosaic(8, 6) { column, row, color in 500 + column * 100 + row * 7 + color * 900 }
        let expected = words(mosaic.interpolatedData())
        let buffer = try mosaic.interpolatedBuffer()
        XCTAssertEqual(buffer.pixelFormat, kCVPixelFormatType_64RGBALE)
        buffer.withPlane(0) { plane in
            for pixel in 0..<48 {
                for sample in 0..<4 {
                    let word = plane.baseAddress.load(
                        fromByteOffset: pixel / 8 * plane.bytesPerRow + pixel % 8 * 8 + sample * 2, as: UInt16.self)
                    XCTAssertEqual(Int(word), sample == 3 ? 65535 : expected[pixel * 3 + sample])
                }
            }
        }
        XCTAssertEqual(words(mosaic.data).prefix(2), [500, 1500])
    }

    func testOtherBuffersAreRejected() throws {
        let gray = try XCTUnwrap(CVPixelBuffer(width: 8, height: 8, pixelFormat: kCVPixelFormatType_OneComponent8))
        XCTAssertThrowsError(try BayerMosaic(gray, blackLevel: 0, whiteLevel: 255))
        let small = try XCTUnwrap(CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_14Bayer_RGGB))
        XCTAssertThrowsError(try BayerMosaic(small, blackLevel: 0, whiteLevel: 255))
    }
}
