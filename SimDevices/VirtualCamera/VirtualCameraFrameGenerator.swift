import CaptureHAL
import MediaTypes

/// Generates the frames of a virtual camera's stream with the constituent that the zoom factor selects.
final class VirtualCameraFrameGenerator: StreamGenerator, @unchecked Sendable {
    // SAFETY: `lastIndex` is only used in the generator's calls, which never overlap.

    private let camera: SimVirtualCamera
    /// The constituents' streams. They are never started; only their generators are used.
    private let streams: [SimStream]
    /// The index of the constituent that generated the last event.
    private var lastIndex = 0
    /// Generates the depth maps that the client requested.
    private let depth: DepthSensor?
    /// The zoom factors at which all constituents cover the entire frame and depth is generated; nil for all.
    private let depthZoomFactors: ClosedRange<Double>?

    init(
        _ camera: SimVirtualCamera, _ streams: [SimStream], _ depth: DepthSensor?,
        at depthZoomFactors: ClosedRange<Double>?
    ) {
        self.camera = camera
        self.streams = streams
        self.depth = depth
        self.depthZoomFactors = depthZoomFactors
    }

    private var activeIndex: Int { min(camera.activeIndex, streams.count - 1) }

    /// Zero, because a sensor does not buffer frames.
    var lateness: Int64 { 0 }

    func interval(for requested: CMTime) -> (value: Int64, timescale: Int64) {
        streams[activeIndex].generator.interval(for: requested)
    }

    func prepare(at nanoseconds: Int64) {
        lastIndex = activeIndex
        streams[lastIndex].generator.prepare(at: nanoseconds)
    }

    func begin(at nanoseconds: Int64) {
        for stream in streams { stream.generator.begin(at: nanoseconds) }
        depth?.begin()
    }

    func event(at nanoseconds: Int64, index: UInt64, duration: CMTime, followsLoss: Bool) -> StreamEvent {
        let active = activeIndex
        if active != lastIndex {
            // Real cameras meter with inactive constituents, too, so that the switch is seamless.
            streams[active].generator.prepare(at: nanoseconds)
            lastIndex = active
        }
        let event = streams[active].generator.event(
            at: nanoseconds, index: index, duration: duration, followsLoss: followsLoss)
        switch event {
        case .video(var frame):
            let zoom = camera.zoomFactor
            frame.settings.zoomFactor = zoom
            if depthZoomFactors?.contains(zoom) ?? true,
                let generator = streams[active].generator as? CameraFrameGenerator
            {
                frame.depth = depth?.delivery(
                    from: generator.renderer, at: nanoseconds, duration: duration,
                    isCovered: camera.device.condition.isSuspended)
            }
            return .video(frame)
        case .dropped(let drop): return .dropped(addingDepthLoss(to: drop, at: nanoseconds, duration: duration))
        case .audio, .failed, .ended: return event
        }
    }

    func reportChanges() {
        for stream in streams { stream.generator.reportChanges() }
    }

    func loss(at nanoseconds: Int64, index: UInt64, duration: CMTime, message: String) -> StreamEvent? {
        let event = streams[activeIndex].generator.loss(
            at: nanoseconds, index: index, duration: duration, message: message)
        guard case .dropped(let drop)? = event else { return event }
        return .dropped(addingDepthLoss(to: drop, at: nanoseconds, duration: duration))
    }

    /// Returns the drop with the information whether a depth map is lost with the frame.
    private func addingDepthLoss(to drop: DroppedFrame, at nanoseconds: Int64, duration: CMTime) -> DroppedFrame {
        guard let depth, depthZoomFactors?.contains(camera.zoomFactor) ?? true else { return drop }
        var result = drop
        result.carriesDepth = depth.consumeDueMap(at: nanoseconds, duration: duration)
        return result
    }
}
