import Dispatch
import Foundation
import MediaTypes

/// Notices Ctrl-C, SIGTERM and SIGHUP, so that work can end cleanly.
final class Interrupt: Sendable {
    private let flag = Lock(false)
    // SAFETY: the sources are only kept alive here.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    /// - Parameter bell: Rung when the user wants to stop.
    init(ringing bell: DispatchSemaphore) {
        // nohup(1) has it ignored, so that work outlives the terminal.
        let signals = Self.isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
        sources = signals.map { [flag] number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "obscura.signals"))
            source.setEventHandler { @Sendable in
                flag.withLock { $0 = true }
                bell.signal()
            }
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
