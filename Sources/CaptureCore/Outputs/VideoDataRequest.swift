import MediaTypes

/// In what form a client wants its frames.
struct VideoDataRequest: Sendable {
    /// Uncompressed or not.
    enum Form: Sendable, Hashable {
        /// In a format of the client's choice; nil takes the device's, decoded where it is compressed.
        case pixels(OSType?)
        /// As the device delivers them.
        case native
        /// As JPEG, where the device delivers that.
        case jpeg
    }

    var form = Form.pixels(nil)
    /// As the client asked for it; nil takes that of the picture after its rotation. See `VideoDataSizing`.
    var size: (width: Int, height: Int)?

    /// Whether a compressed frame is passed on as it is.
    var takesCompressed: Bool { form == .native || form == .jpeg }

    /// The pixel format asked for.
    var pixelFormat: OSType? {
        if case .pixels(let format) = form { format } else { nil }
    }
}
