import CaptureHAL
import Dispatch
import MediaTypes
import Synchronization

/// Handlers that wait for the first frame with a setting.
///
/// They run in the order of the settings, one at a time, each once: a setting that was replaced completes with the first
/// frame after its replacement, and one that no frame can have, because the device does not stream, with an invalid time.
/// - Important: Thread-safe.
final class SettingWaits: Sendable {
    /// The subject of a setting; a setting replaces earlier ones of its subject.
    enum Subject: Sendable {
        case focus, exposure, exposureBias, whiteBalance

        /// The subject of a control; nil for controls without handlers.
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
        /// Whether a frame has the setting; nil if the frame does not carry it.
        let isShown: @Sendable (FrameSettings) -> Bool?
        let setTime: CMTime
        /// The time from which any frame completes the wait: the time of a replacement, or a timeout for devices that do not
        /// reach a setting exactly.
        var limit: CMTime
        /// The time of the first frame with the setting.
        var shownTime: CMTime?
        let handler: @Sendable (CMTime) -> Void

        func isAnswered(by frame: VideoFrame) -> Bool {
            frame.presentationTime >= limit
                || (isShown(frame.settings) ?? (frame.presentationTime >= setTime))
        }
    }

    private struct State {
        var waits: [Wait] = []
        /// The number of the device's users that stream.
        var streamCount = 0
    }

    /// The time after which any frame completes a wait.
    private static let timeout = CMTime(value: 2, timescale: 1)
    /// The time after the end of a stream in which another one may continue, for example if a session changes its format.
    private static let pause = CMTime(value: 1, timescale: 1)

    private let state = Lock(State())
    /// Whether there may be waits; read for each frame.
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
                Wait(subject: subject, isShown: isShown, setTime: now, limit: now + Self.timeout, handler: handler))
            isAwaited.store(true, ordering: .releasing)
            return false
        }
        if isHopeless { clock.deliver(on: queue) { handler(.invalid) } }
    }

    /// Records that controls were set: earlier settings of their subjects are replaced.
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

    /// Completes the waits for settings of a frame; runs on the device's thread.
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
        // The closure retains the waits: the device may be released meanwhile.
        clock.schedule(at: clock.now + Self.pause) { self.giveUp() }
    }

    /// Completes all waits if the device still does not stream.
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
    /// Calls `handler` with the time of the first frame with a new setting.
    ///
    /// - Parameter isShown: Whether a frame's settings have it; nil if they do not carry it, then the first frame whose
    ///   exposure begins from now on counts.
    func awaitFrame(
        _ subject: SettingWaits.Subject, _ handler: (@Sendable (CMTime) -> Void)?,
        _ isShown: @escaping @Sendable (FrameSettings) -> Bool?
    ) {
        if let handler { waits.add(subject, isShown, handler: handler) }
    }

    /// The time that a setting passes to its handler, for callers that await it.
    ///
    /// Returns at once if no frame can follow, even if no test advances a virtual clock.
    /// - Parameter begin: Starts the setting and returns whether its handler will be called; if not, for example after
    ///   misuse, the time is invalid.
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
