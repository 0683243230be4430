import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes

/// Format, buffers and frames of one V4L2 stream.
final class V4L2Capture: StreamDriver {
    let device: String
    let wake: KernelEvent
    private let node: Lock<V4L2Node?>
    private let type: UInt32
    private let kernel: any KernelCalls
    private let clock: any CaptureClock
    private let buffers: V4L2BufferSet
    private let maker: V4L2FrameMaker
    private let settings: @Sendable () -> FrameSettings
    private let frameDuration: Lock<CMTime>

    /// Sets the format and takes the buffers.
    ///
    /// - Parameter settings: The camera settings in force, asked for once a frame.
    init(
        _ node: V4L2Node, type: UInt32, entry: V4L2FormatList.Entry, configuration: StreamConfiguration,
        device: String, clock: any CaptureClock, settings: @escaping @Sendable () -> FrameSettings
    ) throws(DeviceError) {
        let size = entry.stream.dimensions
        do throws(KernelError) {
            var format = V4L2AcceptedFormat.request(entry.pixels, size, type)
            try node.request(clinuxdevices_VIDIOC_S_FMT, "VIDIOC_S_FMT", &format)
            guard let accepted = V4L2AcceptedFormat(format, entry.pixels), accepted.width == Int(size.width),
                accepted.height == Int(size.height)
            else { throw KernelError("VIDIOC_S_FMT \(size.width)x\(size.height)", EINVAL) }
            let duration = try Self.setDuration(configuration.frameDuration, node, type)
            let wake = try KernelEvent(node.kernel)
            buffers = try V4L2BufferSet(
                node, type: type, planeCount: entry.pixels.memoryPlaneCount,
                count: min(max(configuration.bufferCount, 2), Int(VIDEO_MAX_FRAME)), wake: wake)
            self.wake = wake
            maker = V4L2FrameMaker(accepted)
            frameDuration = Lock(duration ?? configuration.frameDuration)
        } catch {
            if error.number == EINVAL {
                throw DeviceError(
                    .unsupportedFormat, device: device,
                    "the driver lists \(size.width)x\(size.height) but does not take it (\(error)); take another format"
                )
            }
            throw DeviceError(error, device: device, "the stream could not be made")
        }
        self.device = device
        self.node = Lock(node)
        self.type = type
        self.kernel = node.kernel
        self.clock = clock
        self.settings = settings
        // Drivers without a signal refuse, and need no telling.
        try? node.subscribeSourceChanges()
    }

    /// Eight frames, at least two seconds.
    var patience: CMTime { CMTime(nanoseconds: max(2_000_000_000, 8 * frameDuration.withLock { $0 }.nanoseconds)) }
    var isExcused: Bool { buffers.isStarved }

    func begin() throws(KernelError) { try buffers.start() }
    func end() { buffers.stop() }

    func close() {
        buffers.close()
        let node = node.withLock { node in
            defer { node = nil }
            return node
        }
        withExtendedLifetime(node) {}
    }

    func setFrameDuration(_ duration: CMTime) throws(KernelError) {
        guard let node = node.withLock({ $0 }) else { throw KernelError("VIDIOC_S_PARM", ENODEV) }
        let set = try Self.setDuration(duration, node, type)
        frameDuration.withLock { $0 = set ?? duration }
    }

    func pump(_ run: StreamRun) throws(KernelError) -> StreamEvent? {
        guard let node = node.withLock({ $0 }) else { return nil }
        var work = Work(clock: DriverClock(clock, kernel), maker: maker)
        var waited = [WaitedDescriptor(wake.descriptor, .readable), WaitedDescriptor(node.descriptor, .exceptional)]
        while true {
            // Without buffers at the driver there is nothing to read; asking all the same would be told as an error.
            waited[1].wanted = buffers.isStarved ? .exceptional : [.readable, .exceptional]
            try kernel.wait(&waited)
            if !waited[0].came.isEmpty { wake.reset() }
            switch run.turn() {
            case .goOn: break
            case .stopped: return nil
            case .stalled:
                return failure("the driver delivered nothing for \(patience.seconds) s; plug the camera in anew")
            }
            let came = waited[1].came
            // Woken, there may be a failure of a release to be told.
            if !came.isDisjoint(with: [.readable, .failed]) || !waited[0].came.isEmpty {
                do throws(KernelError) {
                    // One a turn: most often there is one, and asking for a second would cost more than to wait anew.
                    if let filled = try buffers.dequeue() {
                        deliver(filled, run, &work)
                        if run.isStopped { return nil }
                    } else if came.contains(.failed) {
                        throw KernelError("poll", EIO)
                    }
                } catch  where error.number == EPIPE {
                    return .ended(time: clock.now)  // The buffer marked as the last one has been taken.
                }
            }
            if came.contains(.exceptional), try isSourceChanged(node) {
                return failure("the camera's signal changed its format; make a new stream")
            }
        }
    }

    // MARK: Private

    /// What the capture thread keeps between frames.
    private struct Work {
        var clock: DriverClock
        var maker: V4L2FrameMaker
        var order = V4L2FrameOrder()
        /// Whether the driver was without buffers since the last frame.
        var wasStarved = false
    }

    private func failure(_ message: String) -> StreamEvent {
        .failed(DeviceError(.inputOutput, device: device, message), time: clock.now)
    }

    private func deliver(_ filled: V4L2BufferSet.Filled, _ run: StreamRun, _ work: inout Work) {
        let isMonotonic =
            filled.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        let stamp = isMonotonic && filled.timestampNanoseconds > 0 ? filled.timestampNanoseconds : nil
        let placed = work.order.place(
            driverSequence: filled.sequence, nanoseconds: stamp.map(work.clock.nanoseconds),
            arrival: clock.now.nanoseconds)
        for lost in placed.lost {
            let dropped = DroppedFrame(
                reason: work.wasStarved ? .outOfBuffers : .discontinuity,
                presentationTime: CMTime(nanoseconds: lost.nanoseconds), sequenceNumber: lost.sequenceNumber)
            guard run.deliver(.dropped(dropped)) else { return buffers.release(filled.index) }
        }
        let time = CMTime(nanoseconds: placed.nanoseconds)
        switch work.maker.payload(of: filled, buffers) {
        case .success(let payload):
            work.wasStarved = buffers.isStarved
            run.deliver(
                .video(
                    VideoFrame(
                        payload: payload, presentationTime: time, duration: frameDuration.withLock { $0 },
                        sequenceNumber: placed.sequenceNumber, settings: settings())))
        case .failure(let damage):
            work.wasStarved = false
            run.deliver(
                .dropped(
                    DroppedFrame(
                        reason: damage.reason, presentationTime: time, sequenceNumber: placed.sequenceNumber,
                        message: damage.message)))
        }
    }

    private static func setDuration(
        _ duration: CMTime, _ node: V4L2Node, _ type: UInt32
    ) throws(KernelError) -> CMTime? {
        guard let interval = v4l2_fract(duration) else { return nil }
        return try node.setInterval(interval, type).flatMap { CMTime(interval: $0) }
    }

    private func isSourceChanged(_ node: V4L2Node) throws(KernelError) -> Bool {
        var isChanged = false
        while true {
            var event = v4l2_event()
            do {
                try node.request(clinuxdevices_VIDIOC_DQEVENT, "VIDIOC_DQEVENT", &event)
            } catch  where error.number == ENOENT || error.number == EAGAIN || error.number == EINVAL {
                return isChanged
            }
            let changes = UInt32(V4L2_EVENT_SRC_CH_RESOLUTION)
            if event.type == UInt32(V4L2_EVENT_SOURCE_CHANGE), event.u.src_change.changes & changes != 0 {
                isChanged = true
            }
        }
    }
}
