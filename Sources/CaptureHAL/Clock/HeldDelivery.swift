import CCaptureHAL
package import Dispatch

/// A callback that the thread that tells an event keeps back, to make it by itself.
///
/// To hand a callback to its queue wakes a thread, which costs more than most callbacks do. A thread that may be held up,
/// because another one takes its place, runs it on the queue itself: after all that is there, and alone.
package struct HeldDelivery: Sendable {
    package let queue: DispatchQueue
    package let callback: any QueuedCallback
    /// Whether others depend on the events that follow, so that the thread may be held up only while another takes its
    /// place.
    package private(set) var othersDepend = false

    /// Tells an event, and keeps back the last callback on `HostClock` that comes of it on this thread.
    ///
    /// Earlier ones go their usual way, so that each queue has all of them in order as long as the one kept back is the
    /// next that is made or sent.
    /// - Parameter tell: Its events must be the only ones of their receiver meanwhile.
    package static func holding(_ tell: () -> Void) -> HeldDelivery? {
        var place = Place()
        withUnsafeMutablePointer(to: &place) { place in
            let outer = ccapturehal_held_delivery_get()
            ccapturehal_held_delivery_set(place)
            tell()
            ccapturehal_held_delivery_set(outer)
        }
        if place.othersDepend { place.held?.othersDepend = true }
        return place.held
    }

    /// Says that others than the receiver of the callback depend on the events that follow; while an event is told.
    package static func noteOthers() { place?.pointee.othersDepend = true }

    /// Keeps a delivery back where this thread does so.
    ///
    /// - Returns: Whether it is kept back; else it is to be sent.
    static func keep(_ delivery: HeldDelivery) -> Bool {
        guard let place else { return false }
        let earlier = place.pointee.held
        place.pointee.held = delivery
        if let earlier {
            place.pointee.othersDepend = true
            earlier.send()
        }
        return true
    }

    private struct Place {
        var held: HeldDelivery?
        var othersDepend = false
    }

    /// Where this thread keeps deliveries back, if it does.
    private static var place: UnsafeMutablePointer<Place>? {
        // SAFETY: only `holding` sets it, to a value that outlives the events that it tells.
        ccapturehal_held_delivery_get()?.assumingMemoryBound(to: Place.self)
    }

    /// Makes the callback; on its queue only.
    func make() {
        callback.make()
        callback.finish()
    }

    /// Lets a thread of the queue make the callback.
    package func send() {
        queue.async { make() }
    }
}
