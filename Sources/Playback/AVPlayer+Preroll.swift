import CaptureHAL
import Foundation
import MediaTypes

extension AVPlayer {
    /// Decodes the first frame at the current time, so that playback starts without delay.
    ///
    /// - Parameters:
    ///   - rate: The rate of the playback that follows.
    ///   - completionHandler: Called on the main thread: false if the time, the rate or the item changed before the
    ///     frame was decoded, if the frame cannot be decoded, if the player is playing, or without an item that is
    ///     ready.
    /// - Note: As on Apple's systems, a call before `status` is `.readyToPlay` is misuse, as is a rate that is not
    ///   finite.
    public func preroll(atRate rate: Float, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        let item = currentItem
        guard status == .readyToPlay, rate.isFinite else {
            system.misuse.report(
                .invalidArgument,
                "-[AVPlayer prerollAtRate:completionHandler:] cannot be called before the status is "
                    + "AVPlayerStatusReadyToPlay")
            return complete([completionHandler], isFinished: false)
        }
        guard let item, item.isReady, self.rate == 0 else { return complete([completionHandler], isFinished: false) }
        let preroll = Preroll(completionHandler)
        prerolls.withLock { $0.append(preroll) }
        item.decodeFrame(isReversed: rate < 0) { [weak self, system] isDecoded in
            system.deliver(on: .main) { [weak self] in self?.finish(preroll, isFinished: isDecoded) }
        }
    }

    /// Prepares playback at a rate; see the function with a completion handler.
    ///
    /// - Returns: False if the preparation was interrupted or is not possible.
    @discardableResult
    public func preroll(atRate rate: Float) async -> Bool {
        await withCheckedContinuation { continuation in
            preroll(atRate: rate) { continuation.resume(returning: $0) }
        }
    }

    /// Ends pending prerolls; their completion handlers receive false.
    public func cancelPendingPrerolls() {
        let pending = prerolls.withLock { prerolls in
            defer { prerolls = [] }
            return prerolls
        }
        complete(pending.map(\.completion), isFinished: false)
    }

    private func finish(_ preroll: Preroll, isFinished: Bool) {
        let isPending = prerolls.withLock { prerolls in
            let count = prerolls.count
            prerolls.removeAll { $0 === preroll }
            return prerolls.count < count
        }
        if isPending { preroll.completion?(isFinished) }
    }

    private func complete(_ completions: [(@Sendable (Bool) -> Void)?], isFinished: Bool) {
        for completion in completions.compactMap({ $0 }) { system.deliver(on: .main) { completion(isFinished) } }
    }
}

/// A preroll that has not completed.
final class Preroll: Sendable {
    let completion: (@Sendable (Bool) -> Void)?

    init(_ completion: (@Sendable (Bool) -> Void)?) { self.completion = completion }
}
