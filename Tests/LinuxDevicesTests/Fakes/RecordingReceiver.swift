import CaptureHAL
import Foundation
import MediaTypes

/// Keeps what a stream delivers, and lets a test wait for it.
final class RecordingReceiver: @unchecked Sendable {
    // SAFETY: everything is touched under `condition`.
    private let condition = NSCondition()
    private var kept: [StreamEvent] = []
    /// Runs for each event, on the stream's thread, outside the lock.
    let onEvent: (@Sendable (StreamEvent) -> Void)?

    private let keepsPictures: Bool

    /// - Parameter keepsPictures: Whether frames keep their buffers, or give them back at once.
    init(keepsPictures: Bool = true, onEvent: (@Sendable (StreamEvent) -> Void)? = nil) {
        self.keepsPictures = keepsPictures
        self.onEvent = onEvent
    }

    func receive(_ event: StreamEvent) {
        onEvent?(event)
        var event = event
        if !keepsPictures, var frame = event.frame {
            frame.payload = .compressed(CMBlockBuffer(), codec: 0)
            event = .video(frame)
        }
        condition.lock()
        kept.append(event)
        condition.broadcast()
        condition.unlock()
    }

    var events: [StreamEvent] {
        condition.lock()
        defer { condition.unlock() }
        return kept
    }

    /// Lets go of all that came, with its buffers.
    func forget() {
        condition.lock()
        let old = kept
        kept = []
        condition.unlock()
        withExtendedLifetime(old) {}
    }

    /// The events, once there are `count` of them; fewer where they do not come in time.
    func wait(for count: Int, seconds: Double = 20) -> [StreamEvent] {
        let limit = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while kept.count < count {
            if !condition.wait(until: limit) { break }
        }
        return kept
    }
}

extension StreamEvent {
    var frame: VideoFrame? { if case .video(let frame) = self { frame } else { nil } }
    var chunk: AudioChunk? { if case .audio(let chunk) = self { chunk } else { nil } }
    var drop: DroppedFrame? { if case .dropped(let drop) = self { drop } else { nil } }
    var failure: DeviceError? { if case .failed(let error, _) = self { error } else { nil } }
    var picture: CVPixelBuffer? {
        if case .pixels(let picture)? = frame?.payload { picture } else { nil }
    }
}

extension CVPixelBuffer {
    /// The number that the fake camera wrote into its first bytes.
    var exposureNumber: UInt32 {
        withPlane(0) { $0.baseAddress.loadUnaligned(as: UInt32.self) }
    }
}
