import CaptureHAL
import MediaTypes

/// A thread that waits for changes until it is stopped, and goes on after errors.
///
/// If a wait fails, the error is logged and a new thread starts after a second, since the error may last.
/// - Important: Thread-safe.
final class MonitorThread: Sendable {
    private struct State {
        /// The current thread; nil between an error and the next thread.
        var thread: KernelThread?
        var isStopped = false
        /// Whether an error was logged; repeated errors are not.
        var hasLogged = false
    }

    private let name: String
    private let clock: any CaptureClock
    private let wakeEvent: KernelEvent
    private let step: @Sendable (KernelEvent) throws(KernelError) -> Bool
    private let state = Lock(State())

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: The name of the thread, for debuggers and the log.
    ///   - clock: The clock of the delay after an error.
    ///   - step: Waits until the event, which it must then reset, or one of its own descriptors is ready, and processes
    ///     the changes. Called repeatedly on the thread. Returns whether to go on; false after a disconnection.
    init(
        name: String, kernel: any KernelCalls, clock: any CaptureClock,
        _ step: @escaping @Sendable (_ wake: KernelEvent) throws(KernelError) -> Bool
    ) throws(KernelError) {
        self.name = name
        self.clock = clock
        self.step = step
        wakeEvent = try KernelEvent(kernel)
        start()
    }

    deinit { stop() }

    /// Ends the current wait, so that the next one includes new descriptors or conditions.
    func wake() { wakeEvent.signal() }

    /// Ends the thread and waits until it has ended, unless the caller runs on it.
    func stop() {
        let thread = state.withLock { state in
            state.isStopped = true
            defer { state.thread = nil }
            return state.thread
        }
        wakeEvent.signal()
        thread?.join()
    }

    // MARK: Private

    private var isStopped: Bool { state.withLock { $0.isStopped } }

    private func start() {
        do throws(KernelError) {
            let thread = try KernelThread(name: name) { [weak self, wakeEvent, step] in
                do throws(KernelError) {
                    while self?.isStopped == false {
                        guard try step(wakeEvent) else { return }
                    }
                } catch {
                    self?.restart(after: error)
                }
            }
            let isStopped = state.withLock { state in
                if !state.isStopped { state.thread = thread }
                return state.isStopped
            }
            guard isStopped else { return }
            wakeEvent.signal()
            thread.join()
        } catch {
            restart(after: error)
        }
    }

    private func restart(after error: KernelError) {
        let (isStopped, logsError) = state.withLock { state in
            state.thread = nil
            defer { state.hasLogged = true }
            return (state.isStopped, !state.hasLogged)
        }
        guard !isStopped else { return }
        if logsError { CaptureSystem.log("the thread \"\(name)\" ended: \(error); it starts again") }
        clock.schedule(at: clock.now + CMTime(value: 1, timescale: 1)) { [weak self] in
            guard let self, !self.isStopped else { return }
            start()
        }
    }
}
