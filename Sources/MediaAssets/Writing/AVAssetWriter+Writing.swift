import AssetTypes
import CaptureHAL
import Dispatch
import Foundation
import MediaCodecs
public import MediaTypes

extension AVAssetWriter {
    /// Locks all settings and creates the file. Calling it again is misuse.
    ///
    /// If the app enters the background while the writer is writing, the writer fails with
    /// `AVError.operationInterrupted`, unless a background task of `UIApplication` is active. Its file is left as it is.
    /// - Returns: False on failure, for example if the file exists; see `status` and `error`.
    @discardableResult
    public func startWriting() -> Bool {
        let status = status
        guard status == .unknown else {
            report(.internalInconsistency, "startWriting", "Cannot call method when status is \(status.rawValue)")
            return false
        }
        let options = options.withLock { $0 }
        guard !options.inputs.isEmpty else {
            report(.internalInconsistency, "startWriting", "Cannot start writing without inputs")
            return false
        }
        if let problem = isSegmented ? options.segmentProblem : nil {
            report(.internalInconsistency, "startWriting", problem)
            return false
        }
        let background = BackgroundExecution.of(system)
        do throws(AVError) {
            if background.isSuspended { throw .interruptedInBackground }
            let processors = try options.inputs.map { (input) throws(AVError) in
                try input.makeTrackProcessor(
                    for: kind,
                    fragmentInterval: isSegmented ? options.effectiveSegmentInterval : options.fragmentInterval,
                    segmentStart: isSegmented ? options.segmentStart : .invalid)
            }
            let new = AssetWriterEngine(
                try makeTrackWriter(options), processors, references: references(between: options.inputs),
                copies: options.export?.copies, keepsSourceTimes: isSegmented)
            engine.withLock { $0 = new }
        } catch {
            fail(error)
            return false
        }
        state.withLock { $0.start(options.inputs.map { $0.flowState(processing) }) }
        let token = background.observeSuspensions { [weak self] in self?.interrupt() }
        suspension.withLock { $0 = token }
        for input in options.inputs { input.writingDidStart() }
        stateDidChange()
        return true
    }

    /// Sets the time on the source's timeline that is zero on the movie's timeline. Call it once, before the first
    /// append.
    ///
    /// Earlier media is not presented. If the first sample of an input is later, its track starts with a gap.
    public func startSession(atSourceTime startTime: CMTime) {
        let problem = state.withLock { state -> String? in
            guard state.status == .writing else { return "Cannot call method when status is \(state.status.rawValue)" }
            guard startTime.isNumeric else { return "the start must be a numeric time, not \(startTime)" }
            guard state.sessionStart == nil else {
                return "the session has already been started; a writer has only one"
            }
            state.startSession(at: startTime)
            return nil
        }
        if let problem { return report(.internalInconsistency, "startSessionAtSourceTime:", problem) }
    }

    /// Sets the end of the movie on the source's timeline; later media is not presented, and no more samples can be
    /// appended.
    public func endSession(atSourceTime endTime: CMTime) {
        let problem = state.withLock { state -> String? in
            guard state.status == .writing else { return "Cannot call method when status is \(state.status.rawValue)" }
            guard let start = state.sessionStart else { return "no session was started" }
            guard state.sessionEnd == nil else { return "the session has already ended" }
            guard endTime.isNumeric, endTime >= start else {
                return "the end must be a numeric time, not before the session's start"
            }
            state.endSession(at: endTime)
            return nil
        }
        if let problem { return report(.internalInconsistency, "endSessionAtSourceTime:", problem) }
        stateDidChange()
    }

    /// Ends the session unless writing has failed in the meantime.
    package func endSessionIfWriting(atSourceTime endTime: CMTime) {
        let canEnd = state.withLock { state in
            guard state.status == .writing else { return false }
            state.endSession(at: endTime)
            return true
        }
        if canEnd { stateDidChange() }
    }

    /// Finishes all inputs and completes the file. Calling it again is misuse.
    ///
    /// - Parameter handler: Called once, on a private queue of the writer, after `status` has its final value.
    @preconcurrency
    public func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) {
        finish { [self] in system.deliver(on: callbackQueue, handler) }
    }

    /// Finishes all inputs and completes the file. Returns after `status` has its final value.
    public func finishWriting() async {
        await withCheckedContinuation { continuation in
            finish { [self] in
                // A virtual clock runs deliveries only while it is advanced, and the caller may be the code that
                // advances it.
                guard !system.clock.isVirtual else { return continuation.resume() }
                system.deliver(on: callbackQueue) { continuation.resume() }
            }
        }
    }

    /// Stops writing and removes the file before it returns. It has no effect if writing has ended. Calling it before
    /// the start is misuse.
    public func cancelWriting() {
        enum Action {
            case misuse
            case nothing
            case cancel([@Sendable () -> Void])
        }
        let action = state.withLock { state -> Action in
            switch state.status {
            case .unknown: .misuse
            case .writing: .cancel(state.end(.cancelled))
            case .completed, .failed, .cancelled: .nothing
            }
        }
        switch action {
        case .misuse: report(.internalInconsistency, "cancelWriting", "Cannot call method when status is 0")
        case .nothing: return
        case .cancel(let completions):
            let isDone = DispatchSemaphore(value: 0)
            worker.submit { [self] in
                engine.withLock { $0 }?.cancel()
                isDone.signal()
            }
            isDone.wait()
            stateDidChange()
            for completion in completions { completion() }
        }
    }

    private func finish(_ completion: @escaping @Sendable () -> Void) {
        enum Action {
            case misuse(String)
            case complete
            case finish(after: CMTime)
        }
        let action = state.withLock { state -> Action in
            switch state.status {
            case .unknown, .completed: return .misuse("Cannot call method when status is \(state.status.rawValue)")
            case .failed, .cancelled: return .complete
            case .writing:
                guard !state.isFinishing else {
                    return .misuse("Cannot call method when status is 1: the writer is already finishing")
                }
                state.completions.append(completion)
                state.isFinishing = true
                return .finish(after: state.encodingEnd)
            }
        }
        switch action {
        case .misuse(let message):
            report(.internalInconsistency, "finishWritingWithCompletionHandler:", message)
            completion()
        case .complete: completion()
        case .finish(let encodingEnd):
            stateDidChange()
            guard processing.finishing > .zero else { return worker.submit { self.complete() } }
            let start = encodingEnd.isNumeric ? max(system.clock.now, encodingEnd) : system.clock.now
            system.clock.schedule(at: start + CMTime(nanoseconds: processing.finishing.nanoseconds)) {
                self.worker.submit { self.complete() }
            }
        }
    }

    /// Completes the file; called on the worker.
    private func complete() {
        guard let engine = engine.withLock({ $0 }), status == .writing else { return }
        let (start, end) = state.withLock { ($0.sessionStart, $0.sessionEnd) }
        do throws(AVError) {
            var length: CMTime?
            if let start, let end { length = end - start }
            try engine.finish(at: length)
            let completions = state.withLock { $0.end(.completed) }
            stateDidChange()
            for completion in completions { completion() }
        } catch {
            if !options.withLock({ $0.keepsPartialFile }) { engine.cancel() }
            fail(error)
        }
    }

    /// Accepts a sample for an input.
    ///
    /// - Parameters:
    ///   - index: The index of the input.
    ///   - end: The end of the sample on the source's timeline.
    ///   - method: The class and the selector of the called method, for misuse reports.
    /// - Returns: False if the sample is rejected or writing has failed.
    func append(_ sample: WriterSample, at index: Int, end: CMTime, method: String) -> Bool {
        switch state.withLock({ $0.admit(index, end: end) }) {
        case .misuse(let message):
            // The message contains the type of the method's argument.
            let adjusted =
                if case .pixels = sample {
                    message.replacingOccurrences(of: "sample buffer", with: "pixel buffer")
                } else { message }
            system.misuse.report(.internalInconsistency, "-[\(method)] \(adjusted)")
            return false
        case .reject: return false
        case .accept(let origin):
            stateDidChange()
            worker.submit { self.process(sample, at: index, origin: origin) }
            return status == .writing
        }
    }

    /// Processes a sample and writes the result; called on the worker.
    private func process(_ sample: WriterSample, at index: Int, origin: CMTime) {
        if status == .writing, let engine = engine.withLock({ $0 }) {
            do throws(AVError) {
                try engine.process(sample, at: index, origin: origin)
            } catch {
                fail(error, engine)
            }
        }
        let now = system.clock.now
        guard let end = state.withLock({ $0.encode(index, at: now) }) else {
            state.withLock { $0.didProcess(index) }
            return stateDidChange()
        }
        system.clock.schedule(at: end) { [weak self] in
            self?.state.withLock { $0.didProcess(index) }
            self?.stateDidChange()
        }
    }

    /// Fails because media work is suspended.
    private func interrupt() {
        worker.submit { [self] in
            guard status == .writing else { return }
            if !options.withLock({ $0.keepsPartialFile }) { engine.withLock { $0 }?.cancel() }
            fail(.interruptedInBackground)
        }
    }

    /// Marks the input at an index as finished.
    func finishInput(at index: Int) {
        guard state.withLock({ $0.status == .writing && $0.finish(index) }) else { return }
        worker.submit { [self] in
            if status == .writing, let engine = engine.withLock({ $0 }) {
                do throws(AVError) {
                    try engine.finishInput(at: index)
                } catch {
                    fail(error, engine)
                }
            }
        }
        stateDidChange()
    }

    /// Notifies observers of changes and calls the request blocks of ready inputs.
    func stateDidChange() {
        let changes = state.withLock { $0.dequeueChanges() }
        if changes.status { observedProperties.changed(["status"]) }
        if !changes.inputs.isEmpty {
            let inputs = inputs
            for index in changes.inputs { inputs[index].observedProperties.changed(["isReadyForMoreMediaData"]) }
        }
        callReadyRequests()
    }

    /// Calls the request blocks of the inputs that are ready for more media.
    private func callReadyRequests() {
        for (index, request) in state.withLock({ $0.dequeueRequests() }) {
            system.deliver(on: request.queue) { [weak self] in
                // The input may have been marked as finished on that queue in the meantime.
                guard let self, state.withLock({ $0.isReady(index) }) else { return }
                request.block()
            } finished: { [weak self] in
                guard let self else { return }
                state.withLock { $0.requestDidReturn(index) }
                stateDidChange()
            }
        }
    }

    /// Ends writing after an error of the engine, and completes or removes the partial file.
    private func fail(_ error: AVError, _ engine: AssetWriterEngine) {
        if options.withLock({ $0.keepsPartialFile }) { engine.completePartialFile() } else { engine.cancel() }
        fail(error)
    }

    private func fail(_ error: AVError) {
        let completions = state.withLock { $0.end(.failed, error) }
        stateDidChange()
        for completion in completions { completion() }
    }

    private func makeTrackWriter(_ options: Options) throws(AVError) -> any TrackWriter {
        do throws(MovieError) {
            switch kind {
            case .movie(let container) where isSegmented:
                return MovieSegmentWriter(options.segmentConfiguration(container)) { [weak self] in self?.deliver($0) }
            case .movie(let container):
                var configuration = MovieFileWriter.Configuration(
                    container: container, fragmentInterval: options.fragmentInterval,
                    putsIndexInFront: options.shouldOptimizeForNetworkUse, timescale: options.timescale)
                configuration.keepsPartialMovie = options.keepsPartialFile
                if let boxes = options.export?.contents.boxes { configuration.storedBoxes = boxes }
                return try MovieFileWriter(
                    url: outputURL, storage: system.storage, configuration: configuration,
                    metadata: options.export?.contents.metadata ?? options.movieMetadata)
            case .audio(let container):
                var configuration = AudioFileWriter.Configuration(
                    container: container, checkpointInterval: options.fragmentInterval)
                if options.durationHint.isNumeric { configuration.protectedDuration = options.durationHint }
                return try AudioFileWriter(url: outputURL, storage: system.storage, configuration: configuration)
            }
        } catch {
            throw AVError(error)
        }
    }
}
