public import AssetTypes
import CaptureHAL
import Foundation
public import MediaTypes

/// The observable capabilities of a photo output.
struct PhotoCapabilities: Sendable {
    var camera: ObjectIdentifier?
    var codecs: [AVVideoCodecType] = []
    var hasDepth = false
    var stills: StillCapabilities?
    var hasLivePhotos = false
    var rawFormats: [OSType] = []
    var hasPortraitEffectsMatte = false
    var matteTypes: [AVSemanticSegmentationMatte.MatteType] = []
    var reducesRedEye = false
}

/// The capabilities, which depend on the camera and its format.
///
/// All of them can be observed; observers run on the thread that makes the change.
extension AVCapturePhotoOutput {
    /// The codecs of compressed photos with the file types of their files, the preferred one first.
    static let codecs: [(codec: AVVideoCodecType, fileType: AVFileType)] = [(.hevc, .heic), (.jpeg, .jpg)]
    static let pixelFormats: [OSType] = [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_32BGRA,
    ]

    /// The codecs of compressed photos; none before the output is connected to a camera.
    ///
    /// HEVC comes first for the cameras of machines that encode it, such as simulated phones; other cameras have JPEG only.
    public var availablePhotoCodecTypes: [AVVideoCodecType] {
        observedProperties.access()
        return availableCodecs.map(\.codec)
    }

    /// The pixel formats of uncompressed photos; none before the output is connected to a camera.
    public var availablePhotoPixelFormatTypes: [OSType] {
        observedProperties.access()
        return camera == nil ? [] : Self.pixelFormats
    }

    /// The file types of photos; none before the output is connected to a camera.
    public var availablePhotoFileTypes: [AVFileType] {
        observedProperties.access()
        return availableCodecs.map(\.fileType)
    }

    private var availableCodecs: [(codec: AVVideoCodecType, fileType: AVFileType)] {
        guard let camera else { return [] }
        return Self.codecs.filter { $0.codec != .hevc || camera.hardware.descriptor.encodesHEVCPhotos }
    }

    /// The flash modes that settings may request; `on` and `auto` only if the camera has a flash.
    public var supportedFlashModes: [AVCaptureDevice.FlashMode] {
        observedProperties.access()
        return camera?.hasFlash ?? false ? [.off, .on, .auto] : [.off]
    }

    /// Whether the camera corrects eyes that reflect its flash: if it has one and captures stills beside its stream.
    public var isAutoRedEyeReductionSupported: Bool {
        observedProperties.access()
        return camera?.hardware.descriptor.stills?.reducesRedEye ?? false
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
        let new = PhotoCapabilities(
            camera: camera.map { ObjectIdentifier($0) }, codecs: availableCodecs.map(\.codec),
            hasDepth: isDepthDataDeliverySupported, stills: camera?.hardware.descriptor.stills,
            hasLivePhotos: isLivePhotoCaptureSupported, rawFormats: availableRawPhotoPixelFormatTypes,
            hasPortraitEffectsMatte: supportedMattes.contains(.portraitEffects), matteTypes: availableMatteTypes,
            reducesRedEye: isAutoRedEyeReductionSupported)
        if !new.hasDepth { deliversDepth = false }
        if !new.hasLivePhotos { disableLivePhotos() }
        if !supportsDeferredDelivery { defersDelivery.withLock { $0 = false } }
        disableUnsupportedResponsiveness()
        if new.rawFormats.isEmpty { deliversProRAW = false }
        let old = replaceCapabilities(new)
        disableUnsupportedMattes()
        var names: Set<String> = []
        if old.codecs != new.codecs { names = ["availablePhotoCodecTypes", "availablePhotoFileTypes"] }
        if (old.camera == nil) != (new.camera == nil) { names.insert("availablePhotoPixelFormatTypes") }
        // Reported for each new camera: comparing the modes would open the camera even without observers.
        if old.camera != new.camera { names.insert("supportedFlashModes") }
        if old.hasDepth != new.hasDepth { names.insert("isDepthDataDeliverySupported") }
        if old.stills != new.stills {
            names.formUnion([
                "isZeroShutterLagSupported", "maxBracketedCapturePhotoCount", "isStillImageStabilizationSupported",
                "isAutoDeferredPhotoDeliverySupported", "isAutoDeferredPhotoDeliveryEnabled",
            ])
        }
        if old.hasLivePhotos != new.hasLivePhotos {
            names.formUnion([
                "isLivePhotoCaptureSupported", "isLivePhotoCaptureEnabled", "isLivePhotoAutoTrimmingEnabled",
                "availableLivePhotoVideoCodecTypes",
            ])
        }
        if old.rawFormats != new.rawFormats {
            names.formUnion([
                "availableRawPhotoPixelFormatTypes", "availableRawPhotoFileTypes", "isAppleProRAWSupported",
            ])
        }
        if old.hasPortraitEffectsMatte != new.hasPortraitEffectsMatte {
            names.formUnion(["isPortraitEffectsMatteDeliverySupported", "isPortraitEffectsMatteDeliveryEnabled"])
        }
        if old.matteTypes != new.matteTypes {
            names.formUnion(["availableSemanticSegmentationMatteTypes", "enabledSemanticSegmentationMatteTypes"])
        }
        if old.reducesRedEye != new.reducesRedEye { names.insert("isAutoRedEyeReductionSupported") }
        if !names.isEmpty { observedProperties.changed(names) }
    }

    /// The camera of the video connection; nil without one.
    var camera: AVCaptureDevice? { camera(of: connection(with: .video)) }
}
