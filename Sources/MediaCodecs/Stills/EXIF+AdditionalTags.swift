import CEXIF
import Foundation
import MediaTypes
import PixelKernels

extension EXIF {
    /// The value of a tag for which `EXIF` has no property.
    public enum TagValue: Sendable, Hashable {
        case text(String)
        case integers([Int])
        case numbers([Double])

        /// The value in a dictionary of Image I/O: a string, a number, or an array of several numbers.
        var imageProperty: Any {
            switch self {
            case .text(let text): text
            case .integers(let values): values.count == 1 ? values[0] : values
            case .numbers(let values): values.count == 1 ? values[0] : values
            }
        }

        /// Converts a value from a dictionary of Image I/O; nil for a wrong type. Numbers without a fraction become
        /// integers.
        init?(imageProperty: Any) {
            if let text = imageProperty as? String {
                self = .text(text)
                return
            }
            guard let values = Self.numbers(imageProperty) else { return nil }
            let integers = values.compactMap { Int(exactly: $0) }
            self = integers.count == values.count ? .integers(integers) : .numbers(values)
        }

        /// Returns a number, or the numbers of an array; nil for a wrong type.
        fileprivate static func numbers(_ property: Any?) -> [Double]? {
            guard let property, !(property is String) else { return nil }
            let values = (property as? [Any] ?? [property]).map { ($0 as? NSNumber)?.doubleValue }
            return values.isEmpty || values.contains(nil) ? nil : values.compactMap { $0 }
        }
    }

    /// A tag for which `EXIF` has no property, and its storage format (CIPA DC-008, tables 4 to 8 and 15).
    fileprivate struct AdditionalTag {
        enum Format {
            case text
            /// Text, preceded by eight bytes that specify its encoding.
            case comment
            /// Bytes of the EXIF type UNDEFINED.
            case byte
            case short
            case rational
            case signedRational
        }

        /// The key in the dictionary of Image I/O.
        let key: String
        /// The key of the dictionary: `kCGImagePropertyTIFFDictionary`, `…Exif…` or `…GPS…`.
        let dictionary: String
        let tag: ExifTag
        let format: Format

        var directory: ExifIfd {
            switch dictionary {
            case kCGImagePropertyTIFFDictionary: EXIF_IFD_0
            case kCGImagePropertyGPSDictionary: EXIF_IFD_GPS
            default: EXIF_IFD_EXIF
            }
        }

        static let all = [
            tiff(kCGImagePropertyTIFFImageDescription, EXIF_TAG_IMAGE_DESCRIPTION),
            tiff(kCGImagePropertyTIFFArtist, EXIF_TAG_ARTIST),
            tiff(kCGImagePropertyTIFFCopyright, EXIF_TAG_COPYRIGHT),
            exif(kCGImagePropertyExifUserComment, EXIF_TAG_USER_COMMENT, .comment),
            exif(kCGImagePropertyExifLensSerialNumber, ExifTag(rawValue: 0xA435), .text),
            exif(kCGImagePropertyExifLensSpecification, ExifTag(rawValue: 0xA432), .rational),
            exif(kCGImagePropertyExifApertureValue, EXIF_TAG_APERTURE_VALUE, .rational),
            exif(kCGImagePropertyExifMaxApertureValue, EXIF_TAG_MAX_APERTURE_VALUE, .rational),
            exif(kCGImagePropertyExifSubjectDistance, EXIF_TAG_SUBJECT_DISTANCE, .rational),
            exif(kCGImagePropertyExifDigitalZoomRatio, EXIF_TAG_DIGITAL_ZOOM_RATIO, .rational),
            exif(kCGImagePropertyExifShutterSpeedValue, EXIF_TAG_SHUTTER_SPEED_VALUE, .signedRational),
            exif(kCGImagePropertyExifBrightnessValue, EXIF_TAG_BRIGHTNESS_VALUE, .signedRational),
            exif(kCGImagePropertyExifSubjectArea, EXIF_TAG_SUBJECT_AREA, .short),
            exif(kCGImagePropertyExifExposureProgram, EXIF_TAG_EXPOSURE_PROGRAM, .short),
            exif(kCGImagePropertyExifExposureMode, EXIF_TAG_EXPOSURE_MODE, .short),
            exif(kCGImagePropertyExifMeteringMode, EXIF_TAG_METERING_MODE, .short),
            exif(kCGImagePropertyExifLightSource, EXIF_TAG_LIGHT_SOURCE, .short),
            exif(kCGImagePropertyExifSensingMethod, EXIF_TAG_SENSING_METHOD, .short),
            exif(kCGImagePropertyExifCustomRendered, EXIF_TAG_CUSTOM_RENDERED, .short),
            exif(kCGImagePropertyExifSceneCaptureType, EXIF_TAG_SCENE_CAPTURE_TYPE, .short),
            exif(kCGImagePropertyExifSceneType, EXIF_TAG_SCENE_TYPE, .byte),
            gps(kCGImagePropertyGPSSatellites, 0x08, .text),
            gps(kCGImagePropertyGPSStatus, 0x09, .text),
            gps(kCGImagePropertyGPSMeasureMode, 0x0A, .text),
            gps(kCGImagePropertyGPSDOP, 0x0B, .rational),
            gps(kCGImagePropertyGPSSpeedRef, 0x0C, .text),
            gps(kCGImagePropertyGPSSpeed, 0x0D, .rational),
            gps(kCGImagePropertyGPSTrackRef, 0x0E, .text),
            gps(kCGImagePropertyGPSTrack, 0x0F, .rational),
            gps(kCGImagePropertyGPSMapDatum, 0x12, .text),
            gps(kCGImagePropertyGPSDestBearingRef, 0x17, .text),
            gps(kCGImagePropertyGPSDestBearing, 0x18, .rational),
            gps(kCGImagePropertyGPSDestDistanceRef, 0x19, .text),
            gps(kCGImagePropertyGPSDestDistance, 0x1A, .rational),
            gps(kCGImagePropertyGPSProcessingMethod, 0x1B, .comment),
            gps(kCGImagePropertyGPSAreaInformation, 0x1C, .comment),
            gps(kCGImagePropertyGPSDifferental, 0x1E, .short),
            gps(kCGImagePropertyGPSHPositioningError, 0x1F, .rational),
        ]

        private static func tiff(_ key: String, _ tag: ExifTag) -> AdditionalTag {
            AdditionalTag(key: key, dictionary: kCGImagePropertyTIFFDictionary, tag: tag, format: .text)
        }

        private static func exif(_ key: String, _ tag: ExifTag, _ format: Format) -> AdditionalTag {
            AdditionalTag(key: key, dictionary: kCGImagePropertyExifDictionary, tag: tag, format: format)
        }

        private static func gps(_ key: String, _ tag: UInt32, _ format: Format) -> AdditionalTag {
            AdditionalTag(
                key: key, dictionary: kCGImagePropertyGPSDictionary, tag: ExifTag(rawValue: tag), format: format)
        }

        /// Converts a value from a dictionary of Image I/O; nil for a wrong type.
        func value(of property: Any?) -> TagValue? {
            switch format {
            case .text, .comment:
                return (property as? String).map { .text($0) }
            case .byte, .short:
                let values = TagValue.numbers(property)?.map { Int(exactly: $0) }
                return values.flatMap { $0.contains(nil) ? nil : .integers($0.compactMap { $0 }) }
            case .rational, .signedRational:
                return TagValue.numbers(property).map { .numbers($0) }
            }
        }

        func read(from block: EXIFBlock) -> TagValue? {
            switch format {
            case .text:
                return block.text(tag, in: directory).map { .text($0) }
            case .comment:
                return block.comment(tag, in: directory).map { .text($0) }
            case .byte, .short:
                let values = block.integers(tag, in: directory)
                return values.isEmpty ? nil : .integers(values)
            case .rational, .signedRational:
                let values = block.rationals(tag, in: directory)
                return values.isEmpty ? nil : .numbers(values)
            }
        }

        func write(_ value: TagValue, to block: EXIFBlock) throws(ImageError) {
            switch (format, value) {
            case (.text, .text(let text)):
                try block.set(tag, in: directory, text: text)
            case (.comment, .text(let text)):
                try block.set(tag, in: directory, comment: text)
            case (.byte, .integers(let values)):
                let bytes = values.compactMap { UInt8(exactly: $0) }
                guard bytes.count == values.count else {
                    throw ImageError(.invalidInput, "\(key) requires numbers from 0 to 255, not \(values)")
                }
                try block.set(tag, in: directory, undefined: bytes)
            case (.short, .integers(let values)):
                try block.set(tag, in: directory, shorts: values)
            case (.rational, .numbers(let values)):
                try block.set(tag, in: directory, rationals: values)
            case (.signedRational, .numbers(let values)):
                try block.set(tag, in: directory, rationals: values, isSigned: true)
            default:
                throw ImageError(.invalidInput, "\(key) cannot contain \(value)")
            }
        }
    }

    /// Returns the additional entries of one of Image I/O's dictionaries.
    func additionalEntries(of dictionary: String) -> [String: Any] {
        AdditionalTag.all.reduce(into: [:]) { entries, tag in
            if tag.dictionary == dictionary { entries[tag.key] = additional[tag.key]?.imageProperty }
        }
    }

    /// Returns the additional tags in dictionaries of Image I/O; values of a wrong type are ignored.
    static func additional(in imageProperties: [String: Any]) -> [String: TagValue] {
        AdditionalTag.all.reduce(into: [:]) { result, tag in
            let entries = imageProperties[tag.dictionary] as? [String: Any]
            result[tag.key] = tag.value(of: entries?[tag.key])
        }
    }

    /// Returns the additional tags of a block.
    static func additional(in block: EXIFBlock) -> [String: TagValue] {
        AdditionalTag.all.reduce(into: [:]) { $0[$1.key] = $1.read(from: block) }
    }

    func writeAdditional(to block: EXIFBlock) throws(ImageError) {
        for tag in AdditionalTag.all {
            guard let value = additional[tag.key] else { continue }
            if tag.directory == EXIF_IFD_GPS { try block.setGPSVersion() }
            try tag.write(value, to: block)
        }
    }
}
