import Testing
import XCTest

@testable import MediaTypes

#if DEBUG
    final class HeldLocksTests: XCTestCase {
        private func violations(_ body: () -> Void) -> [String] {
            var messages: [String] = []
            LockChecker.reportingViolations(to: { messages.append($0) }, body)
            return messages
        }

        func testLocksInTheOrderAreAcquiredTogether() {
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

        func testTheMessageHasBothNames() {
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

        func testALeafDoesNotHoldAnotherLeaf() {
            let (one, other, session) = (Lock(0), Lock(0), Lock(0, order: .session))
            XCTAssertEqual(violations { one.withLock { _ in other.withLock { $0 += 1 } } }.count, 1)
            XCTAssertEqual(violations { one.withLock { _ in session.withLock { $0 += 1 } } }.count, 1)
        }

        func testTwoLocksOfOneOrderAreNotHeldTogether() {
            let (one, other) = (Lock(0, order: .session), Lock(0, order: .session))
            XCTAssertEqual(violations { one.withLock { _ in other.withLock { $0 += 1 } } }.count, 1)
        }

        func testAReleasedLockDoesNotCount() {
            struct Failure: Error {}
            let (one, other) = (Lock(0), Lock(0))
            let messages = violations {
                do throws(Failure) {
                    try one.withLock { _ throws(Failure) in throw Failure() }
                    XCTFail("the error was lost")
                } catch {}
                one.withLock { $0 += 1 }
                other.withLock { $0 += 1 }
            }
            XCTAssertEqual(messages, [])
        }

        func testEachThreadHasItsOwnLocks() {
            let (one, other) = (Lock(0), Lock(0))
            let isDone = DispatchSemaphore(value: 0)
            let messages = violations {
                one.withLock { _ in
                    Thread {
                        other.withLock { $0 += 1 }
                        isDone.signal()
                    }.start()
                    isDone.wait()
                }
            }
            XCTAssertEqual(messages, [])
            XCTAssertEqual(other.withLock { $0 }, 1)
        }
    }

    @Suite struct HeldLocksExitTests {
        @Test func aViolationStopsTheProgramWithBothNames() async throws {
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
