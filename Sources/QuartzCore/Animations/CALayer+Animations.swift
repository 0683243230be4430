import CaptureHAL
import Dispatch
import Foundation
import MediaTypes

/// An animation that was added to a layer.
struct AddedAnimation {
    let number: Int
    let key: String?
    /// A copy that is not changed.
    let animation: CAAnimation
    /// In the time of the layer.
    let timing: MediaTiming
    let transaction: TransactionAnimations?
    let system: SystemReference
    let clock: any CaptureClock
    /// Fires at the end of the animation; nil if its time is stopped or it does not end.
    var timer: ClockTimer?
    var hasEnded = false
}

extension CALayer {
    /// Starts a copy of an animation, and ends another one with the same key.
    ///
    /// The delegate is called on the main queue.
    public func add(_ anim: CAAnimation, forKey key: String?) {
        guard let animation = anim.copy() as? CAAnimation else { return }
        if let key { removeAnimation(forKey: key) }
        let system = CaptureSystem.current
        let (reference, clock) = (system.reference, system.clock)
        let timing = animation.timing(
            begin: convertTime(clock.now.seconds, from: nil),
            defaultDuration: CATransaction.animationDuration())
        let transaction = CATransaction.currentAnimations
        transaction?.animationStarted()
        let number = state.withLock { state in
            state.lastAnimation += 1
            state.animations.append(
                AddedAnimation(
                    number: state.lastAnimation, key: key, animation: animation, timing: timing,
                    transaction: transaction, system: reference, clock: clock))
            return state.lastAnimation
        }
        reference.deliver(on: .main) { [weak self] in
            guard let added = self?.addedAnimation(number) else { return }
            added.animation.delegate?.animationDidStart(added.animation)
        }
        scheduleEnd(of: number)
    }

    /// Schedules the ends of the animations of this layer and its sublayers, after a change of their time.
    func rescheduleAnimations() {
        for number in state.withLock({ $0.animations.filter { !$0.hasEnded }.map(\.number) }) {
            scheduleEnd(of: number)
        }
        for layer in (sublayers ?? []) + [mask].compactMap({ $0 }) { layer.rescheduleAnimations() }
    }

    /// Schedules the end of an animation, and cancels the previously scheduled end.
    private func scheduleEnd(of number: Int) {
        guard let added = addedAnimation(number) else { return }
        added.timer?.cancel()
        let (reference, clock, transaction) = (added.system, added.clock, added.transaction)
        let end = added.timing.beginTime + added.timing.activeDuration
        var timer: ClockTimer?
        if end.isFinite, !isTimeStopped {
            let time = max(CMTime(seconds: convertTime(end, to: nil), preferredTimescale: 1_000_000_000), clock.now)
            timer = clock.schedule(at: time) { [weak self] in
                guard let self else {
                    transaction?.animationEnded()
                    return
                }
                reference.deliver(on: .main) { self.finishAnimation(number) }
            }
        }
        state.withLock { state in
            guard let index = state.animations.firstIndex(where: { $0.number == number }) else { return }
            state.animations[index].timer = timer
        }
    }

    private func addedAnimation(_ number: Int) -> AddedAnimation? {
        state.withLock { $0.animations.first { $0.number == number } }
    }

    /// Finishes an animation; removes it if `isRemovedOnCompletion` is true.
    private func finishAnimation(_ number: Int) {
        let ended = state.withLock { state -> AddedAnimation? in
            guard let index = state.animations.firstIndex(where: { $0.number == number }) else { return nil }
            let ended = state.animations[index]
            if ended.animation.isRemovedOnCompletion {
                state.animations.remove(at: index)
            } else {
                state.animations[index].hasEnded = true
            }
            return ended
        }
        guard let ended else { return }
        ended.animation.delegate?.animationDidStop(ended.animation, finished: true)
        ended.transaction?.animationEnded()
    }

    /// Removes animations; the delegates of those that have not ended are called on the main queue.
    private func removeAnimations(where isRemoved: (AddedAnimation) -> Bool) {
        let removed = state.withLock { state in
            defer { state.animations.removeAll(where: isRemoved) }
            return state.animations.filter(isRemoved)
        }
        for added in removed where !added.hasEnded {
            added.timer?.cancel()
            // SAFETY: the copy is not changed, and used by its delegate on the main queue only.
            nonisolated(unsafe) let animation = added.animation
            added.system.deliver(on: .main) { animation.delegate?.animationDidStop(animation, finished: false) }
            added.transaction?.animationEnded()
        }
    }

    public func removeAnimation(forKey key: String) { removeAnimations { $0.key == key } }
    public func removeAllAnimations() { removeAnimations { _ in true } }

    /// Returns the keys of the animations in the order in which they were added; nil if there are none.
    public func animationKeys() -> [String]? {
        let keys = state.withLock { $0.animations.compactMap(\.key) }
        return keys.isEmpty ? nil : keys
    }

    /// Returns the animation with a key. It must not be changed.
    public func animation(forKey key: String) -> CAAnimation? {
        state.withLock { state in state.animations.first { $0.key == key }?.animation }
    }
}

/// Counts the running animations of a transaction, and calls its completion block after the last one.
final class TransactionAnimations: Sendable {
    private struct State {
        var count = 0
        var complete: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    func animationStarted() { state.withLock { $0.count += 1 } }

    func animationEnded() {
        let complete = state.withLock { state -> (@Sendable () -> Void)? in
            state.count -= 1
            guard state.count == 0 else { return nil }
            defer { state.complete = nil }
            return state.complete
        }
        complete?()
    }

    /// Calls a closure when all animations have ended, or immediately if none is running.
    func whenEnded(_ complete: @escaping @Sendable () -> Void) {
        let isEnded = state.withLock { state in
            if state.count > 0 { state.complete = complete }
            return state.count == 0
        }
        if isEnded { complete() }
    }
}
