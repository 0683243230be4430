import Foundation

/// An image file directory of TIFF (TIFF 6.0, section 2), with its subdirectories and its image.
///
/// Values are in little-endian order, also those of a big-endian file.
struct TIFFDirectory {
    /// The types of values in use; the raw value is that of the file.
    enum ValueType: UInt16, CaseIterable {
        case byte = 1
        case ascii = 2
        case short = 3
        case long = 4
        case rational = 5
        case signedByte = 6
        case undefined = 7
        case signedShort = 8
        case signedLong = 9
        case signedRational = 10
        case float = 11
        case double = 12

        /// The bytes of one value.
        var byteCount: Int {
            switch self {
            case .byte, .ascii, .signedByte, .undefined: 1
            case .short, .signedShort: 2
            case .long, .signedLong, .float: 4
            case .rational, .signedRational, .double: 8
            }
        }

        /// The bytes, in the byte order of the file.
        fileprivate var orderedByteCount: Int {
            self == .rational || self == .signedRational ? 4 : byteCount
        }
    }

    /// The values of a tag.
    struct Entry: Equatable {
        var type: ValueType
        var data: Data

        /// The number of values.
        var count: Int { data.count / type.byteCount }
    }

    /// A tag of TIFF, EXIF or DNG; the raw value is its number.
    enum Tag: UInt16 {
        case newSubfileType = 254
        case imageWidth = 256
        case imageHeight = 257
        case bitsPerSample = 258
        case compression = 259
        case photometricInterpretation = 262
        case stripOffsets = 273
        case samplesPerPixel = 277
        case rowsPerStrip = 278
        case stripByteCounts = 279
        case planarConfiguration = 284
        case subdirectories = 330
        case jpegOffset = 513
        case jpegByteCount = 514
        case chromaSubsampling = 530
        case chromaPositioning = 531
        case xmp = 700
        case cfaRepeatPatternSize = 33421
        case cfaPattern = 33422
        case exifDirectory = 34665
        case gpsDirectory = 34853
        case dngVersion = 50706
        case dngBackwardVersion = 50707
        case uniqueCameraModel = 50708
        case cfaPlaneColor = 50710
        case cfaLayout = 50711
        case blackLevelRepeatSize = 50713
        case blackLevel = 50714
        case whiteLevel = 50717
        case defaultScale = 50718
        case defaultCropOrigin = 50719
        case defaultCropSize = 50720
        case colorMatrix1 = 50721
        case colorMatrix2 = 50722
        case asShotNeutral = 50728
        case baselineExposure = 50730
        case calibrationIlluminant1 = 50778
        case calibrationIlluminant2 = 50779
        case activeArea = 50829
        case forwardMatrix1 = 50964
        case forwardMatrix2 = 50965
        case previewColorSpace = 50970
        case noiseProfile = 51041
    }

    /// The values by tag number, except the offsets of subdirectories and of the image.
    var entries: [UInt16: Entry] = [:]
    /// The subdirectories by the number of the tag with their offsets.
    var subdirectories: [UInt16: [TIFFDirectory]] = [:]
    /// The data of the image, in one strip; nil for none.
    var image: Data?

    // MARK: Values

    subscript(_ tag: Tag) -> Entry? {
        get { entries[tag.rawValue] }
        set { entries[tag.rawValue] = newValue }
    }

    mutating func set(_ tag: Tag, bytes: [UInt8]) { self[tag] = Entry(type: .byte, data: Data(bytes)) }

    mutating func set(_ tag: Tag, text: String) {
        self[tag] = Entry(type: .ascii, data: Data(text.utf8.filter { $0 != 0 }) + Data([0]))
    }

    mutating func set(_ tag: Tag, shorts values: [Int]) {
        self[tag] = Entry(type: .short, data: Self.data(values.map { UInt16(clamping: $0) }))
    }

    mutating func set(_ tag: Tag, longs values: [Int]) {
        self[tag] = Entry(type: .long, data: Self.data(values.map { UInt32(clamping: $0) }))
    }

    /// Stores fractions with a denominator of 1,000,000.
    mutating func set(_ tag: Tag, fractions values: [Double], isSigned: Bool = false) {
        let parts = values.flatMap { value -> [Int32] in
            let numerator = Int32(clamping: Int((value * 1e6).rounded()))
            return [isSigned ? numerator : max(0, numerator), 1_000_000]
        }
        self[tag] = Entry(type: isSigned ? .signedRational : .rational, data: Self.data(parts))
    }

    mutating func set(_ tag: Tag, doubles values: [Double]) {
        self[tag] = Entry(type: .double, data: Self.data(values.map(\.bitPattern)))
    }

    private static func data<Number: FixedWidthInteger>(_ numbers: [Number]) -> Data {
        numbers.reduce(into: Data()) { data, number in
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
    }

    /// Returns the unsigned integers of a tag, or the whole part of its fractions; empty if there are none.
    func integers(_ tag: Tag) -> [Int] {
        guard let entry = self[tag] else { return [] }
        let size = entry.type.orderedByteCount
        let bytes = [UInt8](entry.data)
        let numbers = stride(from: 0, to: bytes.count / size * size, by: size).map { offset in
            bytes[offset..<offset + min(size, 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        switch entry.type {
        case .byte, .short, .long: return numbers
        case .rational:
            return stride(from: 0, to: numbers.count / 2 * 2, by: 2)
                .map { numbers[$0 + 1] == 0 ? 0 : numbers[$0] / numbers[$0 + 1] }
        case .ascii, .signedByte, .undefined, .signedShort, .signedLong, .signedRational, .float, .double: return []
        }
    }
}

// MARK: Reading

extension TIFFDirectory {
    /// The maximum depth of subdirectories, and the maximum number of those with one tag.
    private static let (maximumDepth, maximumCount) = (3, 16)

    /// Reads the first directory of a file, with its subdirectories and images. Entries of an unknown type, or that
    /// extend beyond the file, are ignored.
    ///
    /// - Returns: Nil if the data are not a TIFF file.
    init?(file: Data) {
        let bytes = [UInt8](file.prefix(8))
        guard bytes.count == 8 else { return nil }
        let isBigEndian: Bool
        switch [bytes[0], bytes[1]] {
        case Array("II".utf8): isBigEndian = false
        case Array("MM".utf8): isBigEndian = true
        default: return nil
        }
        let reader = TIFFReader(file: file, isBigEndian: isBigEndian)
        guard reader.integer(at: 2, byteCount: 2) == 42, let offset = reader.integer(at: 4, byteCount: 4) else {
            return nil
        }
        self.init(reader, offset: offset, depth: 0)
    }

    private init?(_ reader: TIFFReader, offset: Int, depth: Int) {
        guard depth < Self.maximumDepth, let count = reader.integer(at: offset, byteCount: 2) else { return nil }
        for index in 0..<count {
            let position = offset + 2 + 12 * index
            guard let number = reader.integer(at: position, byteCount: 2) else { break }
            let code = reader.integer(at: position + 2, byteCount: 2)
            guard let type = code.flatMap({ ValueType(rawValue: UInt16($0)) }),
                let valueCount = reader.integer(at: position + 4, byteCount: 4)
            else { continue }
            let byteCount = valueCount * type.byteCount
            guard let start = byteCount > 4 ? reader.integer(at: position + 8, byteCount: 4) : position + 8,
                let data = reader.data(at: start, byteCount: byteCount, orderedByteCount: type.orderedByteCount)
            else { continue }
            entries[UInt16(number)] = Entry(type: type, data: data)
        }
        for tag in [Tag.subdirectories, .exifDirectory, .gpsDirectory] {
            let offsets = integers(tag).prefix(Self.maximumCount)
            let directories = offsets.compactMap { TIFFDirectory(reader, offset: $0, depth: depth + 1) }
            if !directories.isEmpty { subdirectories[tag.rawValue] = directories }
            self[tag] = nil
        }
        let strips = zip(integers(.stripOffsets), integers(.stripByteCounts))
            .map { reader.data(at: $0, byteCount: $1) }
        if !strips.isEmpty, !strips.contains(nil) { image = strips.compactMap { $0 }.reduce(Data(), +) }
    }
}

/// Reads numbers of a TIFF file.
private struct TIFFReader {
    let file: Data
    let isBigEndian: Bool

    func integer(at offset: Int, byteCount: Int) -> Int? {
        data(at: offset, byteCount: byteCount, orderedByteCount: byteCount)?.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns a part of the file in little-endian order; nil if it extends beyond the file.
    func data(at offset: Int, byteCount: Int, orderedByteCount: Int = 1) -> Data? {
        guard offset >= 0, byteCount >= 0, offset <= file.count, byteCount <= file.count - offset else { return nil }
        let start = file.startIndex + offset
        let part = file[start..<start + byteCount]
        guard isBigEndian, orderedByteCount > 1 else { return Data(part) }
        let bytes = [UInt8](part)
        return Data(
            stride(from: 0, to: byteCount, by: orderedByteCount)
                .flatMap { bytes[$0..<min($0 + orderedByteCount, byteCount)].reversed() })
    }
}

// MARK: Writing

extension TIFFDirectory {
    /// Returns the contents of a file in little-endian order: the header, this directory with its values, the
    /// subdirectories, then the images in the same order.
    func fileData() -> Data {
        var offset = 8
        var images: [Data] = []
        // The images follow all directories, so that readers find the metadata in the first bytes of the file.
        var imageOffset = 8 + totalByteCount
        var file = Data("II".utf8) + Self.data([UInt16(42)]) + Self.data([UInt32(8)])
        append(to: &file, &offset, &imageOffset, &images)
        for image in images { file += image + Data(count: image.count % 2) }
        return file
    }

    /// The entries in the file, including those with offsets.
    private var storedEntryCount: Int { entries.count + subdirectories.count + (image == nil ? 0 : 2) }

    /// The bytes of this directory and its values.
    private var byteCount: Int {
        let offsets = subdirectories.values.reduce(0) { $0 + ($1.count > 1 ? 4 * $1.count : 0) }
        let values = entries.values.reduce(0) { $0 + ($1.data.count > 4 ? ($1.data.count + 1) / 2 * 2 : 0) }
        return 2 + 12 * storedEntryCount + 4 + offsets + values
    }

    private var totalByteCount: Int {
        subdirectories.values.reduce(byteCount) { $0 + $1.reduce(0) { $0 + $1.totalByteCount } }
    }

    /// Appends the directory and its subdirectories.
    ///
    /// - Parameters:
    ///   - offset: The offset of this directory; receives that of the following one.
    ///   - imageOffset: The offset of the first image; receives that of the following one.
    private func append(to file: inout Data, _ offset: inout Int, _ imageOffset: inout Int, _ images: inout [Data]) {
        var stored = entries
        if let image {
            stored[Tag.stripOffsets.rawValue] = Entry(type: .long, data: Self.data([UInt32(imageOffset)]))
            stored[Tag.stripByteCounts.rawValue] = Entry(type: .long, data: Self.data([UInt32(image.count)]))
            imageOffset += (image.count + 1) / 2 * 2
            images.append(image)
        }
        var next = offset + byteCount
        let children = subdirectories.sorted { $0.key < $1.key }
        for (tag, directories) in children {
            let offsets = directories.map { directory in
                defer { next += directory.totalByteCount }
                return UInt32(next)
            }
            stored[tag] = Entry(type: .long, data: Self.data(offsets))
        }
        file += Self.data([UInt16(stored.count)])
        var valueOffset = offset + 2 + 12 * stored.count + 4
        var values = Data()
        for (tag, entry) in stored.sorted(by: { $0.key < $1.key }) {
            file += Self.data([tag, entry.type.rawValue]) + Self.data([UInt32(entry.count)])
            if entry.data.count > 4 {
                file += Self.data([UInt32(valueOffset)])
                let padded = entry.data + Data(count: entry.data.count % 2)
                values += padded
                valueOffset += padded.count
            } else {
                file += entry.data + Data(count: 4 - entry.data.count)
            }
        }
        file += Self.data([UInt32(0)]) + values
        offset += byteCount
        for (_, directories) in children {
            for directory in directories { directory.append(to: &file, &offset, &imageOffset, &images) }
        }
    }
}
