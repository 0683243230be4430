import MediaTypes
import PixelKernels
import XCTest

final class PixelChecksumTests: XCTestCase {
    private func checksum(_ text: String) -> String {
        Array(text.utf8).withUnsafeBytes { PixelChecksum($0).description }
    }

    func testChecksumsEqualPublishedXXH64Values() {
        XCTAssertEqual(checksum(""), "ef46db3751d8e999")
        XCTAssertEqual(checksum("a"), "d24ec4f1a98c6e5b")
        XCTAssertEqual(checksum("abc"), "44bc2cf5ad770999")
        XCTAssertEqual(checksum("Nobody inspects the spammish repetition"), "fbcea83c8a378bf1")
    }

    func testPaddingIsIgnored() throws {
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        let first = try ReferenceBuffer.make(38, 10, format)
        let second = try ReferenceBuffer.make(38, 10, format)
        let (base, stride, rows) = try {
            CVPixelBufferLockBaseAddress(second, [])
            return try ReferenceBuffer.plane(0, of: second)
        }()
        XCTAssertGreaterThan(stride, 38)
        for row in 0..<rows { base[row * stride + 38] = 1 }
        XCTAssertEqual(try PixelChecksum(first), try PixelChecksum(second))
        base[3 * stride + 37] ^= 1
        XCTAssertNotEqual(try PixelChecksum(first), try PixelChecksum(second))
        CVPixelBufferUnlockBaseAddress(second, [])
    }

    func testRowsAreHashedAsOneSequenceOfBytes() throws {
        // With 38 bytes per row, rows cross the boundaries of 32-byte stripes.
        let buffer = try ReferenceBuffer.make(38, 7, kCVPixelFormatType_OneComponent8)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let (base, stride, _) = try ReferenceBuffer.plane(0, of: buffer)
        var bytes: [UInt8] = []
        for row in 0..<7 {
            for x in 0..<38 {
                base[row * stride + x] = UInt8(truncatingIfNeeded: row * 41 + x * 7)
                bytes.append(base[row * stride + x])
            }
        }
        XCTAssertEqual(try PixelChecksum(buffer), bytes.withUnsafeBytes { PixelChecksum($0) })
    }
}
