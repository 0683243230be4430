public import Foundation
import MediaTypes

/// Observation of the state.
extension AVAssetExportSession {
    /// The state of an export, for `states(updateInterval:)`.
    public enum State: @unchecked Sendable {
        // SAFETY: `Progress` is thread-safe.

        /// The export has not started.
        case pending
        /// The export is waiting to begin.
        case waiting
        /// The export is running. All states of an export share one progress object.
        case exporting(progress: Progress)
    }

    /// Returns the states, starting with the current one. The sequence ends when the export has completed, failed or
    /// been canceled.
    ///
    /// - Parameter updateInterval: The minimum time in seconds between two `.exporting` elements. With infinity, there
    ///   is only one.
    public func states(updateInterval: TimeInterval = .infinity) -> some Sendable & AsyncSequence<State, Never> {
        AsyncStream<State> { continuation in
            observers.add(continuation, every: updateInterval, at: asset.system.clock.now, status, exportProgress)
        }
    }
}

/// The clients that observe the states of an export.
///
/// - Important: Thread-safe.
final class ExportObservers: Sendable {
    private struct Observer {
        let continuation: AsyncStream<AVAssetExportSession.State>.Continuation
        let interval: TimeInterval
        var lastUpdate: CMTime
    }

    private let observers = Lock<[Observer]>([])

    /// Adds an observer, which receives the current state immediately.
    ///
    /// - Parameter interval: The minimum time in seconds between progress updates.
    func add(
        _ continuation: AsyncStream<AVAssetExportSession.State>.Continuation, every interval: TimeInterval,
        at now: CMTime, _ status: AVAssetExportSession.Status, _ progress: Progress
    ) {
        guard let state = Self.state(status, progress) else { return continuation.finish() }
        continuation.yield(state)
        observers.withLock {
            $0.append(Observer(continuation: continuation, interval: interval, lastUpdate: now))
        }
    }

    /// Reports a new status.
    func statusDidChange(_ status: AVAssetExportSession.Status, at now: CMTime, _ progress: Progress) {
        let state = Self.state(status, progress)
        let notified = observers.withLock { observers in
            defer {
                if state == nil { observers = [] }
                for index in observers.indices { observers[index].lastUpdate = now }
            }
            return observers.map(\.continuation)
        }
        for continuation in notified {
            if let state { continuation.yield(state) } else { continuation.finish() }
        }
    }

    /// Reports progress to the observers whose interval has passed.
    func progressDidChange(at now: CMTime, _ progress: Progress) {
        let due = observers.withLock { observers in
            observers.indices.filter { index in
                let observer = observers[index]
                guard observer.interval.isFinite, (now - observer.lastUpdate).seconds >= observer.interval else {
                    return false
                }
                observers[index].lastUpdate = now
                return true
            }.map { observers[$0].continuation }
        }
        for continuation in due { continuation.yield(.exporting(progress: progress)) }
    }

    /// Returns the state; nil after the end of the export.
    private static func state(
        _ status: AVAssetExportSession.Status, _ progress: Progress
    ) -> AVAssetExportSession.State? {
        switch status {
        case .unknown: .pending
        case .waiting: .waiting
        case .exporting: .exporting(progress: progress)
        case .completed, .failed, .cancelled: nil
        }
    }
}
