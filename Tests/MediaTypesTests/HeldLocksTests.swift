import Testing
import XCTest

@testable import MediaTypes

#if DEBUG
final class HeldLocksTests: XCTestCase {
    /// Returns the messages about violations of the lock order by `body`.
    private func violations(_ body: () -> Void) -> [String] {
        var messages: [String] = []
        LockChecker.reportingViolations(to: { messages.append($0) }, body)
        return messages
    }

    func testLocksCanBeHeldTogetherIfAcquiredInOrder() {
        let (devices, session, leaf, buffer) = (
            Lock(0, order: .sessionDevices), Lock(0, order: .session), Lock(0), Lock(0, order: .primitive)
        )
        let messages = violations {
            devices.withLock { _ in session.withLock { _ in leaf.withLock { _ in buffer.withLock { $0 += 1 } } } }
            devices.withLock { _ in buffer.withLock { $0 += 1 } }
            session.withLock { $0 += 1 }
        }
        XCTAssertEqual(messages, [])
        XCTAssertEqual(buffer.withLock { $0 }, 2)
    }

    func testTheMessageNamesBothLocks() {
        let (devices, session) = (Lock(0, order: .sessionDevices), Lock(0, order: .session))
        let line = #line - 1
        let messages = violations { session.withLock { _ in devices.withLock { $0 += 1 } } }
        XCTAssertEqual(
            messages,
            [
                "lock order: sessionDevices (\(#fileID):\(line)) must not be acquired while session "
                    + "(\(#fileID):\(line)) is held"
            ])
    }

    func testALeafOrSessionLockMustNotBeAcquiredUnderALeafLock() {
        let (first, second, session) = (Lock(0), Lock(0), Lock(0, order: .session))
        XCTAssertEqual(violations { first.withLock { _ in second.withLock { $0 += 1 } } }.count, 1)
        XCTAssertEqual(violations { first.withLock { _ in session.withLock { $0 += 1 } } }.count, 1)
    }

    func testTwoLocksOfEqualOrderMustNotBeHeldTogether() {
        let (first, second) = (Lock(0, order: .session), Lock(0, order: .session))
        XCTAssertEqual(violations { first.withLock { _ in second.withLock { $0 += 1 } } }.count, 1)
    }

    func testALockIsReleasedWhenItsBodyReturnsOrThrows() {
        struct Failure: Error {}
        let (first, second) = (Lock(0), Lock(0))
        let messages = violations {
            do throws(Failure) {
                try first.withLock { _ throws(Failure) in throw Failure() }
                XCTFail("the error was lost")
            } catch {}
            first.withLock { $0 += 1 }
            second.withLock { $0 += 1 }
        }
        XCTAssertEqual(messages, [])
    }

    func testHeldLocksAreTrackedPerThread() {
        let (first, second) = (Lock(0), Lock(0))
        let done = DispatchSemaphore(value: 0)
        let messages = violations {
            first.withLock { _ in
                Thread {
                    second.withLock { $0 += 1 }
                    done.signal()
                }.start()
                done.wait()
            }
        }
        XCTAssertEqual(messages, [])
        XCTAssertEqual(second.withLock { $0 }, 1)
    }
}

@Suite struct HeldLocksExitTests {
    @Test func aViolationStopsTheProgramAndNamesBothLocks() async throws {
        let result = try #require(
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (devices, session) = (Lock(0, order: .sessionDevices), Lock(0, order: .session))
                session.withLock { _ in devices.withLock { $0 += 1 } }
            })
        let message = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(message.contains("sessionDevices (MediaTypesTests/HeldLocksTests.swift:"))
        #expect(message.contains("while session (MediaTypesTests/HeldLocksTests.swift:"))
    }
}
#endif
