import Foundation
import FoundationAdditions
import MediaTypes
import XCTest

final class NotificationCenterNotificationsTests: XCTestCase {
    private static let name = Notification.Name("test.notification")

    private func post(_ numbers: Range<Int>, to center: NotificationCenter, from object: AnyObject? = nil) {
        for number in numbers { center.post(name: Self.name, object: object, userInfo: ["number": number]) }
    }

    /// Posts a notification and returns whether an observer retains it.
    private func hasObserver(at center: NotificationCenter) -> Bool {
        var payload: NSObject? = NSObject()
        weak let released = payload
        center.post(name: Self.name, object: nil, userInfo: ["payload": payload as Any])
        payload = nil
        return released != nil
    }

    /// Returns the numbers of the next notifications; nil after the end of the sequence.
    private func numbers(
        _ iterator: inout NotificationCenter.Notifications.Iterator, _ count: Int
    ) async -> [Int?] {
        var result: [Int?] = []
        for _ in 0..<count { result.append(await iterator.next()?.userInfo?["number"] as? Int) }
        return result
    }

    func testNotificationsSinceTheCallAreReturnedInOrder() async {
        let center = NotificationCenter()
        post(0..<1, to: center)
        let sequence = center.notifications(named: Self.name)
        post(1..<3, to: center)
        center.post(name: Notification.Name("another"), object: nil)
        var iterator = sequence.makeAsyncIterator()
        post(3..<5, to: center)
        let first = await numbers(&iterator, 4)
        XCTAssertEqual(first, [1, 2, 3, 4])
        var other = sequence.makeAsyncIterator()
        post(5..<6, to: center)
        let (second, third) = (await numbers(&iterator, 1), await numbers(&other, 1))
        XCTAssertEqual(second, [5])
        XCTAssertEqual(third, [5], "each iterator returns all notifications")
    }

    func testTheEightNewestNotificationsAreBuffered() async {
        let center = NotificationCenter()
        let sequence = center.notifications(named: Self.name)
        post(0..<100, to: center)
        var iterator = sequence.makeAsyncIterator()
        let numbers = await numbers(&iterator, 8)
        XCTAssertEqual(numbers, (92..<100).map { $0 })
    }

    func testNotificationsAreFilteredBySenderWhichIsNotRetained() async {
        let center = NotificationCenter()
        let other = NSObject()
        var object: NSObject? = NSObject()
        weak let released = object
        let sequence = center.notifications(named: Self.name, object: object)
        post(0..<1, to: center, from: other)
        post(1..<2, to: center)
        post(2..<3, to: center, from: object)
        var iterator = sequence.makeAsyncIterator()
        let numbers = await numbers(&iterator, 1)
        XCTAssertEqual(numbers, [2])
        object = nil
        XCTAssertNil(released)
    }

    func testCancellingTheTaskEndsTheSequenceAndTheObservation() async {
        let center = NotificationCenter()
        let sequence = center.notifications(named: Self.name)
        let (received, continuation) = AsyncStream.makeStream(of: Int.self)
        post(7..<8, to: center)
        let task = Task {
            for await notification in sequence {
                continuation.yield(notification.userInfo?["number"] as? Int ?? -1)
            }
            continuation.finish()
        }
        var iterator = received.makeAsyncIterator()
        let first = await iterator.next()
        XCTAssertEqual(first, 7)
        task.cancel()
        let last = await iterator.next()
        XCTAssertNil(last)
        await task.value
        XCTAssertFalse(hasObserver(at: center))
        withExtendedLifetime(sequence) {}
    }

    func testReleasedSequencesAndIteratorsStopObserving() async {
        let center = NotificationCenter()
        do {
            let sequence = center.notifications(named: Self.name)
            XCTAssertTrue(hasObserver(at: center))
            withExtendedLifetime(sequence) {}
        }
        XCTAssertFalse(hasObserver(at: center), "a sequence without iterators")
        let sequence = center.notifications(named: Self.name)
        post(0..<1, to: center)
        for await _ in sequence { break }
        XCTAssertFalse(hasObserver(at: center), "an exited loop")
        withExtendedLifetime(sequence) {}
    }
}
