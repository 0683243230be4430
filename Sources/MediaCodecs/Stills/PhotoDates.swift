import CEXIF

/// The dates of a photo by their meaning; nil if a date is missing, or consists of zeros or blanks.
struct PhotoDates {
    /// When the photo was taken.
    var original: EXIF.Moment?
    /// When it was stored: for a scan, later than the original.
    var digitized: EXIF.Moment?
    /// When the file was last changed.
    var modified: EXIF.Moment?
    /// When the position was determined.
    var positioned: EXIF.Moment?

    /// The best known moment of the shot, in the order of common tools: DateTimeOriginal, CreateDate, ModifyDate, and
    /// the date of GPS.
    var creation: EXIF.Moment? { recorded ?? positioned }

    /// The best known moment by the clock of the camera.
    var recorded: EXIF.Moment? { original ?? digitized ?? modified }

    /// Creates dates that are all missing.
    init() {}

    /// Reads the dates of an EXIF block, each with its own fraction and offset.
    init(_ block: EXIFBlock) {
        func moment(_ tag: ExifTag, _ directory: ExifIfd, _ fraction: ExifTag, _ offset: ExifTag) -> EXIF.Moment? {
            EXIF.Moment(
                text: block.text(tag, in: directory) ?? "", fraction: block.text(fraction, in: EXIF_IFD_EXIF),
                offset: block.text(offset, in: EXIF_IFD_EXIF))
        }
        original = moment(
            EXIF_TAG_DATE_TIME_ORIGINAL, EXIF_IFD_EXIF, EXIF_TAG_SUB_SEC_TIME_ORIGINAL, EXIF_TAG_OFFSET_TIME_ORIGINAL)
        digitized = moment(
            EXIF_TAG_DATE_TIME_DIGITIZED, EXIF_IFD_EXIF, EXIF_TAG_SUB_SEC_TIME_DIGITIZED,
            EXIF_TAG_OFFSET_TIME_DIGITIZED)
        modified = moment(EXIF_TAG_DATE_TIME, EXIF_IFD_0, EXIF_TAG_SUB_SEC_TIME, EXIF_TAG_OFFSET_TIME)
        let time = block.rationals(GPSTag.time, in: EXIF_IFD_GPS)
        if time.count == 3, time.allSatisfy({ (0..<100).contains($0) }) {
            let clock = "\(Int(time[0])):\(Int(time[1])):\(Int(time[2]))Z"
            positioned = EXIF.Moment(text: (block.text(GPSTag.date, in: EXIF_IFD_GPS) ?? "") + " " + clock)
        }
    }

    /// Adds dates of a source with a lower priority, if they are missing.
    mutating func add(_ other: PhotoDates) {
        original = original ?? other.original
        digitized = digitized ?? other.digitized
        modified = modified ?? other.modified
        positioned = positioned ?? other.positioned
    }
}

extension PhotoDates {
    /// Reads the dates of an XMP packet.
    init(_ packet: XMPPacket) {
        func first(_ properties: [(XMPPacket.Namespace, String)]) -> EXIF.Moment? {
            properties.lazy.compactMap { packet.value($0.0, $0.1) }.compactMap { EXIF.Moment(text: $0) }.first
        }
        original = first([(.exif, "DateTimeOriginal"), (.photoshop, "DateCreated")])
        digitized = first([(.exif, "DateTimeDigitized"), (.xmp, "CreateDate")])
        modified = first([(.tiff, "DateTime"), (.xmp, "ModifyDate")])
        positioned = first([(.exif, "GPSTimeStamp")])
    }

    /// Reads the dates of the text and time chunks of a PNG file.
    init(_ chunks: PNGChunks) {
        digitized = chunks.texts.first { $0.keyword == "Creation Time" }
            .flatMap { EXIF.Moment(text: $0.text) ?? EXIF.Moment(mailText: $0.text) }
        modified = chunks.modificationTime
    }
}
