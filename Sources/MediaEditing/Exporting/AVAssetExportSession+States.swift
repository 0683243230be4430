public import Foundation
import MediaAssets
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
            observers.add(continuation, every: updateInterval, at: asset.system.clock.now, exportProgress)
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

    private struct Contents {
        /// The last reported status. After a final one, there are no observers.
        var status = AVAssetExportSession.Status.unknown
        var observers: [Observer] = []
    }

    private let contents = Lock(Contents())

    /// Adds an observer, which receives the current state immediately.
    ///
    /// - Parameter interval: The minimum time in seconds between progress updates.
    func add(
        _ continuation: AsyncStream<AVAssetExportSession.State>.Continuation, every interval: TimeInterval,
        at now: CMTime, _ progress: Progress
    ) {
        let hasEnded = contents.withLock { contents in
            guard let state = Self.state(contents.status, progress) else { return true }
            // In the lock, so that the next state follows. The stream has no consumer yet, so no other code runs.
            continuation.yield(state)
            contents.observers.append(Observer(continuation: continuation, interval: interval, lastUpdate: now))
            return false
        }
        if hasEnded { continuation.finish() }
    }

    /// Reports a new status; has no effect after a final one.
    func statusDidChange(to status: AVAssetExportSession.Status, at now: CMTime, _ progress: Progress) {
        let state = Self.state(status, progress)
        let notified = contents.withLock { contents -> [AsyncStream<AVAssetExportSession.State>.Continuation] in
            guard Self.state(contents.status, progress) != nil else { return [] }
            defer {
                contents.status = status
                if state == nil { contents.observers = [] }
                for index in contents.observers.indices { contents.observers[index].lastUpdate = now }
            }
            return contents.observers.map(\.continuation)
        }
        for continuation in notified {
            if let state { continuation.yield(state) } else { continuation.finish() }
        }
    }

    /// Reports progress to the observers whose interval has passed.
    func progressDidChange(at now: CMTime, _ progress: Progress) {
        let due = contents.withLock { contents in
            contents.observers.indices.filter { index in
                let observer = contents.observers[index]
                guard observer.interval.isFinite, (now - observer.lastUpdate).seconds >= observer.interval else {
                    return false
                }
                contents.observers[index].lastUpdate = now
                return true
            }.map { contents.observers[$0].continuation }
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
