public import Foundation
import MediaAssets
public import MediaTypes

/// How the frames of an asset's video tracks are combined into one sequence of frames.
///
/// - Important: Thread-safe.
public class AVVideoComposition: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `state`.

    /// How HDR metadata is attached to frames.
    public struct PerFrameHDRDisplayMetadataPolicy: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The metadata of the composed frame is kept.
        public static let propagate = PerFrameHDRDisplayMetadataPolicy(rawValue: "Propagate")
        /// Metadata may be generated.
        public static let generate = PerFrameHDRDisplayMetadataPolicy(rawValue: "Generate")
    }

    struct State: Sendable {
        var compositorClass: (any AVVideoCompositing.Type)?
        var frameDuration = CMTime.invalid
        var timingTrackID = kCMPersistentTrackID_Invalid
        var renderSize = CGSize.zero
        var renderScale: Float = 1
        var instructions: [any AVVideoCompositionInstructionProtocol] = []
        var sampleDataTrackIDs: [CMPersistentTrackID] = []
        var primaries: String?
        var matrix: String?
        var transferFunction: String?
        var metadataPolicy = PerFrameHDRDisplayMetadataPolicy.propagate
        var animationTool: AVVideoCompositionCoreAnimationTool?
    }

    let state = Lock(State())

    /// Creates a composition without instructions.
    public override required init() { super.init() }

    /// Returns an immutable copy.
    public override func copy() -> Any { duplicate(into: AVVideoComposition()) }

    /// Returns a mutable copy.
    public override func mutableCopy() -> Any { duplicate(into: AVMutableVideoComposition()) }

    private func duplicate<Copy: AVVideoComposition>(into copy: Copy) -> Copy {
        var state = state.withLock { $0 }
        state.instructions = state.instructions.map { instruction in
            // Subclasses of clients can have additional properties, and instances of the base class are immutable: both
            // are shared.
            guard type(of: instruction) == AVMutableVideoCompositionInstruction.self,
                let mutable = instruction as? AVMutableVideoCompositionInstruction
            else { return instruction }
            return mutable.copy() as? AVVideoCompositionInstruction ?? instruction
        }
        copy.state.withLock { $0 = state }
        return copy
    }

    /// The class of the compositor; nil for the built-in one.
    public var customVideoCompositorClass: (any AVVideoCompositing.Type)? { state.withLock { $0.compositorClass } }

    /// The interval between frames. If `sourceTrackIDForFrameTiming` is set, it applies only while that track has no
    /// frames.
    public var frameDuration: CMTime { state.withLock { $0.frameDuration } }

    /// The ID of the track that determines the times of frames; `kCMPersistentTrackID_Invalid` to use `frameDuration`.
    public var sourceTrackIDForFrameTiming: CMPersistentTrackID { state.withLock { $0.timingTrackID } }

    /// The size of composed frames in pixels, before it is multiplied by `renderScale`.
    public var renderSize: CGSize { state.withLock { $0.renderSize } }

    /// The factor by which the render size is multiplied; 1 by default.
    ///
    /// - Note: Unlike Apple, it applies to all uses, not only to an `AVPlayerItem`.
    public var renderScale: Float { state.withLock { $0.renderScale } }

    /// The instructions in the order of their time ranges, which must follow each other without gaps.
    public var instructions: [any AVVideoCompositionInstructionProtocol] { state.withLock { $0.instructions } }

    /// Draws Core Animation layers in the frames; nil, the default, for none. It cannot be used in an `AVPlayerItem`.
    public var animationTool: AVVideoCompositionCoreAnimationTool? { state.withLock { $0.animationTool } }

    /// The IDs of tracks whose samples the instructions need, such as timed metadata.
    public var sourceSampleDataTrackIDs: [NSNumber] {
        state.withLock { $0.sampleDataTrackIDs }.map { NSNumber(value: $0) }
    }

    /// The color primaries of composed frames; nil for those of the sources.
    public var colorPrimaries: String? { state.withLock { $0.primaries } }
    /// The matrix from R'G'B' to Y'CbCr of composed frames; nil for that of the sources.
    public var colorYCbCrMatrix: String? { state.withLock { $0.matrix } }
    /// The transfer function of composed frames; nil for that of the sources.
    ///
    /// - Note: Unlike Apple, frames are only tagged with the primaries and the transfer function; pixels are converted
    ///   for another matrix only.
    public var colorTransferFunction: String? { state.withLock { $0.transferFunction } }

    public var perFrameHDRDisplayMetadataPolicy: PerFrameHDRDisplayMetadataPolicy {
        state.withLock { $0.metadataPolicy }
    }
}

/// A video composition that can be changed.
///
/// Readers, players and image generators copy a composition when it is set.
public class AVMutableVideoComposition: AVVideoComposition, @unchecked Sendable {
    // SAFETY: as its superclass.

    override public var customVideoCompositorClass: (any AVVideoCompositing.Type)? {
        get { super.customVideoCompositorClass }
        set { state.withLock { $0.compositorClass = newValue } }
    }

    override public var frameDuration: CMTime {
        get { super.frameDuration }
        set { state.withLock { $0.frameDuration = newValue } }
    }

    override public var sourceTrackIDForFrameTiming: CMPersistentTrackID {
        get { super.sourceTrackIDForFrameTiming }
        set { state.withLock { $0.timingTrackID = newValue } }
    }

    override public var renderSize: CGSize {
        get { super.renderSize }
        set { state.withLock { $0.renderSize = newValue } }
    }

    override public var renderScale: Float {
        get { super.renderScale }
        set { state.withLock { $0.renderScale = newValue } }
    }

    override public var instructions: [any AVVideoCompositionInstructionProtocol] {
        get { super.instructions }
        set { state.withLock { $0.instructions = newValue } }
    }

    override public var animationTool: AVVideoCompositionCoreAnimationTool? {
        get { super.animationTool }
        set { state.withLock { $0.animationTool = newValue } }
    }

    override public var sourceSampleDataTrackIDs: [NSNumber] {
        get { super.sourceSampleDataTrackIDs }
        set { state.withLock { $0.sampleDataTrackIDs = newValue.map(\.int32Value) } }
    }

    override public var colorPrimaries: String? {
        get { super.colorPrimaries }
        set { state.withLock { $0.primaries = newValue } }
    }

    override public var colorYCbCrMatrix: String? {
        get { super.colorYCbCrMatrix }
        set { state.withLock { $0.matrix = newValue } }
    }

    override public var colorTransferFunction: String? {
        get { super.colorTransferFunction }
        set { state.withLock { $0.transferFunction = newValue } }
    }

    override public var perFrameHDRDisplayMetadataPolicy: PerFrameHDRDisplayMetadataPolicy {
        get { super.perFrameHDRDisplayMetadataPolicy }
        set { state.withLock { $0.metadataPolicy = newValue } }
    }
}
