import Dispatch
import Foundation
import MediaTypes
import Synchronization

/// Notices Ctrl-C, SIGTERM and SIGHUP, so that work can end cleanly.
final class Interrupt: Sendable {
    private let flag = Lock(false)
    // SAFETY: the sources are only kept alive here.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    /// Set by a signal that comes before its source is ready.
    private static let isEarly = Atomic(false)

    /// - Parameter bell: Rung when the user wants to stop.
    init(ringing bell: DispatchSemaphore) {
        Self.isEarly.store(false, ordering: .sequentiallyConsistent)
        // nohup(1) has it ignored, so that work outlives the terminal.
        let signals = Self.isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
        sources = signals.map { [flag] number in
            let raise: @Sendable () -> Void = {
                flag.withLock { $0 = true }
                bell.signal()
            }
            // A source takes the signal over some time after it was activated; what comes until then is kept here.
            signal(number) { _ in Interrupt.isEarly.store(true, ordering: .sequentiallyConsistent) }
            let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "obscura.signals"))
            source.setRegistrationHandler { @Sendable in
                if Interrupt.isEarly.load(ordering: .sequentiallyConsistent) { raise() }
            }
            source.setEventHandler { @Sendable in raise() }
            source.activate()
            return source
        }
    }

    /// Whether the user wants to stop.
    var isRaised: Bool { flag.withLock { $0 } }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // SAFETY: a handler is a pointer or one of the small numbers that stand for no handler; only the bits are read.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
