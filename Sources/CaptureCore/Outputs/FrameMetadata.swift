import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

extension CMAttachmentBearerAttachments {
    /// Creates attachments with an EXIF dictionary, which contains the exposure of a frame.
    init(exif: [String: Any]) {
        self.init()
        if !exif.isEmpty { self[kCGImagePropertyExifDictionary] = .shouldPropagate(exif) }
    }
}

extension FrameSettings {
    /// The settings under Image I/O's EXIF keys.
    var exifDictionary: [String: Any] {
        var result: [String: Any] = [:]
        result["ExposureTime"] = exposureDuration?.seconds
        result["ISOSpeedRatings"] = iso.map { [Int($0.rounded())] }
        result["FNumber"] = aperture
        if flashFired { result["Flash"] = 1 }
        return result
    }
}

/// The metadata of a photo, from the frame's settings, the device and the connection.
struct PhotoMetadata: Sendable {
    var exif: EXIF

    init(
        settings: FrameSettings, device: AVCaptureDevice?, orientation: CGImagePropertyOrientation, date: Date?,
        width: Int, height: Int
    ) {
        var exif = EXIF()
        exif.exposureTime = settings.exposureDuration?.seconds
        exif.iso = settings.iso.map { Int($0.rounded()) }
        // The frames of a virtual device come from one of its constituents at a time.
        let lens = (device?.activePrimaryConstituent ?? device)?.hardware.descriptor.lens
        exif.exposureBias = device?.appliedExposureBias
        exif.aperture = settings.aperture ?? lens?.aperture
        exif.focalLengthMillimeters = lens?.focalLengthMillimeters
        exif.equivalentFocalLengthMillimeters = lens.map { Int($0.equivalentFocalLengthMillimeters.rounded()) }
        exif.orientation = orientation
        exif.originalTime = date.map { EXIF.Moment($0) }
        exif.make = device?.manufacturer
        exif.model = device?.hardware.descriptor.modelID
        exif.lensModel = device?.localizedName
        exif.software = "Obscura"
        // For a camera without a flash, such as one that plays a file, it is unknown whether a flash fired.
        if settings.flashFired || device?.hasFlash ?? false { exif.flash = EXIF.Flash(fired: settings.flashFired) }
        exif.pixelWidth = width
        exif.pixelHeight = height
        exif.colorSpace = .sRGB
        self.exif = exif
    }
}
