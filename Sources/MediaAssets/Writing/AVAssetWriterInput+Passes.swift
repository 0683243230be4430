public import Dispatch
public import Foundation
public import MediaTypes

/// The media to append in one encoding pass.
public final class AVAssetWriterInputPassDescription: NSObject, Sendable {
    /// The time ranges of the source to append, in order.
    ///
    /// - Note: Unlike Apple, the ranges are not wrapped in `NSValue`.
    public let sourceTimeRanges: [CMTimeRange]

    init(_ sourceTimeRanges: [CMTimeRange]) { self.sourceTimeRanges = sourceTimeRanges }
}

/// Encoding passes. No available encoder supports several passes, so there is one pass over all media.
extension AVAssetWriterInput {
    /// The current pass; nil before the start, and after the last pass, when the input can be marked as finished.
    public var currentPassDescription: AVAssetWriterInputPassDescription? {
        guard attachment.withLock({ $0.hasStarted && !$0.hasFinishedPass }) else { return nil }
        return AVAssetWriterInputPassDescription([CMTimeRange(start: .zero, duration: .positiveInfinity)])
    }

    /// Calls a block for every pass, and once more after the last pass. Calling this method before the start, or again,
    /// is misuse.
    @preconcurrency
    public func respondToEachPassDescription(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        let problem = attachment.withLock { attachment -> String? in
            guard attachment.hasStarted else { return "Cannot call method when status is 0" }
            guard attachment.passRequest == nil else { return "Cannot call method more than once" }
            attachment.passRequest = PassRequest(queue: queue, block: block)
            return nil
        }
        if let problem {
            return report(.internalInconsistency, "respondToEachPassDescriptionOnQueue:usingBlock:", problem)
        }
        system.deliver(on: queue, block)
    }

    /// Marks the current pass as finished. Calling it before the start is misuse.
    public func markCurrentPassAsFinished() {
        let (hasStarted, request) = attachment.withLock { attachment in
            defer { attachment.hasFinishedPass = attachment.hasFinishedPass || attachment.hasStarted }
            return (attachment.hasStarted, attachment.hasFinishedPass ? nil : attachment.passRequest)
        }
        guard hasStarted else {
            return report(
                .internalInconsistency, "markCurrentPassAsFinished", "Cannot call method when status is 0")
        }
        if let request { system.deliver(on: request.queue, request.block) }
    }
}
