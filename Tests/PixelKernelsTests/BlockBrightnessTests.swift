import MediaTypes
import PixelKernels
import XCTest

final class BlockBrightnessTests: XCTestCase {
    /// Returns a gray image; `value` gives the brightness of the pixel in a row and column.
    private func image(_ width: Int, _ height: Int, _ value: (Int, Int) -> UInt8) throws -> CVPixelBuffer {
        let buffer = try ReferenceBuffer.make(width, height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        CVPixelBufferLockBaseAddress(buffer, [])
        let (base, stride, _) = try ReferenceBuffer.plane(0, of: buffer)
        for row in 0..<height { for column in 0..<width { base[row * stride + column] = value(row, column) } }
        CVPixelBufferUnlockBaseAddress(buffer, [])
        return buffer
    }

    func testNoiseIsNoDifferenceButAMovedEdgeIs() throws {
        // 38 and 22 are not multiples of 8.
        let plain = BlockBrightness(try image(38, 22) { row, column in column < 20 ? 40 : 200 })
        let noisy = BlockBrightness(
            try image(38, 22) { row, column in
                UInt8((column < 20 ? 40 : 200) + (row * 7 + column * 13) % 9 - 4)
            })
        let moved = BlockBrightness(try image(38, 22) { row, column in column < 21 ? 40 : 200 })
        XCTAssertFalse(noisy.differs(from: plain, by: 4))
        XCTAssertTrue(moved.differs(from: plain, by: 4))
        XCTAssertTrue(plain.differs(from: moved, by: 4))
    }

    func testTheSmallerBlocksAtTheEdgesAreCompared() throws {
        let plain = BlockBrightness(try image(38, 22) { _, _ in 100 })
        let corner = BlockBrightness(try image(38, 22) { row, column in row >= 16 && column >= 32 ? 130 : 100 })
        XCTAssertTrue(corner.differs(from: plain, by: 4))
        XCTAssertTrue(BlockBrightness(try image(40, 22) { _, _ in 100 }).differs(from: plain, by: 4), "another size")
    }
}
