import CaptureHAL
import Dispatch
import Foundation
import MediaTypes
import Synchronization

/// Notices Ctrl-C, SIGTERM and SIGHUP, so that work can end cleanly.
final class Interrupt: Sendable {
    private let flag = Lock(false)
    private let observation: Observation

    /// - Parameter bell: Rung when the user wants to stop.
    init(ringing bell: DispatchSemaphore) {
        observation = EndSignals.shared.observers.add { [flag] in
            flag.withLock { $0 = true }
            bell.signal()
        }
    }

    /// Whether the user wants to stop.
    var isRaised: Bool { flag.withLock { $0 } }
}

/// The signals that ask the process to end, from the first `Interrupt` on.
///
/// A handler that writes into a pipe loses none: a dispatch source of signals takes them over some time after it was
/// activated, and only once in a process.
private final class EndSignals: Sendable {
    static let shared = EndSignals()
    /// Where the handler writes.
    private static let entrance = Atomic<Int32>(-1)

    let observers = Observers<Void>()
    // SAFETY: the source is only kept alive here.
    private nonisolated(unsafe) let source: (any DispatchSourceRead)?

    private init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            // Without a descriptor to spare the signals do what they do to any process.
            source = nil
            return
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        let exit = ends[0]
        let source = DispatchSource.makeReadSource(fileDescriptor: exit, queue: DispatchQueue(label: "obscura.signals"))
        source.setEventHandler { @Sendable [observers] in
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(exit, &bytes, bytes.count)
            for _ in 0..<max(0, count) { observers.notify(()) }
        }
        source.activate()
        self.source = source
        Self.entrance.store(ends[1], ordering: .sequentiallyConsistent)
        // nohup(1) has it ignored, so that work outlives the terminal.
        for number in Self.isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in
                let before = errno
                var byte: UInt8 = 1
                // A pipe that is full has been told often enough.
                _ = write(EndSignals.entrance.load(ordering: .sequentiallyConsistent), &byte, 1)
                errno = before
            }
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // SAFETY: a handler is a pointer or one of the small numbers that stand for no handler; only the bits are read.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
