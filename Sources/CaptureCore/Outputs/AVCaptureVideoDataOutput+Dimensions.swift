import MediaTypes

/// How large the pictures are.
extension AVCaptureVideoDataOutput {
    /// Whether the output decides on its own whether pictures come as large as a screen at most; true by default.
    ///
    /// It has them so with the preset `photo`, whose pictures are as large as stills, unless `videoSettings` ask for a size.
    public var automaticallyConfiguresOutputBufferDimensions: Bool {
        get { dimensions.automatic }
        set { dimensions.automatic = newValue }
    }

    /// Whether pictures are made smaller to be as large as a screen: to fit into 1920 x 1080, or 1080 x 1920.
    ///
    /// While `automaticallyConfiguresOutputBufferDimensions` is true it tells whether that happens, and setting it is misuse.
    /// Afterwards it is false until it is set. While it is true, to set another size is misuse; setting it to true gives up
    /// a size that was asked for before. `videoSettings` tell the exact size.
    /// - Note: Apple leaves open how large a preview is.
    public var deliversPreviewSizedOutputBuffers: Bool {
        get {
            guard automaticallyConfiguresOutputBufferDimensions else { return dimensions.preview }
            guard sizing.isPreview, !deliversCompressed, let natural = naturalSize else { return false }
            return sizing.size(of: natural) != natural
        }
        set {
            guard !automaticallyConfiguresOutputBufferDimensions else {
                return system.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureVideoDataOutput setDeliversPreviewSizedOutputBuffers:] may not be called while "
                        + "automaticallyConfiguresOutputBufferDimensions is YES")
            }
            if newValue { request.size = nil }
            dimensions.preview = newValue
        }
    }

    /// How large pictures come, as things are now.
    var sizing: VideoDataSizing {
        let (asked, dimensions) = (request.size, dimensions)
        guard dimensions.automatic else { return VideoDataSizing(asked: asked, isPreview: dimensions.preview) }
        let preset = session?.state.withLock { $0.configuration.preset }
        return VideoDataSizing(asked: asked, isPreview: asked == nil && preset == .photo)
    }
}
