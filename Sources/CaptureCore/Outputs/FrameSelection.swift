import CaptureHAL
import MediaTypes

/// The criteria for the frame of a photo.
struct FrameSelection: Sendable {
    /// The earliest time of the frame.
    let notBefore: CMTime
    /// Whether the flash must light the frame.
    var needsFlash = false
    /// Whether the frame must have depth.
    var needsDepth = false

    /// Whether to capture a frame. After one second without a frame that has the requested flash and depth, any frame
    /// is accepted.
    func accepts(_ frame: VideoFrame) -> Bool {
        guard frame.presentationTime >= notBefore else { return false }
        let isLit = !needsFlash || frame.settings.flashFired
        var hasDepth = true
        if needsDepth {
            if case .map? = frame.depth {} else { hasDepth = false }
        }
        return isLit && hasDepth || frame.presentationTime >= notBefore + CMTime(value: 1, timescale: 1)
    }
}
