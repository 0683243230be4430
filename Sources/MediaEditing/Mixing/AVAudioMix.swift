public import Foundation
import MediaAssets
import MediaTypes

/// How the audio tracks of an asset are mixed.
///
/// - Important: Thread-safe.
public class AVAudioMix: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `parameters`.
    fileprivate let parameters = Lock<[AVAudioMixInputParameters]>([])

    public override init() { super.init() }

    /// Returns an immutable copy.
    public override func copy() -> Any { duplicate(into: AVAudioMix()) }

    /// Returns a mutable copy.
    public override func mutableCopy() -> Any { duplicate(into: AVMutableAudioMix()) }

    private func duplicate(into copy: AVAudioMix) -> AVAudioMix {
        let copies = inputParameters.map { $0.copy() as? AVAudioMixInputParameters ?? $0 }
        copy.parameters.withLock { $0 = copies }
        return copy
    }

    /// The parameters of tracks. Tracks without parameters are mixed at volume 1.
    public var inputParameters: [AVAudioMixInputParameters] { parameters.withLock { $0 } }
}

/// An audio mix that can be changed.
///
/// Readers and players copy a mix when it is set.
public class AVMutableAudioMix: AVAudioMix, @unchecked Sendable {
    // SAFETY: as its superclass.

    override public var inputParameters: [AVAudioMixInputParameters] {
        get { super.inputParameters }
        set { parameters.withLock { $0 = newValue } }
    }
}
