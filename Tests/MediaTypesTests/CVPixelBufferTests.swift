import Foundation
import XCTest

@testable import MediaTypes

final class CVPixelBufferTests: XCTestCase {
    private func make(
        _ width: Int, _ height: Int, _ format: OSType, _ attributes: CFDictionary? = nil
    ) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        let status = CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, attributes, &buffer)
        XCTAssertEqual(status, kCVReturnSuccess)
        return try XCTUnwrap(buffer)
    }

    func testBiPlanarChromaIsSubsampledAndRowsAreAligned() throws {
        let buffer = try make(1283, 721, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        XCTAssertTrue(CVPixelBufferIsPlanar(buffer))
        XCTAssertEqual(CVPixelBufferGetPlaneCount(buffer), 2)
        XCTAssertEqual(CVPixelBufferGetWidthOfPlane(buffer, 0), 1283)
        XCTAssertEqual(CVPixelBufferGetHeightOfPlane(buffer, 0), 721)
        XCTAssertEqual(CVPixelBufferGetBytesPerRowOfPlane(buffer, 0), 1344)
        XCTAssertEqual(CVPixelBufferGetWidthOfPlane(buffer, 1), 642)
        XCTAssertEqual(CVPixelBufferGetHeightOfPlane(buffer, 1), 361)
        XCTAssertEqual(CVPixelBufferGetBytesPerRowOfPlane(buffer, 1), 1344)
        XCTAssertEqual(CVPixelBufferGetDataSize(buffer), 1344 * (721 + 361))
        XCTAssertGreaterThanOrEqual(CVPixelBufferGetBytesPerRow(buffer) * 721, CVPixelBufferGetDataSize(buffer))
        XCTAssertEqual(CVPixelBufferGetWidthOfPlane(buffer, 2), 0)
        for plane in buffer.planes { XCTAssertEqual(UInt(bitPattern: plane.baseAddress) % 64, 0) }
    }

    func testPackedFormatsReportNoPlanes() throws {
        let buffer = try make(3, 2, kCVPixelFormatType_32BGRA)
        XCTAssertFalse(CVPixelBufferIsPlanar(buffer))
        XCTAssertEqual(CVPixelBufferGetPlaneCount(buffer), 0)
        XCTAssertEqual(CVPixelBufferGetBytesPerRow(buffer), 64)
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        XCTAssertNotNil(CVPixelBufferGetBaseAddress(buffer))
        XCTAssertNil(CVPixelBufferGetBaseAddressOfPlane(buffer, 0))
        XCTAssertEqual(CVPixelBufferGetHeightOfPlane(buffer, 0), 0)
        XCTAssertEqual(buffer.planes.count, 1)
    }

    func testEachFormatHasAlignedRowsAndABlackBlock() throws {
        for format in PixelFormat.all {
            let buffer = try make(37, 5, format.code)
            for (plane, shape) in zip(buffer.planes, format.planes) {
                XCTAssertEqual(plane.width, shape.width(ofImage: 37))
                XCTAssertGreaterThanOrEqual(plane.bytesPerRow, shape.byteCount(ofColumns: plane.width))
                XCTAssertEqual(plane.bytesPerRow % 64, 0)
                XCTAssertEqual(shape.blackBlock.count * 8, shape.bitsPerBlock, fourCharacterText(format.code))
                memset(plane.baseAddress, 1, plane.bytesPerRow * plane.height)
            }
        }
    }

    func testAddressesAreAvailableOnlyWhileLocked() throws {
        let buffer = try make(16, 16, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        XCTAssertNil(CVPixelBufferGetBaseAddressOfPlane(buffer, 0))
        XCTAssertEqual(CVPixelBufferLockBaseAddress(buffer, .readOnly), kCVReturnSuccess)
        XCTAssertEqual(CVPixelBufferLockBaseAddress(buffer, []), kCVReturnSuccess)
        XCTAssertNotNil(CVPixelBufferGetBaseAddressOfPlane(buffer, 1))
        XCTAssertEqual(CVPixelBufferUnlockBaseAddress(buffer, .readOnly), kCVReturnSuccess)
        XCTAssertNotNil(CVPixelBufferGetBaseAddress(buffer))
        XCTAssertEqual(CVPixelBufferUnlockBaseAddress(buffer, .readOnly), kCVReturnInvalidArgument)
        XCTAssertEqual(CVPixelBufferUnlockBaseAddress(buffer, []), kCVReturnSuccess)
        XCTAssertNil(CVPixelBufferGetBaseAddress(buffer))
    }

    func testInvalidRequestsAreRejected() {
        var buffer: CVPixelBuffer?
        XCTAssertEqual(CVPixelBufferCreate(nil, 16, 16, 0x3f3f_3f3f, nil, &buffer), kCVReturnInvalidPixelFormat)
        XCTAssertEqual(CVPixelBufferCreate(nil, 0, 16, kCVPixelFormatType_32BGRA, nil, &buffer), kCVReturnInvalidSize)
        XCTAssertEqual(
            CVPixelBufferCreate(nil, 16, .max, kCVPixelFormatType_32BGRA, nil, &buffer), kCVReturnInvalidSize)
        for attributes: CFDictionary in [
            [kCVPixelBufferBytesPerRowAlignmentKey: 48], [kCVPixelBufferExtendedPixelsLeftKey: -1],
            [kCVPixelBufferExtendedPixelsTopKey: "many"],
        ] {
            XCTAssertEqual(
                CVPixelBufferCreate(nil, 16, 16, kCVPixelFormatType_32BGRA, attributes, &buffer),
                kCVReturnInvalidPixelBufferAttributes)
        }
        XCTAssertNil(buffer)
    }

    func testExtendedPixelsSurroundTheImage() throws {
        let attributes: [CFString: Any] = [
            kCVPixelBufferExtendedPixelsLeftKey: 3, kCVPixelBufferExtendedPixelsTopKey: 2,
            kCVPixelBufferExtendedPixelsRightKey: 1, kCVPixelBufferExtendedPixelsBottomKey: 4,
        ]
        let buffer = try make(64, 8, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, attributes as CFDictionary)
        var extraPixels = [0, 0, 0, 0]
        extraPixels.withUnsafeMutableBufferPointer {
            guard let side = $0.baseAddress else { return }
            CVPixelBufferGetExtendedPixels(buffer, side, side + 1, side + 2, side + 3)
        }
        // At the left, right, top and bottom, rounded up to multiples of 2 because of the chroma subsampling.
        XCTAssertEqual(extraPixels, [4, 2, 2, 4])
        XCTAssertEqual(CVPixelBufferGetBytesPerRowOfPlane(buffer, 0), 128)
        XCTAssertEqual(CVPixelBufferGetDataSize(buffer), 128 * (8 + 6) + 128 * (4 + 3))
        let chroma = buffer.planes[1]
        let offset = UInt(bitPattern: chroma.baseAddress) - UInt(bitPattern: buffer.planes[0].baseAddress)
        XCTAssertEqual(offset, UInt(128 * 14 + 128 + 4) - UInt(128 * 2 + 4))
    }

    func testABufferIsCompatibleWithAttributesOfAtMostItsExtendedPixels() throws {
        let sides = [
            kCVPixelBufferExtendedPixelsLeftKey, kCVPixelBufferExtendedPixelsTopKey,
            kCVPixelBufferExtendedPixelsRightKey, kCVPixelBufferExtendedPixelsBottomKey,
        ]
        let plain = try make(16, 16, kCVPixelFormatType_32BGRA)
        for side in sides {
            let extended = try make(16, 16, kCVPixelFormatType_32BGRA, [side: 8])
            XCTAssertFalse(CVPixelBufferIsCompatibleWithAttributes(plain, [side: 8]), side)
            XCTAssertTrue(CVPixelBufferIsCompatibleWithAttributes(plain, [side: 0]), side)
            XCTAssertTrue(CVPixelBufferIsCompatibleWithAttributes(extended, [side: 8]), side)
            XCTAssertTrue(CVPixelBufferIsCompatibleWithAttributes(extended, [side: 4]), side)
            XCTAssertFalse(CVPixelBufferIsCompatibleWithAttributes(extended, [side: 9]), side)
        }
    }

    func testExternalMemoryIsUsedInPlaceAndReleasedOnce() throws {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 100 * 4, alignment: 16)
        defer { bytes.deallocate() }
        var releases: Int32 = 0
        try withUnsafeMutablePointer(to: &releases) { counter in
            var buffer: CVPixelBuffer?
            let callback: CVPixelBufferReleaseBytesCallback = { context, _ in
                context?.assumingMemoryBound(to: Int32.self).pointee += 1
            }
            XCTAssertEqual(
                CVPixelBufferCreateWithBytes(
                    nil, 10, 10, kCVPixelFormatType_32BGRA, bytes, 39, callback, counter, nil, &buffer),
                kCVReturnInvalidArgument)
            XCTAssertEqual(counter.pointee, 0)
            XCTAssertEqual(
                CVPixelBufferCreateWithBytes(
                    nil, 10, 10, kCVPixelFormatType_32BGRA, bytes, 40, callback, counter, nil, &buffer),
                kCVReturnSuccess)
            let created = try XCTUnwrap(buffer)
            created.withPlane(0) { XCTAssertEqual($0.baseAddress, bytes) }
            XCTAssertEqual(counter.pointee, 0)
        }
        XCTAssertEqual(releases, 1)
    }

    func testExternalPlanesMustMatchTheFormat() {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 600, alignment: 16)
        defer { bytes.deallocate() }
        let released = Lock(0)
        let luma = PixelPlane(baseAddress: bytes, width: 16, height: 16, bytesPerRow: 16)
        let chroma = PixelPlane(baseAddress: bytes + 256, width: 8, height: 8, bytesPerRow: 16)
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        func wrap(_ planes: [PixelPlane]) -> ExternalPixelMemory? {
            ExternalPixelMemory(width: 16, height: 16, pixelFormat: format, planes: planes) {
                released.withLock { $0 += 1 }
            }
        }
        XCTAssertNil(wrap([luma]))
        XCTAssertEqual(wrap([luma, chroma])?.planes.map(\.baseAddress), [bytes, bytes + 256])
        XCTAssertEqual(released.withLock { $0 }, 0, "no pixel buffer was released")
    }

    func testExternalMemoryCanBeUsedBySuccessivePixelBuffers() throws {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        defer { bytes.deallocate() }
        let released = Lock(0)
        let memory = try XCTUnwrap(
            ExternalPixelMemory(
                width: 4, height: 4, pixelFormat: kCVPixelFormatType_32BGRA,
                planes: [PixelPlane(baseAddress: bytes, width: 4, height: 4, bytesPerRow: 16)]
            ) { released.withLock { $0 += 1 } })
        for count in 0..<3 {
            let buffer = memory.makeBuffer()
            XCTAssertEqual(buffer.planes.first?.baseAddress, bytes)
            XCTAssertNil(CVBufferCopyAttachment(buffer, "mine", nil), "attachments of the previous buffer")
            CVBufferSetAttachment(buffer, "mine", 5, .shouldPropagate)
            XCTAssertEqual(released.withLock { $0 }, count)
        }
        XCTAssertEqual(released.withLock { $0 }, 3)
    }

    func testPlanarBytesAreUsedInPlace() throws {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 6 * 64, alignment: 16)
        defer { bytes.deallocate() }
        var buffer: CVPixelBuffer?
        var addresses: [UnsafeMutableRawPointer?] = [bytes, bytes + 256, bytes + 320]
        var (widths, heights, strides) = ([16, 8, 8], [16, 8, 8], [16, 8, 8])
        XCTAssertEqual(
            CVPixelBufferCreateWithPlanarBytes(
                nil, 16, 16, kCVPixelFormatType_420YpCbCr8Planar, bytes, 384, 3, &addresses, &widths, &heights,
                &strides, nil, nil, nil, &buffer), kCVReturnSuccess)
        XCTAssertEqual(try XCTUnwrap(buffer).planes.map(\.baseAddress), [bytes, bytes + 256, bytes + 320])
    }

    func testAttachmentsRetainTheirModes() throws {
        let source = try make(16, 16, kCVPixelFormatType_32BGRA)
        let target = try make(16, 16, kCVPixelFormatType_32BGRA)
        CVBufferSetAttachment(
            source, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
        CVBufferSetAttachment(source, "mine", 5, .shouldNotPropagate)
        var mode = CVAttachmentMode.shouldPropagate
        XCTAssertEqual(CVBufferCopyAttachment(source, "mine", &mode) as? Int, 5)
        XCTAssertEqual(mode, .shouldNotPropagate)
        CVBufferPropagateAttachments(source, target)
        XCTAssertEqual(
            CVBufferCopyAttachment(target, kCVImageBufferYCbCrMatrixKey, nil) as? String,
            kCVImageBufferYCbCrMatrix_ITU_R_709_2)
        XCTAssertFalse(CVBufferHasAttachment(target, "mine"))
        XCTAssertEqual(CVBufferCopyAttachments(source, .shouldNotPropagate)?.count, 1)
        CVBufferRemoveAllAttachments(source)
        XCTAssertNil(CVBufferGetAttachments(source, .shouldPropagate))
    }

    func testTheDisplaySizeFollowsFromCleanApertureAndPixelAspectRatio() throws {
        let buffer = try make(720, 480, kCVPixelFormatType_422YpCbCr8)
        XCTAssertEqual(CVImageBufferGetDisplaySize(buffer), CGSize(width: 720, height: 480))
        CVBufferSetAttachment(
            buffer, kCVImageBufferCleanApertureKey,
            [
                kCVImageBufferCleanApertureWidthKey: 704, kCVImageBufferCleanApertureHeightKey: 480,
                kCVImageBufferCleanApertureHorizontalOffsetKey: 2,
            ] as [String: Any], .shouldPropagate)
        CVBufferSetAttachment(
            buffer, kCVImageBufferPixelAspectRatioKey,
            [
                kCVImageBufferPixelAspectRatioHorizontalSpacingKey: 10,
                kCVImageBufferPixelAspectRatioVerticalSpacingKey: 11,
            ] as [String: Any], .shouldPropagate)
        XCTAssertEqual(CVImageBufferGetCleanRect(buffer), CGRect(x: 10, y: 0, width: 704, height: 480))
        XCTAssertEqual(CVImageBufferGetDisplaySize(buffer), CGSize(width: 640, height: 480))
    }
}
