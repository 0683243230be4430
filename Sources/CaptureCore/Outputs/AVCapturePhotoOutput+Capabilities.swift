public import AssetTypes
import CaptureHAL
import Foundation
public import MediaTypes

/// The observable capabilities of a photo output.
struct PhotoCapabilities: Sendable {
    var camera: ObjectIdentifier?
    var hasDepth = false
}

/// The capabilities, which depend on the camera and its format.
///
/// All of them can be observed; observers run on the thread that makes the change.
extension AVCapturePhotoOutput {
    static let codecs: [AVVideoCodecType] = [.jpeg]
    static let pixelFormats: [OSType] = [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_32BGRA,
    ]

    /// The codecs of compressed photos; none before the output is connected to a camera.
    public var availablePhotoCodecTypes: [AVVideoCodecType] {
        observedProperties.access()
        return camera == nil ? [] : Self.codecs
    }

    /// The pixel formats of uncompressed photos; none before the output is connected to a camera.
    public var availablePhotoPixelFormatTypes: [OSType] {
        observedProperties.access()
        return camera == nil ? [] : Self.pixelFormats
    }

    /// The file types of photos; none before the output is connected to a camera.
    public var availablePhotoFileTypes: [AVFileType] {
        observedProperties.access()
        return camera == nil ? [] : [.jpg]
    }

    /// The flash modes that settings may request; `on` and `auto` only if the camera has a flash.
    public var supportedFlashModes: [AVCaptureDevice.FlashMode] {
        observedProperties.access()
        return camera?.hasFlash ?? false ? [.off, .on, .auto] : [.off]
    }

    /// Whether the camera delivers depth with the frames of its active format.
    public var isDepthDataDeliverySupported: Bool {
        observedProperties.access()
        return camera?.activeDepthDataFormat != nil
    }

    /// Whether photos can have depth; setting it to true if that is not supported is misuse.
    ///
    /// It becomes false when depth is no longer supported after a commit or with a new format, and stays false when
    /// depth is supported again.
    public var isDepthDataDeliveryEnabled: Bool {
        get {
            observedProperties.access()
            return deliversDepth && isDepthDataDeliverySupported
        }
        set {
            guard !newValue || isDepthDataDeliverySupported else {
                return system.misuse.report(
                    .invalidArgument,
                    "-[AVCapturePhotoOutput setDepthDataDeliveryEnabled:] Depth data delivery is not supported in the "
                        + "current configuration")
            }
            deliversDepth = newValue
            session?.depthConfigurationDidChange()
            observedProperties.changed()
        }
    }

    /// Disables depth if it is no longer supported, and notifies the observers of changed capabilities.
    func updateCapabilities() {
        let new = PhotoCapabilities(camera: camera.map { ObjectIdentifier($0) }, hasDepth: isDepthDataDeliverySupported)
        if !new.hasDepth { deliversDepth = false }
        let old = replaceCapabilities(new)
        var names: Set<String> = []
        if (old.camera == nil) != (new.camera == nil) {
            names = ["availablePhotoCodecTypes", "availablePhotoPixelFormatTypes", "availablePhotoFileTypes"]
        }
        // Reported for each new camera: comparing the modes would open the camera even without observers.
        if old.camera != new.camera { names.insert("supportedFlashModes") }
        if old.hasDepth != new.hasDepth { names.insert("isDepthDataDeliverySupported") }
        if !names.isEmpty { observedProperties.changed(names) }
    }

    private var camera: AVCaptureDevice? { camera(of: connection(with: .video)) }
}
