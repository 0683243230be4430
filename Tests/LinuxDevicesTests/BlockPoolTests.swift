import MediaTypes
import XCTest

@testable import LinuxDevices

final class BlockPoolTests: XCTestCase {
    private func block(_ pool: BlockPool, _ bytes: [UInt8]) -> CMBlockBuffer {
        pool.makeBlock { memory in
            memory.copyBytes(from: bytes)
            return bytes.count
        }
    }

    private func address(_ block: CMBlockBuffer) -> UInt { block.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }

    func testABlockContainsTheWrittenBytes() throws {
        let block = block(BlockPool(blockByteCount: 8), [1, 2, 3])
        XCTAssertEqual([UInt8](try block.dataBytes()), [1, 2, 3])
    }

    func testReleasedMemoryIsReused() {
        let pool = BlockPool(blockByteCount: 64)
        var held: CMBlockBuffer? = block(pool, [1])
        let other = block(pool, [2])
        let reusableAddress = held.map(address)
        XCTAssertNotEqual(reusableAddress, address(other))
        held = nil
        XCTAssertEqual(reusableAddress, address(block(pool, [3])))
        XCTAssertEqual(other.withUnsafeBytes { $0[0] }, 2)
    }

    func testABlockIsValidAfterItsPoolIsReleased() throws {
        var pool: BlockPool? = BlockPool(blockByteCount: 4)
        let held = try XCTUnwrap(pool.map { block($0, [9, 8]) })
        pool = nil
        XCTAssertEqual([UInt8](try held.dataBytes()), [9, 8])
    }

    func testMemoryIsReusedIfFillingFails() {
        let pool = BlockPool(blockByteCount: 4)
        var reusableAddress: UInt?
        XCTAssertThrowsError(
            try pool.makeBlock { memory throws(KernelError) -> Int in
                reusableAddress = UInt(bitPattern: memory.baseAddress)
                throw KernelError("read", 5)
            })
        XCTAssertEqual(address(block(pool, [1])), reusableAddress)
    }
}
