import CEXIF
public import Foundation
public import PixelKernels

extension EXIF {
    /// Returns the block as stored in a JPEG file's APP1 segment: `Exif`, two zero bytes, then a TIFF structure.
    ///
    /// - Throws: `.invalidInput` for a number that the format cannot represent, `.tooLarge` above 65533 bytes,
    ///   `.outOfMemory`.
    public func encoded() throws(ImageError) -> Data {
        let block = try EXIFBlock()
        let root = EXIF_IFD_0
        let exif = EXIF_IFD_EXIF
        // Tags that CIPA DC-008, table 19 requires in every compressed image.
        try block.set(EXIF_TAG_X_RESOLUTION, in: root, rationals: [72])
        try block.set(EXIF_TAG_Y_RESOLUTION, in: root, rationals: [72])
        try block.set(EXIF_TAG_RESOLUTION_UNIT, in: root, short: 2)
        try block.set(EXIF_TAG_YCBCR_POSITIONING, in: root, short: 1)
        try block.set(EXIF_TAG_EXIF_VERSION, in: exif, undefined: Array("0232".utf8))
        try block.set(EXIF_TAG_FLASH_PIX_VERSION, in: exif, undefined: Array("0100".utf8))
        try block.set(EXIF_TAG_COMPONENTS_CONFIGURATION, in: exif, undefined: [1, 2, 3, 0])

        if let make { try block.set(EXIF_TAG_MAKE, in: root, text: make) }
        if let model { try block.set(EXIF_TAG_MODEL, in: root, text: model) }
        if let software { try block.set(EXIF_TAG_SOFTWARE, in: root, text: software) }
        if let orientation { try block.set(EXIF_TAG_ORIENTATION, in: root, short: Int(orientation.rawValue)) }
        if let originalTime { try write(originalTime, to: block) }

        if let exposureTime { try block.set(EXIF_TAG_EXPOSURE_TIME, in: exif, rationals: [exposureTime]) }
        if let aperture { try block.set(EXIF_TAG_FNUMBER, in: exif, rationals: [aperture]) }
        if let iso {
            // ISO speeds above 65535 are stored in the recommended exposure index only.
            try block.set(EXIF_TAG_ISO_SPEED_RATINGS, in: exif, short: min(iso, 65535))
            try block.set(EXIFBlock.sensitivityType, in: exif, short: 2)  // recommended exposure index
            try block.set(EXIFBlock.recommendedExposureIndex, in: exif, long: iso)
        }
        if let exposureBias {
            try block.set(EXIF_TAG_EXPOSURE_BIAS_VALUE, in: exif, rationals: [exposureBias], isSigned: true)
        }
        if let focalLengthMillimeters {
            try block.set(EXIF_TAG_FOCAL_LENGTH, in: exif, rationals: [focalLengthMillimeters])
        }
        if let equivalentFocalLengthMillimeters {
            try block.set(EXIF_TAG_FOCAL_LENGTH_IN_35MM_FILM, in: exif, short: equivalentFocalLengthMillimeters)
        }
        if let lensMake { try block.set(EXIF_TAG_LENS_MAKE, in: exif, text: lensMake) }
        if let lensModel { try block.set(EXIF_TAG_LENS_MODEL, in: exif, text: lensModel) }
        if let flash { try block.set(EXIF_TAG_FLASH, in: exif, short: flash.tagValue) }
        if let whiteBalance { try block.set(EXIF_TAG_WHITE_BALANCE, in: exif, short: whiteBalance.rawValue) }
        if let pixelWidth { try block.set(EXIF_TAG_PIXEL_X_DIMENSION, in: exif, long: pixelWidth) }
        if let pixelHeight { try block.set(EXIF_TAG_PIXEL_Y_DIMENSION, in: exif, long: pixelHeight) }
        if let colorSpace { try block.set(EXIF_TAG_COLOR_SPACE, in: exif, short: colorSpace.rawValue) }
        if let location { try write(location, to: block) }
        try writeAdditional(to: block)
        if !makerApple.isEmpty {
            try block.set(
                EXIF_TAG_MAKER_NOTE, in: exif, undefined: [UInt8](AppleMakerNote(values: makerApple).encoded()))
        }
        if let thumbnail { try block.setThumbnail(thumbnail) }
        let data = try block.encoded()
        guard data.count <= 65533 else {
            throw ImageError(.tooLarge, "\(data.count) bytes of EXIF data exceed the maximum of 65533 of a JPEG file")
        }
        return data
    }

    private func write(_ moment: Moment, to block: EXIFBlock) throws(ImageError) {
        let text = moment.dateText + " " + moment.timeText
        try block.set(EXIF_TAG_DATE_TIME, in: EXIF_IFD_0, text: text)
        try block.set(EXIF_TAG_DATE_TIME_ORIGINAL, in: EXIF_IFD_EXIF, text: text)
        try block.set(EXIF_TAG_DATE_TIME_DIGITIZED, in: EXIF_IFD_EXIF, text: text)
        if let millisecond = moment.millisecond {
            let fraction = digits(millisecond, count: 3)
            try block.set(EXIF_TAG_SUB_SEC_TIME, in: EXIF_IFD_EXIF, text: fraction)
            try block.set(EXIF_TAG_SUB_SEC_TIME_ORIGINAL, in: EXIF_IFD_EXIF, text: fraction)
            try block.set(EXIF_TAG_SUB_SEC_TIME_DIGITIZED, in: EXIF_IFD_EXIF, text: fraction)
        }
        if let zone = moment.offsetText {
            try block.set(EXIF_TAG_OFFSET_TIME, in: EXIF_IFD_EXIF, text: zone)
            try block.set(EXIF_TAG_OFFSET_TIME_ORIGINAL, in: EXIF_IFD_EXIF, text: zone)
            try block.set(EXIF_TAG_OFFSET_TIME_DIGITIZED, in: EXIF_IFD_EXIF, text: zone)
        }
    }

    private func write(_ location: Location, to block: EXIFBlock) throws(ImageError) {
        guard (-90...90).contains(location.latitude), (-180...180).contains(location.longitude) else {
            throw ImageError(
                .invalidInput,
                "the location \(location.latitude), \(location.longitude) is not within ±90 and ±180 degrees")
        }
        let gps = EXIF_IFD_GPS
        try block.setGPSVersion()
        try block.set(GPSTag.latitudeReference, in: gps, text: location.latitude < 0 ? "S" : "N")
        try block.set(GPSTag.latitude, in: gps, rationals: Self.degrees(location.latitude))
        try block.set(GPSTag.longitudeReference, in: gps, text: location.longitude < 0 ? "W" : "E")
        try block.set(GPSTag.longitude, in: gps, rationals: Self.degrees(location.longitude))
        if let altitude = location.altitude {
            try block.set(GPSTag.altitudeReference, in: gps, bytes: [altitude < 0 ? 1 : 0])
            try block.set(GPSTag.altitude, in: gps, rationals: [abs(altitude)])
        }
        if let time = location.time {
            try block.set(
                GPSTag.time, in: gps, rationals: [Double(time.hour), Double(time.minute), Double(time.second)])
            try block.set(GPSTag.date, in: gps, text: time.dateText)
        }
        if let heading = location.heading {
            try block.set(GPSTag.headingReference, in: gps, text: "T")  // true north
            try block.set(GPSTag.heading, in: gps, rationals: [heading])
        }
    }

    /// Splits an angle into degrees, minutes, and seconds with four decimal places (a resolution of 3 mm).
    private static func degrees(_ angle: Double) -> [Double] {
        let units = Int((abs(angle) * 36_000_000).rounded())
        return [Double(units / 36_000_000), Double(units / 600_000 % 60), Double(units % 600_000) / 10_000]
    }
}

/// Returns a number with leading zeros up to `count` digits.
func digits(_ number: Int, count: Int) -> String {
    let text = String(max(0, number))
    return String(repeating: "0", count: max(0, count - text.count)) + text
}
