import CaptureHAL
public import Foundation
import MediaAssets
public import MediaTypes

/// How the frames of one video track are placed in the frames of a video composition.
///
/// - Important: Thread-safe.
open class AVVideoCompositionLayerInstruction: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `state`.
    struct State: Sendable {
        var trackID = kCMPersistentTrackID_Invalid
        var transform = ValueRamps(initial: CGAffineTransform.identity)
        var opacity = ValueRamps<Float>(initial: 1)
        var crop = ValueRamps(initial: CGRect.infinite)
    }

    let state: Lock<State>

    public override convenience init() { self.init(State()) }

    init(_ state: State) { self.state = Lock(state) }

    /// Returns an immutable copy.
    open override func copy() -> Any { AVVideoCompositionLayerInstruction(state.withLock { $0 }) }

    /// Returns a mutable copy.
    open override func mutableCopy() -> Any { AVMutableVideoCompositionLayerInstruction(state.withLock { $0 }) }

    /// The ID of the track whose frames are placed.
    public var trackID: CMPersistentTrackID { state.withLock { $0.trackID } }

    /// Gets the transform ramp that includes a time.
    ///
    /// A transform that was set at a time is a constant ramp until the next change.
    /// - Returns: False before the first ramp, between ramps, and after the last one.
    public func getTransformRamp(
        for time: CMTime, start startTransform: UnsafeMutablePointer<CGAffineTransform>?,
        end endTransform: UnsafeMutablePointer<CGAffineTransform>?, timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        state.withLock { $0.transform }.get(time, startTransform, endTransform, timeRange)
    }

    /// Gets the opacity ramp that includes a time; see `getTransformRamp(for:start:end:timeRange:)`.
    public func getOpacityRamp(
        for time: CMTime, startOpacity: UnsafeMutablePointer<Float>?, endOpacity: UnsafeMutablePointer<Float>?,
        timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        state.withLock { $0.opacity }.get(time, startOpacity, endOpacity, timeRange)
    }

    /// Gets the ramp of the crop rectangle that includes a time; see `getTransformRamp(for:start:end:timeRange:)`.
    public func getCropRectangleRamp(
        for time: CMTime, startCropRectangle: UnsafeMutablePointer<CGRect>?,
        endCropRectangle: UnsafeMutablePointer<CGRect>?, timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        state.withLock { $0.crop }.get(time, startCropRectangle, endCropRectangle, timeRange)
    }
}

extension ValueRamps {
    /// Writes the first value, the last value and the time range of the ramp at a time to the pointers that are not
    /// nil.
    ///
    /// - Returns: False if there is no ramp.
    func get(
        _ time: CMTime, _ first: UnsafeMutablePointer<Value>?, _ last: UnsafeMutablePointer<Value>?,
        _ range: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        guard let ramp = ramp(at: time) else { return false }
        first?.pointee = ramp.first
        last?.pointee = ramp.last
        range?.pointee = ramp.range
        return true
    }
}

/// A layer instruction that can be changed.
open class AVMutableVideoCompositionLayerInstruction: AVVideoCompositionLayerInstruction, @unchecked Sendable {
    // SAFETY: as its superclass.

    /// Creates an instruction for a track with the identity transform, no crop rectangle and full opacity.
    public convenience init(assetTrack track: AVAssetTrack) { self.init(State(trackID: track.trackID)) }

    override public var trackID: CMPersistentTrackID {
        get { super.trackID }
        set { state.withLock { $0.trackID = newValue } }
    }

    /// Changes the transform linearly within a time range.
    ///
    /// The transform maps the track's natural size to the render size of the composition; the origin of both is the top
    /// left corner. Before the first transform it is the identity; the preferred transform of the track is not applied.
    public func setTransformRamp(
        fromStart startTransform: CGAffineTransform, toEnd endTransform: CGAffineTransform, timeRange: CMTimeRange
    ) {
        addRamp("setTransformRampFromStartTransform:toEndTransform:timeRange:") {
            $0.transform.setRamp(from: startTransform, to: endTransform, in: timeRange)
        }
    }

    /// Sets the transform that applies from a time to the next change.
    public func setTransform(_ transform: CGAffineTransform, at time: CMTime) {
        addStep("setTransform:atTime:") { $0.transform.set(transform, at: time) }
    }

    /// Changes the opacity linearly within a time range. 0 is transparent; 1, the initial value, is opaque.
    public func setOpacityRamp(
        fromStartOpacity startOpacity: Float, toEndOpacity endOpacity: Float, timeRange: CMTimeRange
    ) {
        addRamp("setOpacityRampFromStartOpacity:toEndOpacity:timeRange:") {
            $0.opacity.setRamp(from: startOpacity, to: endOpacity, in: timeRange)
        }
    }

    /// Sets the opacity that applies from a time to the next change.
    public func setOpacity(_ opacity: Float, at time: CMTime) {
        addStep("setOpacity:atTime:") { $0.opacity.set(opacity, at: time) }
    }

    /// Changes the visible part of the track's frames linearly within a time range.
    ///
    /// The rectangle is in the coordinates of the track's natural size, from the top left corner, before the transform.
    /// Initially it is infinite.
    public func setCropRectangleRamp(
        fromStartCropRectangle startCropRectangle: CGRect, toEndCropRectangle endCropRectangle: CGRect,
        timeRange: CMTimeRange
    ) {
        addRamp("setCropRectangleRampFromStartCropRectangle:toEndCropRectangle:timeRange:") {
            $0.crop.setRamp(from: startCropRectangle, to: endCropRectangle, in: timeRange)
        }
    }

    /// Sets the visible part of the track's frames from a time to the next change.
    public func setCropRectangle(_ cropRectangle: CGRect, at time: CMTime) {
        addStep("setCropRectangle:atTime:") { $0.crop.set(cropRectangle, at: time) }
    }

    private func addRamp(_ method: String, _ add: (inout State) -> Bool) {
        guard !state.withLock(add) else { return }
        CaptureSystem.current.misuse.report(
            .invalidArgument,
            "-[AVMutableVideoCompositionLayerInstruction \(method)] The time range of a ramp must be numeric and must not"
                + " overlap the time range of an existing ramp.")
    }

    private func addStep(_ method: String, _ add: (inout State) -> Bool) {
        guard !state.withLock(add) else { return }
        CaptureSystem.current.misuse.report(
            .invalidArgument, "-[AVMutableVideoCompositionLayerInstruction \(method)] The time must be numeric.")
    }
}
