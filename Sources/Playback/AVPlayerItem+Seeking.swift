import CaptureHAL
import MediaAssets
public import MediaTypes

extension AVPlayerItem {
    /// The current time.
    public func currentTime() -> CMTime {
        let (player, time) = state.withLock { ($0.player, $0.time) }
        return player?.time(of: self) ?? time
    }

    /// A timebase with the item's time and rate; nil until the item is a player's current one.
    public var timebase: CMTimebase? { player?.timebase(of: self) }

    /// Returns the item's time at a time of the host clock.
    func time(atHostTime hostTime: CMTime) -> CMTime {
        player?.time(of: self, atHostTime: hostTime) ?? state.withLock { $0.time }
    }

    /// Seeks to the nearest key frame; see the function with tolerances.
    public func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)?) {
        seek(
            to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity,
            completionHandler: completionHandler)
    }

    /// Sets the current time to the nearest key frame within the tolerances, or exactly to `time` if there is none.
    ///
    /// A seek that starts before this one completes cancels it. Until the item is ready, the seek waits.
    /// - Parameter completionHandler: Called on the main thread; false if the seek was cancelled.
    public func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
        completionHandler: (@Sendable (Bool) -> Void)?
    ) {
        guard time.isValid, !time.isIndefinite else {
            system.misuse.report(
                .invalidArgument, "-[AVPlayerItem seekToTime:] Seeking is not possible to an invalid time")
            if let completionHandler { system.deliver(on: .main) { completionHandler(false) } }
            return
        }
        let (old, seek, status) = state.withLock { state in
            let seek = Seek(
                number: state.nextSeek, time: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter,
                completion: completionHandler)
            defer { state.seek = seek }
            state.nextSeek += 1
            return (state.seek, seek, state.status)
        }
        complete(old, isFinished: false)
        switch status {
        case .unknown: break
        case .readyToPlay: start(seek)
        case .failed: cancelPendingSeeks()
        }
    }

    @discardableResult
    public func seek(to time: CMTime) async -> Bool {
        await seek(to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity)
    }

    @discardableResult
    public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
        await withCheckedContinuation { continuation in
            seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Cancels seeks that have not completed.
    public func cancelPendingSeeks() {
        complete(
            state.withLock { state in
                defer { state.seek = nil }
                return state.seek
            }, isFinished: false)
    }

    private func complete(_ seek: Seek?, isFinished: Bool) {
        guard let completion = seek?.completion else { return }
        system.deliver(on: .main) { completion(isFinished) }
    }

    /// Finds the time of a seek on the item's worker and sets it on the main thread.
    func start(_ seek: Seek) {
        worker.submit { [weak self, system] in
            guard let self else { return }
            let target = target(of: seek)
            renderComposition(at: target)
            system.deliver(on: .main) { [weak self] in self?.finish(seek, at: target) }
        }
    }

    /// Returns the time that a seek sets.
    private func target(of seek: Seek) -> CMTime {
        let exact = max(.zero, min(seek.time, asset.duration))
        guard seek.toleranceBefore > .zero || seek.toleranceAfter > .zero, videoTrack != nil else { return exact }
        let generator = AVAssetImageGenerator(asset: asset)
        generator.requestedTimeToleranceBefore = seek.toleranceBefore
        generator.requestedTimeToleranceAfter = seek.toleranceAfter
        // Without a frame within the tolerances, such as after the end of the video, the time is exact.
        guard let actual = try? generator.presentationTime(ofImageAt: exact),
            exact - actual <= seek.toleranceBefore, actual - exact <= seek.toleranceAfter
        else { return exact }
        return actual
    }

    private func finish(_ seek: Seek, at time: CMTime) {
        let isCurrent = state.withLock { state in
            guard state.seek?.number == seek.number else { return false }
            state.seek = nil
            return true
        }
        guard isCurrent else { return }
        jump(to: time)
        seek.completion?(true)
    }

    /// Sets the current time immediately.
    func jump(to time: CMTime) {
        state.withLock { $0.time = time }
        player?.jump(self, to: time)
        postJump()
    }

    /// Reports a change of the current time other than by playback.
    func postJump() {
        system.notifications.post(Self.timeJumpedNotification) { [weak self] in self }
        for output in outputs { output.flush() }
        startSequences()
    }

    /// Reports the current time to the outputs if the item is a player's current one.
    func startSequences() {
        guard let time = player?.time(of: self) else { return }
        for output in outputs { output.sequenceStarted(at: time) }
    }

    /// Composes the frame at a time if seeks wait for it; an error fails the item when the frame is displayed.
    private func renderComposition(at time: CMTime) {
        guard seekingWaitsForVideoCompositionRendering, storedComposition.withLock({ $0 != nil }) else { return }
        // The loader keeps the frame. An error occurs again when the frame is displayed.
        _ = try? displayFrames?.frame(at: time)
    }

    /// Steps by a number of frames, backward if it is negative, to the start of a frame. Has no effect without video.
    public func step(byCount stepCount: Int) {
        guard isReady, let loader = displayFrames else { return }
        var time = currentTime()
        do {
            for _ in 0..<abs(stepCount) {
                guard let frame = try loader.frame(at: time, isReversed: stepCount < 0) else { break }
                if stepCount > 0 {
                    guard frame.timeRange.end < asset.duration else { break }
                    time = frame.timeRange.end
                } else {
                    guard frame.timeRange.start > .zero else { break }
                    // One microsecond earlier, the previous frame is displayed.
                    let before = frame.timeRange.start - CMTime(value: 1, timescale: 1_000_000)
                    time = try loader.frame(at: before, isReversed: true)?.timeRange.start ?? .zero
                }
            }
        } catch {
            return fail(error)
        }
        jump(to: time)
    }
}
