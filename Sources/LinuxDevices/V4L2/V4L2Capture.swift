import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import Synchronization

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
    private let controls: V4L2Controls
    private let frameDuration: Lock<CMTime>
    private let durationChangeCount = Atomic<UInt64>(0)
    /// That of the present run, if any.
    private let courier = Lock<V4L2Courier?>(nil)
    /// Whether frames may be taken by a courier: on real time, where no events of the signal must be heard.
    private let mayHaveCourier: Bool

    /// Sets the format and takes the buffers.
    ///
    /// - Parameter controls: Those of the camera, asked once a frame for the settings in force.
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
            let duration = try Self.setDuration(configuration.frameDuration, node, type)
            let wake = try KernelEvent(node.kernel)
            buffers = try V4L2BufferSet(
                node, type: type, planeCount: entry.pixels.memoryPlaneCount,
                count: min(max(configuration.bufferCount, 2), Int(VIDEO_MAX_FRAME)), wake: wake)
            self.wake = wake
            maker = V4L2FrameMaker(accepted)
            let inForce = duration ?? configuration.frameDuration
            frameDuration = Lock(inForce)
            framesBetweenLooks = Int(500_000_000 / max(1_000_000, inForce.nanoseconds))
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
        self.controls = controls
        let hearsOfSignal = Self.subscribeSourceChanges(node)
        mayHaveCourier = clock is HostClock && !hearsOfSignal
    }

    /// Eight frames, at least two seconds.
    var patience: CMTime { CMTime(nanoseconds: max(2_000_000_000, 8 * frameDuration.withLock { $0 }.nanoseconds)) }
    var isExcused: Bool { buffers.isStarved || courier.withLock { $0?.isMissing ?? false } }

    func begin() throws(KernelError) { try buffers.start() }
    func end() {
        // Drivers take the question for pictures, once there are no buffers, for the wish to read them as a file.
        let courier = courier.withLock { courier in
            defer { courier = nil }
            return courier
        }
        courier?.leaveDevice()
        buffers.stop()
    }

    /// Takes the buffers back from the driver, so that no thread waits for one any more.
    func endWaits() { buffers.stop() }
    /// Whether a thread may wait for a buffer inside the driver: `endWaits` must reach it there.
    var canWaitInside: Bool { buffers.endsWaits }

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
        durationChangeCount.add(1, ordering: .releasing)
    }

    func pump(_ run: StreamRun) throws(KernelError) -> StreamEvent? {
        guard let node = node.withLock({ $0 }) else { return nil }
        var work = Work(clock: DriverClock(clock, kernel), maker: maker)
        var waited = [WaitedDescriptor(wake.descriptor, .readable), WaitedDescriptor(node.descriptor, .exceptional)]
        // A courier cannot hear of events, and drivers tell those who wait an error until they have had a buffer.
        while !mayHaveCourier || buffers.isStarved {
            // Without buffers at the driver there is nothing to read; asking all the same would be told as an error.
            waited[1].wanted = buffers.isStarved ? .exceptional : [.readable, .exceptional]
            try kernel.wait(&waited)
            let isWoken = !waited[0].came.isEmpty
            if isWoken { wake.reset() }
            let came = waited[1].came
            if let end = try turn(run, node, came, isWoken: isWoken, &work) { return end.event }
            if came.contains(.exceptional), try isSourceChanged(node) {
                return failure("the camera's signal changed its format; make a new stream")
            }
        }
        controls.setWatchedByStream(true)
        defer { controls.setWatchedByStream(false) }
        let courier = try V4L2Courier(self, node, run, work)
        self.courier.withLock { $0 = courier }
        return try courier.keep()
    }

    /// How a run ends.
    indirect enum End: Sendable {
        case stopped
        /// By an event that is not yet told.
        case event(StreamEvent)

        var event: StreamEvent? { if case .event(let event) = self { event } else { nil } }
    }

    /// What the threads of a run keep between frames.
    struct Work: Sendable {
        fileprivate var clock: DriverClock
        fileprivate var maker: V4L2FrameMaker
        fileprivate var order = V4L2FrameOrder()
        /// What each frame tells, as of the changes that were counted then.
        fileprivate var told = Told()
        /// Whether the driver was without buffers since the last frame.
        fileprivate var wasStarved = false
        fileprivate var framesSinceLook = 0
        /// The last frame's time, on the stream's clock.
        fileprivate var lastNanoseconds: Int64 = 0

        /// The last frame's time, on the kernel's clock.
        var lastMonotonicNanoseconds: Int64 { lastNanoseconds - clock.offset }
        /// Time between frames.
        var frameNanoseconds: Int64 { told.durationNanoseconds }
    }

    /// What each frame tells beside its picture and its time.
    fileprivate struct Told: Sendable {
        var duration = CMTime.invalid
        var durationNanoseconds: Int64 = 0
        var settings = FrameSettings()
        var changes: (durations: UInt64, settings: UInt64)?
    }

    /// Takes a frame, where one came, and tells it.
    ///
    /// - Parameters:
    ///   - isWoken: Whether something else may have happened: a stop, or a failure to give a buffer back.
    ///   - beforeTelling: Runs when a frame was taken, before it is told.
    /// - Returns: How the run ends; nil where it goes on.
    func turn(
        _ run: StreamRun, _ node: V4L2Node, _ came: WaitedDescriptor.Events, isWoken: Bool, _ work: inout Work,
        beforeTelling: () -> Void = {}
    ) throws(KernelError) -> End? {
        // A frame that comes is sign of life enough, and is not told to who has stopped.
        switch !isWoken && came == .readable ? .goOn : run.turn() {
        case .goOn: break
        case .stopped: return .stopped
        case .stalled:
            return .event(
                failure("the driver delivered nothing for \(patience.seconds) s; plug the camera in anew"))
        }
        if isWoken, let failure = buffers.failure { throw failure }
        guard !came.isDisjoint(with: [.readable, .failed]) else { return nil }
        do throws(KernelError) {
            // One a turn: most often there is one, and asking for a second would cost more than to wait anew.
            if let filled = try buffers.dequeue(node) {
                beforeTelling()
                return deliver(filled, run, &work) ? nil : .stopped
            }
            if came.contains(.failed) { throw KernelError("poll", EIO) }
            return nil
        } catch {
            return try end(after: error)
        }
    }

    /// Takes a filled buffer, as `V4L2BufferSet.dequeue`.
    func dequeue(_ node: V4L2Node) throws(KernelError) -> V4L2BufferSet.Filled? { try buffers.dequeue(node) }

    /// Tells all that the driver has filled while nobody took anything.
    func catchUp(_ run: StreamRun, _ node: V4L2Node, _ work: inout Work) throws(KernelError) {
        var count = 0
        while !run.isStopped, let filled = try buffers.dequeue(node), deliver(filled, run, &work) { count += 1 }
        // One fewer than all: what comes next may have been filled meanwhile.
        if count >= buffers.count - 1 { work.wasStarved = true }
    }

    /// How the run ends where the driver refused a buffer.
    func end(after error: KernelError) throws(KernelError) -> End {
        guard error.number == EPIPE else { throw error }
        return .event(.ended(time: clock.now))  // The buffer marked as the last one has been taken.
    }

    /// Looks at the controls now and then; after each frame, where no thread waits for their events.
    func watchControls(_ work: inout Work) {
        work.framesSinceLook += 1
        guard work.framesSinceLook >= framesBetweenLooks else { return }
        work.framesSinceLook = 0
        controls.lookForChanges()
    }

    /// Half a second, at the rate with which the stream was made.
    private let framesBetweenLooks: Int

    // MARK: Private

    private func failure(_ message: String) -> StreamEvent {
        .failed(DeviceError(.inputOutput, device: device, message), time: clock.now)
    }

    /// Tells what came of a buffer.
    ///
    /// - Returns: Whether the stream goes on.
    func deliver(_ filled: V4L2BufferSet.Filled, _ run: StreamRun, _ work: inout Work) -> Bool {
        let isMonotonic =
            filled.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        let stamp = isMonotonic && filled.timestampNanoseconds > 0 ? filled.timestampNanoseconds : nil
        let placed = work.order.place(
            driverSequence: filled.sequence, nanoseconds: stamp.map(work.clock.nanoseconds),
            arrival: clock.now.nanoseconds)
        for lost in placed.lostCount == 0 ? [] : placed.lost {
            let dropped = DroppedFrame(
                reason: work.wasStarved ? .outOfBuffers : .discontinuity,
                presentationTime: CMTime(nanoseconds: lost.nanoseconds), sequenceNumber: lost.sequenceNumber)
            guard run.deliver(.dropped(dropped)) else {
                buffers.release(filled.index)
                return false
            }
        }
        let time = CMTime(nanoseconds: placed.nanoseconds)
        work.lastNanoseconds = placed.nanoseconds
        do throws(V4L2FrameMaker.Damage) {
            if let memory = try work.maker.memory(of: filled, buffers) {
                work.wasStarved = filled.isLast
                renew(&work.told)
                let timing = CMSampleTimingInfo(
                    duration: work.told.duration, presentationTimeStamp: time, decodeTimeStamp: .invalid)
                return run.deliver(memory, timing, sequenceNumber: placed.sequenceNumber, work.told.settings)
            }
            let payload = try work.maker.payload(of: filled, buffers)
            work.wasStarved = filled.isLast
            renew(&work.told)
            return run.deliver(
                VideoFrame(
                    payload: payload, presentationTime: time, duration: work.told.duration,
                    sequenceNumber: placed.sequenceNumber, settings: work.told.settings))
        } catch {
            work.wasStarved = false
            return run.deliver(
                .dropped(
                    DroppedFrame(
                        reason: error.reason, presentationTime: time, sequenceNumber: placed.sequenceNumber,
                        message: error.message)))
        }
    }

    /// Asks for what frames tell where it has changed.
    private func renew(_ told: inout Told) {
        let now = (
            durations: durationChangeCount.load(ordering: .acquiring), settings: controls.settingsChangeCount
        )
        if let known = told.changes, known == now { return }
        let duration = frameDuration.withLock { $0 }
        told = Told(
            duration: duration, durationNanoseconds: duration.nanoseconds, settings: controls.settings, changes: now)
    }

    /// Asks to be told of changes of the signal, and says whether that may happen.
    private static func subscribeSourceChanges(_ node: V4L2Node) -> Bool {
        // A sensor has no signal that could change; where the driver does not tell its inputs, it may be a receiver.
        if let input = (try? node.currentInput()) ?? nil, !input.isDigital, !input.isAnalogue { return false }
        // Drivers without a signal refuse, and need no telling.
        return (try? node.subscribeSourceChanges()) != nil
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
