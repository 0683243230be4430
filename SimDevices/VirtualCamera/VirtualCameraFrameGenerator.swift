import CaptureHAL
import MediaTypes

/// Generates the frames of a virtual camera's stream with the constituent that the camera selects.
final class VirtualCameraFrameGenerator: StreamGenerator, @unchecked Sendable {
    // SAFETY: `lastIndex`, `depths` and `hasNewConstituent` are only used in the generator's calls, which never overlap.

    private let camera: SimVirtualCamera
    /// The constituents' streams. They are never started; only their generators are used.
    private let streams: [SimStream]
    /// The index of the constituent that generated the last event.
    private var lastIndex = 0
    /// The depths of the last frame, for the distance of the subject. The focus window has 8x6 points.
    private var depths = ExactDepths(width: 24, height: 18)
    /// Whether the camera has selected another constituent since the last report.
    private var hasNewConstituent = false
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
        guard select(at: nanoseconds, isFirst: true) else { return }
        lastIndex = activeIndex
        streams[lastIndex].generator.prepare(at: nanoseconds)
    }

    /// Selects the constituent for the next frame.
    ///
    /// - Returns: Whether it is another one.
    private func select(at nanoseconds: Int64, isFirst: Bool) -> Bool {
        guard camera.supportsFallbacks, !camera.device.condition.isSuspended,
            let generator = streams[lastIndex].generator as? CameraFrameGenerator
        else { return false }
        depths.fill(from: generator.renderer, at: nanoseconds)
        guard camera.select(generator.measurement(depths), at: nanoseconds, isFirst: isFirst) else { return false }
        hasNewConstituent = true
        return true
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
            frame.settings.constituent = active
            if depthZoomFactors?.contains(zoom) ?? true,
                let generator = streams[active].generator as? CameraFrameGenerator
            {
                frame.depth = depth?.delivery(
                    from: generator.renderer, at: nanoseconds, duration: duration,
                    isCovered: camera.device.condition.isSuspended)
            }
            _ = select(at: nanoseconds, isFirst: false)
            return .video(frame)
        case .dropped(let drop): return .dropped(addingDepthLoss(to: drop, at: nanoseconds, duration: duration))
        case .audio, .failed, .ended: return event
        }
    }

    func prepareStill(_ shot: StillShot) { streams[activeIndex].generator.prepareStill(shot) }

    func still(_ shot: StillShot, with frame: VideoFrame) -> StillFrame {
        var still = streams[lastIndex].generator.still(shot, with: frame)
        still.settings.zoomFactor = frame.settings.zoomFactor
        return still
    }

    func reportChanges() {
        for stream in streams { stream.generator.reportChanges() }
        guard hasNewConstituent else { return }
        hasNewConstituent = false
        camera.notifyOfActiveConstituent()
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
