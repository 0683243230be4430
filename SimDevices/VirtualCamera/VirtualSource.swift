import CaptureHAL
import MediaTypes

/// Makes the frames of a virtual camera's stream: each comes from the constituent that its zoom factor chooses.
final class VirtualSource: StreamSource, @unchecked Sendable {
    // SAFETY: `last` is used in the source's turn alone, which one thread at a time has.
    private let camera: SimVirtualCamera
    /// Never started: they only hold the constituents' sources.
    private let parts: [SimStream]
    private var last = 0

    init(_ camera: SimVirtualCamera, _ parts: [SimStream]) {
        self.camera = camera
        self.parts = parts
    }

    private var activeIndex: Int { min(camera.activeIndex, parts.count - 1) }

    /// A sensor does not wait.
    var lateness: Int64 { 0 }

    func spacing(for wish: CMTime) -> (value: Int64, timescale: Int64) {
        parts[activeIndex].source.spacing(for: wish)
    }

    func prepare(at nanoseconds: Int64) {
        last = activeIndex
        parts[last].source.prepare(at: nanoseconds)
    }

    func begin(at nanoseconds: Int64) {
        for part in parts { part.source.begin(at: nanoseconds) }
    }

    func event(at nanoseconds: Int64, index: UInt64, duration: CMTime, lost: Bool) -> StreamEvent {
        let active = activeIndex
        if active != last {
            // The other camera has metered already: real ones run ahead of their turn.
            parts[active].source.prepare(at: nanoseconds)
            last = active
        }
        let event = parts[active].source.event(at: nanoseconds, index: index, duration: duration, lost: lost)
        guard case .video(var frame) = event else { return event }
        frame.settings.zoomFactor = camera.zoomFactor
        return .video(frame)
    }

    func tellChanges() {
        for part in parts { part.source.tellChanges() }
    }

    func loss(at nanoseconds: Int64, index: UInt64, message: String) -> StreamEvent? {
        parts[activeIndex].source.loss(at: nanoseconds, index: index, message: message)
    }
}
