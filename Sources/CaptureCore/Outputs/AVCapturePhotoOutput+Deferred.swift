import CaptureHAL
import MediaTypes

/// Photos that are processed later.
extension AVCapturePhotoOutput {
    /// Whether photos can be delivered as proxies: if the camera merges frames. Can be observed.
    public var isAutoDeferredPhotoDeliverySupported: Bool {
        observedProperties.access()
        return supportsDeferredDelivery
    }

    /// Whether the output delivers a proxy in place of a photo of merged frames; false by default. Setting it to true if
    /// that is not supported is misuse.
    ///
    /// A delegate then receives `photoOutput(_:didFinishCapturingDeferredPhotoProxy:error:)` after the time that a single
    /// frame takes. It saves the proxy with `PHAssetResourceType.photoProxy`, and the photo library finishes the photo.
    /// RAW photos, brackets and uncompressed photos are not deferred.
    public var isAutoDeferredPhotoDeliveryEnabled: Bool {
        get {
            observedProperties.access()
            return defersDelivery.withLock { $0 } && supportsDeferredDelivery
        }
        set {
            guard !newValue || supportsDeferredDelivery else {
                return rejectEnabling(newValue, "setAutoDeferredPhotoDeliveryEnabled:", "Deferred photo delivery")
            }
            defersDelivery.withLock { $0 = newValue }
            observedProperties.changed()
        }
    }

    var supportsDeferredDelivery: Bool { (camera?.hardware.descriptor.stills?.maximumMergedFrameCount ?? 1) > 1 }

    /// Returns whether the photo of settings is delivered as a proxy.
    ///
    /// - Parameter mergedFrameCount: The number of frames that are merged for the photo.
    func defersPhoto(_ settings: AVCapturePhotoSettings, mergedFrameCount: Int) -> Bool {
        isAutoDeferredPhotoDeliveryEnabled && mergedFrameCount > 1 && settings.codec != nil
            && settings.rawPhotoPixelFormatType == 0 && !(settings is AVCapturePhotoBracketSettings)
    }
}
