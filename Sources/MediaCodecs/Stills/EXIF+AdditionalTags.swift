import CEXIF
import Foundation
import MediaTypes
import PixelKernels

extension EXIF {
    /// The value of a tag without a property of its own.
    public enum TagValue: Sendable, Hashable {
        case text(String)
        case integers([Int])
        case numbers([Double])

        /// The value in a dictionary of Image I/O: a string, a number, or an array of numbers.
        fileprivate var imageProperty: Any {
            switch self {
            case .text(let text): text
            case .integers(let values): values.count == 1 ? values[0] : values
            case .numbers(let values): values.count == 1 ? values[0] : values
            }
        }
    }

    /// A tag without a property of its own, and how it is stored (CIPA DC-008, tables 4 to 8 and 15).
    fileprivate struct AdditionalTag {
        enum Format {
            case text
            /// Text after eight bytes that name its encoding.
            case comment
            case byte
            case short
            case rational
            case signedRational
        }

        let key: String
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
            image(kCGImagePropertyTIFFImageDescription, EXIF_TAG_IMAGE_DESCRIPTION),
            image(kCGImagePropertyTIFFArtist, EXIF_TAG_ARTIST),
            image(kCGImagePropertyTIFFCopyright, EXIF_TAG_COPYRIGHT),
            photo(kCGImagePropertyExifUserComment, EXIF_TAG_USER_COMMENT, .comment),
            photo(kCGImagePropertyExifLensSerialNumber, ExifTag(rawValue: 0xA435), .text),
            photo(kCGImagePropertyExifLensSpecification, ExifTag(rawValue: 0xA432), .rational),
            photo(kCGImagePropertyExifApertureValue, EXIF_TAG_APERTURE_VALUE, .rational),
            photo(kCGImagePropertyExifMaxApertureValue, EXIF_TAG_MAX_APERTURE_VALUE, .rational),
            photo(kCGImagePropertyExifSubjectDistance, EXIF_TAG_SUBJECT_DISTANCE, .rational),
            photo(kCGImagePropertyExifDigitalZoomRatio, EXIF_TAG_DIGITAL_ZOOM_RATIO, .rational),
            photo(kCGImagePropertyExifShutterSpeedValue, EXIF_TAG_SHUTTER_SPEED_VALUE, .signedRational),
            photo(kCGImagePropertyExifBrightnessValue, EXIF_TAG_BRIGHTNESS_VALUE, .signedRational),
            photo(kCGImagePropertyExifSubjectArea, EXIF_TAG_SUBJECT_AREA, .short),
            photo(kCGImagePropertyExifExposureProgram, EXIF_TAG_EXPOSURE_PROGRAM, .short),
            photo(kCGImagePropertyExifExposureMode, EXIF_TAG_EXPOSURE_MODE, .short),
            photo(kCGImagePropertyExifMeteringMode, EXIF_TAG_METERING_MODE, .short),
            photo(kCGImagePropertyExifLightSource, EXIF_TAG_LIGHT_SOURCE, .short),
            photo(kCGImagePropertyExifSensingMethod, EXIF_TAG_SENSING_METHOD, .short),
            photo(kCGImagePropertyExifCustomRendered, EXIF_TAG_CUSTOM_RENDERED, .short),
            photo(kCGImagePropertyExifSceneCaptureType, EXIF_TAG_SCENE_CAPTURE_TYPE, .short),
            photo(kCGImagePropertyExifSceneType, EXIF_TAG_SCENE_TYPE, .byte),
            position(kCGImagePropertyGPSSatellites, 0x08, .text),
            position(kCGImagePropertyGPSStatus, 0x09, .text),
            position(kCGImagePropertyGPSMeasureMode, 0x0A, .text),
            position(kCGImagePropertyGPSDOP, 0x0B, .rational),
            position(kCGImagePropertyGPSSpeedRef, 0x0C, .text),
            position(kCGImagePropertyGPSSpeed, 0x0D, .rational),
            position(kCGImagePropertyGPSTrackRef, 0x0E, .text),
            position(kCGImagePropertyGPSTrack, 0x0F, .rational),
            position(kCGImagePropertyGPSMapDatum, 0x12, .text),
            position(kCGImagePropertyGPSDestBearingRef, 0x17, .text),
            position(kCGImagePropertyGPSDestBearing, 0x18, .rational),
            position(kCGImagePropertyGPSDestDistanceRef, 0x19, .text),
            position(kCGImagePropertyGPSDestDistance, 0x1A, .rational),
            position(kCGImagePropertyGPSProcessingMethod, 0x1B, .comment),
            position(kCGImagePropertyGPSAreaInformation, 0x1C, .comment),
            position(kCGImagePropertyGPSDifferental, 0x1E, .short),
            position(kCGImagePropertyGPSHPositioningError, 0x1F, .rational),
        ]

        private static func image(_ key: String, _ tag: ExifTag) -> AdditionalTag {
            AdditionalTag(key: key, dictionary: kCGImagePropertyTIFFDictionary, tag: tag, format: .text)
        }

        private static func photo(_ key: String, _ tag: ExifTag, _ format: Format) -> AdditionalTag {
            AdditionalTag(key: key, dictionary: kCGImagePropertyExifDictionary, tag: tag, format: format)
        }

        private static func position(_ key: String, _ tag: UInt32, _ format: Format) -> AdditionalTag {
            AdditionalTag(
                key: key, dictionary: kCGImagePropertyGPSDictionary, tag: ExifTag(rawValue: tag), format: format)
        }

        /// Converts a value of a dictionary of Image I/O; nil for a wrong type.
        func value(of property: Any?) -> TagValue? {
            switch format {
            case .text, .comment:
                return (property as? String).map { .text($0) }
            case .byte, .short:
                let values = numbers(property)?.map { Int(exactly: $0) }
                return values.flatMap { $0.contains(nil) ? nil : .integers($0.compactMap { $0 }) }
            case .rational, .signedRational:
                return numbers(property).map { .numbers($0) }
            }
        }

        private func numbers(_ property: Any?) -> [Double]? {
            guard let property, !(property is String) else { return nil }
            let values = (property as? [Any] ?? [property]).map { ($0 as? NSNumber)?.doubleValue }
            return values.isEmpty || values.contains(nil) ? nil : values.compactMap { $0 }
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
                    throw ImageError(.invalidInput, "\(key) holds numbers from 0 to 255, not \(values)")
                }
                try block.set(tag, in: directory, undefined: bytes)
            case (.short, .integers(let values)):
                try block.set(tag, in: directory, shorts: values)
            case (.rational, .numbers(let values)):
                try block.set(tag, in: directory, rationals: values)
            case (.signedRational, .numbers(let values)):
                try block.set(tag, in: directory, rationals: values, isSigned: true)
            default:
                throw ImageError(.invalidInput, "\(key) cannot hold \(value)")
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
