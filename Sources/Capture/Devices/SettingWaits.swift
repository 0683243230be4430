import CaptureHAL
import Dispatch
import MediaTypes
import Synchronization

/// Clients that wait for the first frame in which a setting shows.
///
/// Their handlers run in the order of the settings, one at a time.
/// - Important: Thread-safe.
final class SettingWaits: Sendable {
    struct Wait: Sendable {
        /// Whether a frame was formed by the setting.
        let isShown: @Sendable (VideoFrame) -> Bool
        let handler: @Sendable (CMTime) -> Void
    }

    private let waits = Lock<[Wait]>([])
    /// Whether there may be any; looked at for each frame.
    private let isAwaited = Atomic(false)
    private let queue: DispatchQueue
    private let clock: any CaptureClock

    init(clock: any CaptureClock, queue: DispatchQueue) {
        self.clock = clock
        self.queue = queue
    }

    func add(_ wait: Wait) {
        waits.withLock {
            $0.append(wait)
            isAwaited.store(true, ordering: .releasing)
        }
    }

    /// Answers those whose settings a frame shows; runs on the device's thread.
    func frameArrived(_ frame: VideoFrame) {
        guard isAwaited.load(ordering: .acquiring) else { return }
        let shown = waits.withLock { waits in
            let shown = Array(waits.prefix { $0.isShown(frame) })
            waits.removeFirst(shown.count)
            isAwaited.store(!waits.isEmpty, ordering: .releasing)
            return shown
        }
        for wait in shown {
            clock.deliver(on: queue) { wait.handler(frame.presentationTime) }
        }
    }
}

extension AVCaptureDevice {
    /// Calls `handler` with the time of the first frame that shows what was just set.
    ///
    /// - Parameter isShown: Whether a frame's own settings tell so; nil where they tell nothing of it, which makes it the
    ///   first frame whose exposure begins from now on.
    func awaitFrame(
        _ handler: (@Sendable (CMTime) -> Void)?, _ isShown: @escaping @Sendable (FrameSettings) -> Bool?
    ) {
        guard let handler else { return }
        let setTime = surroundings.clock.now
        waits.add(
            SettingWaits.Wait(
                isShown: { frame in isShown(frame.settings) ?? (frame.presentationTime >= setTime) },
                handler: handler))
    }
}
