import Dispatch
import FoundationAdditions
import XCTest

final class UnfairLockTests: XCTestCase {
    func testAnAllocatedLockProtectsItsValue() {
        let count = OSAllocatedUnfairLock(initialState: 0)
        DispatchQueue.concurrentPerform(iterations: 1000) { _ in count.withLock { $0 += 1 } }
        XCTAssertEqual(count.withLock { $0 }, 1000)
    }

    func testALockedLockIsNotAvailable() {
        let lock = OSAllocatedUnfairLock()
        lock.lock()
        XCTAssertFalse(lock.lockIfAvailable())
        let result: Int? = lock.withLockIfAvailable { 1 }
        XCTAssertNil(result)
        lock.unlock()
        XCTAssertEqual(lock.withLockIfAvailable { 1 }, 1)
    }

    func testAPointerToALockIsLockedAndUnlocked() {
        let lock = os_unfair_lock_t.allocate(capacity: 1)
        lock.initialize(to: os_unfair_lock())
        defer { lock.deallocate() }
        os_unfair_lock_lock(lock)
        XCTAssertFalse(os_unfair_lock_trylock(lock))
        os_unfair_lock_unlock(lock)
        XCTAssertTrue(os_unfair_lock_trylock(lock))
        os_unfair_lock_unlock(lock)
    }

    func testTheValueIsReleasedWithTheLock() {
        final class Value: Sendable {}
        weak var released: Value?
        do {
            let value = Value()
            released = value
            let lock = OSAllocatedUnfairLock(initialState: value)
            lock.withLock { _ in }
        }
        XCTAssertNil(released)
    }
}
