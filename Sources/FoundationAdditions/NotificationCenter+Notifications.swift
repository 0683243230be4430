public import Foundation
import MediaTypes

/// Notifications for `for await`, which Foundation has on Apple's systems only.
extension NotificationCenter {
    /// The notifications of a name from this call on.
    ///
    /// - Parameter object: Whose notifications come; nil takes those of all. It is not kept alive.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(self, name, object)
    }

    /// The notifications of one name, one after the other.
    ///
    /// Those that come while the reader is busy wait for it, the eight newest ones: that is how many are seen to wait on
    /// Apple's systems, where neither that number nor when listening begins is documented. The sequence ends when its task is
    /// cancelled. What listens at the center goes with the sequence and its iterators.
    /// - Important: Thread-safe. The first iterator has the notifications since the sequence was made, others those since
    ///   they were made.
    public final class Notifications: AsyncSequence, Sendable {
        public typealias Element = Notification
        public typealias Failure = Never

        fileprivate struct Item: @unchecked Sendable {
            // SAFETY: a notification is handed over as it was posted; as with block observers, those who post see to it
            // that what it carries may be read on another thread.
            let notification: Notification
        }

        /// The most notifications that wait.
        static let limit = 8

        private let center: NotificationCenter
        private let name: Notification.Name
        private let source: Source
        /// What was heard before there was an iterator.
        private let first: Lock<AsyncStream<Item>?>

        fileprivate init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
            self.center = center
            self.name = name
            source = Source(object)
            first = Lock(Self.listen(center, name, source))
        }

        public func makeAsyncIterator() -> Iterator {
            let heard = first.withLock { stream in
                defer { stream = nil }
                return stream
            }
            return Iterator(base: (heard ?? Self.listen(center, name, source)).makeAsyncIterator())
        }

        private static func listen(
            _ center: NotificationCenter, _ name: Notification.Name, _ source: Source
        ) -> AsyncStream<Item> {
            AsyncStream(bufferingPolicy: .bufferingNewest(limit)) { continuation in
                // The center would keep an object that it is given.
                let observer = Observer(
                    center.addObserver(forName: name, object: nil, queue: nil) { notification in
                        guard source.isOrigin(of: notification) else { return }
                        continuation.yield(Item(notification: notification))
                    })
                continuation.onTermination = { [weak center] _ in center?.removeObserver(observer.token) }
            }
        }

        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var base: AsyncStream<Item>.Iterator

            /// The next notification; nil where the task was cancelled.
            public mutating func next() async -> Notification? { await base.next()?.notification }

            /// The same, for a reader on an actor.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await base.next(isolation: actor)?.notification
            }
        }
    }
}

/// Whose notifications are wanted.
private struct Source: @unchecked Sendable {
    // SAFETY: the object is only compared with others.
    private weak let object: AnyObject?
    private let isAny: Bool

    init(_ object: AnyObject?) {
        self.object = object
        isAny = object == nil
    }

    func isOrigin(of notification: Notification) -> Bool {
        guard !isAny else { return true }
        guard let object, let origin = notification.object else { return false }
        return origin as AnyObject === object
    }
}

/// What a center has for one who listens.
private struct Observer: @unchecked Sendable {
    // SAFETY: the token is only given back.
    let token: any NSObjectProtocol

    init(_ token: any NSObjectProtocol) { self.token = token }
}
