public import Foundation
import MediaAssets
public import MediaTypes

/// The operations of a compositor in a time range of a video composition.
///
/// Client classes implement it for custom compositors.
public protocol AVVideoCompositionInstructionProtocol: NSObjectProtocol, Sendable {
    /// The time range in which the instruction applies.
    var timeRange: CMTimeRange { get }
    /// Whether the composition's animation tool processes the frames.
    var enablePostProcessing: Bool { get }
    /// Whether the composed frame can change over time although the source frames do not change.
    var containsTweening: Bool { get }
    /// The IDs of the tracks whose frames are needed, as `NSNumber`s; nil for all tracks.
    var requiredSourceTrackIDs: [NSValue]? { get }
    /// The ID of a track whose frames are used, scaled to the render size, without calling the compositor; or
    /// `kCMPersistentTrackID_Invalid`.
    var passthroughTrackID: CMPersistentTrackID { get }
    /// The IDs of tracks whose samples are needed, such as timed metadata; empty by default.
    var requiredSourceSampleDataTrackIDs: [NSNumber] { get }
}

extension AVVideoCompositionInstructionProtocol {
    public var requiredSourceSampleDataTrackIDs: [NSNumber] { [] }
}

/// An instruction for the built-in compositor: layers over a background color.
///
/// - Important: Thread-safe.
open class AVVideoCompositionInstruction: NSObject, AVVideoCompositionInstructionProtocol, @unchecked Sendable {
    // SAFETY: all state is behind `state`.
    struct State: Sendable {
        var timeRange = CMTimeRange.invalid
        var backgroundColor: CGColor?
        var layers: [AVVideoCompositionLayerInstruction] = []
        var enablesPostProcessing = true
        var sampleDataTrackIDs: [CMPersistentTrackID] = []
    }

    let state: Lock<State>

    public override convenience init() { self.init(State()) }

    init(_ state: State) { self.state = Lock(state) }

    /// The state with copies of the layer instructions.
    private var copiedState: State {
        var copy = state.withLock { $0 }
        copy.layers = copy.layers.map { $0.copy() as? AVVideoCompositionLayerInstruction ?? $0 }
        return copy
    }

    /// Returns an immutable copy.
    open override func copy() -> Any { AVVideoCompositionInstruction(copiedState) }

    /// Returns a mutable copy.
    open override func mutableCopy() -> Any { AVMutableVideoCompositionInstruction(copiedState) }

    open var timeRange: CMTimeRange { state.withLock { $0.timeRange } }

    /// The color behind all layers; nil for opaque black.
    open var backgroundColor: CGColor? { state.withLock { $0.backgroundColor } }

    /// The layers from top to bottom; the first one is in front.
    open var layerInstructions: [AVVideoCompositionLayerInstruction] { state.withLock { $0.layers } }

    open var enablePostProcessing: Bool { state.withLock { $0.enablesPostProcessing } }

    /// Whether a layer has a ramp or a step in the time range.
    open var containsTweening: Bool {
        let range = timeRange
        return layerInstructions.contains { layer in
            let state = layer.state.withLock { $0 }
            return state.transform.changes(in: range) || state.opacity.changes(in: range)
                || state.crop.changes(in: range)
        }
    }

    /// The IDs of the layers' tracks, as `NSNumber`s.
    ///
    /// - Note: Unlike Apple, the type is optional, as in the protocol.
    open var requiredSourceTrackIDs: [NSValue]? {
        layerInstructions.map(\.trackID).reduce(into: [NSNumber]()) { ids, id in
            let number = NSNumber(value: id)
            if !ids.contains(number) { ids.append(number) }
        }
    }

    open var passthroughTrackID: CMPersistentTrackID { kCMPersistentTrackID_Invalid }

    open var requiredSourceSampleDataTrackIDs: [NSNumber] {
        state.withLock { $0.sampleDataTrackIDs }.map { NSNumber(value: $0) }
    }
}

/// An instruction that can be changed.
open class AVMutableVideoCompositionInstruction: AVVideoCompositionInstruction, @unchecked Sendable {
    // SAFETY: as its superclass.

    override open var timeRange: CMTimeRange {
        get { super.timeRange }
        set { state.withLock { $0.timeRange = newValue } }
    }

    override open var backgroundColor: CGColor? {
        get { super.backgroundColor }
        set { state.withLock { $0.backgroundColor = newValue } }
    }

    override open var layerInstructions: [AVVideoCompositionLayerInstruction] {
        get { super.layerInstructions }
        set { state.withLock { $0.layers = newValue } }
    }

    override open var enablePostProcessing: Bool {
        get { super.enablePostProcessing }
        set { state.withLock { $0.enablesPostProcessing = newValue } }
    }

    override open var requiredSourceSampleDataTrackIDs: [NSNumber] {
        get { super.requiredSourceSampleDataTrackIDs }
        set { state.withLock { $0.sampleDataTrackIDs = newValue.map(\.int32Value) } }
    }
}
