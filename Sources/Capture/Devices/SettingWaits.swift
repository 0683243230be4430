import CaptureHAL
import Dispatch
import MediaTypes
import Synchronization

/// Clients that wait for the first frame in which a setting shows.
///
/// Their handlers run in the order of the settings, one at a time, each once, whatever becomes of the setting: one that
/// another took the place of is answered by the first frame made after that, and one that no frame can show any more,
/// because the device does not stream, by an invalid time.
/// - Important: Thread-safe.
final class SettingWaits: Sendable {
    /// What is set; a setting takes the place of earlier ones of its subject.
    enum Subject: Sendable {
        case focus, exposure, exposureBias, whiteBalance

        /// What a control belongs to; nil for those that nobody waits for.
        init?(_ control: DeviceControl) {
            switch control {
            case .focusMode, .lensPosition: self = .focus
            case .exposureMode, .exposureDuration, .iso: self = .exposure
            case .exposureBias: self = .exposureBias
            case .whiteBalanceMode, .redGain, .greenGain, .blueGain: self = .whiteBalance
            default: return nil
            }
        }
    }

    private struct Wait: Sendable {
        let subject: Subject
        /// Whether a frame was formed by the setting; nil where the frame tells nothing of it.
        let isShown: @Sendable (FrameSettings) -> Bool?
        let setTime: CMTime
        /// From when on any frame is an answer: that of the setting that came in the place of this one, or where the
        /// patience with a device ends that never does quite what it was asked for.
        var limit: CMTime
        /// The time of the first frame that shows it.
        var shownTime: CMTime?
        let handler: @Sendable (CMTime) -> Void

        func isAnswered(by frame: VideoFrame) -> Bool {
            frame.presentationTime >= limit
                || (isShown(frame.settings) ?? (frame.presentationTime >= setTime))
        }
    }

    private struct State {
        var waits: [Wait] = []
        /// How many of the device's users stream.
        var streamCount = 0
    }

    /// How long a device may take to come where it was sent.
    private static let patience = CMTime(value: 2, timescale: 1)
    /// How long after the end of a stream another one may go on with what was asked for, as when a session changes its
    /// format.
    private static let pause = CMTime(value: 1, timescale: 1)

    private let state = Lock(State())
    /// Whether there may be any; looked at for each frame.
    private let isAwaited = Atomic(false)
    private let queue: DispatchQueue
    private let clock: any CaptureClock

    init(clock: any CaptureClock, queue: DispatchQueue) {
        self.clock = clock
        self.queue = queue
    }

    /// Whether the device streams.
    var isStreaming: Bool { state.withLock { $0.streamCount > 0 } }

    /// Whether there is, or may soon be again, a stream whose frames show what is set.
    var mayBeAnswered: Bool { state.withLock { $0.streamCount > 0 || !$0.waits.isEmpty } }

    /// Calls `handler` when a frame shows what was just set.
    ///
    /// - Parameter isShown: Whether a frame's own settings tell so; nil where they tell nothing of it, which makes it the
    ///   first frame whose exposure begins from now on.
    func add(
        _ subject: Subject, _ isShown: @escaping @Sendable (FrameSettings) -> Bool?,
        handler: @escaping @Sendable (CMTime) -> Void
    ) {
        let now = clock.now
        let isHopeless = state.withLock { state in
            guard state.streamCount > 0 || !state.waits.isEmpty else { return true }
            state.waits.append(
                Wait(subject: subject, isShown: isShown, setTime: now, limit: now + Self.patience, handler: handler))
            isAwaited.store(true, ordering: .releasing)
            return false
        }
        if isHopeless { clock.deliver(on: queue) { handler(.invalid) } }
    }

    /// Controls are set: no frame need show any more what was asked for before.
    func supersede(_ controls: [DeviceControl]) {
        guard isAwaited.load(ordering: .acquiring) else { return }
        let subjects = Set(controls.compactMap(Subject.init))
        guard !subjects.isEmpty else { return }
        let now = clock.now
        state.withLock { state in
            for index in state.waits.indices where subjects.contains(state.waits[index].subject) {
                state.waits[index].limit = min(state.waits[index].limit, now)
            }
        }
    }

    /// Answers those whose settings a frame shows; runs on the device's thread.
    func frameArrived(_ frame: VideoFrame) {
        guard isAwaited.load(ordering: .acquiring) else { return }
        let answered = state.withLock { state in
            for index in state.waits.indices
            where state.waits[index].shownTime == nil && state.waits[index].isAnswered(by: frame) {
                state.waits[index].shownTime = frame.presentationTime
            }
            let answered = Array(state.waits.prefix { $0.shownTime != nil })
            state.waits.removeFirst(answered.count)
            isAwaited.store(!state.waits.isEmpty, ordering: .releasing)
            return answered
        }
        answer(answered)
    }

    func streamDidStart() { state.withLock { $0.streamCount += 1 } }

    func streamDidEnd() {
        let isLast = state.withLock { state in
            state.streamCount -= 1
            return state.streamCount == 0 && !state.waits.isEmpty
        }
        guard isLast else { return }
        // The waits keep themselves until then: the device may go meanwhile.
        clock.schedule(at: clock.now + Self.pause) { self.giveUp() }
    }

    /// Answers all who wait where the device still does not stream.
    private func giveUp() {
        let left = state.withLock { state in
            guard state.streamCount == 0 else { return [Wait]() }
            defer { state.waits = [] }
            isAwaited.store(false, ordering: .releasing)
            return state.waits
        }
        answer(left)
    }

    private func answer(_ waits: [Wait]) {
        for wait in waits {
            clock.deliver(on: queue) { wait.handler(wait.shownTime ?? .invalid) }
        }
    }
}

extension AVCaptureDevice {
    /// Calls `handler` with the time of the first frame that shows what was just set.
    ///
    /// - Parameter isShown: Whether a frame's own settings tell so; nil where they tell nothing of it, which makes it the
    ///   first frame whose exposure begins from now on.
    func awaitFrame(
        _ subject: SettingWaits.Subject, _ handler: (@Sendable (CMTime) -> Void)?,
        _ isShown: @escaping @Sendable (FrameSettings) -> Bool?
    ) {
        if let handler { waits.add(subject, isShown, handler: handler) }
    }

    /// The time that a setting gives to its handler, for callers that wait for it.
    ///
    /// Where no frame can come it is told at once, also where nobody moves a virtual time on.
    /// - Parameter begin: Makes the setting and tells whether its handler will be called; where not, as after misuse, the
    ///   time is invalid.
    func settingTime(_ begin: ((@Sendable (CMTime) -> Void)?) -> Bool) async -> CMTime {
        guard waits.mayBeAnswered else {
            _ = begin(nil)
            return .invalid
        }
        return await withCheckedContinuation { continuation in
            if !begin({ continuation.resume(returning: $0) }) { continuation.resume(returning: .invalid) }
        }
    }
}
