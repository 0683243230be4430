import Foundation
import MediaTypes

/// Conversion from and to the dictionaries of Image I/O (`kCGImageProperty…`).
extension EXIF {
    /// The properties with Image I/O's keys; unknown properties are absent.
    public var imageProperties: [String: Any] {
        var result: [String: Any] = [:]
        result[kCGImagePropertyExifDictionary] = exifEntries
        result[kCGImagePropertyTIFFDictionary] = tiffEntries
        let position = additionalEntries(of: kCGImagePropertyGPSDictionary).merging(location?.entries ?? [:]) { $1 }
        if !position.isEmpty { result[kCGImagePropertyGPSDictionary] = position }
        if !makerApple.isEmpty { result[kCGImagePropertyMakerAppleDictionary] = makerAppleEntries }
        result[kCGImagePropertyOrientation] = orientation.map { Int($0.rawValue) }
        return result
    }

    private var exifEntries: [String: Any] {
        var entries = additionalEntries(of: kCGImagePropertyExifDictionary)
        entries[kCGImagePropertyExifExposureTime] = exposureTime
        entries[kCGImagePropertyExifISOSpeedRatings] = iso.map { [$0] }
        entries[kCGImagePropertyExifFNumber] = aperture
        entries[kCGImagePropertyExifExposureBiasValue] = exposureBias
        entries[kCGImagePropertyExifFocalLength] = focalLengthMillimeters
        entries[kCGImagePropertyExifFocalLenIn35mmFilm] = equivalentFocalLengthMillimeters
        entries[kCGImagePropertyExifPixelXDimension] = pixelWidth
        entries[kCGImagePropertyExifPixelYDimension] = pixelHeight
        entries[kCGImagePropertyExifLensMake] = lensMake
        entries[kCGImagePropertyExifLensModel] = lensModel
        entries[kCGImagePropertyExifFlash] = flash?.tagValue
        entries[kCGImagePropertyExifWhiteBalance] = whiteBalance?.rawValue
        entries[kCGImagePropertyExifColorSpace] = colorSpace?.rawValue
        if let originalTime {
            let text = originalTime.dateText + " " + originalTime.timeText
            entries[kCGImagePropertyExifDateTimeOriginal] = text
            entries[kCGImagePropertyExifDateTimeDigitized] = text
            let fraction = originalTime.millisecond.map { digits($0, count: 3) }
            entries[kCGImagePropertyExifSubsecTimeOriginal] = fraction
            entries[kCGImagePropertyExifSubsecTimeDigitized] = fraction
            entries[kCGImagePropertyExifOffsetTimeOriginal] = originalTime.offsetText
            entries[kCGImagePropertyExifOffsetTimeDigitized] = originalTime.offsetText
        }
        return entries
    }

    private var tiffEntries: [String: Any] {
        var entries = additionalEntries(of: kCGImagePropertyTIFFDictionary)
        entries[kCGImagePropertyTIFFMake] = make
        entries[kCGImagePropertyTIFFModel] = model
        entries[kCGImagePropertyTIFFSoftware] = software
        entries[kCGImagePropertyTIFFOrientation] = orientation.map { Int($0.rawValue) }
        entries[kCGImagePropertyTIFFDateTime] = originalTime.map { $0.dateText + " " + $0.timeText }
        return entries
    }

    /// Reads properties with Image I/O's keys. Other keys and values of a wrong type are ignored.
    public init(imageProperties: [String: Any]) {
        self.init()
        let exif = Entries(imageProperties, kCGImagePropertyExifDictionary)
        let tiff = Entries(imageProperties, kCGImagePropertyTIFFDictionary)
        exposureTime = exif.number(kCGImagePropertyExifExposureTime)
        iso = exif.integer(kCGImagePropertyExifISOSpeedRatings)
        aperture = exif.number(kCGImagePropertyExifFNumber)
        exposureBias = exif.number(kCGImagePropertyExifExposureBiasValue)
        focalLengthMillimeters = exif.number(kCGImagePropertyExifFocalLength)
        equivalentFocalLengthMillimeters = exif.integer(kCGImagePropertyExifFocalLenIn35mmFilm)
        pixelWidth = exif.integer(kCGImagePropertyExifPixelXDimension)
        pixelHeight = exif.integer(kCGImagePropertyExifPixelYDimension)
        lensMake = exif.text(kCGImagePropertyExifLensMake)
        lensModel = exif.text(kCGImagePropertyExifLensModel)
        flash = exif.integer(kCGImagePropertyExifFlash).map { Flash(tagValue: $0) }
        whiteBalance = exif.integer(kCGImagePropertyExifWhiteBalance).flatMap(WhiteBalance.init)
        colorSpace = exif.integer(kCGImagePropertyExifColorSpace).flatMap(ColorSpace.init)
        make = tiff.text(kCGImagePropertyTIFFMake)
        model = tiff.text(kCGImagePropertyTIFFModel)
        software = tiff.text(kCGImagePropertyTIFFSoftware)
        let stored =
            Entries(values: imageProperties).integer(kCGImagePropertyOrientation)
            ?? tiff.integer(kCGImagePropertyTIFFOrientation)
        orientation = stored.flatMap { UInt32(exactly: $0) }.flatMap { CGImagePropertyOrientation(rawValue: $0) }
        let date = exif.text(kCGImagePropertyExifDateTimeOriginal) ?? tiff.text(kCGImagePropertyTIFFDateTime)
        originalTime = date.flatMap {
            Moment(
                text: $0, fraction: exif.text(kCGImagePropertyExifSubsecTimeOriginal),
                offset: exif.text(kCGImagePropertyExifOffsetTimeOriginal))
        }
        location = Location(Entries(imageProperties, kCGImagePropertyGPSDictionary))
        additional = Self.additional(in: imageProperties)
        makerApple = Self.makerApple(in: imageProperties)
    }

    /// Reads the values of a dictionary from a client, which may have any type.
    fileprivate struct Entries {
        let values: [String: Any]

        init(values: [String: Any]) { self.values = values }

        init(_ properties: [String: Any], _ key: String) { values = properties[key] as? [String: Any] ?? [:] }

        /// Returns a number, or the first number of an array.
        func number(_ key: String) -> Double? {
            let value = (values[key] as? [Any])?.first ?? values[key]
            return (value as? NSNumber)?.doubleValue
        }

        func integer(_ key: String) -> Int? { number(key).flatMap { Int(exactly: $0.rounded()) } }

        func text(_ key: String) -> String? { values[key] as? String }
    }
}

extension EXIF.Flash {
    /// The value of the EXIF tag. Bit 0: fired; bits 3 and 4, the flash mode: 1 always on, 2 always off, 3 automatic.
    var tagValue: Int { (fired ? 1 : 0) | (isAutomatic ? 3 : fired ? 1 : 2) << 3 }

    init(tagValue: Int) { self.init(fired: tagValue & 1 == 1, isAutomatic: tagValue >> 3 & 3 == 3) }
}

extension EXIF.Moment {
    /// The date, such as `2026:11:22`.
    var dateText: String {
        digits(year, count: 4) + ":" + digits(month, count: 2) + ":" + digits(day, count: 2)
    }

    /// The time, such as `20:15:00`.
    var timeText: String { [hour, minute, second].map { digits($0, count: 2) }.joined(separator: ":") }

    /// The offset from UTC, such as `+01:00`; nil if unknown.
    var offsetText: String? {
        offsetMinutes.map { offset in
            (offset < 0 ? "-" : "+") + digits(abs(offset) / 60, count: 2) + ":" + digits(abs(offset) % 60, count: 2)
        }
    }
}

extension EXIF.Location {
    fileprivate var entries: [String: Any] {
        var entries: [String: Any] = [
            kCGImagePropertyGPSLatitude: abs(latitude), kCGImagePropertyGPSLatitudeRef: latitude < 0 ? "S" : "N",
            kCGImagePropertyGPSLongitude: abs(longitude), kCGImagePropertyGPSLongitudeRef: longitude < 0 ? "W" : "E",
        ]
        if let altitude {
            entries[kCGImagePropertyGPSAltitude] = abs(altitude)
            entries[kCGImagePropertyGPSAltitudeRef] = altitude < 0 ? 1 : 0
        }
        if let time {
            entries[kCGImagePropertyGPSTimeStamp] = time.timeText
            entries[kCGImagePropertyGPSDateStamp] = time.dateText
        }
        if let heading {
            entries[kCGImagePropertyGPSImgDirection] = heading
            entries[kCGImagePropertyGPSImgDirectionRef] = "T"  // true north
        }
        return entries
    }

    /// Reads a location; nil without latitude or longitude. The sign of an angle is used if its reference is missing.
    fileprivate init?(_ entries: EXIF.Entries) {
        func angle(_ key: String, _ reference: String, negative: String) -> Double? {
            entries.number(key).map { entries.text(reference) == negative ? -abs($0) : $0 }
        }
        guard let latitude = angle(kCGImagePropertyGPSLatitude, kCGImagePropertyGPSLatitudeRef, negative: "S"),
            let longitude = angle(kCGImagePropertyGPSLongitude, kCGImagePropertyGPSLongitudeRef, negative: "W")
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
        if let altitude = entries.number(kCGImagePropertyGPSAltitude) {
            self.altitude = entries.integer(kCGImagePropertyGPSAltitudeRef) == 1 ? -abs(altitude) : altitude
        }
        heading = entries.number(kCGImagePropertyGPSImgDirection)
        if let date = entries.text(kCGImagePropertyGPSDateStamp), let clock = entries.text(kCGImagePropertyGPSTimeStamp)
        {
            time = EXIF.Moment(text: date + " " + clock.prefix { $0 != "." })
        }
    }
}

extension [String: Any] {
    /// Merges the image properties of another dictionary, whose values replace those with the same keys, also in nested
    /// dictionaries.
    package func mergingImageProperties(_ other: [String: Any]) -> [String: Any] {
        merging(other) { old, new in
            guard let old = old as? [String: Any], let new = new as? [String: Any] else { return new }
            return old.merging(new) { $1 }
        }
    }
}
