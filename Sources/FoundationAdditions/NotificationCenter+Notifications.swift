public import Foundation
import MediaTypes

/// Asynchronous sequences of notifications, which Foundation provides only on Apple's systems.
extension NotificationCenter {
    /// Returns the notifications with a name that are posted after this call.
    ///
    /// - Parameter object: The sender of the notifications, not retained; nil for all senders.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(self, name, object)
    }

    /// The notifications with one name, in the order in which they are posted.
    ///
    /// While no iterator requests a notification, the newest eight are buffered. This number, and the start of the
    /// observation with the creation of the sequence, match the behavior of Apple's systems, which is not documented.
    /// The sequence ends when its task is cancelled. The center is observed until the sequence and its iterators are
    /// released.
    /// - Important: Thread-safe. The first iterator returns the notifications since the creation of the sequence, other
    ///   iterators those since their own creation.
    public final class Notifications: AsyncSequence, Sendable {
        public typealias Element = Notification
        public typealias Failure = Never

        fileprivate struct Item: @unchecked Sendable {
            // SAFETY: notifications are passed on unchanged; as with block observers, senders ensure that other threads
            // may read their contents.
            let notification: Notification
        }

        /// The maximum number of buffered notifications.
        static let limit = 8

        private let center: NotificationCenter
        private let name: Notification.Name
        private let sender: SenderFilter
        /// The notifications before the first iterator is created.
        private let first: Lock<AsyncStream<Item>?>

        fileprivate init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
            self.center = center
            self.name = name
            sender = SenderFilter(object)
            first = Lock(Self.observe(center, name, sender))
        }

        public func makeAsyncIterator() -> Iterator {
            let buffered = first.withLock { stream in
                defer { stream = nil }
                return stream
            }
            return Iterator(base: (buffered ?? Self.observe(center, name, sender)).makeAsyncIterator())
        }

        private static func observe(
            _ center: NotificationCenter, _ name: Notification.Name, _ sender: SenderFilter
        ) -> AsyncStream<Item> {
            AsyncStream(bufferingPolicy: .bufferingNewest(limit)) { continuation in
                // The center would retain an object passed here.
                let observer = ObserverToken(
                    center.addObserver(forName: name, object: nil, queue: nil) { notification in
                        guard sender.matches(notification) else { return }
                        continuation.yield(Item(notification: notification))
                    })
                continuation.onTermination = { [weak center] _ in center?.removeObserver(observer.token) }
            }
        }

        /// Iterates over the notifications in the order of posting.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var base: AsyncStream<Item>.Iterator

            /// Returns the next notification; nil if the task is cancelled.
            public mutating func next() async -> Notification? { await base.next()?.notification }

            /// Returns the next notification to a caller on an actor; nil if the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await base.next(isolation: actor)?.notification
            }
        }
    }
}

/// Selects notifications by sender.
private struct SenderFilter: @unchecked Sendable {
    // SAFETY: the object is only compared with others.
    private weak let object: AnyObject?
    private let isAny: Bool

    init(_ object: AnyObject?) {
        self.object = object
        isAny = object == nil
    }

    func matches(_ notification: Notification) -> Bool {
        guard !isAny else { return true }
        guard let object, let sender = notification.object else { return false }
        return sender as AnyObject === object
    }
}

/// An observer token of a notification center.
private struct ObserverToken: @unchecked Sendable {
    // SAFETY: the token is only passed back to the center.
    let token: any NSObjectProtocol

    init(_ token: any NSObjectProtocol) { self.token = token }
}
