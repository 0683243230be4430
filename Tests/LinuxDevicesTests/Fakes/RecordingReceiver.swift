import CaptureHAL
import Foundation
import MediaTypes

/// Records the events of a stream, and lets a test wait for them.
final class RecordingReceiver: @unchecked Sendable {
    // SAFETY: all properties are accessed while holding `condition`.
    private let condition = NSCondition()
    private var kept: [StreamEvent] = []
    /// Runs for each event, on the stream's thread, outside the lock.
    let onEvent: (@Sendable (StreamEvent) -> Void)?

    private let keepsFrames: Bool

    /// - Parameter keepsFrames: Whether the frames are retained with their buffers.
    init(keepsFrames: Bool = true, onEvent: (@Sendable (StreamEvent) -> Void)? = nil) {
        self.keepsFrames = keepsFrames
        self.onEvent = onEvent
    }

    func receive(_ event: StreamEvent) {
        onEvent?(event)
        var event = event
        if !keepsFrames, var frame = event.frame {
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

    /// Releases all recorded events with their buffers.
    func forget() {
        condition.lock()
        let old = kept
        kept = []
        condition.unlock()
        withExtendedLifetime(old) {}
    }

    /// The events, once there are `count` of them; fewer after the timeout.
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
    /// The frame number that the fake camera wrote to the first bytes.
    var exposureNumber: UInt32 {
        withPlane(0) { $0.baseAddress.loadUnaligned(as: UInt32.self) }
    }
}
