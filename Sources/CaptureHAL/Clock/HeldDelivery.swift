import CCaptureHAL
package import Dispatch

/// A callback that the thread that tells an event keeps back, to make it by itself.
///
/// To hand a callback to its queue wakes a thread, which costs more than most callbacks do. A thread that may be held up,
/// because another one takes its place, runs it on the queue itself: after all that is there, and alone.
package struct HeldDelivery: Sendable {
    package let queue: DispatchQueue
    let callback: any QueuedCallback

    /// Tells an event, and keeps back the last callback on `HostClock` that comes of it on this thread.
    ///
    /// Earlier ones go their usual way, so that each queue has all of them in order as long as the one kept back is the
    /// next that is made or sent.
    /// - Parameter tell: Its events must be the only ones of their receiver meanwhile.
    package static func holding(_ tell: () -> Void) -> HeldDelivery? {
        var held: HeldDelivery?
        withUnsafeMutablePointer(to: &held) { place in
            let outer = ccapturehal_held_delivery_get()
            ccapturehal_held_delivery_set(place)
            tell()
            ccapturehal_held_delivery_set(outer)
        }
        return held
    }

    /// Keeps a delivery back where this thread does so.
    ///
    /// - Returns: Whether it is kept back; else it is to be sent.
    static func keep(_ delivery: HeldDelivery) -> Bool {
        guard let place = ccapturehal_held_delivery_get() else { return false }
        // SAFETY: only `holding` sets the place, to a value that outlives the events that it tells.
        let held = place.assumingMemoryBound(to: HeldDelivery?.self)
        let earlier = held.pointee
        held.pointee = delivery
        earlier?.send()
        return true
    }

    /// Makes the callback; on its queue only.
    package func make() {
        callback.make()
        callback.finish()
    }

    /// Lets a thread of the queue make the callback.
    package func send() {
        queue.async { make() }
    }
}
