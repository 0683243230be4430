import XCTest

@testable import MediaTypes

final class CVPixelBufferPoolTests: XCTestCase {
    private let attributes: CFDictionary = [
        kCVPixelBufferWidthKey: 64, kCVPixelBufferHeightKey: 32,
        kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
        kCVPixelBufferIOSurfacePropertiesKey: [String: Any](),
    ]

    private func makePool(_ poolAttributes: CFDictionary? = nil) throws -> CVPixelBufferPool {
        var pool: CVPixelBufferPool?
        XCTAssertEqual(CVPixelBufferPoolCreate(nil, poolAttributes, attributes, &pool), kCVReturnSuccess)
        return try XCTUnwrap(pool)
    }

    func testMemoryIsReused() throws {
        let pool = CVPixelBufferPool(
            width: 64, height: 32, pixelFormat: kCVPixelFormatType_32BGRA, maximumBufferCount: 2)
        var address: UnsafeMutableRawPointer?
        for _ in 0..<100 {
            let buffer = try XCTUnwrap(pool.makeBuffer())
            if let address { XCTAssertEqual(buffer.planes[0].baseAddress, address) }
            address = buffer.planes[0].baseAddress
        }
        XCTAssertEqual(pool.allocationCount, 1)
        XCTAssertEqual(pool.inUseCount, 0)
    }

    func testAnExhaustedPoolReturnsNil() {
        let pool = CVPixelBufferPool(
            width: 64, height: 32, pixelFormat: kCVPixelFormatType_32BGRA, maximumBufferCount: 2)
        var buffers = [pool.makeBuffer(), pool.makeBuffer()]
        XCTAssertNotNil(buffers[1])
        XCTAssertNil(pool.makeBuffer())
        XCTAssertEqual(pool.inUseCount, 2)
        buffers.removeFirst()
        XCTAssertNotNil(pool.makeBuffer())
        XCTAssertEqual(pool.allocationCount, 2)
    }

    func testAReusedBufferHasNeitherAttachmentsNorLocks() throws {
        let pool = try makePool()
        func make() throws -> CVPixelBuffer {
            var buffer: CVPixelBuffer?
            XCTAssertEqual(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer), kCVReturnSuccess)
            return try XCTUnwrap(buffer)
        }
        func useOnce() throws -> UnsafeMutableRawPointer {
            let buffer = try make()
            CVBufferSetAttachment(buffer, "key", 1, .shouldPropagate)
            CVPixelBufferLockBaseAddress(buffer, [])
            return buffer.planes[0].baseAddress
        }
        let address = try useOnce()
        let second = try make()
        XCTAssertEqual(second.planes[0].baseAddress, address)
        XCTAssertFalse(CVBufferHasAttachment(second, "key"))
        XCTAssertNil(CVPixelBufferGetBaseAddress(second))
    }

    func testTheThresholdLimitsOneRequest() throws {
        let pool = try makePool()
        let limit: CFDictionary = [kCVPixelBufferPoolAllocationThresholdKey: 1]
        var (first, second): (CVPixelBuffer?, CVPixelBuffer?)
        XCTAssertEqual(
            CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &first), kCVReturnSuccess)
        XCTAssertEqual(
            CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, limit, &second),
            kCVReturnWouldExceedAllocationThreshold)
        XCTAssertEqual(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &second), kCVReturnSuccess)
        XCTAssertNotEqual(first, second)
    }

    func testTheMinimumIsAllocatedImmediatelyAndFlushed() throws {
        let pool = try makePool([kCVPixelBufferPoolMinimumBufferCountKey: 3])
        XCTAssertEqual(pool.bufferCount, 3)
        CVPixelBufferPoolFlush(pool, [])
        XCTAssertEqual(pool.bufferCount, 3)
        CVPixelBufferPoolFlush(pool, .excessBuffers)
        XCTAssertEqual(pool.bufferCount, 0)
    }

    func testBuffersOutliveTheirPool() throws {
        var pool: CVPixelBufferPool? = try makePool()
        let buffer = try XCTUnwrap(pool?.makeBuffer())
        pool = nil
        buffer.withPlane(0) { XCTAssertEqual($0.baseAddress.load(as: UInt8.self), 0) }
    }

    func testMissingAndInvalidAttributesAreRejected() {
        var pool: CVPixelBufferPool?
        XCTAssertEqual(CVPixelBufferPoolCreate(nil, nil, nil, &pool), kCVReturnInvalidPixelBufferAttributes)
        var unknown = attributes
        unknown[kCVPixelBufferPixelFormatTypeKey] = OSType(7)
        XCTAssertEqual(CVPixelBufferPoolCreate(nil, nil, unknown, &pool), kCVReturnInvalidPixelFormat)
        XCTAssertEqual(
            CVPixelBufferPoolCreate(nil, [kCVPixelBufferPoolMinimumBufferCountKey: -1], attributes, &pool),
            kCVReturnInvalidPoolAttributes)
        XCTAssertNil(pool)
    }

    func testAPoolsMemoryKeepsItsFormatDescriptionWhileAttachmentsAreUnmodified() throws {
        let pool = CVPixelBufferPool(
            width: 8, height: 8, pixelFormat: kCVPixelFormatType_32BGRA, maximumBufferCount: 1)
        var first = pool.makeBuffer()
        let known = try CMFormatDescription.shared(by: XCTUnwrap(first))
        XCTAssert(try CMFormatDescription.shared(by: XCTUnwrap(first)) === known)
        first = nil
        var second = pool.makeBuffer()
        XCTAssert(try CMFormatDescription.shared(by: XCTUnwrap(second)) === known)
        second?.attachments[kCVImageBufferYCbCrMatrixKey] = .shouldPropagate(kCVImageBufferYCbCrMatrix_ITU_R_709_2)
        XCTAssertFalse(try CMFormatDescription.shared(by: XCTUnwrap(second)) === known)
        second = nil
        let third = try XCTUnwrap(pool.makeBuffer())
        XCTAssertNil(third.attachments[kCVImageBufferYCbCrMatrixKey])
        XCTAssertNil(CMFormatDescription.shared(by: third).extensions[.yCbCrMatrix])
    }
}
