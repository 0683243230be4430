import XCTest

@testable import CaptureCore

final class SessionTransactionTests: XCTestCase {
    /// A configuration is a list of device names. A transaction does not interpret snapshots: here they are arbitrary
    /// numbers.
    private typealias Transaction = SessionTransaction<[String], Int>

    func testChangesWaitForTheOutermostCommit() throws {
        var transaction = Transaction(committed: ["camera"])
        transaction.begin(1)
        transaction.begin(2)
        transaction.change { $0.append("microphone") }
        XCTAssertNil(transaction.commit())
        XCTAssertTrue(transaction.isOpen)
        XCTAssertEqual(transaction.committed, ["camera"])
        XCTAssertEqual(transaction.current, ["camera", "microphone"])
        let commit = try XCTUnwrap(transaction.commit())
        XCTAssertFalse(transaction.isOpen)
        XCTAssertEqual(transaction.committed, ["camera", "microphone"])
        XCTAssertEqual(commit.previous, ["camera"])
        XCTAssertEqual(commit.current, ["camera", "microphone"])
        XCTAssertEqual(commit.snapshot, 1, "a rollback restores the state at the outermost begin")
    }

    func testACommitWithoutATransactionIsIgnored() {
        var transaction = Transaction(committed: ["camera"])
        XCTAssertNil(transaction.commit())
        XCTAssertEqual(transaction.committed, ["camera"])
        transaction.begin(0)
        XCTAssertTrue(transaction.isOpen)
    }

    func testWithoutATransactionAChangeAppliesAtOnce() {
        var transaction = Transaction(committed: [])
        XCTAssertEqual(
            transaction.change { configuration -> Int in
                configuration.append("camera")
                return configuration.count
            }, 1)
        XCTAssertEqual(transaction.committed, ["camera"])
        XCTAssertNil(transaction.commit())
    }

    func testARollbackRestoresTheStateBeforeTheCommit() throws {
        var transaction = Transaction(committed: ["camera"])
        transaction.begin(0)
        transaction.change { $0 = ["other"] }
        let commit = try XCTUnwrap(transaction.commit())
        transaction.rollBack(to: commit.previous)
        XCTAssertEqual(transaction.committed, ["camera"])
        XCTAssertEqual(transaction.current, ["camera"])
    }

    func testARollbackKeepsATransactionThatBeganAfterTheCommit() throws {
        var transaction = Transaction(committed: ["camera"])
        transaction.begin(0)
        transaction.change { $0 = ["other"] }
        let commit = try XCTUnwrap(transaction.commit())
        transaction.begin(0)
        transaction.change { $0.append("microphone") }
        transaction.rollBack(to: commit.previous)
        XCTAssertEqual(transaction.committed, ["camera"])
        XCTAssertEqual(transaction.current, ["other", "microphone"])
    }
}
