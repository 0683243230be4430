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
