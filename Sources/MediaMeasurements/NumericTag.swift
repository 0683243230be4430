import MediaCodecs

/// A numeric EXIF value of a photo. The raw values are the keys in scenario files.
package enum NumericTag: String, Sendable, Hashable, CaseIterable {
    case iso
    /// In seconds.
    case exposureTime = "exposure-time"
    case aperture = "f-number"
    /// In EV.
    case exposureBias = "exposure-bias"
    /// In millimeters.
    case focalLength = "focal-length"
    /// In millimeters, for a frame of 36 by 24 mm.
    case equivalentFocalLength = "focal-length-35mm"

    /// Returns the value in the metadata of a photo; nil if it is missing.
    func value(in exif: EXIF) -> Double? {
        switch self {
        case .iso: exif.iso.map(Double.init)
        case .exposureTime: exif.exposureTime
        case .aperture: exif.aperture
        case .exposureBias: exif.exposureBias
        case .focalLength: exif.focalLengthMillimeters
        case .equivalentFocalLength: exif.equivalentFocalLengthMillimeters.map(Double.init)
        }
    }
}
