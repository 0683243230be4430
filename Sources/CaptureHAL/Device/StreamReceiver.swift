package import MediaTypes

/// Takes what a stream delivers.
///
/// A stream calls one method at a time, in the order of the events. Pictures are the many: they may come by themselves, as
/// to take one out of an event counts all that it holds once more at each step of its way.
public protocol StreamReceiver: AnyObject, Sendable {
    /// Takes an event; runs on the host's clock or the stream's own thread and must not block for long.
    func receive(_ event: StreamEvent)
    /// Takes a picture, as `receive(.video(frame))` does; by default through that.
    func receive(_ frame: VideoFrame)
}

extension StreamReceiver {
    public func receive(_ frame: VideoFrame) { receive(.video(frame)) }
}

/// A receiver that takes most pictures in lent memory without a frame being made of them.
package protocol LentMemoryReceiver: StreamReceiver {
    /// Takes a picture, as `receive(_:)` takes one of the memory's in a frame that has no depth.
    ///
    /// - Returns: False, and nothing was done, where the frame is to be made and received.
    func take(_ memory: LentMemory, _ timing: CMSampleTimingInfo, _ settings: FrameSettings) -> Bool
}

extension DeviceStream {
    /// Starts delivery to a closure, as to a receiver.
    public func start(_ receive: @escaping @Sendable (StreamEvent) -> Void) throws(DeviceError) {
        try start(ClosureReceiver(receive))
    }
}

/// A closure that takes all events.
package final class ClosureReceiver: StreamReceiver {
    private let body: @Sendable (StreamEvent) -> Void

    package init(_ body: @escaping @Sendable (StreamEvent) -> Void) { self.body = body }

    package func receive(_ event: StreamEvent) { body(event) }
}
