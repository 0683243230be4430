import CEXIF
import Foundation
import PixelKernels

/// The tags of the GPS directory; libexif defines them as macros that Swift cannot import.
enum GPSTag {
    static let version = ExifTag(rawValue: 0x00)
    static let latitudeReference = ExifTag(rawValue: 0x01)
    static let latitude = ExifTag(rawValue: 0x02)
    static let longitudeReference = ExifTag(rawValue: 0x03)
    static let longitude = ExifTag(rawValue: 0x04)
    static let altitudeReference = ExifTag(rawValue: 0x05)
    static let altitude = ExifTag(rawValue: 0x06)
    static let time = ExifTag(rawValue: 0x07)
    static let destinationLatitude = ExifTag(rawValue: 0x14)
    static let destinationLongitude = ExifTag(rawValue: 0x16)
    static let headingReference = ExifTag(rawValue: 0x10)
    static let heading = ExifTag(rawValue: 0x11)
    static let date = ExifTag(rawValue: 0x1D)
}

/// An EXIF block in libexif's memory, with typed access to its entries.
///
/// - Important: Confined to one thread at a time.
final class EXIFBlock {
    static let sensitivityType = ExifTag(rawValue: 0x8830)
    static let recommendedExposureIndex = ExifTag(rawValue: 0x8832)

    private let data: UnsafeMutablePointer<ExifData>
    private let memory: OpaquePointer

    /// Creates an empty block.
    init() throws(ImageError) {
        guard let data = exif_data_new(), let memory = exif_mem_new_default() else {
            throw ImageError(.outOfMemory, "libexif could not be initialized")
        }
        self.data = data
        self.memory = memory
        exif_data_set_byte_order(data, EXIF_BYTE_ORDER_INTEL)
    }

    /// Parses a block as stored in a file. libexif reads the first 65,534 bytes; the entries of a larger
    /// block, which only files other than JPEG can contain, are read as far as they are in these bytes.
    convenience init(encoded: Data) throws(ImageError) {
        guard encoded.starts(with: EXIFBlock.signature) else {
            throw ImageError(.damaged, "the data is not an EXIF block: it does not begin with 'Exif'")
        }
        try self.init()
        // Entries are read unchanged: by default, libexif removes and adds some of them.
        exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
        exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
        encoded.withUnsafeBytes { bytes in
            exif_data_load_data(
                data, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(clamping: bytes.count))
        }
    }

    deinit {
        exif_data_unref(data)
        exif_mem_unref(memory)
    }

    /// The bytes at the start of a block.
    static let signature = Data("Exif\0\0".utf8)

    /// Returns the block as stored in a file.
    func encoded() throws(ImageError) -> Data {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: UInt32 = 0
        exif_data_save_data(data, &bytes, &count)
        guard let bytes, count > 0 else { throw ImageError(.outOfMemory, "libexif could not write the EXIF block") }
        defer { free(bytes) }
        return Data(bytes: bytes, count: Int(count))
    }

    func content(_ directory: ExifIfd) -> UnsafeMutablePointer<ExifContent>? {
        let contents = data.pointee.ifd
        return switch directory {
        case EXIF_IFD_0: contents.0
        case EXIF_IFD_1: contents.1
        case EXIF_IFD_EXIF: contents.2
        case EXIF_IFD_GPS: contents.3
        case EXIF_IFD_INTEROPERABILITY: contents.4
        default: nil
        }
    }

    // MARK: Writing

    func set(_ tag: ExifTag, in directory: ExifIfd, text: String) throws(ImageError) {
        let bytes = Array(text.utf8.filter { $0 != 0 }) + [0]
        try set(tag, in: directory, EXIF_FORMAT_ASCII, components: bytes.count, bytes)
    }

    func set(_ tag: ExifTag, in directory: ExifIfd, undefined bytes: [UInt8]) throws(ImageError) {
        try set(tag, in: directory, EXIF_FORMAT_UNDEFINED, components: bytes.count, bytes)
    }

    func set(_ tag: ExifTag, in directory: ExifIfd, bytes: [UInt8]) throws(ImageError) {
        try set(tag, in: directory, EXIF_FORMAT_BYTE, components: bytes.count, bytes)
    }

    /// Stores the required version of the GPS directory: 2.3.
    func setGPSVersion() throws(ImageError) { try set(GPSTag.version, in: EXIF_IFD_GPS, bytes: [2, 3, 0, 0]) }

    /// Stores a comment in ASCII if possible, else in Unicode.
    func set(_ tag: ExifTag, in directory: ExifIfd, comment: String) throws(ImageError) {
        let isASCII = comment.utf8.allSatisfy { $0 < 128 }
        let text = isASCII ? Array(comment.utf8) : comment.utf16.flatMap { Self.littleEndian($0) }
        try set(tag, in: directory, undefined: (isASCII ? Self.asciiComment : Self.unicodeComment) + text)
    }

    private static let asciiComment = Array("ASCII\0\0\0".utf8)
    private static let unicodeComment = Array("UNICODE\0".utf8)

    func set(_ tag: ExifTag, in directory: ExifIfd, short value: Int) throws(ImageError) {
        try set(tag, in: directory, shorts: [value])
    }

    func set(_ tag: ExifTag, in directory: ExifIfd, shorts values: [Int]) throws(ImageError) {
        var bytes: [UInt8] = []
        for value in values {
            guard let number = UInt16(exactly: value) else { throw Self.outOfRange(tag, value) }
            bytes += Self.littleEndian(number)
        }
        try set(tag, in: directory, EXIF_FORMAT_SHORT, components: values.count, bytes)
    }

    func set(_ tag: ExifTag, in directory: ExifIfd, long value: Int) throws(ImageError) {
        guard let number = UInt32(exactly: value) else { throw Self.outOfRange(tag, value) }
        try set(tag, in: directory, EXIF_FORMAT_LONG, components: 1, Self.littleEndian(number))
    }

    func set(
        _ tag: ExifTag, in directory: ExifIfd, rationals values: [Double], isSigned: Bool = false
    ) throws(ImageError) {
        var bytes: [UInt8] = []
        for value in values {
            guard let rational = EXIFRational(value), isSigned || value >= 0 else { throw Self.outOfRange(tag, value) }
            bytes += Self.littleEndian(Int32(truncatingIfNeeded: rational.numerator))
            bytes += Self.littleEndian(Int32(truncatingIfNeeded: rational.denominator))
        }
        let format = isSigned ? EXIF_FORMAT_SRATIONAL : EXIF_FORMAT_RATIONAL
        try set(tag, in: directory, format, components: values.count, bytes)
    }

    /// Stores a JPEG file as the thumbnail; libexif writes the tags with its offset and size.
    func setThumbnail(_ file: Data) throws(ImageError) {
        guard let storage = exif_mem_alloc(memory, UInt32(file.count)) else {
            throw ImageError(.outOfMemory, "libexif could not store a thumbnail")
        }
        let bytes = storage.assumingMemoryBound(to: UInt8.self)
        file.copyBytes(to: bytes, count: file.count)
        if let old = data.pointee.data { exif_mem_free(memory, old) }
        data.pointee.data = bytes
        data.pointee.size = UInt32(file.count)
        let directory = EXIF_IFD_1
        // The compression 6 is JPEG.
        try set(EXIF_TAG_COMPRESSION, in: directory, short: 6)
        try set(EXIF_TAG_X_RESOLUTION, in: directory, rationals: [72])
        try set(EXIF_TAG_Y_RESOLUTION, in: directory, rationals: [72])
        try set(EXIF_TAG_RESOLUTION_UNIT, in: directory, short: 2)
    }

    private static func outOfRange(_ tag: ExifTag, _ value: any CustomStringConvertible) -> ImageError {
        let number = String(tag.rawValue, radix: 16)
        return ImageError(.invalidInput, "the EXIF tag 0x\(number) cannot contain \(value)")
    }

    private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private func set(
        _ tag: ExifTag, in directory: ExifIfd, _ format: ExifFormat, components: Int, _ bytes: [UInt8]
    ) throws(ImageError) {
        guard let content = content(directory), let entry = exif_entry_new_mem(memory),
            let storage = exif_mem_alloc(memory, UInt32(bytes.count))
        else { throw ImageError(.outOfMemory, "libexif could not add an entry") }
        storage.copyMemory(from: bytes, byteCount: bytes.count)
        entry.pointee.tag = tag
        entry.pointee.format = format
        entry.pointee.components = UInt(components)
        entry.pointee.size = UInt32(bytes.count)
        entry.pointee.data = storage.assumingMemoryBound(to: UInt8.self)
        exif_content_add_entry(content, entry)
        exif_entry_unref(entry)
    }

    // MARK: Reading

    /// The JPEG file of the thumbnail; nil if there is none.
    var thumbnail: Data? {
        guard let bytes = data.pointee.data, data.pointee.size > 0 else { return nil }
        return Data(bytes: bytes, count: Int(data.pointee.size))
    }

    private func entry(_ tag: ExifTag, in directory: ExifIfd) -> ExifEntry? {
        guard let content = content(directory), let entry = exif_content_get_entry(content, tag),
            entry.pointee.data != nil
        else { return nil }
        return entry.pointee
    }

    func text(_ tag: ExifTag, in directory: ExifIfd) -> String? {
        guard let entry = entry(tag, in: directory), entry.format == EXIF_FORMAT_ASCII else { return nil }
        let bytes = UnsafeBufferPointer(start: entry.data, count: Int(entry.size))
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Returns the bytes of an entry.
    func bytes(_ tag: ExifTag, in directory: ExifIfd) -> Data? {
        entry(tag, in: directory).map { Data(bytes: $0.data, count: Int($0.size)) }
    }

    /// Returns a comment in ASCII or Unicode; nil if it has another encoding.
    func comment(_ tag: ExifTag, in directory: ExifIfd) -> String? {
        guard let entry = entry(tag, in: directory), entry.size >= 8 else { return nil }
        let bytes = Array(UnsafeBufferPointer(start: entry.data, count: Int(entry.size)))
        let text = Array(bytes.dropFirst(8))
        switch Array(bytes.prefix(8)) {
        case Self.asciiComment:
            return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        case Self.unicodeComment:
            let isLittleEndian = exif_data_get_byte_order(data) == EXIF_BYTE_ORDER_INTEL
            let units = stride(from: 0, to: text.count - 1, by: 2).map { index in
                let (first, second) = (UInt16(text[index]), UInt16(text[index + 1]))
                return isLittleEndian ? first | second << 8 : first << 8 | second
            }
            return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
        default:
            return nil
        }
    }

    /// Returns the first integer of an entry.
    func integer(_ tag: ExifTag, in directory: ExifIfd) -> Int? { integers(tag, in: directory).first }

    /// Returns the integers of an entry; empty if it has another format.
    func integers(_ tag: ExifTag, in directory: ExifIfd) -> [Int] {
        guard let entry = entry(tag, in: directory) else { return [] }
        let order = exif_data_get_byte_order(data)
        func values(size: Int, _ read: (UnsafeMutablePointer<UInt8>) -> Int) -> [Int] {
            (0..<min(Int(entry.components), Int(entry.size) / size)).map { read(entry.data + size * $0) }
        }
        return switch entry.format {
        case EXIF_FORMAT_BYTE, EXIF_FORMAT_UNDEFINED: values(size: 1) { Int($0[0]) }
        case EXIF_FORMAT_SHORT: values(size: 2) { Int(exif_get_short($0, order)) }
        case EXIF_FORMAT_LONG: values(size: 4) { Int(exif_get_long($0, order)) }
        default: []
        }
    }

    /// Returns the fractions of an entry as floating point; empty if it has another format or a denominator is 0.
    func rationals(_ tag: ExifTag, in directory: ExifIfd) -> [Double] {
        guard let entry = entry(tag, in: directory) else { return [] }
        let order = exif_data_get_byte_order(data)
        let count = min(Int(entry.components), Int(entry.size) / 8)
        let values = (0..<count).map { index -> Double? in
            let position = entry.data + 8 * index
            switch entry.format {
            case EXIF_FORMAT_RATIONAL:
                let number = exif_get_rational(position, order)
                return EXIFRational(numerator: Int64(number.numerator), denominator: Int64(number.denominator)).value
            case EXIF_FORMAT_SRATIONAL:
                let number = exif_get_srational(position, order)
                return EXIFRational(numerator: Int64(number.numerator), denominator: Int64(number.denominator)).value
            default:
                return nil
            }
        }
        let valid = values.compactMap { $0 }
        return valid.count == values.count ? valid : []
    }
}
