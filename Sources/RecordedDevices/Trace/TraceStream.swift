import CaptureHAL
import Dispatch
import Foundation
import Glibc
import MediaTypes

/// A stream that delivers the events of a recorded stream.
final class TraceStream: DeviceStream {
    private struct State {
        var configuration: StreamConfiguration
        var runCount = 0
        /// The index after the last recorded change of the frame duration that was used.
        var durationChangeCount = 0
        /// Invariant: set exactly while the stream is running.
        var receiver: (any StreamReceiver)?
        /// The remaining recorded errors of starts while the stream is running.
        var errorsWhileRunning: [DeviceError] = []
        /// Increases when a run starts or ends. Events of an earlier generation are not delivered.
        var generation = 0
        /// Nanoseconds that are added to the trace's times to get the clock's times.
        var offset: Int64 = 0
        /// The identifier of the player's sequence of the run.
        var sequence: Int?
        var endTimer: ClockTimer?
        var isInvalidated = false
        var deliveringThread: pthread_t?
        var pool: CVPixelBufferPool?
        var depthPool: CVPixelBufferPool?
        /// Bytes decoded ahead, by the index of their event.
        var ready: [Int: Data] = [:]
    }

    private let number: Int
    private let owner: WeakReference<OpenTraceDevice>
    private let device: TraceDevice
    private let trace: Trace
    private let worker: any ClockWorker
    private let state: Lock<State>
    /// The group that is entered while an event is being delivered to the client.
    private let delivery = DispatchGroup()

    init(_ number: Int, _ configuration: StreamConfiguration, of owner: OpenTraceDevice) {
        self.number = number
        self.owner = WeakReference(owner)
        device = owner.device
        trace = owner.device.trace
        worker = owner.device.clock.makeWorker(label: "obscura.trace.\(number)")
        state = Lock(State(configuration: configuration))
    }

    deinit { stop() }

    var configuration: StreamConfiguration { state.withLock { $0.configuration } }
    var isRunning: Bool { state.withLock { $0.receiver != nil } }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        let id = device.descriptor.uniqueID
        guard device.isConnected else {
            throw DeviceError(.disconnected, device: id, "the device has been disconnected in the trace")
        }
        let runs = trace.streams[number].runs
        let now = device.clock.now.nanoseconds
        let (run, generation) = try state.withLock { state throws(DeviceError) -> (Trace.Run, Int) in
            guard !state.isInvalidated else {
                throw DeviceError(.invalidState, device: id, "another stream has replaced this one; create a new one")
            }
            guard state.receiver == nil else {
                if !state.errorsWhileRunning.isEmpty { throw state.errorsWhileRunning.removeFirst() }
                throw DeviceError(.invalidState, device: id, "the stream is already running; stop it first")
            }
            let run: Trace.Run
            if state.runCount < runs.count {
                run = runs[state.runCount]
            } else {
                let successfulRuns = runs.filter { $0.startError == nil }
                guard !successfulRuns.isEmpty else {
                    throw device.notInTrace(
                        .invalidState, "start()",
                        available: runs.isEmpty ? "no start of this stream" : "only failed starts")
                }
                run = successfulRuns[(state.runCount - runs.count) % successfulRuns.count]
            }
            state.runCount += 1
            if let error = run.startError { throw error }
            state.receiver = receiver
            state.errorsWhileRunning = run.errorsWhileRunning
            state.generation += 1
            state.offset = now - trace.events[run.startIndex].time
            return (run, state.generation)
        }
        begin(run, generation, offset: now - trace.events[run.startIndex].time)
    }

    func stop() {
        let (sequence, timer, mustWait) = state.withLock { state in
            defer { Self.end(&state) }
            // A virtual clock delivers one event at a time. A concurrent `stop` was therefore called by the receiver.
            let isOnOtherThread = state.deliveringThread.map { pthread_equal($0, pthread_self()) == 0 } ?? false
            return (state.sequence, state.endTimer, isOnOtherThread && !device.clock.isVirtual)
        }
        if let sequence { device.player.cancel(sequence) }
        timer?.cancel()
        if mustWait { delivery.wait() }
    }

    func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        let changes = trace.streams[number].durationChanges
        let result = state.withLock { state -> TraceResult<Void>? in
            for index in Array(min(state.durationChangeCount, changes.count)..<changes.count) + Array(changes.indices)
            where changes[index].duration == duration {
                state.durationChangeCount = index + 1
                if changes[index].result.isSuccess { state.configuration.frameDuration = duration }
                return changes[index].result
            }
            return state.configuration.frameDuration == duration ? .success(()) : nil
        }
        switch result {
        case .success: return
        case .failure(let error): throw error
        case nil:
            let available = changes.map { "\($0.duration.traceText) s" }.joined(separator: ", ")
            throw device.notInTrace(
                .unsupportedFormat, "setFrameDuration(\(duration.traceText) s)",
                available: available.isEmpty ? "no change of this stream's frame duration" : "changes to \(available)")
        }
    }

    /// Stops the stream and prevents further starts, because another stream has replaced it or the device was closed.
    func invalidate() {
        state.withLock { $0.isInvalidated = true }
        stop()
    }

    // MARK: Private

    private static func end(_ state: inout State) {
        state.receiver = nil
        state.generation += 1
        state.sequence = nil
        state.endTimer = nil
        state.ready = [:]
    }

    private func begin(_ run: Trace.Run, _ generation: Int, offset: Int64) {
        prepare(run.events.prefix(1), generation)
        let following = Dictionary(zip(run.events, run.events.dropFirst()), uniquingKeysWith: { first, _ in first })
        let sequence = device.player.play(run.events, offset: offset) { [weak self] event in
            self?.perform(event, generation, next: following[event])
        }
        let isCurrent = state.withLock { state in
            guard state.generation == generation else { return false }
            state.sequence = sequence
            return true
        }
        if !isCurrent { device.player.cancel(sequence) }
        scheduleEnd(run, generation, offset: offset)
        device.host.object?.playFollowingEvents(after: run.startIndex, offset: offset)
        owner.object?.playControlChanges(after: run.startIndex)
    }

    /// Schedules the end of a run, unless the trace contains its last event.
    ///
    /// The end follows the recorded stop or last event after the duration of one frame. A client that stops the stream
    /// at the recorded time does not receive it.
    private func scheduleEnd(_ run: Trace.Run, _ generation: Int, offset: Int64) {
        let last = run.events.last.map { trace.events[$0] }
        switch last?.content {
        case .failed, .ended: return
        default: break
        }
        let end = (run.stopTime ?? last?.time ?? trace.events[run.startIndex].time) + offset
        let due = CMTime(nanoseconds: end + trace.streams[number].frameNanoseconds)
        let timer = device.clock.schedule(at: due) { [weak self] in
            self?.deliver(.ended(time: CMTime(nanoseconds: end)), generation, isLast: true)
        }
        let isCurrent = state.withLock { state in
            guard state.generation == generation else { return false }
            state.endTimer = timer
            return true
        }
        if !isCurrent { timer.cancel() }
    }

    /// Decodes bytes ahead on the worker.
    private func prepare(_ events: some Collection<Int>, _ generation: Int) {
        for event in events {
            guard let (blob, rows) = media(of: event) else { continue }
            worker.submit { [weak self] in
                guard let self, state.withLock({ $0.generation == generation }) else { return }
                // Damage is detected again and reported when the event is due.
                guard let bytes = try? trace.bytes(blob, rows: rows, event: event) else { return }
                state.withLock { state in
                    if state.generation == generation { state.ready[event] = bytes }
                }
            }
        }
    }

    private func media(of event: Int) -> (TraceBlob, [TracePacking.Rows])? {
        switch trace.events[event].content {
        case .frame(_, let frame):
            if case .recorded(let blob) = frame.bytes { return (blob, frame.rows) }
        case .audio(_, let audio):
            if case .recorded(let blob) = audio.bytes { return (blob, []) }
        default: break
        }
        return nil
    }

    // MARK: On the clock

    private func perform(_ index: Int, _ generation: Int, next: Int?) {
        let (offset, ready, isCurrent) = state.withLock { state in
            (state.offset, state.ready.removeValue(forKey: index), state.generation == generation)
        }
        guard isCurrent else { return }
        do throws(DeviceError) {
            guard let event = try event(at: index, offset: offset, ready) else { return }
            switch event {
            case .failed(let error, _):
                if error.code == .disconnected { device.disconnect() }
                deliver(event, generation, isLast: true)
            case .ended: deliver(event, generation, isLast: true)
            case .video, .audio, .dropped:
                deliver(event, generation, isLast: false)
                prepare([next].compactMap { $0 }, generation)
            }
        } catch {
            deliver(.failed(error, time: device.clock.now), generation, isLast: true)
        }
    }

    private func deliver(_ event: StreamEvent, _ generation: Int, isLast: Bool) {
        let target = state.withLock {
            state -> (receiver: any StreamReceiver, sequence: Int?, timer: ClockTimer?)? in
            guard state.generation == generation, let receiver = state.receiver else { return nil }
            let result = (receiver, state.sequence, state.endTimer)
            if isLast { Self.end(&state) }
            state.deliveringThread = pthread_self()
            delivery.enter()
            return result
        }
        guard let target else { return }
        if isLast {
            if let sequence = target.sequence { device.player.cancel(sequence) }
            target.timer?.cancel()
        }
        target.receiver.receive(event)
        state.withLock { $0.deliveringThread = nil }
        delivery.leave()
    }

    private func event(at index: Int, offset: Int64, _ ready: Data?) throws(DeviceError) -> StreamEvent? {
        func shifted(_ time: CMTime) -> CMTime {
            time.isNumeric && offset != 0 ? time + CMTime(nanoseconds: offset) : time
        }
        switch trace.events[index].content {
        case .frame(_, let frame):
            return try video(frame, at: index, shifted(frame.presentationTime), ready)
        case .audio(_, let audio):
            guard case .recorded(let blob) = audio.bytes else {
                return .dropped(
                    DroppedFrame(
                        reason: .discontinuity, presentationTime: shifted(audio.presentationTime),
                        sequenceNumber: 0, message: audio.bytes.dropMessage))
            }
            let bytes = if let ready { ready } else { try trace.bytes(blob, rows: [], event: index) }
            return .audio(
                AudioChunk(
                    data: CMBlockBuffer(copying: bytes), format: audio.format, frameCount: audio.frameCount,
                    presentationTime: shifted(audio.presentationTime), samplePosition: audio.samplePosition,
                    followsDiscontinuity: audio.followsDiscontinuity))
        case .dropped(_, var drop):
            drop.presentationTime = shifted(drop.presentationTime)
            return .dropped(drop)
        case .failed(_, let error, let time): return .failed(error, time: shifted(time))
        case .ended(_, let time): return .ended(time: shifted(time))
        default: return nil
        }
    }

    private func video(
        _ frame: TraceFrame, at index: Int, _ time: CMTime, _ ready: Data?
    ) throws(DeviceError) -> StreamEvent {
        func drop(_ reason: DroppedFrame.Reason, _ message: String) -> StreamEvent {
            .dropped(
                DroppedFrame(
                    reason: reason, presentationTime: time, sequenceNumber: frame.sequenceNumber, message: message))
        }
        guard case .recorded(let blob) = frame.bytes else { return drop(.discontinuity, frame.bytes.dropMessage) }
        let allBytes = if let ready { ready } else { try trace.bytes(blob, rows: frame.rows, event: index) }
        let bytes = allBytes.prefix(max(0, allBytes.count - frame.depthByteCount))
        let payload: VideoFrame.Payload
        switch frame.shape {
        case .compressed(let codec): payload = .compressed(CMBlockBuffer(copying: bytes), codec: codec)
        case .pixels(let code, let size):
            guard let pixels = pool(code, size).makeBuffer() else {
                return drop(.outOfBuffers, "all buffers are in use")
            }
            pixels.fill(packed: bytes)
            if let number = frame.attachmentsNumber { pixels.attachments = trace.attachments[number].attachments }
            payload = .pixels(pixels)
        }
        return .video(
            VideoFrame(
                payload: payload, presentationTime: time, duration: frame.duration,
                sequenceNumber: frame.sequenceNumber, settings: frame.settings,
                depth: depth(of: frame, allBytes.suffix(frame.depthByteCount)), faces: frame.faces))
    }

    /// Returns the depth data of a frame; nil if the client's configuration has no depth.
    private func depth(of frame: TraceFrame, _ bytes: Data) -> FrameDepth? {
        let (isEnabled, existing, count) = state.withLock {
            ($0.configuration.depth != nil, $0.depthPool, $0.configuration.bufferCount)
        }
        guard isEnabled else { return nil }
        switch frame.depth {
        case nil: return nil
        case .dropped(let reason)?: return .dropped(reason)
        case .map(let code, let size, let isAbsolute, let calibration)?:
            let (width, height) = (Int(size.width), Int(size.height))
            let pool: CVPixelBufferPool
            if let existing, existing.matches(width, height, code) {
                pool = existing
            } else {
                pool = CVPixelBufferPool(
                    width: width, height: height, pixelFormat: code, maximumBufferCount: max(1, count),
                    name: "of depth maps of a trace")
                state.withLock { $0.depthPool = pool }
            }
            guard let map = pool.makeBuffer() else { return .dropped(.outOfBuffers) }
            map.fill(packed: bytes)
            return .map(DepthFrame(map: map, isAbsolute: isAbsolute, calibration: calibration))
        }
    }

    private func pool(_ code: OSType, _ size: CMVideoDimensions) -> CVPixelBufferPool {
        let (existing, count) = state.withLock { ($0.pool, $0.configuration.bufferCount) }
        let (width, height) = (Int(size.width), Int(size.height))
        if let existing, existing.matches(width, height, code) { return existing }
        let pool = CVPixelBufferPool(
            width: width, height: height, pixelFormat: code, maximumBufferCount: max(1, count), name: "of a trace")
        state.withLock { $0.pool = pool }
        return pool
    }
}

extension CVPixelBufferPool {
    /// Whether the buffers have a size and format.
    fileprivate func matches(_ width: Int, _ height: Int, _ code: OSType) -> Bool {
        let attributes = CVPixelBufferPoolGetPixelBufferAttributes(self) ?? [:]
        return attributes[kCVPixelBufferWidthKey] as? Int == width
            && attributes[kCVPixelBufferHeightKey] as? Int == height
            && attributes[kCVPixelBufferPixelFormatTypeKey] as? OSType == code
    }
}

extension TraceBytes {
    /// The message of the dropped frame that replaces a frame or chunk without bytes.
    fileprivate var dropMessage: String {
        switch self {
        case .recorded: ""
        case .overLimit: "not recorded: the trace had reached its byte limit"
        case .tooFast: "not recorded: the data arrived faster than the trace could be written"
        }
    }
}
