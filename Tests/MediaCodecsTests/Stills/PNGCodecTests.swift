import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import XCTest

final class PNGCodecTests: XCTestCase {
    func testAnImageIsReadBackWithoutLoss() throws {
        let source = try MediaFixture.makeBuffer(37, 21, kCVPixelFormatType_32BGRA)
        CVPixelBufferLockBaseAddress(source, [])
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(source)).assumingMemoryBound(to: UInt8.self)
        var generator = SplitMix64(seed: 1)
        for row in 0..<21 {
            for x in 0..<37 * 4 {
                let byte = x % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &generator)
                base[row * CVPixelBufferGetBytesPerRow(source) + x] = byte
            }
        }
        CVPixelBufferUnlockBaseAddress(source, [])
        let data = try PNGCodec().encode(source)
        XCTAssertEqual([UInt8](data.prefix(8)), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        XCTAssertEqual(try PixelChecksum(PNGCodec().decode(data)), try PixelChecksum(source))
        XCTAssertEqual(try PNGCodec().encode(source), data)
    }

    func testDataThatIsNotACompletePNGFileIsRejected() throws {
        let source = try MediaFixture.makeBuffer(16, 16, kCVPixelFormatType_OneComponent8)
        let encoded = try PNGCodec().encode(source)
        for data in [Data(), Data("not an image".utf8), encoded.prefix(20), encoded.prefix(encoded.count / 2)] {
            XCTAssertThrowsError(try PNGCodec().decode(data)) { XCTAssertEqual(($0 as? ImageError)?.code, .damaged) }
        }
    }
}
