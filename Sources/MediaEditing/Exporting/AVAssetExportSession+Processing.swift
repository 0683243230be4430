import Foundation
import MediaAssets
import MediaTypes

/// Video composition and audio mixing. The passthrough preset ignores both.
extension AVAssetExportSession {
    /// How the frames are composed from the video tracks; nil, the default, exports each video track.
    ///
    /// Its `frameDuration` is the interval between the frames, unless `sourceTrackIDForFrameTiming` is set.
    public var videoComposition: AVVideoComposition? {
        get { options.videoComposition }
        set {
            let copy = newValue?.copy() as? AVVideoComposition
            let compositor = AVVideoComposition.compositor(for: copy, replacing: customVideoCompositor)
            set("setVideoComposition:") { options in
                options.videoCompositor = compositor
                options.videoComposition = copy
            }
        }
    }

    /// The instance of the video composition's compositor class; nil for the built-in compositor.
    public var customVideoCompositor: (any AVVideoCompositing)? { options.videoCompositor }

    /// How the audio tracks are mixed to one track; nil, the default, exports each audio track.
    public var audioMix: AVAudioMix? {
        get { options.audioMix }
        set {
            guard newValue == nil || !options.audioTrackGroupHandling.contains(.preserveAlternateTracks) else {
                return reportMisuse(
                    "setAudioMix:", "a mix cannot be used if audioTrackGroupHandling preserves alternatives")
            }
            let copy = newValue?.copy() as? AVAudioMix
            set("setAudioMix:") { $0.audioMix = copy }
        }
    }
}
