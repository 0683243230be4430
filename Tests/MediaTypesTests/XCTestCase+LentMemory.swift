import XCTest

@testable import MediaTypes

extension XCTestCase {
    /// Memory of a picture of 4x4 pixels, which the test owns until it ends.
    func makeLentMemory(
        _ description: FirstDescription = FirstDescription(), giveBack: @escaping @Sendable () -> Void = {}
    ) throws -> LentMemory {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 4 * 4 * 2, alignment: 16)
        addTeardownBlock { [address = UInt(bitPattern: bytes)] in
            UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
        }
        let plane = PixelPlane(baseAddress: bytes, width: 4, height: 4, bytesPerRow: 8)
        return try XCTUnwrap(
            LentMemory(
                width: 4, height: 4, pixelFormat: kCVPixelFormatType_422YpCbCr8_yuvs, planes: [plane],
                attachments: CMAttachmentBearerAttachments(), description: description, giveBack: giveBack))
    }
}
