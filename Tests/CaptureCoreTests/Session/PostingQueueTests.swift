import XCTest

@testable import CaptureCore

final class PostingQueueTests: XCTestCase {
    func testElementsAreReturnedInOrder() {
        var queue = PostingQueue<Int>()
        queue.append(contentsOf: [1, 2])
        XCTAssertTrue(queue.begin())
        XCTAssertEqual(queue.next(), 1)
        queue.append(contentsOf: [3])
        XCTAssertEqual(queue.next(), 2)
        XCTAssertEqual(queue.next(), 3, "an observer may append while the queue is posted")
        XCTAssertNil(queue.next())
    }

    func testOneThreadPostsAtATime() {
        var queue = PostingQueue<Int>()
        queue.append(contentsOf: [1])
        XCTAssertTrue(queue.begin())
        XCTAssertFalse(queue.begin())
        XCTAssertEqual(queue.next(), 1)
        XCTAssertFalse(queue.begin())
        XCTAssertNil(queue.next())
        XCTAssertTrue(queue.begin(), "after the last element another thread may post")
    }
}
