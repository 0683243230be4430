import Foundation
import XCTest

@testable import MediaTypes

final class CMBlockBufferTests: XCTestCase {
    private func buffer(_ bytes: [UInt8]) -> CMBlockBuffer { CMBlockBuffer(copying: bytes) }

    func testBytesAreCopiedInAndOut() throws {
        let block = buffer([1, 2, 3, 4])
        XCTAssertEqual(block.dataLength, 4)
        XCTAssertEqual(try block.dataBytes(), Data([1, 2, 3, 4]))
        var bytes = [UInt8](repeating: 0, count: 2)
        XCTAssertEqual(
            CMBlockBufferCopyDataBytes(block, atOffset: 1, dataLength: 2, destination: &bytes), kCMBlockBufferNoErr)
        XCTAssertEqual(bytes, [2, 3])
        XCTAssertEqual(
            CMBlockBufferReplaceDataBytes(
                with: [9, 8] as [UInt8], blockBuffer: block, offsetIntoDestination: 2, dataLength: 2),
            kCMBlockBufferNoErr)
        XCTAssertEqual(try block.dataBytes(), Data([1, 2, 9, 8]))
        XCTAssertEqual(
            CMBlockBufferFillDataBytes(with: 7, blockBuffer: block, offsetIntoDestination: 1, dataLength: 0),
            kCMBlockBufferNoErr)
        XCTAssertEqual(try block.dataBytes(), Data([1, 7, 7, 7]))
    }

    func testRangesOutsideTheBufferAreRejected() {
        let block = buffer([1, 2, 3])
        var bytes = [UInt8](repeating: 0, count: 8)
        XCTAssertEqual(
            CMBlockBufferCopyDataBytes(block, atOffset: 1, dataLength: 3, destination: &bytes),
            kCMBlockBufferBadLengthParameterErr)
        XCTAssertEqual(
            CMBlockBufferCopyDataBytes(block, atOffset: 4, dataLength: 1, destination: &bytes),
            kCMBlockBufferBadOffsetParameterErr)
        XCTAssertEqual(
            CMBlockBufferCopyDataBytes(block, atOffset: -1, dataLength: 1, destination: &bytes),
            kCMBlockBufferBadOffsetParameterErr)
        XCTAssertEqual(
            CMBlockBufferGetDataPointer(
                block, atOffset: 3, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil),
            kCMBlockBufferBadOffsetParameterErr)
        XCTAssertThrowsError(try block.withUnsafeMutableBytes(atOffset: 3) { _ in })
        XCTAssertEqual(
            CMBlockBufferCopyDataBytes(CMBlockBuffer(), atOffset: 0, dataLength: 1, destination: &bytes),
            kCMBlockBufferEmptyBBufErr)
    }

    func testNegativeOffsetsAndLengthsAreRejected() {
        let block = buffer([1, 2, 3])
        var scratch = [UInt8](repeating: 0, count: 8)
        var pointer: UnsafeMutablePointer<CChar>?
        for offset in [-1, .min] {
            XCTAssertEqual(
                CMBlockBufferCopyDataBytes(block, atOffset: offset, dataLength: 1, destination: &scratch),
                kCMBlockBufferBadOffsetParameterErr)
            XCTAssertEqual(
                CMBlockBufferReplaceDataBytes(
                    with: [9], blockBuffer: block, offsetIntoDestination: offset, dataLength: 1),
                kCMBlockBufferBadOffsetParameterErr)
            for length in [0, 1] {
                XCTAssertEqual(
                    CMBlockBufferFillDataBytes(
                        with: 9, blockBuffer: block, offsetIntoDestination: offset, dataLength: length),
                    kCMBlockBufferBadOffsetParameterErr)
            }
            XCTAssertEqual(
                CMBlockBufferAccessDataBytes(
                    block, atOffset: offset, length: 1, temporaryBlock: &scratch, returnedPointerOut: &pointer),
                kCMBlockBufferBadOffsetParameterErr)
            XCTAssertEqual(
                CMBlockBufferGetDataPointer(
                    block, atOffset: offset, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil),
                kCMBlockBufferBadOffsetParameterErr)
            XCTAssertFalse(CMBlockBufferIsRangeContiguous(block, atOffset: offset, length: 1))
        }
        for length in [-1, .min] {
            XCTAssertEqual(
                CMBlockBufferCopyDataBytes(block, atOffset: 1, dataLength: length, destination: &scratch),
                kCMBlockBufferBadLengthParameterErr)
            XCTAssertEqual(
                CMBlockBufferReplaceDataBytes(
                    with: [9], blockBuffer: block, offsetIntoDestination: 1, dataLength: length),
                kCMBlockBufferBadLengthParameterErr)
            XCTAssertEqual(
                CMBlockBufferFillDataBytes(
                    with: 9, blockBuffer: block, offsetIntoDestination: 1, dataLength: length),
                kCMBlockBufferBadLengthParameterErr)
            XCTAssertEqual(
                CMBlockBufferAccessDataBytes(
                    block, atOffset: 1, length: length, temporaryBlock: &scratch, returnedPointerOut: &pointer),
                kCMBlockBufferBadLengthParameterErr)
            XCTAssertFalse(CMBlockBufferIsRangeContiguous(block, atOffset: 1, length: length))
        }
        XCTAssertNil(pointer)
        XCTAssertEqual(try? block.dataBytes(), Data([1, 2, 3]))
    }

    func testReferencesShareBytesAcrossPieces() throws {
        let (first, second) = (buffer([1, 2, 3]), buffer([4, 5, 6]))
        let joined = CMBlockBuffer()
        for part in [first, second] {
            XCTAssertEqual(
                CMBlockBufferAppendBufferReference(joined, targetBBuf: part, offsetToData: 1, dataLength: 0, flags: 0),
                kCMBlockBufferNoErr)
        }
        XCTAssertFalse(joined.isContiguous)
        XCTAssertTrue(CMBlockBufferIsRangeContiguous(joined, atOffset: 2, length: 2))
        XCTAssertFalse(CMBlockBufferIsRangeContiguous(joined, atOffset: 1, length: 2))
        XCTAssertEqual(joined.withUnsafeBytes { Array($0) }, [2, 3, 5, 6])
        try joined.replaceDataBytes(with: UnsafeRawBufferPointer(start: nil, count: 0))
        _ = CMBlockBufferReplaceDataBytes(
            with: [8, 9] as [UInt8], blockBuffer: joined, offsetIntoDestination: 1, dataLength: 2)
        XCTAssertEqual(try first.dataBytes(), Data([1, 2, 8]))
        XCTAssertEqual(try second.dataBytes(), Data([4, 9, 6]))

        var (length, total) = (0, 0)
        XCTAssertEqual(
            CMBlockBufferGetDataPointer(
                joined, atOffset: 1, lengthAtOffsetOut: &length, totalLengthOut: &total, dataPointerOut: nil),
            kCMBlockBufferNoErr)
        XCTAssertEqual([length, total], [1, 4])

        var contiguous: CMBlockBuffer?
        XCTAssertEqual(
            CMBlockBufferCreateContiguous(
                allocator: nil, sourceBuffer: joined, blockAllocator: nil, customBlockSource: nil, offsetToData: 0,
                dataLength: 0, flags: 0, blockBufferOut: &contiguous), kCMBlockBufferNoErr)
        XCTAssertEqual(contiguous?.isContiguous, true)
        XCTAssertEqual(try contiguous?.dataBytes(), Data([2, 8, 9, 6]))
    }

    func testABufferCannotReferenceItselfOrAnEmptyBuffer() {
        let block = buffer([1])
        XCTAssertThrowsError(try block.append(bufferReference: block))
        XCTAssertThrowsError(try block.append(bufferReference: CMBlockBuffer()))
        XCTAssertEqual(
            CMBlockBufferAppendBufferReference(
                block, targetBBuf: CMBlockBuffer(), offsetToData: 0, dataLength: 0,
                flags: kCMBlockBufferPermitEmptyReferenceFlag), kCMBlockBufferNoErr)
    }

    func testExternalMemoryIsFreedOnceWithTheLastReference() {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
        defer { bytes.deallocate() }
        let freedByteCount = Lock(0)
        var reference: CMBlockBuffer? = CMBlockBuffer()
        do {
            let block = CMBlockBuffer(buffer: bytes) { _, count in freedByteCount.withLock { $0 += count } }
            XCTAssertNoThrow(try reference?.append(bufferReference: block))
        }
        XCTAssertEqual(freedByteCount.withLock { $0 }, 0)
        reference = nil
        XCTAssertEqual(freedByteCount.withLock { $0 }, 4)
    }

    func testTheNullAllocatorDoesNotFreeTheMemory() throws {
        var bytes: [UInt8] = [1, 2, 3, 4]
        try bytes.withUnsafeMutableBytes { memory in
            var block: CMBlockBuffer?
            XCTAssertEqual(
                CMBlockBufferCreateWithMemoryBlock(
                    allocator: nil, memoryBlock: memory.baseAddress, blockLength: 4, blockAllocator: kCFAllocatorNull,
                    customBlockSource: nil, offsetToData: 1, dataLength: 2, flags: 0, blockBufferOut: &block),
                kCMBlockBufferNoErr)
            XCTAssertEqual(try XCTUnwrap(block).dataBytes(), Data([2, 3]))
        }
        var block: CMBlockBuffer?
        XCTAssertEqual(
            CMBlockBufferCreateWithMemoryBlock(
                allocator: nil, memoryBlock: nil, blockLength: 4, blockAllocator: nil, customBlockSource: nil,
                offsetToData: 3, dataLength: 2, flags: 0, blockBufferOut: &block), kCMBlockBufferBadLengthParameterErr)
    }
}
