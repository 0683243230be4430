import CaptureHAL
import Foundation
public import MediaAssets
public import MediaTypes

/// What a photo output has to offer, as far as its observers are told of it.
struct PhotoOffer: Sendable {
    var camera: ObjectIdentifier?
    var hasDepth = false
}

/// What can be asked for: it depends on the camera and its format. All of it can be observed, on the thread of the change.
extension AVCapturePhotoOutput {
    static let codecs: [AVVideoCodecType] = [.jpeg]
    static let pixelFormats: [OSType] = [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_32BGRA,
    ]

    /// The codecs of compressed stills; none before the output is connected to a camera.
    public var availablePhotoCodecTypes: [AVVideoCodecType] {
        observedProperties.access()
        return camera == nil ? [] : Self.codecs
    }

    /// The pixel formats of uncompressed stills; none before the output is connected to a camera.
    public var availablePhotoPixelFormatTypes: [OSType] {
        observedProperties.access()
        return camera == nil ? [] : Self.pixelFormats
    }

    /// The types of files that stills can be; none before the output is connected to a camera.
    public var availablePhotoFileTypes: [AVFileType] {
        observedProperties.access()
        return camera == nil ? [] : [.jpg]
    }

    /// What settings may ask for; `on` and `auto` where the camera has a flash.
    public var supportedFlashModes: [AVCaptureDevice.FlashMode] {
        observedProperties.access()
        return camera?.hasFlash ?? false ? [.off, .on, .auto] : [.off]
    }

    /// Whether the camera measures depth with the pictures of its active format.
    public var isDepthDataDeliverySupported: Bool {
        observedProperties.access()
        return camera?.activeDepthDataFormat != nil
    }

    /// Whether photos may carry depth; setting it to true where that is not supported is misuse.
    ///
    /// Where support ends with a committed configuration or another format, so does this, and does not come back with it.
    public var isDepthDataDeliveryEnabled: Bool {
        get { deliversDepth && isDepthDataDeliverySupported }
        set {
            guard !newValue || isDepthDataDeliverySupported else {
                return system.misuse.report(
                    .invalidArgument,
                    "-[AVCapturePhotoOutput setDepthDataDeliveryEnabled:] Depth data delivery is not supported in the "
                        + "current configuration")
            }
            deliversDepth = newValue
            session?.depthWishChanged()
        }
    }

    /// Gives up what is no longer supported, and tells the observers.
    func offerMayHaveChanged() {
        let new = PhotoOffer(camera: camera.map { ObjectIdentifier($0) }, hasDepth: isDepthDataDeliverySupported)
        if !new.hasDepth { deliversDepth = false }
        let old = note(new)
        var names: Set<String> = []
        if (old.camera == nil) != (new.camera == nil) {
            names = ["availablePhotoCodecTypes", "availablePhotoPixelFormatTypes", "availablePhotoFileTypes"]
        }
        // Whether it has a flash only the camera knows, which is not opened for that where nobody watches.
        if old.camera != new.camera { names.insert("supportedFlashModes") }
        if old.hasDepth != new.hasDepth { names.insert("isDepthDataDeliverySupported") }
        if !names.isEmpty { observedProperties.changed(names) }
    }

    private var camera: AVCaptureDevice? { camera(of: connection(with: .video)) }
}
