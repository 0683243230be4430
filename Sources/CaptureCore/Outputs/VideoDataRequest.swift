import MediaTypes

/// The encoding and size of frames that a client requested from a video data output.
struct VideoDataRequest: Sendable {
    /// The encoding of delivered frames.
    enum Encoding: Sendable, Hashable {
        /// Uncompressed, in a pixel format; nil for the format of the device or of its decoded frames.
        case pixels(OSType?)
        /// As the device delivers them.
        case native
        /// As JPEG, if the device delivers it.
        case jpeg
    }

    var encoding = Encoding.pixels(nil)
    /// The requested size; nil for the size of the frame after rotation. See `VideoDataSizing`.
    var size: (width: Int, height: Int)?

    /// Whether compressed frames are delivered unchanged.
    var acceptsCompressed: Bool { encoding == .native || encoding == .jpeg }

    /// The requested pixel format; nil for the default.
    var pixelFormat: OSType? {
        if case .pixels(let format) = encoding { format } else { nil }
    }
}
