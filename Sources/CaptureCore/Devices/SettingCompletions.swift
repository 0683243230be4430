import CaptureHAL
import Dispatch
import MediaTypes
import Synchronization

/// The completion handlers that wait for the first frame with a new setting.
///
/// Each handler runs once, in the order of the settings. A setting that was replaced completes with the first frame
/// after the replacement. If the device does not stream, the handlers receive an invalid time.
/// - Important: Thread-safe.
final class SettingCompletions: Sendable {
    /// The subject of a setting. A new setting replaces earlier settings of the same subject.
    enum Subject: Sendable {
        case focus, exposure, exposureBias, whiteBalance

        /// The subject of a control; nil for controls without handlers.
        init?(_ control: DeviceControl) {
            switch control {
            case .focusMode, .lensPosition: self = .focus
            case .exposureMode, .exposureDuration, .iso, .lensAperture, .automaticExposureSettings: self = .exposure
            case .exposureBias: self = .exposureBias
            case .whiteBalanceMode, .redGain, .greenGain, .blueGain: self = .whiteBalance
            default: return nil
            }
        }
    }

    private struct PendingSetting: Sendable {
        let subject: Subject
        /// Whether a frame has the setting; nil if the frame does not report it.
        let isApplied: @Sendable (FrameSettings) -> Bool?
        let setTime: CMTime
        /// The time from which any frame completes the setting: the time of a replacement, or a timeout for devices
        /// that do not reach a setting exactly.
        var limit: CMTime
        /// The time of the first frame with the setting; nil until it arrives.
        var appliedTime: CMTime?
        let handler: @Sendable (CMTime) -> Void

        func isCompleted(by frame: VideoFrame) -> Bool {
            frame.presentationTime >= limit
                || (isApplied(frame.settings) ?? (frame.presentationTime >= setTime))
        }
    }

    private struct State {
        var pending: [PendingSetting] = []
        /// The number of sessions that stream from the device.
        var streamCount = 0
    }

    /// The time after which any frame completes a setting.
    private static let timeout = CMTime(value: 2, timescale: 1)
    /// The time to wait for another stream after the end of a stream, for example while a session changes its format.
    private static let restartTimeout = CMTime(value: 1, timescale: 1)

    private let state = Lock(State())
    /// Whether any setting may be pending; read for each frame.
    private let hasPending = Atomic(false)
    private let queue: DispatchQueue
    private let system: SystemReference
    private let clock: any CaptureClock

    init(_ environment: DeviceEnvironment, queue: DispatchQueue) {
        system = environment.system
        clock = environment.clock
        self.queue = queue
    }

    /// Whether the device streams.
    var isStreaming: Bool { state.withLock { $0.streamCount > 0 } }

    /// Whether frames can complete a setting: a stream runs, or may restart.
    var canComplete: Bool { state.withLock { $0.streamCount > 0 || !$0.pending.isEmpty } }

    /// Calls `handler` with the time of the first frame with a new setting.
    ///
    /// - Parameter isApplied: Whether a frame has the setting; nil if the frame does not report it. The setting then
    ///   completes with the first frame whose exposure begins after this call.
    func add(
        _ subject: Subject, _ isApplied: @escaping @Sendable (FrameSettings) -> Bool?,
        handler: @escaping @Sendable (CMTime) -> Void
    ) {
        let now = clock.now
        let cannotComplete = state.withLock { state in
            guard state.streamCount > 0 || !state.pending.isEmpty else { return true }
            state.pending.append(
                PendingSetting(
                    subject: subject, isApplied: isApplied, setTime: now, limit: now + Self.timeout, handler: handler))
            hasPending.store(true, ordering: .releasing)
            return false
        }
        if cannotComplete { system.deliver(on: queue) { handler(.invalid) } }
    }

    /// Records that controls were set: earlier settings of their subjects are replaced.
    func supersede(_ controls: [DeviceControl]) {
        guard hasPending.load(ordering: .acquiring) else { return }
        let subjects = Set(controls.compactMap(Subject.init))
        guard !subjects.isEmpty else { return }
        let now = clock.now
        state.withLock { state in
            for index in state.pending.indices where subjects.contains(state.pending[index].subject) {
                state.pending[index].limit = min(state.pending[index].limit, now)
            }
        }
    }

    /// Completes the pending settings that are applied in a frame; runs on the device's thread.
    func frameArrived(_ frame: VideoFrame) {
        guard hasPending.load(ordering: .acquiring) else { return }
        let completed = state.withLock { state in
            for index in state.pending.indices
            where state.pending[index].appliedTime == nil && state.pending[index].isCompleted(by: frame) {
                state.pending[index].appliedTime = frame.presentationTime
            }
            let completed = Array(state.pending.prefix { $0.appliedTime != nil })
            state.pending.removeFirst(completed.count)
            hasPending.store(!state.pending.isEmpty, ordering: .releasing)
            return completed
        }
        complete(completed)
    }

    /// Registers the start of a stream.
    func streamDidStart() { state.withLock { $0.streamCount += 1 } }

    /// Registers the end of a stream; if no stream starts within one second, pending settings complete.
    func streamDidEnd() {
        let isLast = state.withLock { state in
            state.streamCount -= 1
            return state.streamCount == 0 && !state.pending.isEmpty
        }
        guard isLast else { return }
        // The closure retains this object, since the device may be released before it runs.
        clock.schedule(at: clock.now + Self.restartTimeout) { self.completeAll() }
    }

    /// Completes all settings if the device still does not stream.
    private func completeAll() {
        let remaining = state.withLock { state in
            guard state.streamCount == 0 else { return [PendingSetting]() }
            defer { state.pending = [] }
            hasPending.store(false, ordering: .releasing)
            return state.pending
        }
        complete(remaining)
    }

    private func complete(_ pending: [PendingSetting]) {
        for setting in pending {
            system.deliver(on: queue) { setting.handler(setting.appliedTime ?? .invalid) }
        }
    }
}

extension AVCaptureDevice {
    /// Calls `handler` with the time of the first frame with a new setting.
    ///
    /// - Parameter isApplied: Whether a frame has the setting; nil if the frame does not report it. The setting then
    ///   completes with the first frame whose exposure begins after this call.
    func callWhenApplied(
        _ subject: SettingCompletions.Subject, _ handler: (@Sendable (CMTime) -> Void)?,
        _ isApplied: @escaping @Sendable (FrameSettings) -> Bool?
    ) {
        if let handler { settingCompletions.add(subject, isApplied, handler: handler) }
    }

    /// Applies a setting and returns the time that its handler receives.
    ///
    /// Returns immediately if no frame can follow, even if a virtual clock does not advance.
    ///
    /// - Parameter begin: Applies the setting and returns whether its handler will be called; if not, for example after
    ///   misuse, the time is invalid.
    func appliedTime(_ begin: ((@Sendable (CMTime) -> Void)?) -> Bool) async -> CMTime {
        guard settingCompletions.canComplete else {
            _ = begin(nil)
            return .invalid
        }
        return await withCheckedContinuation { continuation in
            if !begin({ continuation.resume(returning: $0) }) { continuation.resume(returning: .invalid) }
        }
    }
}
