import CaptureHAL
import Foundation
import MediaTypes

/// A stream that delivers the events of a recorded stream.
final class TraceStream: ReplaceableStream {
    private typealias Run = StreamLifeCycle.Run

    private struct State {
        var configuration: StreamConfiguration
        var runCount = 0
        /// The index after the last recorded change of the frame duration that was used.
        var durationChangeCount = 0
        /// The remaining recorded errors of starts while the stream is running.
        var errorsWhileRunning: [DeviceError] = []
        /// The last run that was started.
        var run: Run?
        /// Nanoseconds that are added to the trace's times to get the clock's times.
        var offset: Int64 = 0
        /// The identifier of the player's sequence of the run.
        var sequence: Int?
        var endTimer: ClockTimer?
        var pool: CVPixelBufferPool?
        var depthPool: CVPixelBufferPool?
        /// Bytes decoded ahead, by the index of their event.
        var ready: [Int: Data] = [:]
        var stills = TraceStillQueue()
    }

    let lifeCycle: StreamLifeCycle
    private let number: Int
    private let owner: WeakReference<OpenTraceDevice>
    private let device: TraceDevice
    private let trace: Trace
    private let worker: any ClockWorker
    private let state: Lock<State>

    init(_ number: Int, _ configuration: StreamConfiguration, of owner: OpenTraceDevice) {
        self.number = number
        self.owner = WeakReference(owner)
        device = owner.device
        trace = owner.device.trace
        worker = owner.device.clock.makeWorker(label: "obscura.trace.\(number)")
        lifeCycle = StreamLifeCycle(device: device.descriptor.uniqueID, clock: device.clock)
        state = Lock(State(configuration: configuration))
    }

    deinit { stop() }

    var configuration: StreamConfiguration { state.withLock { $0.configuration } }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        let id = device.descriptor.uniqueID
        guard device.isConnected else {
            throw DeviceError(.disconnected, device: id, "the device has been disconnected in the trace")
        }
        let now = device.clock.now.nanoseconds
        let run: Run
        do {
            run = try lifeCycle.start(receiver)
        } catch {
            guard isRunning else { throw error }
            throw state.withLock { $0.errorsWhileRunning.isEmpty ? nil : $0.errorsWhileRunning.removeFirst() } ?? error
        }
        do throws(DeviceError) {
            let (recordedRun, offset) = try state.withLock { state throws(DeviceError) in
                let recordedRun = try nextRecordedRun(&state)
                let offset = now - trace.events[recordedRun.startIndex].time
                state.run = run
                state.errorsWhileRunning = recordedRun.errorsWhileRunning
                state.offset = offset
                state.stills = TraceStillQueue()
                return (recordedRun, offset)
            }
            begin(recordedRun, run, offset: offset)
        } catch {
            lifeCycle.end(run)
            throw error
        }
    }

    /// Returns the next recorded run. After the last one, the successful runs are repeated.
    ///
    /// - Throws: The recorded error of the start, or `.invalidState` if no start was recorded.
    private func nextRecordedRun(_ state: inout State) throws(DeviceError) -> Trace.Run {
        let runs = trace.streams[number].runs
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
        return run
    }

    func stop() {
        if let run = lifeCycle.stop() { cancelTimers(of: run) }
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

    /// Requests a still: the next recorded one with the same size and number of exposures, which is delivered with the
    /// frame that delivered it, or with the next one. Without one, a single still of the stream's size is a frame of the
    /// stream.
    ///
    /// - Throws: `.unsupportedFormat` if the trace has none for this stream, or `.invalidState` if it is not running.
    func addStill(_ request: StillRequest) throws(DeviceError) {
        guard let run = lifeCycle.currentRun else {
            throw DeviceError(
                .invalidState, device: device.descriptor.uniqueID, "stills need a running stream; start it first")
        }
        let recorded = trace.streams[number].runs.flatMap(\.events).compactMap { trace.events[$0].stillFrame }
        if recorded.contains(where: { $0.matches(request) }) {
            _ = update(run) { $0.stills.add(request) }
            return
        }
        guard case .video(let format) = configuration.format, format.size == request.size, request.exposures.count == 1
        else {
            let available = Set(recorded.compactMap { $0.size.map { "\($0.width)x\($0.height)" } }).sorted()
            throw device.notInTrace(
                .unsupportedFormat,
                "a still of \(request.size.width)x\(request.size.height) with \(request.exposures.count) exposures",
                available: available.isEmpty
                    ? "no stills of this stream" : "stills of \(available.joined(separator: ", "))")
        }
        _ = update(run) { $0.stills.addFrameOfStream(request) }
    }

    // MARK: Private

    /// Accesses the state of a run; returns nil if the run has ended.
    private func update<Result>(_ run: Run, _ body: (inout State) -> Result) -> Result? {
        state.withLock { state in
            state.run == run && lifeCycle.currentRun == run ? body(&state) : nil
        }
    }

    /// Cancels the events of a run that is ending or has ended.
    private func cancelTimers(of run: Run) {
        let (sequence, timer) = state.withLock { state -> (Int?, ClockTimer?) in
            guard state.run == run else { return (nil, nil) }
            defer { (state.run, state.sequence, state.endTimer, state.ready) = (nil, nil, nil, [:]) }
            return (state.sequence, state.endTimer)
        }
        if let sequence { device.player.cancel(sequence) }
        timer?.cancel()
    }

    private func begin(_ recordedRun: Trace.Run, _ run: Run, offset: Int64) {
        decodeAhead(recordedRun.events.first, run)
        let following = Dictionary(
            zip(recordedRun.events, recordedRun.events.dropFirst()), uniquingKeysWith: { first, _ in first })
        let sequence = device.player.play(recordedRun.events, offset: offset) { [weak self] event in
            self?.replay(event, run, next: following[event])
        }
        let isCurrent: Void? = update(run) { $0.sequence = sequence }
        if isCurrent == nil { device.player.cancel(sequence) }
        scheduleEnd(recordedRun, run, offset: offset)
        device.host.object?.playFollowingEvents(after: recordedRun.startIndex, offset: offset)
        owner.object?.playControlChanges(after: recordedRun.startIndex)
    }

    /// Schedules the end of a run, unless the trace contains its last event.
    ///
    /// The end follows the recorded stop or last event after the duration of one frame. A client that stops the stream
    /// at the recorded time does not receive it.
    private func scheduleEnd(_ recordedRun: Trace.Run, _ run: Run, offset: Int64) {
        let last = recordedRun.events.last.map { trace.events[$0] }
        switch last?.content {
        case .failed, .ended: return
        default: break
        }
        let end = (recordedRun.stopTime ?? last?.time ?? trace.events[recordedRun.startIndex].time) + offset
        let due = CMTime(nanoseconds: end + trace.streams[number].frameNanoseconds)
        let timer = device.clock.schedule(at: due) { [weak self] in
            self?.end(run, with: .ended(time: CMTime(nanoseconds: end)))
        }
        let isCurrent: Void? = update(run) { $0.endTimer = timer }
        if isCurrent == nil { timer.cancel() }
    }

    /// Decodes the bytes of an event ahead, on the worker.
    private func decodeAhead(_ event: Int?, _ run: Run) {
        guard let event, let (blob, rows) = media(of: event) else { return }
        worker.submit { [weak self] in
            guard let self, lifeCycle.currentRun == run else { return }
            // Damage is detected again and reported when the event is due.
            guard let bytes = try? trace.bytes(blob, rows: rows, event: event) else { return }
            _ = update(run) { $0.ready[event] = bytes }
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

    /// Delivers a recorded event.
    private func replay(_ index: Int, _ run: Run, next: Int?) {
        if let still = trace.events[index].stillFrame {
            // Stills are decoded when a frame delivers them.
            _ = update(run) { $0.stills.add(still, at: index) }
            return decodeAhead(next, run)
        }
        guard let (offset, ready) = update(run, { ($0.offset, $0.ready.removeValue(forKey: index)) }) else { return }
        do throws(DeviceError) {
            guard var event = try event(at: index, offset: offset, ready) else { return }
            if case .video(var frame) = event {
                for delivery in update(run, { $0.stills.takeDeliveries() }) ?? [] {
                    frame.stills.append(try still(delivery, offset: offset))
                }
                let time = frame.presentationTime
                if let request = update(run, { $0.stills.takeRequest(ofFrameAt: time) }) ?? nil {
                    frame.stills.append(
                        StillFrame(
                            requestID: request, exposureIndex: 0, payload: frame.payload, presentationTime: time,
                            settings: frame.settings, depth: frame.depth))
                }
                event = .video(frame)
            }
            switch event {
            case .failed(let error, _):
                if error.code == .disconnected { device.disconnect() }
                end(run, with: event)
            case .ended: end(run, with: event)
            case .video, .audio, .dropped:
                lifeCycle.deliver(event, of: run)
                decodeAhead(next, run)
            }
        } catch {
            end(run, with: .failed(error, time: device.clock.now))
        }
    }

    /// Decodes a still. If its bytes were not recorded, it has an error.
    private func still(_ delivery: TraceStillQueue.Delivery, offset: Int64) throws(DeviceError) -> StillFrame {
        var still = StillFrame(
            requestID: delivery.requestID, exposureIndex: delivery.still.exposure, presentationTime: .invalid,
            mergedFrameCount: delivery.still.merged)
        guard case .video(let frame)? = try event(at: delivery.event, offset: offset, nil) else {
            still.error = DeviceError(
                .inputOutput, device: device.descriptor.uniqueID, "the still is not in the trace")
            return still
        }
        still.payload = frame.payload
        still.presentationTime = frame.presentationTime
        still.settings = frame.settings
        still.depth = frame.depth
        return still
    }

    /// Delivers the last event of a run, unless the run has ended.
    private func end(_ run: Run, with event: StreamEvent) {
        guard lifeCycle.currentRun == run else { return }
        cancelTimers(of: run)
        lifeCycle.deliver(event, of: run)
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
            // Stills are rare, and differ in size.
            let pixels =
                frame.still == nil
                ? pool(code, size).makeBuffer()
                : CVPixelBuffer(width: Int(size.width), height: Int(size.height), pixelFormat: code)
            guard let pixels else {
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
