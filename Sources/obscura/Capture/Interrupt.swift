import CaptureHAL
import Dispatch
import Foundation
import MediaTypes
import Synchronization

/// Detects SIGINT (Ctrl-C), SIGTERM and SIGHUP, so that a capture can finish its file.
final class Interrupt: Sendable {
    private let flag = Lock(false)
    private let observation: ObserverToken

    /// Starts observing the signals.
    ///
    /// - Parameter wakeUp: Called on another thread when one of the signals arrives.
    init(waking wakeUp: @escaping @Sendable () -> Void) {
        observation = TerminationSignals.shared.observers.add { [flag] in
            flag.withLock { $0 = true }
            wakeUp()
        }
    }

    /// The signals that are observed.
    static var signals: [Int32] { TerminationSignals.signals }

    /// Whether one of the signals has arrived.
    var isRaised: Bool { flag.withLock { $0 } }
}

/// Handles the termination signals of the process, from the first `Interrupt` on.
///
/// The signal handler writes to a pipe. A dispatch signal source is not used, because it misses signals that arrive
/// shortly after its activation.
private final class TerminationSignals: Sendable {
    static let shared = TerminationSignals()
    /// nohup(1) ignores SIGHUP, so that the process survives its terminal.
    static let signals = isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    /// The write end of the pipe.
    private static let writeEnd = Atomic<Int32>(-1)

    let observers = Observers<Void>()
    // SAFETY: never accessed; keeps the source alive.
    private nonisolated(unsafe) let source: (any DispatchSourceRead)?

    private init() {
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else {
            // If no descriptor is available, the signals keep their default action.
            source = nil
            return
        }
        for descriptor in descriptors {
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        let readEnd = descriptors[0]
        let source = DispatchSource.makeReadSource(
            fileDescriptor: readEnd, queue: DispatchQueue(label: "obscura.signals"))
        source.setEventHandler { @Sendable [observers] in
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(readEnd, &bytes, bytes.count)
            for _ in 0..<max(0, count) { observers.notify(()) }
        }
        source.activate()
        self.source = source
        Self.writeEnd.store(descriptors[1], ordering: .sequentiallyConsistent)
        for number in Self.signals {
            signal(number) { _ in
                let savedErrno = errno
                var byte: UInt8 = 1
                // A full pipe already contains unread signals.
                _ = write(TerminationSignals.writeEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
                errno = savedErrno
            }
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // SAFETY: a handler is a pointer or a constant such as SIG_IGN; only its bits are compared.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
