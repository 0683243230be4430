import AssetTypes
import CaptureHAL
public import Foundation

/// Inputs of alternative tracks, such as audio tracks in several languages. Players present one of the tracks.
///
/// - Important: Thread-safe, immutable.
public final class AVAssetWriterInputGroup: NSObject, Sendable {
    public let inputs: [AVAssetWriterInput]
    /// The only input with an enabled track; nil to use each input's `marksOutputTrackAsEnabled`.
    public let defaultInput: AVAssetWriterInput?

    /// Creates a group.
    ///
    /// - Parameter defaultInput: One of the inputs. Any other input is misuse.
    public init(inputs: [AVAssetWriterInput], defaultInput: AVAssetWriterInput?) {
        self.inputs = inputs
        self.defaultInput = defaultInput.flatMap { input in inputs.contains { $0 === input } ? input : nil }
        super.init()
        if let defaultInput, self.defaultInput == nil {
            defaultInput.system.misuse.report(
                .invalidArgument,
                "-[AVAssetWriterInputGroup initWithInputs:defaultInput:] the default input must be one of the inputs")
        }
    }
}

extension AVAssetWriter {
    public var inputGroups: [AVAssetWriterInputGroup] { options.withLock { $0.inputGroups } }

    /// Whether `add(_:)` would accept the group.
    public func canAdd(_ inputGroup: AVAssetWriterInputGroup) -> Bool { reasonNotToAdd(inputGroup) == nil }

    /// Adds a group, whose inputs must be added before. Their tracks are alternatives in the file.
    ///
    /// With a default input, only its track is enabled. Calling it after `startWriting()`, or if `canAdd(_:)` returns
    /// false, is misuse.
    public func add(_ inputGroup: AVAssetWriterInputGroup) {
        if let reason = reasonNotToAdd(inputGroup) {
            return report(status == .unknown ? .invalidArgument : .internalInconsistency, "addInputGroup:", reason)
        }
        let number = options.withLock { options in
            options.inputGroups.append(inputGroup)
            return options.inputGroups.count
        }
        for input in inputGroup.inputs {
            input.options.withLock { options in
                options.alternateGroup = Int16(clamping: number)
                if let defaultInput = inputGroup.defaultInput { options.isEnabled = input === defaultInput }
            }
        }
    }

    private func reasonNotToAdd(_ group: AVAssetWriterInputGroup) -> String? {
        let status = status
        guard status == .unknown else { return "Cannot call method when status is \(status.rawValue)" }
        guard canRelateTracks else { return "\(outputFileType.rawValue) files cannot have groups of tracks" }
        guard let first = group.inputs.first else { return "the group has no inputs" }
        guard group.inputs.allSatisfy({ $0.mediaType == first.mediaType }) else {
            return "the inputs of a group must have the same media type"
        }
        guard group.inputs.allSatisfy({ $0.writer === self }) else {
            return "all inputs of the group must be added to the writer first"
        }
        let grouped = inputGroups.flatMap(\.inputs)
        guard !group.inputs.contains(where: { input in grouped.contains { $0 === input } }) else {
            return "an input of the group is already in another group"
        }
        return nil
    }
}
