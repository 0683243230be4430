import Dispatch
import Foundation
import MediaTypes
import XCTest

@testable import CaptureHAL

final class NotificationPosterTests: XCTestCase {
    private static let name = Notification.Name("NotificationPosterTests")

    /// A clock that is not virtual and always at time zero. Deliveries and timers run only when a test runs them.
    private final class FakeClock: CaptureClock {
        let deliveries = Lock<[@Sendable () -> Void]>([])
        let timers = Lock<[(deadline: CMTime, action: @Sendable () -> Void)]>([])
        let now = CMTime.zero
        let isVirtual = false

        func date(at time: CMTime) -> Date { Date(timeIntervalSince1970: time.seconds) }

        func schedule(at deadline: CMTime, _ action: @escaping @Sendable () -> Void) -> ClockTimer {
            timers.withLock { $0.append((deadline, action)) }
            return ClockTimer {}
        }

        func deliver(
            on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void,
            finished: @escaping @Sendable () -> Void
        ) {
            XCTAssertTrue(queue.isMain)
            deliveries.withLock { $0.append(callback) }
        }

        func spend(_ cost: Duration) {}

        func makeWorker(label: String) -> any ClockWorker { HostClock.shared.makeWorker(label: label) }

        func runDeliveries() {
            for callback in removeAll(deliveries) { callback() }
        }

        func runTimers() {
            for timer in removeAll(timers) { timer.action() }
        }

        private func removeAll<Element>(_ list: Lock<[Element]>) -> [Element] {
            list.withLock { elements in
                defer { elements = [] }
                return elements
            }
        }
    }

    private let clock = FakeClock()
    private let center = NotificationCenter()
    private let reports = Lock<[String]>([])

    private func makePoster() -> NotificationPoster {
        let reports = reports
        let system = SystemReference(name: nil, clock: clock)
        return NotificationPoster(system: system, clock: clock, center: center) { message in
            reports.withLock { $0.append(message) }
        }
    }

    func testNotificationsArePostedOnTheMainQueueInTheOrderOfTheCalls() {
        let poster = makePoster()
        let object = PostingObject()
        let received = Lock<[Int]>([])
        let token = center.addObserver(forName: Self.name, object: object, queue: nil) { notification in
            received.withLock { $0.append(notification.userInfo?["number"] as? Int ?? -1) }
        }
        for number in 1...3 { poster.post(Self.name, userInfo: ["number": number]) { object } }
        XCTAssertEqual(received.withLock { $0 }, [])
        clock.runDeliveries()
        XCTAssertEqual(received.withLock { $0 }, [1, 2, 3])
        clock.runTimers()
        XCTAssertEqual(reports.withLock { $0 }, [])
        center.removeObserver(token)
    }

    func testANotificationOfAReleasedObjectIsNotPosted() {
        let poster = makePoster()
        let count = Lock(0)
        let token = center.addObserver(forName: Self.name, object: nil, queue: nil) { _ in
            count.withLock { $0 += 1 }
        }
        do {
            let object = PostingObject()
            poster.post(Self.name) { [weak object] in object }
        }
        clock.runDeliveries()
        XCTAssertEqual(count.withLock { $0 }, 0)
        center.removeObserver(token)
    }

    func testAMainThreadThatNeverRunsItsQueueIsReportedOnce() {
        let poster = makePoster()
        let object = PostingObject()
        for _ in 0..<3 { poster.post(Self.name) { object } }
        XCTAssertEqual(clock.timers.withLock { $0.map(\.deadline.value) }, [NotificationPoster.timeoutSeconds])
        clock.runTimers()
        XCTAssertEqual(reports.withLock { $0.count }, 1)
        poster.post(Self.name) { object }
        XCTAssertEqual(clock.timers.withLock { $0.count }, 0)
        XCTAssertEqual(reports.withLock { $0.count }, 1)
    }

    func testAMainThreadThatRunsItsQueueLateIsReportedOnlyIfItIsLateAgain() {
        let poster = makePoster()
        let object = PostingObject()
        poster.post(Self.name) { object }
        clock.runDeliveries()
        poster.post(Self.name) { object }
        clock.runTimers()
        XCTAssertEqual(reports.withLock { $0 }, [], "the notification of the first check was posted")
        poster.post(Self.name) { object }
        clock.runTimers()
        XCTAssertEqual(reports.withLock { $0.count }, 1)
    }
}

/// The object of a notification.
private final class PostingObject: Sendable {}
