public import Foundation

/// The volumes of the audio tracks of an asset.
///
/// - Note: Unlike Apple, tracks are mixed at their own volumes, so a mix has no parameters.
public class AVAudioMix: NSObject, @unchecked Sendable {
    // SAFETY: it has no state.
    public override init() {
        super.init()
    }
}
