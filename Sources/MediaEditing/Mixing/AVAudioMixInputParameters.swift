import CaptureHAL
public import Foundation
import MediaAssets
public import MediaTypes

/// How one audio track is mixed.
///
/// - Important: Thread-safe.
public class AVAudioMixInputParameters: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `state`.
    struct State: Sendable {
        var trackID = kCMPersistentTrackID_Invalid
        var pitchAlgorithm: AVAudioTimePitchAlgorithm?
        var tap: MTAudioProcessingTap?
        var volume = ValueRamps<Float>(initial: 1)
    }

    let state: Lock<State>

    public override convenience init() { self.init(State()) }

    init(_ state: State) { self.state = Lock(state) }

    /// Returns an immutable copy with the same tap.
    public override func copy() -> Any { AVAudioMixInputParameters(state.withLock { $0 }) }

    /// Returns a mutable copy with the same tap.
    public override func mutableCopy() -> Any { AVMutableAudioMixInputParameters(state.withLock { $0 }) }

    /// The ID of the track.
    public var trackID: CMPersistentTrackID { state.withLock { $0.trackID } }

    /// The algorithm that adjusts the pitch of audio in scaled edits; nil for the algorithm of the reader, player item
    /// or export.
    public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? { state.withLock { $0.pitchAlgorithm } }

    /// Processes the samples of the track; nil for no processing.
    public var audioTapProcessor: MTAudioProcessingTap? { state.withLock { $0.tap } }

    /// Gets the volume ramp that includes a time.
    ///
    /// A volume that was set at a time is a constant ramp until the next change.
    /// - Returns: False before the first ramp, between ramps, and after the last one.
    public func getVolumeRamp(
        for time: CMTime, startVolume: UnsafeMutablePointer<Float>?, endVolume: UnsafeMutablePointer<Float>?,
        timeRange: UnsafeMutablePointer<CMTimeRange>?
    ) -> Bool {
        state.withLock { $0.volume }.get(time, startVolume, endVolume, timeRange)
    }
}

/// Parameters that can be changed.
public class AVMutableAudioMixInputParameters: AVAudioMixInputParameters, @unchecked Sendable {
    // SAFETY: as its superclass.

    /// Creates parameters that do not change the volume of a track.
    ///
    /// - Parameter track: The track; nil if `trackID` is set later.
    public convenience init(track: AVAssetTrack?) {
        self.init(State(trackID: track?.trackID ?? kCMPersistentTrackID_Invalid))
    }

    override public var trackID: CMPersistentTrackID {
        get { super.trackID }
        set { state.withLock { $0.trackID = newValue } }
    }

    override public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm? {
        get { super.audioTimePitchAlgorithm }
        set { state.withLock { $0.pitchAlgorithm = newValue } }
    }

    override public var audioTapProcessor: MTAudioProcessingTap? {
        get { super.audioTapProcessor }
        set { state.withLock { $0.tap = newValue } }
    }

    /// Changes the volume linearly within a time range. Volume 1, the initial value, leaves the samples unchanged.
    public func setVolumeRamp(fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: CMTimeRange)
    {
        let isValid = state.withLock { $0.volume.setRamp(from: startVolume, to: endVolume, in: timeRange) }
        guard !isValid else { return }
        CaptureSystem.current.misuse.report(
            .invalidArgument,
            "-[AVMutableAudioMixInputParameters setVolumeRampFromStartVolume:toEndVolume:timeRange:] The time range of a "
                + "volume ramp must be numeric and must not overlap the time range of an existing volume ramp.")
    }

    /// Sets the volume that applies from a time to the next change.
    public func setVolume(_ volume: Float, at time: CMTime) {
        guard !state.withLock({ $0.volume.set(volume, at: time) }) else { return }
        CaptureSystem.current.misuse.report(
            .invalidArgument, "-[AVMutableAudioMixInputParameters setVolume:atTime:] The time must be numeric.")
    }
}
