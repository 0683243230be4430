import CaptureHAL
import MediaTypes

/// Makes the frames of a virtual camera's stream: each comes from the constituent that its zoom factor chooses.
final class VirtualSource: StreamSource, @unchecked Sendable {
    // SAFETY: `last` is used in the source's turn alone, which one thread at a time has.
    private let camera: SimVirtualCamera
    /// Never started: they only hold the constituents' sources.
    private let parts: [SimStream]
    private var last = 0
    /// Measures the depth that the client asked for.
    private let depth: DepthSensor?
    /// Where all constituents see what is shown; nil is everywhere.
    private let depthZoomFactors: ClosedRange<Double>?

    init(
        _ camera: SimVirtualCamera, _ parts: [SimStream], _ depth: DepthSensor?,
        at depthZoomFactors: ClosedRange<Double>?
    ) {
        self.camera = camera
        self.parts = parts
        self.depth = depth
        self.depthZoomFactors = depthZoomFactors
    }

    private var activeIndex: Int { min(camera.activeIndex, parts.count - 1) }

    /// A sensor does not wait.
    var lateness: Int64 { 0 }

    var lookAhead: Int64 { parts[activeIndex].source.lookAhead }

    func spacing(for wish: CMTime) -> (value: Int64, timescale: Int64) {
        parts[activeIndex].source.spacing(for: wish)
    }

    func prepare(at nanoseconds: Int64) {
        last = activeIndex
        parts[last].source.prepare(at: nanoseconds)
    }

    func begin(at nanoseconds: Int64) {
        for part in parts { part.source.begin(at: nanoseconds) }
        depth?.begin()
    }

    func event(at nanoseconds: Int64, index: UInt64, duration: CMTime, lost: Bool) -> StreamEvent {
        let active = activeIndex
        if active != last {
            // The other camera has metered already: real ones run ahead of their turn.
            parts[active].source.prepare(at: nanoseconds)
            last = active
        }
        let event = parts[active].source.event(at: nanoseconds, index: index, duration: duration, lost: lost)
        switch event {
        case .video(var frame):
            let zoom = camera.zoomFactor
            frame.settings.zoomFactor = zoom
            if depthZoomFactors?.contains(zoom) ?? true, let source = parts[active].source as? CameraSource {
                frame.depth = depth?.delivery(from: source.former, at: nanoseconds, duration: duration)
            }
            return .video(frame)
        case .dropped(let drop): return .dropped(marked(drop, at: nanoseconds))
        case .audio, .failed, .ended: return event
        }
    }

    func tellChanges() {
        for part in parts { part.source.tellChanges() }
    }

    func loss(at nanoseconds: Int64, index: UInt64, message: String) -> StreamEvent? {
        let event = parts[activeIndex].source.loss(at: nanoseconds, index: index, message: message)
        guard case .dropped(let drop)? = event else { return event }
        return .dropped(marked(drop, at: nanoseconds))
    }

    /// Says whether a map is lost with the picture.
    private func marked(_ drop: DroppedFrame, at nanoseconds: Int64) -> DroppedFrame {
        guard let depth, depthZoomFactors?.contains(camera.zoomFactor) ?? true else { return drop }
        var marked = drop
        marked.carriesDepth = depth.takeDue(at: nanoseconds)
        return marked
    }
}
