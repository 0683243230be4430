import CLinuxDevices
import Dispatch
import Glibc
import MediaTypes

/// A thread for blocking system calls.
///
/// Waiting for hardware can take an unlimited time, so it must not block a dispatch queue or a clock.
/// - Important: Thread-safe.
final class KernelThread: Sendable {
    private let finished = DispatchGroup()
    private let identity = Lock<pthread_t?>(nil)

    /// Starts a thread that runs `body` once.
    ///
    /// - Parameter name: The name for debuggers, truncated to 15 bytes.
    init(name: String, _ body: @escaping @Sendable () -> Void) throws(KernelError) {
        finished.enter()
        let start = Start(body, finished, identity)
        let context = Unmanaged.passRetained(start)
        let failure = clinuxdevices_start_thread(
            name, { context in if let context { Unmanaged<Start>.fromOpaque(context).takeRetainedValue().run() } },
            context.toOpaque())
        guard failure == 0 else {
            context.release()
            finished.leave()
            throw KernelError("pthread_create", failure)
        }
    }

    /// Whether the caller runs on this thread.
    var isCurrent: Bool {
        guard let identity = identity.withLock({ $0 }) else { return false }
        return pthread_equal(identity, pthread_self()) != 0
    }

    /// Waits until the body has returned. Returns immediately if called on the thread itself.
    func join() {
        if !isCurrent { finished.wait() }
    }

    private final class Start: Sendable {
        private let body: Lock<(@Sendable () -> Void)?>
        private let finished: DispatchGroup
        private let identity: Lock<pthread_t?>

        init(_ body: @escaping @Sendable () -> Void, _ finished: DispatchGroup, _ identity: Lock<pthread_t?>) {
            self.body = Lock(body)
            self.finished = finished
            self.identity = identity
        }

        func run() {
            identity.withLock { $0 = pthread_self() }
            runBody()
            finished.leave()
        }

        /// Releases the body when it returns, so that its captures are released before `join` returns.
        @inline(never)
        private func runBody() {
            let body = body.withLock { body in
                defer { body = nil }
                return body
            }
            body?()
        }
    }
}
