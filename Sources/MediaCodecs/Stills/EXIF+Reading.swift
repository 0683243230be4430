import CEXIF
public import Foundation
import MediaTypes
public import PixelKernels

extension EXIF {
    /// Parses a block that begins with `Exif` and two zero bytes. Properties that cannot be read are nil.
    ///
    /// - Throws: `.damaged` if the data is not such a block.
    public init(encoded data: Data) throws(ImageError) {
        let block = try EXIFBlock(encoded: data)
        self.init()
        let root = EXIF_IFD_0
        let exif = EXIF_IFD_EXIF
        make = block.text(EXIF_TAG_MAKE, in: root)
        model = block.text(EXIF_TAG_MODEL, in: root)
        software = block.text(EXIF_TAG_SOFTWARE, in: root)
        orientation = block.integer(EXIF_TAG_ORIENTATION, in: root).flatMap { UInt32(exactly: $0) }
            .flatMap { CGImagePropertyOrientation(rawValue: $0) }
        originalTime = PhotoDates(block).recorded
        exposureTime = block.rationals(EXIF_TAG_EXPOSURE_TIME, in: exif).first
        aperture = block.rationals(EXIF_TAG_FNUMBER, in: exif).first
        iso =
            block.integer(EXIFBlock.recommendedExposureIndex, in: exif)
            ?? block.integer(EXIF_TAG_ISO_SPEED_RATINGS, in: exif)
        exposureBias = block.rationals(EXIF_TAG_EXPOSURE_BIAS_VALUE, in: exif).first
        focalLengthMillimeters = block.rationals(EXIF_TAG_FOCAL_LENGTH, in: exif).first
        equivalentFocalLengthMillimeters = block.integer(EXIF_TAG_FOCAL_LENGTH_IN_35MM_FILM, in: exif)
        lensMake = block.text(EXIF_TAG_LENS_MAKE, in: exif)
        lensModel = block.text(EXIF_TAG_LENS_MODEL, in: exif)
        flash = block.integer(EXIF_TAG_FLASH, in: exif).map { Flash(tagValue: $0) }
        whiteBalance = block.integer(EXIF_TAG_WHITE_BALANCE, in: exif).flatMap(WhiteBalance.init)
        pixelWidth = block.integer(EXIF_TAG_PIXEL_X_DIMENSION, in: exif)
        pixelHeight = block.integer(EXIF_TAG_PIXEL_Y_DIMENSION, in: exif)
        colorSpace = block.integer(EXIF_TAG_COLOR_SPACE, in: exif).flatMap(ColorSpace.init)
        location = Self.location(in: block)
        additional = Self.additional(in: block)
        makerApple =
            block.bytes(EXIF_TAG_MAKER_NOTE, in: exif).flatMap { AppleMakerNote($0) }?.values ?? [:]
        thumbnail = block.thumbnail
    }

    private static func location(in block: EXIFBlock) -> Location? {
        let gps = EXIF_IFD_GPS
        func angle(_ tag: ExifTag, _ reference: ExifTag, negative: String) -> Double? {
            let parts = block.rationals(tag, in: gps)
            guard parts.count == 3 else { return nil }
            let value = parts[0] + parts[1] / 60 + parts[2] / 3600
            let direction = block.text(reference, in: gps)?.trimmingCharacters(in: .whitespaces).uppercased()
            return direction == negative ? -value : value
        }
        guard let latitude = angle(GPSTag.latitude, GPSTag.latitudeReference, negative: "S"),
            let longitude = angle(GPSTag.longitude, GPSTag.longitudeReference, negative: "W")
        else { return nil }
        var location = Location(latitude: latitude, longitude: longitude)
        if let altitude = block.rationals(GPSTag.altitude, in: gps).first {
            location.altitude = block.integer(GPSTag.altitudeReference, in: gps) == 1 ? -altitude : altitude
        }
        location.heading = block.rationals(GPSTag.heading, in: gps).first
        let time = block.rationals(GPSTag.time, in: gps)
        let date = (block.text(GPSTag.date, in: gps) ?? "").split(separator: ":").compactMap { Int($0) }
        if time.count == 3, date.count == 3, time.allSatisfy({ (0..<100).contains($0) }) {
            location.time = Moment(
                year: date[0], month: date[1], day: date[2], hour: Int(time[0]), minute: Int(time[1]),
                second: Int(time[2]))
        }
        return location
    }
}
