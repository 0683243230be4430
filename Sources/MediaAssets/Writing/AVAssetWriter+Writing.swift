import Dispatch
import Foundation
import MediaCodecs
public import MediaTypes

extension AVAssetWriter {
    /// Fixes all settings and makes the file; misuse when called again.
    ///
    /// - Returns: False where that failed: `status` and `error` tell why, as that the file exists.
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
        do throws(AVError) {
            let feeds = try options.inputs.map { (input) throws(AVError) in
                try input.makeFeed(
                    for: kind,
                    fragmentInterval: isSegmented ? options.effectiveSegmentInterval : options.fragmentInterval,
                    segmentStart: isSegmented ? options.segmentStart : .invalid)
            }
            let new = AssetWriterEngine(try makeTrackWriter(options), feeds, keepsSourceTimes: isSegmented)
            engine.withLock { $0 = new }
        } catch {
            fail(error)
            return false
        }
        state.withLock { $0.start(options.inputs.map(\.flow)) }
        for input in options.inputs { input.writingDidStart() }
        stateDidChange()
        return true
    }

    /// Sets which moment of the source's timeline becomes the movie's zero; once, before anything is appended.
    ///
    /// What is earlier is not presented; an input whose first sample is later begins with a gap.
    public func startSession(atSourceTime startTime: CMTime) {
        let problem = state.withLock { state -> String? in
            guard state.status == .writing else { return "Cannot call method when status is \(state.status.rawValue)" }
            guard startTime.isNumeric else { return "the start must be a time, not \(startTime)" }
            guard state.sessionStart == nil else { return "a session was started already; a writer has one" }
            state.startSession(at: startTime)
            return nil
        }
        if let problem { return report(.internalInconsistency, "startSessionAtSourceTime:", problem) }
    }

    /// Sets where on the source's timeline the movie ends; what is later is not presented, and nothing can follow.
    public func endSession(atSourceTime endTime: CMTime) {
        let problem = state.withLock { state -> String? in
            guard state.status == .writing else { return "Cannot call method when status is \(state.status.rawValue)" }
            guard let start = state.sessionStart else { return "no session was started" }
            guard state.sessionEnd == nil else { return "the session has ended already" }
            guard endTime.isNumeric, endTime >= start else {
                return "the end must be a time that is not before the session's start"
            }
            state.endSession(at: endTime)
            return nil
        }
        if let problem { return report(.internalInconsistency, "endSessionAtSourceTime:", problem) }
        stateDidChange()
    }

    /// Ends all inputs and completes the file.
    ///
    /// - Parameter handler: Runs once, on a queue of the writer's, when `status` tells how it ended.
    public func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) {
        finish { [self] in system.clock.deliver(on: callbackQueue, handler) }
    }

    /// Ends all inputs and completes the file; `status` tells how it ended.
    public func finishWriting() async {
        await withCheckedContinuation { continuation in
            finish { [self] in
                // In virtual time the work is done at once, and nobody may be there to advance the clock.
                guard !system.clock.isVirtual else { return continuation.resume() }
                system.clock.deliver(on: callbackQueue) { continuation.resume() }
            }
        }
    }

    /// Ends the writing and removes the file; returns when that is done. Nothing happens where it has ended.
    public func cancelWriting() {
        enum Verdict {
            case misuse
            case nothing
            case cancel([@Sendable () -> Void])
        }
        let verdict = state.withLock { state -> Verdict in
            switch state.status {
            case .unknown: .misuse
            case .writing: .cancel(state.end(.cancelled))
            case .completed, .failed, .cancelled: .nothing
            }
        }
        switch verdict {
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
        enum Verdict {
            case misuse(Int)
            case tell
            case finish
            case wait
        }
        let verdict = state.withLock { state -> Verdict in
            switch state.status {
            case .unknown, .completed: return .misuse(state.status.rawValue)
            case .failed, .cancelled: return .tell
            case .writing:
                state.completions.append(completion)
                defer { state.isFinishing = true }
                return state.isFinishing ? .wait : .finish
            }
        }
        switch verdict {
        case .misuse(let status):
            report(
                .internalInconsistency, "finishWritingWithCompletionHandler:",
                "Cannot call method when status is \(status)")
            completion()
        case .tell: completion()
        case .wait: return
        case .finish:
            stateDidChange()
            worker.submit { self.complete() }
        }
    }

    /// On the worker: completes the file.
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
            fail(error)
        }
    }

    /// Takes a buffer for an input; `method` names the call in reports of misuse.
    func append(_ sample: WriterSample, at index: Int, end: CMTime, method: String) -> Bool {
        switch state.withLock({ $0.admit(index, end: end) }) {
        case .misuse(let message):
            // Each method names what it was given.
            let named =
                if case .pixels = sample {
                    message.replacingOccurrences(of: "sample buffer", with: "pixel buffer")
                } else { message }
            system.misuse.report(.internalInconsistency, "-[\(method)] \(named)")
            return false
        case .refuse: return false
        case .accept(let origin):
            stateDidChange()
            worker.submit { self.take(sample, at: index, origin: origin) }
            return status == .writing
        }
    }

    /// On the worker: brings a buffer into the file.
    private func take(_ sample: WriterSample, at index: Int, origin: CMTime) {
        if status == .writing, let engine = engine.withLock({ $0 }) {
            do throws(AVError) {
                try engine.take(sample, at: index, origin: origin)
            } catch {
                engine.salvage()
                fail(error)
            }
        }
        state.withLock { $0.didTake(index) }
        stateDidChange()
    }

    /// Nothing more comes to an input.
    func finishInput(at index: Int) {
        guard state.withLock({ $0.status == .writing && $0.finish(index) }) else { return }
        worker.submit { [self] in
            if status == .writing, let engine = engine.withLock({ $0 }) {
                do throws(AVError) {
                    try engine.finishInput(at: index)
                } catch {
                    engine.salvage()
                    fail(error)
                }
            }
        }
        stateDidChange()
    }

    /// Tells observers what has changed, and calls the blocks of the inputs that are ready for more.
    func stateDidChange() {
        let changes = state.withLock { $0.takeChanges() }
        if changes.status { observedProperties.changed(["status"]) }
        if !changes.inputs.isEmpty {
            let inputs = inputs
            for index in changes.inputs { inputs[index].observedProperties.changed(["isReadyForMoreMediaData"]) }
        }
        ask()
    }

    /// Calls the blocks of the inputs that are ready for more.
    private func ask() {
        for (index, request) in state.withLock({ $0.takeRequests() }) {
            system.clock.deliver(on: request.queue) { [weak self] in
                // It may have been marked as finished on that queue meanwhile.
                guard let self, state.withLock({ $0.isReady(index) }) else { return }
                request.block()
            } finished: { [weak self] in
                guard let self else { return }
                state.withLock { $0.didAsk(index) }
                stateDidChange()
            }
        }
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
                return try MovieFileWriter(
                    url: outputURL, storage: system.storage,
                    configuration: MovieFileWriter.Configuration(
                        container: container, fragmentInterval: options.fragmentInterval,
                        putsIndexInFront: options.shouldOptimizeForNetworkUse, timescale: options.timescale),
                    metadata: options.movieMetadata)
            case .sound(let container):
                var configuration = SoundFileWriter.Configuration(
                    container: container, checkpointInterval: options.fragmentInterval)
                if options.durationHint.isNumeric { configuration.protectedDuration = options.durationHint }
                return try SoundFileWriter(url: outputURL, storage: system.storage, configuration: configuration)
            }
        } catch {
            throw AVError(error)
        }
    }
}
