public import Dispatch
public import Foundation
public import MediaTypes

/// What is wanted of the source in one pass over the media.
public final class AVAssetWriterInputPassDescription: NSObject, Sendable {
    /// The spans of the source's timeline to append, in order.
    ///
    /// - Note: Unlike Apple, which boxes them into values.
    public let sourceTimeRanges: [CMTimeRange]

    init(_ sourceTimeRanges: [CMTimeRange]) { self.sourceTimeRanges = sourceTimeRanges }
}

/// Passes over the media: as no encoder here can use several, there is one over everything.
extension AVAssetWriterInput {
    /// The pass that is wanted now; nil before the start, and when no more is wanted: then mark the input as finished.
    public var currentPassDescription: AVAssetWriterInputPassDescription? {
        guard place.withLock({ $0.hasStarted && !$0.hasFinishedPass }) else { return nil }
        return AVAssetWriterInputPassDescription([CMTimeRange(start: .zero, duration: .positiveInfinity)])
    }

    /// Has a block called for every pass, and once more when none is wanted; misuse before the start or a second time.
    public func respondToEachPassDescription(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        let problem = place.withLock { place -> String? in
            guard place.hasStarted else { return "Cannot call method when status is 0" }
            guard place.passRequest == nil else { return "Cannot call method more than once" }
            place.passRequest = PassRequest(queue: queue, block: block)
            return nil
        }
        if let problem {
            return report(.internalInconsistency, "respondToEachPassDescriptionOnQueue:usingBlock:", problem)
        }
        system.clock.deliver(on: queue, block)
    }

    /// All media of the pass were appended; misuse before the start.
    public func markCurrentPassAsFinished() {
        let (hasStarted, request) = place.withLock { place in
            defer { place.hasFinishedPass = place.hasFinishedPass || place.hasStarted }
            return (place.hasStarted, place.hasFinishedPass ? nil : place.passRequest)
        }
        guard hasStarted else {
            return report(
                .internalInconsistency, "markCurrentPassAsFinished", "Cannot call method when status is 0")
        }
        if let request { system.clock.deliver(on: request.queue, request.block) }
    }
}
