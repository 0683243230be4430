import CaptureHAL
import Foundation
import MediaTypes

/// A receiver that records the events of a stream. A test can wait for them.
final class RecordingReceiver: @unchecked Sendable {
    // SAFETY: `recorded` is accessed while holding `condition`.
    private let condition = NSCondition()
    private var recorded: [StreamEvent] = []
    /// Runs for each event, on the stream's thread, outside the lock.
    let onEvent: (@Sendable (StreamEvent) -> Void)?
    private let keepsFrames: Bool

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - keepsFrames: Whether to retain the buffers of video frames. If not, their payloads are replaced with empty
    ///     ones.
    ///   - onEvent: Called for each event, on the stream's thread, before the event is recorded.
    init(keepsFrames: Bool = true, onEvent: (@Sendable (StreamEvent) -> Void)? = nil) {
        self.keepsFrames = keepsFrames
        self.onEvent = onEvent
    }

    /// Records an event. Pass this method to `DeviceStream.start(_:)`.
    func receive(_ event: StreamEvent) {
        onEvent?(event)
        var event = event
        if !keepsFrames, var frame = event.frame {
            frame.payload = .compressed(CMBlockBuffer(), codec: 0)
            event = .video(frame)
        }
        condition.lock()
        recorded.append(event)
        condition.broadcast()
        condition.unlock()
    }

    /// The recorded events, in the order of their arrival. Thread-safe.
    var events: [StreamEvent] {
        condition.lock()
        defer { condition.unlock() }
        return recorded
    }

    /// Releases all recorded events with their buffers.
    func removeAll() {
        condition.lock()
        let removed = recorded
        recorded = []
        condition.unlock()
        // Release the buffers outside the lock, because their release callbacks call the driver.
        withExtendedLifetime(removed) {}
    }

    /// Blocks until at least `count` events are recorded or the timeout expires, and returns all recorded events.
    func wait(for count: Int) -> [StreamEvent] {
        wait { $0.count >= count }
    }

    /// Blocks until at least `count` frames are recorded or the timeout expires, and returns all recorded frames.
    ///
    /// A driver on a busy machine loses frames, so that the events between the frames can be drops.
    func waitForFrames(_ count: Int = 1) -> [VideoFrame] {
        wait { $0.count { $0.frame != nil } >= count }.compactMap(\.frame)
    }

    /// Blocks until a failure is recorded or the timeout expires, and returns the failure.
    func waitForFailure() -> DeviceError? {
        wait { $0.contains { $0.failure != nil } }.compactMap(\.failure).first
    }

    /// Blocks until the recorded events satisfy a condition or 60 s have elapsed, and returns them.
    private func wait(until isSatisfied: ([StreamEvent]) -> Bool) -> [StreamEvent] {
        let deadline = Date(timeIntervalSinceNow: 60)
        condition.lock()
        defer { condition.unlock() }
        while !isSatisfied(recorded) {
            if !condition.wait(until: deadline) { break }
        }
        return recorded
    }
}

extension StreamEvent {
    var frame: VideoFrame? { if case .video(let frame) = self { frame } else { nil } }
    var chunk: AudioChunk? { if case .audio(let chunk) = self { chunk } else { nil } }
    var drop: DroppedFrame? { if case .dropped(let drop) = self { drop } else { nil } }
    var failure: DeviceError? { if case .failed(let error, _) = self { error } else { nil } }
    var pixelBuffer: CVPixelBuffer? { frame?.pixelBuffer }
}

extension VideoFrame {
    var pixelBuffer: CVPixelBuffer? { if case .pixels(let pixelBuffer) = payload { pixelBuffer } else { nil } }
}

extension CVPixelBuffer {
    /// The sequence number that the fake camera wrote to the first four bytes of the first plane.
    var frameNumber: UInt32 {
        withPlane(0) { $0.baseAddress.loadUnaligned(as: UInt32.self) }
    }
}
