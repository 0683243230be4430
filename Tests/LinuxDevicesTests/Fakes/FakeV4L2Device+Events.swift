import CLinuxDevices

/// Events, according to v4l2-event.
extension FakeV4L2Device {
    /// Queues an event for all subscribers except the file descriptor that caused it.
    func post(_ event: v4l2_event, by descriptor: Int32?) {
        let key = UInt64(event.type) << 32 | UInt64(event.id)
        for (listener, keys) in subscriptions where listener != descriptor && keys.contains(key) {
            events[listener, default: []].append(event)
        }
    }

    func subscribe(_ subscription: inout v4l2_event_subscription, _ descriptor: Int32) -> Int32 {
        let isControl = subscription.type == UInt32(V4L2_EVENT_CTRL)
        let id = subscription.id
        if isControl, !controls.contains(where: { $0.id == id }) { return EINVAL }
        subscriptions[descriptor, default: []].insert(UInt64(subscription.type) << 32 | UInt64(id))
        return 0
    }

    func dequeueEvent(_ event: inout v4l2_event, _ descriptor: Int32) -> Int32 {
        guard let first = events[descriptor]?.first else { return ENOENT }
        events[descriptor]?.removeFirst()
        event = first
        return 0
    }
}
