import CaptureHAL
import Dispatch
import MediaTypes

/// A thread that waits for changes until it is stopped, and goes on after errors.
///
/// If a wait fails, the error is logged and the thread waits again after a second, since the error may last.
/// - Important: Thread-safe.
final class MonitorThread: Sendable {
    private let thread: KernelThread
    private let wakeEvent: KernelEvent
    private let isStopped = Lock(false)
    /// Ends the delay after an error.
    private let delayEnd = DispatchSemaphore(value: 0)

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
        let wakeEvent = try KernelEvent(kernel)
        self.wakeEvent = wakeEvent
        // The thread does not retain the monitor, which stops it when it is released.
        thread = try KernelThread(name: name) { [isStopped, delayEnd] in
            var hasLogged = false
            while !isStopped.withLock({ $0 }) {
                do throws(KernelError) {
                    guard try step(wakeEvent) else { return }
                } catch {
                    guard !isStopped.withLock({ $0 }) else { return }
                    // An error that lasts is logged once.
                    if !hasLogged { CaptureSystem.log("the thread \"\(name)\" failed, and tries again: \(error)") }
                    hasLogged = true
                    let timer = clock.schedule(at: clock.now + CMTime(value: 1, timescale: 1)) { delayEnd.signal() }
                    delayEnd.wait()
                    timer.cancel()
                }
            }
        }
    }

    deinit { stop() }

    /// Ends the current wait, so that the next one includes new descriptors or conditions.
    func wake() { wakeEvent.signal() }

    /// Ends the thread and waits until it has ended, unless the caller runs on it.
    func stop() {
        isStopped.withLock { $0 = true }
        wakeEvent.signal()
        delayEnd.signal()
        thread.join()
    }
}
