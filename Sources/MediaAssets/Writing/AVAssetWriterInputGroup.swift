import CaptureHAL
public import Foundation

/// Inputs with alternative tracks, such as the languages of an audio track: players present one of them.
///
/// - Important: Thread-safe, immutable.
public final class AVAssetWriterInputGroup: NSObject, Sendable {
    public let inputs: [AVAssetWriterInput]
    /// The input with the enabled track; nil if each input decides.
    public let defaultInput: AVAssetWriterInput?

    /// Creates a group.
    ///
    /// - Parameter defaultInput: One of the inputs; another one is misuse.
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

    /// Adds a group, after its inputs; the tracks of the file become alternatives.
    ///
    /// With a default input, only its track is enabled. Misuse after `startWriting()`, or if `canAdd(_:)` is false.
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
