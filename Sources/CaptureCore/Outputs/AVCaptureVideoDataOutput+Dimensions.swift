import MediaTypes

/// The size of the delivered frames.
extension AVCaptureVideoDataOutput {
    /// Whether the output chooses automatically whether to deliver frames of preview size; true by default.
    ///
    /// It delivers frames of preview size with the preset `photo`, unless `videoSettings` requests a size.
    public var automaticallyConfiguresOutputBufferDimensions: Bool {
        get {
            observedProperties.access()
            return dimensions.isAutomatic
        }
        set {
            dimensions.isAutomatic = newValue
            observedProperties.changed()
        }
    }

    /// Whether frames are scaled down to fit a screen: into 1920 x 1080, or 1080 x 1920.
    ///
    /// While `automaticallyConfiguresOutputBufferDimensions` is true, this property returns the automatic choice, and
    /// setting it is misuse. Setting it to true discards a requested size; while it is true, requesting a size is
    /// misuse. `videoSettings` contains the exact size.
    /// - Note: Apple does not specify the size of a preview.
    public var deliversPreviewSizedOutputBuffers: Bool {
        get {
            observedProperties.access()
            guard automaticallyConfiguresOutputBufferDimensions else { return dimensions.isPreviewSized }
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
            dimensions.isPreviewSized = newValue
            observedProperties.changed()
        }
    }

    /// The current rule for the size of delivered frames.
    var sizing: VideoDataSizing {
        let (requested, dimensions) = settings.withLock { ($0.request.size, $0.dimensions) }
        guard dimensions.isAutomatic else {
            return VideoDataSizing(requested: requested, isPreview: dimensions.isPreviewSized)
        }
        guard requested == nil else { return VideoDataSizing(requested: requested) }
        return VideoDataSizing(isPreview: session?.state.withLock { $0.transaction.committed.preset } == .photo)
    }
}
