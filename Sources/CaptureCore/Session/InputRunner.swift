import AssetTypes
import CaptureHAL
import MediaTypes

/// An open, streaming device of an input: the input's device, or one of its constituents.
///
/// Confined to the session's `devices` lock.
final class InputRunner: @unchecked Sendable {
    // SAFETY: only used inside the session's `devices` lock.
    let input: AVCaptureDeviceInput
    let device: AVCaptureDevice
    /// The ports that stream, with the configurations of their streams.
    let plan: [PortPlan]
    let blanker = MediaBlanker()
    /// Converts frames for the outputs; shared by all outputs, so that each conversion is done once.
    let converter = FrameConverter()
    /// The timestamps of the last media that the session delivered before this device started.
    private let earlierTimes: MediaTimes
    /// The receivers of the started streams.
    private(set) var feeds: [PortFeed] = []
    private let opened: any OpenDevice
    private var streams: [any DeviceStream] = []
    private var isStarted = false

    /// The stream of a port: its format, frame duration and depth.
    struct PortPlan {
        let port: AVCaptureInput.Port
        let format: AVCaptureDevice.Format
        let frameDuration: CMTime
        /// The depth that accompanies the frames; nil for none.
        var depth: DepthConfiguration?

        /// Whether a stream of this plan can continue with another plan, possibly with another frame duration.
        func isCompatible(with other: PortPlan) -> Bool {
            port === other.port && format === other.format && depth == other.depth
        }
    }

    /// Returns the streams of a device that have connections.
    ///
    /// Depth accompanies the frames of the video port. If depth is requested, the video port streams even without a
    /// connection.
    /// - Parameter excludesDisabled: Whether to exclude ports that are disabled or have only disabled connections.
    static func plan(
        _ input: AVCaptureDeviceInput, _ device: AVCaptureDevice, _ connections: [AVCaptureConnection],
        excludesDisabled: Bool
    ) -> [PortPlan] {
        func isRequired(_ port: AVCaptureInput.Port) -> Bool {
            input.portsFed(by: port).contains { port in
                guard !excludesDisabled || port.isEnabled else { return false }
                return connections.contains { $0.inputPorts.contains(port) && (!excludesDisabled || $0.passesMedia) }
            }
        }
        let ports = input.streamPorts(of: device)
        let requiresDepth =
            ports.contains { $0.mediaType == .depthData && isRequired($0) }
            || connections.contains { connection in
                connection.consumer?.requestsDepthWithVideo ?? false
                    && connection.inputPorts.contains { ports.contains($0) }
            }
        let depth = requiresDepth ? device.depthConfiguration : nil
        return ports.compactMap { port in
            let isDepthSource = port.mediaType == .video && depth != nil
            guard port.mediaType != .depthData, isRequired(port) || isDepthSource,
                let format = input.format(of: port)
            else { return nil }
            // Audio is delivered in chunks of 20 ms.
            let duration =
                format.video == nil ? CMTime(value: 1, timescale: 50) : input.streamFrameDuration
            return PortPlan(
                port: port, format: format, frameDuration: duration, depth: isDepthSource ? depth : nil)
        }
    }

    /// Opens the device and prepares its streams.
    ///
    /// - Parameter times: The timestamps of the session's last media; only later media are delivered.
    init(
        _ input: AVCaptureDeviceInput, _ device: AVCaptureDevice, _ plan: [PortPlan], after times: MediaTimes
    ) throws(DeviceError) {
        self.input = input
        self.device = device
        self.plan = plan
        earlierTimes = times
        opened = try device.acquire()
        do throws(DeviceError) {
            for item in plan {
                streams.append(
                    try opened.makeStream(
                        StreamConfiguration(
                            format: item.format.stream, frameDuration: item.frameDuration, depth: item.depth)))
            }
        } catch {
            device.release()
            throw error
        }
    }

    /// Starts all streams and delivers their media to a session; if one fails to start, stops all.
    func start(feeding session: AVCaptureSession) throws(DeviceError) {
        feeds = plan.map { item in
            PortFeed(
                item, of: self, after: item.format.video == nil ? earlierTimes.audio : earlierTimes.video, to: session
            ) { [weak session, weak self] error in
                if let self { session?.runnerFailed(self, error) }
            }
        }
        do throws(DeviceError) {
            for (stream, (item, feed)) in zip(streams, zip(plan, feeds)) {
                for port in input.portsFed(by: item.port) { port.endTime = nil }
                try stream.start(feed)
            }
        } catch {
            for stream in streams { stream.stop() }
            throw error
        }
        isStarted = true
        device.streamsDidStart()
    }

    /// Applies the frame durations of a compatible plan.
    func applyFrameDurations(of plan: [PortPlan]) throws(DeviceError) {
        for (stream, item) in zip(streams, plan)
        where item.format.video != nil && stream.configuration.frameDuration != item.frameDuration {
            try stream.setFrameDuration(item.frameDuration)
        }
    }

    /// The ports that the device feeds.
    var ports: [AVCaptureInput.Port] { input.allPorts.filter { $0.source === device } }

    /// The timestamps of the last frame and audio chunk; read only after the streams have stopped.
    var times: MediaTimes {
        var times = earlierTimes
        for (item, feed) in zip(plan, feeds) {
            times.merge(
                item.format.video == nil ? MediaTimes(audio: feed.lastTime) : MediaTimes(video: feed.lastTime))
        }
        return times
    }

    /// Stops all streams and releases the device.
    func stop() {
        for stream in streams { stream.stop() }
        for feed in feeds { feed.cancelDelayed() }
        if !streams.isEmpty { device.turnTorchOff() }
        streams = []
        if isStarted { device.streamsDidEnd() }
        isStarted = false
        device.release()
    }

    /// Changes the time between frames while the streams run.
    func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        for (stream, item) in zip(streams, plan) where item.format.video != nil {
            try stream.setFrameDuration(duration)
        }
    }
}

/// The timestamps of the last video frame and audio chunk of a session.
struct MediaTimes: Sendable {
    var video = CMTime.negativeInfinity
    var audio = CMTime.negativeInfinity

    /// Sets each timestamp to the later of this timestamp and the one in `other`.
    mutating func merge(_ other: MediaTimes) {
        video = max(video, other.video)
        audio = max(audio, other.audio)
    }
}
