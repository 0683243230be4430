import Dispatch
import Foundation
import MediaTypes

/// Notices Ctrl-C and SIGTERM, so that work can end cleanly.
final class Interrupt: Sendable {
    private let flag = Lock(false)
    // SAFETY: the sources are only kept alive here.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    /// - Parameter bell: Rung when the user wants to stop.
    init(ringing bell: DispatchSemaphore) {
        sources = [SIGINT, SIGTERM].map { [flag] number in
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
}
