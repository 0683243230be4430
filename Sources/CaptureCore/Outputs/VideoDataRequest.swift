import MediaTypes

/// The form of frames that a client requested from a video data output.
struct VideoDataRequest: Sendable {
    /// Whether frames are delivered compressed.
    enum Form: Sendable, Hashable {
        /// In a pixel format; nil for the device's, or that of its decoded frames.
        case pixels(OSType?)
        /// As the device delivers them.
        case native
        /// As JPEG, if the device delivers it.
        case jpeg
    }

    var form = Form.pixels(nil)
    /// The requested size; nil for that of the frame after rotation. See `VideoDataSizing`.
    var size: (width: Int, height: Int)?

    /// Whether compressed frames are delivered unchanged.
    var acceptsCompressed: Bool { form == .native || form == .jpeg }

    /// The requested pixel format; nil for the default.
    var pixelFormat: OSType? {
        if case .pixels(let format) = form { format } else { nil }
    }
}
