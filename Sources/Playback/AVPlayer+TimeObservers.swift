import CaptureHAL
public import Dispatch
public import Foundation
import MediaAssets
public import MediaTypes

extension AVPlayer {
    /// Calls a block at each whole multiple of an interval on the item's timeline, and whenever playback starts, stops
    /// or jumps.
    ///
    /// - Parameters:
    ///   - queue: A serial queue; nil for the main queue.
    ///   - block: Receives the item's time.
    /// - Returns: The observer, for `removeTimeObserver(_:)`. It is not retained: the calls end when it is released.
    public func addPeriodicTimeObserver(
        forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        if !interval.isNumeric || interval <= .zero {
            system.misuse.report(
                .invalidArgument, "-[AVPlayer addPeriodicTimeObserverForInterval:] the interval must be positive")
        }
        return add(
            TimeObserver(.periodic(max(interval, CMTime(value: 1, timescale: 1000))), on: queue, block),
            isValid: interval.isNumeric && interval > .zero)
    }

    /// Calls a block when playback reaches any of the times, in either direction. Seeks do not call it.
    ///
    /// - Parameters:
    ///   - times: `NSValue`s of times.
    ///   - queue: A serial queue; nil for the main queue.
    /// - Returns: The observer, for `removeTimeObserver(_:)`. It is not retained: the calls end when it is released.
    public func addBoundaryTimeObserver(
        forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
    ) -> Any {
        let sorted = times.map(\.timeValue).filter(\.isNumeric).sorted()
        if sorted.isEmpty {
            system.misuse.report(
                .invalidArgument, "-[AVPlayer addBoundaryTimeObserverForTimes:] there must be at least one time")
        }
        return add(TimeObserver(.boundaries(sorted), on: queue) { _ in block() }, isValid: !sorted.isEmpty)
    }

    private func add(_ observer: TimeObserver, isValid: Bool) -> TimeObserver.Token {
        if isValid { update { state, _ in state.observers.append(observer) } }
        return TimeObserver.Token(observer)
    }

    /// Removes an observer. If this is called on the observer's queue, its block is not called afterwards.
    public func removeTimeObserver(_ observer: Any) {
        let isRemoved = (observer as? TimeObserver.Token).map { token in
            let observer = token.observer
            observer.remove()
            return update { state, _ in
                let count = state.observers.count
                state.observers.removeAll { $0 === observer }
                return state.observers.count < count
            }
        }
        if isRemoved != true {
            system.misuse.report(
                .invalidArgument,
                "-[AVPlayer removeTimeObserver:] An instance of AVPlayer cannot remove a time observer that was added "
                    + "by a different instance of AVPlayer.")
        }
    }
}
