import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes

/// The driver side of one V4L2 stream: its format, its buffers and the capture thread.
final class V4L2Capture: StreamDriver {
    let device: String
    let wake: KernelEvent
    let logCategory = CaptureLog.Category.v4l2
    private let node: Lock<V4L2Node?>
    private let type: UInt32
    private let kernel: any KernelCalls
    private let clock: any CaptureClock
    private let buffers: V4L2BufferSet
    private let builder: V4L2FrameBuilder
    private let controls: V4L2Controls
    private let frameDuration: Lock<CMTime>
    /// The number of frames between two checks for changed controls: half a second at the initial frame rate.
    private let framesPerControlCheck: Int

    /// Sets the format and allocates the buffers.
    ///
    /// - Parameter controls: The controls of the camera; each frame contains their current settings.
    init(
        _ node: V4L2Node, type: UInt32, entry: V4L2FormatList.Entry, configuration: StreamConfiguration,
        device: String, clock: any CaptureClock, controls: V4L2Controls
    ) throws(DeviceError) {
        let size = entry.stream.dimensions
        do throws(KernelError) {
            var format = V4L2AcceptedFormat.request(entry.pixels, size, type)
            try node.request(clinuxdevices_VIDIOC_S_FMT, "VIDIOC_S_FMT", &format)
            guard let accepted = V4L2AcceptedFormat(format, entry.pixels), accepted.width == Int(size.width),
                accepted.height == Int(size.height)
            else { throw KernelError("VIDIOC_S_FMT \(size.width)x\(size.height)", EINVAL) }
            node.log(
                .info,
                "accepts \(entry.pixels.fourccText) \(accepted.width)x\(accepted.height), strides \(accepted.bytesPerRow)"
            )
            let duration = try Self.setDuration(configuration.frameDuration, node, type)
            let wake = try KernelEvent(node.kernel)
            buffers = try V4L2BufferSet(
                node, type: type, planeCount: entry.pixels.memoryPlaneCount,
                count: min(max(configuration.bufferCount, 2), Int(VIDEO_MAX_FRAME)), wake: wake)
            self.wake = wake
            builder = V4L2FrameBuilder(accepted)
            let effectiveDuration = duration ?? configuration.frameDuration
            frameDuration = Lock(effectiveDuration)
            framesPerControlCheck = Int(500_000_000 / max(1_000_000, effectiveDuration.nanoseconds))
            node.log(.info, "\(buffers.count) buffers")
        } catch {
            node.log(.error, "no stream of \(entry.logText): \(error.logText)")
            if error.number == EINVAL {
                throw DeviceError(
                    .unsupportedFormat, device: device,
                    "the driver lists \(size.width)x\(size.height) but rejects it (\(error)); select another format"
                )
            }
            throw DeviceError(error, device: device, "the stream could not be created")
        }
        self.device = device
        self.node = Lock(node)
        self.type = type
        self.kernel = node.kernel
        self.clock = clock
        self.controls = controls
        Self.subscribeSourceChanges(node)
    }

    /// The duration of eight frames, but at least two seconds.
    var timeout: CMTime { CMTime(nanoseconds: max(2_000_000_000, 8 * frameDuration.withLock { $0 }.nanoseconds)) }
    var maySuspendDelivery: Bool { buffers.isStarved }

    func start() throws(KernelError) {
        try buffers.start()
        log(.info, "streaming started")
    }

    func stop() {
        buffers.stop()
        log(.info, "streaming stopped")
    }

    func close() {
        buffers.close()
        let node = node.withLock { node in
            defer { node = nil }
            return node
        }
        withExtendedLifetime(node) {}
    }

    /// Sets the time between frames.
    func setFrameDuration(_ duration: CMTime) throws(KernelError) {
        guard let node = node.withLock({ $0 }) else { throw KernelError("VIDIOC_S_PARM", ENODEV) }
        let selected = try Self.setDuration(duration, node, type)
        frameDuration.withLock { $0 = selected ?? duration }
    }

    func capture(_ run: StreamRun) throws(KernelError) -> StreamEvent? {
        guard let node = node.withLock({ $0 }) else { return nil }
        var progress = Progress(clock: DriverClock(clock, kernel), builder: builder)
        var waited = [PolledDescriptor(wake.descriptor, .readable), PolledDescriptor(node.descriptor, .exceptional)]
        // The capture thread polls the camera anyway; a second thread waiting for control events would wake for each
        // frame.
        controls.setMonitoredByStream(true)
        defer { controls.setMonitoredByStream(false) }
        while true {
            // Drivers report an error to a poll for POLLIN until the first buffer is queued, old ones whenever none is.
            let isStarved = progress.mayBeStarved && buffers.isStarved
            waited[1].requested = isStarved ? .exceptional : [.readable, .exceptional]
            try kernel.wait(&waited)
            let isWoken = !waited[0].occurred.isEmpty
            if isWoken { wake.reset() }
            switch run.checkStatus() {
            case .running: break
            case .stopped: return nil
            case .stalled:
                return failure("the driver delivered nothing for \(timeout.seconds) s; reconnect the camera")
            }
            // The buffer set signals the event after it has stored a failure.
            if isWoken, let failure = buffers.failure { throw failure }
            let events = waited[1].occurred
            if !events.isDisjoint(with: [.readable, .failed]) {
                do throws(KernelError) {
                    if let filled = try buffers.dequeue(node) {
                        progress.mayBeStarved = filled.isLast
                        guard deliver(filled, run, &progress) else { return nil }
                    } else if events.contains(.failed) {
                        throw KernelError("poll", EIO)
                    }
                } catch {
                    // EPIPE: the buffer marked as the last one has been dequeued.
                    guard error.number == EPIPE else { throw error }
                    return .ended(time: clock.now)
                }
            }
            if events.contains(.exceptional), try hasSourceChanged(node) {
                return failure("the camera's signal changed its format; create a new stream")
            }
        }
    }

    // MARK: Private

    /// The state of a run that changes from frame to frame.
    private struct Progress {
        let clock: DriverClock
        var builder: V4L2FrameBuilder
        var sequenceCorrector = V4L2SequenceCorrector()
        /// Whether the driver may have no buffer to fill: true after the last queued buffer was dequeued.
        var mayBeStarved = true
        /// Whether the driver has had no buffer to fill since the last frame.
        var wasStarved = false
        var framesSinceControlCheck = 0
    }

    private func failure(_ message: String) -> StreamEvent {
        log(.error, message)
        return .failed(DeviceError(.inputOutput, device: device, message), time: clock.now)
    }

    private func log(_ level: CaptureLog.Level, _ message: @autoclosure () -> String) {
        CaptureLog.write(.v4l2, level, clock, "\(device): \(message())")
    }

    /// Delivers the frame of a filled buffer, after the frames that were lost before it.
    ///
    /// - Returns: Whether the stream continues.
    private func deliver(_ filled: V4L2BufferSet.FilledBuffer, _ run: StreamRun, _ progress: inout Progress) -> Bool {
        let isMonotonic =
            filled.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        let timestamp = isMonotonic && filled.timestampNanoseconds > 0 ? filled.timestampNanoseconds : nil
        let corrected = progress.sequenceCorrector.correct(
            driverSequence: filled.sequence, nanoseconds: timestamp.map(progress.clock.nanoseconds),
            arrival: clock.now.nanoseconds)
        if corrected.lostCount > 0 {
            log(
                .info,
                "the driver lost \(corrected.lostCount) frames before number \(corrected.sequenceNumber): "
                    + (progress.wasStarved ? "clients had all its buffers" : "its sequence has a gap"))
        }
        for lost in corrected.lost {
            let dropped = DroppedFrame(
                reason: progress.wasStarved ? .outOfBuffers : .discontinuity,
                presentationTime: CMTime(nanoseconds: lost.nanoseconds), sequenceNumber: lost.sequenceNumber)
            guard run.deliver(.dropped(dropped)) else {
                buffers.release(filled.index)
                return false
            }
        }
        let continues = run.deliver(makeEvent(of: filled, corrected, &progress))
        // After the delivery, which the requests to the driver would delay.
        checkControls(&progress)
        return continues
    }

    /// Returns the event with the frame of a filled buffer, or the event that reports the frame as dropped.
    private func makeEvent(
        of filled: V4L2BufferSet.FilledBuffer, _ corrected: V4L2SequenceCorrector.CorrectedFrame,
        _ progress: inout Progress
    ) -> StreamEvent {
        let time = CMTime(nanoseconds: corrected.nanoseconds)
        do throws(V4L2FrameBuilder.DropError) {
            let payload = try progress.builder.makePayload(of: filled, buffers)
            progress.wasStarved = filled.isLast
            log(
                .debug,
                "frame \(corrected.sequenceNumber) in buffer \(filled.index)"
                    + (filled.isLast ? "; the driver has no other buffer" : ""))
            return .video(
                VideoFrame(
                    payload: payload, presentationTime: time, duration: frameDuration.withLock { $0 },
                    sequenceNumber: corrected.sequenceNumber, settings: controls.settings))
        } catch {
            progress.wasStarved = false
            log(.info, "dropped frame \(corrected.sequenceNumber): \(error.message)")
            return .dropped(
                DroppedFrame(
                    reason: error.reason, presentationTime: time, sequenceNumber: corrected.sequenceNumber,
                    message: error.message))
        }
    }

    /// Checks for changed controls every half second.
    private func checkControls(_ progress: inout Progress) {
        progress.framesSinceControlCheck += 1
        guard progress.framesSinceControlCheck >= framesPerControlCheck else { return }
        progress.framesSinceControlCheck = 0
        controls.checkForChanges()
    }

    /// Subscribes to changes of the input signal.
    private static func subscribeSourceChanges(_ node: V4L2Node) {
        // The signal of a sensor cannot change. A device without described inputs may be a receiver.
        if let input = (try? node.currentInput()) ?? nil, !input.isDigital, !input.isAnalog { return }
        // The request fails for drivers without a signal. They need no subscription.
        try? node.subscribeSourceChanges()
    }

    /// Sets the time between frames, and returns the one that the driver selected; nil if the driver reports none.
    private static func setDuration(
        _ duration: CMTime, _ node: V4L2Node, _ type: UInt32
    ) throws(KernelError) -> CMTime? {
        guard let interval = v4l2_fract(duration) else { return nil }
        let selected = try node.setInterval(interval, type)
        node.log(
            .info,
            "frame interval \(interval.numerator)/\(interval.denominator) s requested, "
                + (selected.map { "\($0.numerator)/\($0.denominator) s selected" } ?? "the driver reports none"))
        return selected.flatMap { CMTime(interval: $0) }
    }

    private func hasSourceChanged(_ node: V4L2Node) throws(KernelError) -> Bool {
        var hasChanged = false
        while true {
            var event = v4l2_event()
            do {
                try node.request(clinuxdevices_VIDIOC_DQEVENT, "VIDIOC_DQEVENT", &event)
            } catch  where error.number == ENOENT || error.number == EAGAIN || error.number == EINVAL {
                return hasChanged
            }
            let changes = UInt32(V4L2_EVENT_SRC_CH_RESOLUTION)
            if event.type == UInt32(V4L2_EVENT_SOURCE_CHANGE), event.u.src_change.changes & changes != 0 {
                hasChanged = true
            }
        }
    }
}
