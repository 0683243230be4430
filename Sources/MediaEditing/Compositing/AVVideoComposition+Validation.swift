public import Foundation
import MediaAssets
public import MediaTypes

/// Receives the errors that validation finds in a video composition.
///
/// Each method returns whether validation continues. All are optional and return true by default.
public protocol AVVideoCompositionValidationHandling: NSObjectProtocol {
    /// Called for a property with an invalid value.
    func videoComposition(
        _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
    ) -> Bool
    /// Called for a time range that no instruction covers.
    func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingEmptyTimeRange timeRange: CMTimeRange
    ) -> Bool
    /// Called for an instruction with an invalid time range, or with one that starts before the end of the previous
    /// instruction.
    func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingInvalidTimeRangeIn videoCompositionInstruction:
            any AVVideoCompositionInstructionProtocol
    ) -> Bool
    /// Called for a layer instruction that refers to a track that does not exist.
    func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingInvalidTrackIDIn videoCompositionInstruction:
            any AVVideoCompositionInstructionProtocol,
        layerInstruction: AVVideoCompositionLayerInstruction, asset: AVAsset
    ) -> Bool
}

extension AVVideoCompositionValidationHandling {
    public func videoComposition(
        _ videoComposition: AVVideoComposition, shouldContinueValidatingAfterFindingInvalidValueForKey key: String
    ) -> Bool { true }
    public func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingEmptyTimeRange timeRange: CMTimeRange
    ) -> Bool { true }
    public func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingInvalidTimeRangeIn videoCompositionInstruction:
            any AVVideoCompositionInstructionProtocol
    ) -> Bool { true }
    public func videoComposition(
        _ videoComposition: AVVideoComposition,
        shouldContinueValidatingAfterFindingInvalidTrackIDIn videoCompositionInstruction:
            any AVVideoCompositionInstructionProtocol,
        layerInstruction: AVVideoCompositionLayerInstruction, asset: AVAsset
    ) -> Bool { true }
}

extension AVVideoComposition {
    /// An error that validation finds.
    enum ValidationError {
        case value(key: String)
        case gap(CMTimeRange)
        case timeRange(any AVVideoCompositionInstructionProtocol)
        case track(any AVVideoCompositionInstructionProtocol, AVVideoCompositionLayerInstruction)

        var message: String {
            switch self {
            case .value(let key): "the value of \(key) is invalid"
            case .gap(let range):
                "no instruction covers the time from \(range.start.seconds) s to \(range.end.seconds) s"
            case .timeRange(let instruction):
                "the instruction at \(instruction.timeRange.start.seconds) s has an invalid time range, or overlaps the "
                    + "previous one"
            case .track(_, let layer): "the asset has no track \(layer.trackID)"
            }
        }
    }

    /// Checks that the properties have valid values, that the instructions cover the time range without overlaps, and
    /// that the tracks of layer instructions exist.
    ///
    /// - Parameters:
    ///   - asset: The asset with the tracks; nil to skip the checks of tracks and of the time after the last
    ///     instruction.
    ///   - timeRange: Instructions outside the range are ignored.
    ///   - validationDelegate: Receives the errors.
    public func isValid(
        for asset: AVAsset?, timeRange: CMTimeRange,
        validationDelegate: (any AVVideoCompositionValidationHandling)?
    ) -> Bool {
        isValid(asset?.tracks, asset, asset?.duration ?? .invalid, timeRange, validationDelegate)
    }

    /// Checks a composition; see the synchronous method.
    ///
    /// - Throws: An `AVError` if the asset cannot be read.
    public func isValid(
        for asset: AVAsset?, timeRange: CMTimeRange,
        validationDelegate: (any AVVideoCompositionValidationHandling)?
    ) async throws -> Bool {
        try asset?.loadValues()
        return isValid(asset?.tracks, asset, asset?.duration ?? .invalid, timeRange, validationDelegate)
    }

    /// Checks a composition; see `isValid(for:timeRange:validationDelegate:)`.
    ///
    /// - Parameter duration: The asset's duration; invalid to skip the check of the time after the last instruction.
    public func isValid(
        for tracks: [AVAssetTrack], assetDuration duration: CMTime, timeRange: CMTimeRange,
        validationDelegate: (any AVVideoCompositionValidationHandling)?
    ) -> Bool {
        isValid(tracks, tracks.first?.asset, duration, timeRange, validationDelegate)
    }

    private func isValid(
        _ tracks: [AVAssetTrack]?, _ asset: AVAsset?, _ duration: CMTime, _ range: CMTimeRange,
        _ delegate: (any AVVideoCompositionValidationHandling)?
    ) -> Bool {
        let errors = validationErrors(tracks.map { $0.map(\.trackID) }, duration, range)
        for error in errors {
            let continues =
                switch error {
                case .value(let key):
                    delegate?.videoComposition(self, shouldContinueValidatingAfterFindingInvalidValueForKey: key)
                case .gap(let range):
                    delegate?.videoComposition(self, shouldContinueValidatingAfterFindingEmptyTimeRange: range)
                case .timeRange(let instruction):
                    delegate?.videoComposition(
                        self, shouldContinueValidatingAfterFindingInvalidTimeRangeIn: instruction)
                case .track(let instruction, let layer):
                    asset.flatMap {
                        delegate?.videoComposition(
                            self, shouldContinueValidatingAfterFindingInvalidTrackIDIn: instruction,
                            layerInstruction: layer, asset: $0)
                    }
                }
            guard continues ?? false else { break }
        }
        return errors.isEmpty
    }

    /// Returns the errors of the properties, then those of the instructions in their order.
    ///
    /// - Parameters:
    ///   - trackIDs: The IDs of existing tracks; nil to skip their check.
    ///   - duration: The time to which the instructions must extend; invalid to skip the check.
    func validationErrors(
        _ trackIDs: [CMPersistentTrackID]?, _ duration: CMTime, _ range: CMTimeRange
    ) -> [ValidationError] {
        let state = state.withLock { $0 }
        var errors: [ValidationError] = []
        if !(state.frameDuration.isNumeric && state.frameDuration > .zero) {
            errors.append(.value(key: "frameDuration"))
        }
        if !(state.renderSize.width > 0 && state.renderSize.height > 0) { errors.append(.value(key: "renderSize")) }
        if !(state.renderScale > 0) { errors.append(.value(key: "renderScale")) }
        var end = max(.zero, range.start)
        for instruction in state.instructions {
            let target = instruction.timeRange
            guard target.isValid, target.start.isNumeric, target.duration > .zero else {
                errors.append(.timeRange(instruction))
                continue
            }
            guard target.end > range.start, target.start < range.end else { continue }
            if target.start > end {
                errors.append(.gap(CMTimeRangeFromTimeToTime(start: end, end: target.start)))
            } else if target.start < end, target.start > range.start || end > max(.zero, range.start) {
                // Only the first instruction in the range may start before it.
                errors.append(.timeRange(instruction))
            }
            end = max(end, target.end)
            guard let trackIDs, let instruction = instruction as? AVVideoCompositionInstruction else { continue }
            for layer in instruction.layerInstructions
            where !trackIDs.contains(layer.trackID) && layer.trackID != state.animationTool?.trackID {
                errors.append(.track(instruction, layer))
            }
        }
        let last = min(duration, range.end)
        if duration.isNumeric, last > end { errors.append(.gap(CMTimeRangeFromTimeToTime(start: end, end: last))) }
        return errors
    }
}
