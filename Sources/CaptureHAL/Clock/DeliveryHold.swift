import CCaptureHAL
package import Dispatch

/// Where a thread that tells an event keeps back the callback that comes of it, to make it by itself.
///
/// To hand a callback to its queue wakes a thread, which costs more than most callbacks do. A thread that may be held up,
/// because another one takes its place, runs it on the queue itself: after all that is there, and alone.
///
/// Between `begin` and `end` the last callback that is delivered on `HostClock` by this thread is kept back. Earlier ones
/// go their usual way, so that each queue has all of them in order as long as the one kept back is the next that is made or
/// sent.
/// - Important: Confined to one thread from `begin` to `end`, then to whoever may take what is held.
package final class DeliveryHold: @unchecked Sendable {
    // SAFETY: confined, as said above.
    /// Invariant: there is a queue exactly while there is a callback.
    private struct Place {
        var queue: DispatchQueue?
        var callback: (any QueuedCallback)?
        var othersDepend = false
        /// What the thread kept deliveries back in before.
        var outer: UnsafeMutableRawPointer?
    }

    private let place: UnsafeMutablePointer<Place>

    package init() {
        place = .allocate(capacity: 1)
        place.initialize(to: Place())
    }

    deinit {
        place.deinitialize(count: 1)
        place.deallocate()
    }

    /// Keeps back what this thread delivers from now on; only while nothing is held.
    package func begin() {
        place.pointee.othersDepend = false
        place.pointee.outer = ccapturehal_held_delivery_get()
        ccapturehal_held_delivery_set(place)
    }

    /// Keeps back nothing more; on the thread of `begin`.
    ///
    /// - Returns: Whether anything is held.
    package func end() -> Bool {
        ccapturehal_held_delivery_set(place.pointee.outer)
        return place.pointee.callback != nil
    }

    /// The queue of what is held, if anything is.
    package var queue: DispatchQueue? { place.pointee.queue }

    /// Lets a visitor go to the queue of what is held; only while something is.
    package func aim(_ visitor: QueueVisitor) {
        if let queue = place.pointee.queue, !visitor.isAimed(at: queue) { visitor.aim(at: queue) }
    }

    /// Whether others than the receiver of the callback depend on the events that follow, so that the thread may be held
    /// up only while another takes its place.
    package var othersDepend: Bool { place.pointee.othersDepend }

    /// Hands out the callback that is held, to be made and finished on its queue.
    package func take() -> (any QueuedCallback)? {
        place.pointee.queue = nil
        // Moved: a copy would be counted and given back.
        return withUnsafeMutablePointer(to: &place.pointee.callback) { callback in
            let taken = callback.move()
            callback.initialize(to: nil)
            return taken
        }
    }

    /// Lets a thread of its queue make the callback that is held.
    package func send() {
        let queue = place.pointee.queue
        if let queue, let callback = take() { callback.send(to: queue) }
    }

    /// Says that others than the receiver of the callback depend on the events that follow; while an event is told.
    package static func noteOthers() { present?.pointee.othersDepend = true }

    /// Keeps a callback back where this thread does so.
    ///
    /// - Returns: Whether it is kept back; else it is to be sent.
    static func keep(_ callback: any QueuedCallback, for queue: DispatchQueue) -> Bool {
        guard let present else { return false }
        if present.pointee.queue != nil { sendEarlier(in: present) }
        // There is nothing, so that nothing need be given back.
        withUnsafeMutablePointer(to: &present.pointee.queue) { $0.initialize(to: queue) }
        withUnsafeMutablePointer(to: &present.pointee.callback) { $0.initialize(to: callback) }
        return true
    }

    /// Sends what is held, because something else came after it.
    @inline(never)
    private static func sendEarlier(in present: UnsafeMutablePointer<Place>) {
        present.pointee.othersDepend = true
        if let queue = present.pointee.queue { present.pointee.callback?.send(to: queue) }
        present.pointee.queue = nil
        present.pointee.callback = nil
    }

    /// Where this thread keeps deliveries back, if it does.
    private static var present: UnsafeMutablePointer<Place>? {
        // SAFETY: only `begin` sets it, until `end`, to the place of an object that lives at least until then.
        ccapturehal_held_delivery_get()?.assumingMemoryBound(to: Place.self)
    }
}

extension QueuedCallback {
    /// Lets a thread of a queue make and finish the callback.
    func send(to queue: DispatchQueue) {
        queue.async {
            self.make()
            self.finish()
        }
    }
}
