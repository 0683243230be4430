import CaptureHAL
public import MediaTypes

/// The sizes of photos.
extension AVCapturePhotoOutput {
    /// The largest size that settings may request: one of the active format's `supportedMaxPhotoDimensions`.
    ///
    /// The default is the smallest supported size; it also applies if the active format does not support the size that
    /// was set. Without a camera the value is 0x0. Setting an unsupported size, or setting any size before the output
    /// is connected to a camera, is misuse.
    /// - Note: If the camera captures no stills beside its stream, photos have the size of the stream, even if a larger
    ///   size is allowed.
    public var maxPhotoDimensions: CMVideoDimensions {
        get {
            observedProperties.access()
            let supported = supportedSizes
            let size = maximumSize.flatMap { supported.contains($0) ? $0 : nil }
            return (size ?? supported.first)?.dimensions ?? CMVideoDimensions(width: 0, height: 0)
        }
        set {
            func reportMisuse(_ reason: String) {
                system.misuse.report(.invalidArgument, "-[AVCapturePhotoOutput setMaxPhotoDimensions:] \(reason)")
            }
            let supported = supportedSizes
            guard !supported.isEmpty else {
                return reportMisuse(
                    "May not be set until connected to a video source device with a non-nil activeFormat")
            }
            guard supported.contains(newValue.pixelSize) else {
                return reportMisuse(
                    "\(newValue.width)x\(newValue.height) is not one of the activeFormat's supportedMaxPhotoDimensions: "
                        + supported.map { "\($0.width)x\($0.height)" }.joined(separator: ", "))
            }
            maximumSize = newValue.pixelSize
            observedProperties.changed()
        }
    }

    /// The sizes that the active format supports, ascending; empty without a camera.
    var supportedSizes: [PixelSize] {
        camera?.activeFormat.supportedMaxPhotoDimensions.map(\.pixelSize) ?? []
    }

    /// Returns the size of a photo: that of the stream for a camera without stills; otherwise the settings'
    /// `maxPhotoDimensions`, the largest size for a photo with high resolution, or the smallest one.
    func photoSize(_ settings: AVCapturePhotoSettings, _ connection: AVCaptureConnection) -> CMVideoDimensions {
        let stream = frameSize(of: connection)
        guard camera(of: connection)?.hardware.descriptor.stills != nil else { return stream }
        if settings.maxPhotoDimensions.width > 0 { return settings.maxPhotoDimensions }
        let sizes = supportedSizes
        return (settings.isHighResolutionPhotoEnabled ? sizes.last : sizes.first)?.dimensions ?? stream
    }

    /// Returns the size of the frames of a connection, before any rotation; 0x0 without a camera.
    func frameSize(of connection: AVCaptureConnection) -> CMVideoDimensions {
        connection.inputPorts.first?.formatDescription?.dimensions ?? CMVideoDimensions(width: 0, height: 0)
    }
}
