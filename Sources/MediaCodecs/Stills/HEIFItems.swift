import Foundation

/// The items of a HEIF file, with their references, properties and locations (ISO/IEC 14496-12, 8.11).
struct HEIFItems {
    private struct Item {
        var type = ""
        /// The MIME type of an item of the type `mime`.
        var contentType = ""
    }

    private struct Location {
        /// 0: `extents` are in the file; 1: in the box `idat`.
        var method = 0
        var extents: [(offset: Int, count: Int)] = []
    }

    private enum Property {
        /// `ispe`.
        case size(width: Int, height: Int)
        /// `clap`.
        case crop(width: Int, height: Int)
        /// `irot`: the number of quarters of a turn.
        case rotation(Int)
        /// `auxC`: the type of an auxiliary image.
        case auxiliary(String)
        /// `colr` with the type `nclx`: the code point of the primaries (ITU-T H.273, table 2).
        case primaries(Int)
        /// `colr` with the type `prof` or `rICC`.
        case colorProfile(Data)
        case other
    }

    /// The number of the primary item.
    private(set) var primary = 0
    private var items: [Int: Item] = [:]
    private var locations: [Int: Location] = [:]
    /// The properties in file order; items refer to them by their number, which begins at 1.
    private var properties: [Property] = []
    private var propertyNumbers: [Int: [Int]] = [:]
    private var references: [(type: String, from: Int, to: [Int])] = []
    private var itemData = Data()

    static let xmpType = "application/rdf+xml"
    /// The largest number of parts of an item that is read.
    private static let maximumExtentCount = 4096

    /// Parses a box `meta`.
    init(_ meta: MemoryBox) throws(ByteReader.UnexpectedEnd) {
        var meta = meta
        _ = try meta.versionAndFlags()
        for box in meta.body.boxes() {
            switch box.type {
            case "pitm":
                var box = box
                primary = try Self.number(isLong: try box.versionAndFlags().version > 0, &box.body)
            case "iinf": try readItems(box)
            case "iloc": try readLocations(box)
            case "iref": try readReferences(box)
            case "iprp": try readProperties(box)
            case "idat":
                var body = box.body
                itemData = body.rest()
            default: break
            }
        }
    }

    private static func number(isLong: Bool, _ reader: inout ByteReader) throws(ByteReader.UnexpectedEnd) -> Int {
        isLong ? Int(try reader.unsigned32()) : Int(try reader.unsigned16())
    }

    private mutating func readItems(_ box: MemoryBox) throws(ByteReader.UnexpectedEnd) {
        var box = box
        _ = try Self.number(isLong: try box.versionAndFlags().version > 0, &box.body)
        for entry in box.body.boxes() where entry.type == "infe" {
            var entry = entry
            let version = try entry.versionAndFlags().version
            // Earlier versions are not used for images.
            guard version >= 2 else { continue }
            let number = try Self.number(isLong: version > 2, &entry.body)
            try entry.body.skip(2)
            var item = Item(type: try entry.body.code())
            let texts = entry.body.rest().split(separator: 0, omittingEmptySubsequences: false)
            if item.type == "mime", texts.count > 1 { item.contentType = String(decoding: texts[1], as: UTF8.self) }
            items[number] = item
        }
    }

    private mutating func readLocations(_ box: MemoryBox) throws(ByteReader.UnexpectedEnd) {
        var box = box
        let version = try box.versionAndFlags().version
        let sizes = try box.body.unsigned16()
        let (offsetSize, countSize) = (Int(sizes >> 12), Int(sizes >> 8 & 15))
        let (baseSize, indexSize) = (Int(sizes >> 4 & 15), version > 0 ? Int(sizes & 15) : 0)
        let count = try Self.number(isLong: version > 1, &box.body)
        for _ in 0..<count {
            let number = try Self.number(isLong: version > 1, &box.body)
            var location = Location()
            if version > 0 { location.method = Int(try box.body.unsigned16() & 15) }
            try box.body.skip(2)
            let base = try Self.field(baseSize, &box.body)
            let extentCount = Int(try box.body.unsigned16())
            let extentSize = indexSize + offsetSize + countSize
            let readCount = min(extentCount, extentSize > 0 ? Self.maximumExtentCount : 0)
            for _ in 0..<readCount {
                try box.body.skip(indexSize)
                let offset = try Self.field(offsetSize, &box.body)
                location.extents.append((base &+ offset, try Self.field(countSize, &box.body)))
            }
            try box.body.skip((extentCount - readCount) * extentSize)
            locations[number] = location
        }
    }

    /// Reads a number of 0, 4 or 8 bytes.
    private static func field(_ size: Int, _ reader: inout ByteReader) throws(ByteReader.UnexpectedEnd) -> Int {
        switch size {
        case 4: return Int(try reader.unsigned32())
        case 8: return Int(truncatingIfNeeded: try reader.unsigned64())
        default:
            try reader.skip(size)
            return 0
        }
    }

    private mutating func readReferences(_ box: MemoryBox) throws(ByteReader.UnexpectedEnd) {
        var box = box
        let isLong = try box.versionAndFlags().version > 0
        for reference in box.body.boxes() {
            var body = reference.body
            let from = try Self.number(isLong: isLong, &body)
            let count = Int(try body.unsigned16())
            var to: [Int] = []
            for _ in 0..<count { to.append(try Self.number(isLong: isLong, &body)) }
            references.append((reference.type, from, to))
        }
    }

    private mutating func readProperties(_ box: MemoryBox) throws(ByteReader.UnexpectedEnd) {
        for part in box.body.boxes() {
            if part.type == "ipco" {
                for property in part.body.boxes() { properties.append(try Self.property(property)) }
            } else if part.type == "ipma" {
                var part = part
                let (version, flags) = try part.versionAndFlags()
                let count = Int(try part.body.unsigned32())
                for _ in 0..<count {
                    let number = try Self.number(isLong: version > 0, &part.body)
                    let associationCount = Int(try part.body.unsigned8())
                    var numbers: [Int] = []
                    for _ in 0..<associationCount {
                        // The first bit is whether the property is essential.
                        let isWide = flags & 1 == 1
                        numbers.append(
                            isWide ? Int(try part.body.unsigned16() & 0x7FFF) : Int(try part.body.unsigned8() & 0x7F))
                    }
                    propertyNumbers[number] = numbers
                }
            }
        }
    }

    private static func property(_ box: MemoryBox) throws(ByteReader.UnexpectedEnd) -> Property {
        var box = box
        switch box.type {
        case "ispe":
            _ = try box.versionAndFlags()
            return .size(width: Int(try box.body.unsigned32()), height: Int(try box.body.unsigned32()))
        case "clap":
            var values: [Int] = []
            for _ in 0..<4 { values.append(Int(try box.body.unsigned32())) }
            guard values[1] > 0, values[3] > 0 else { return .other }
            return .crop(width: values[0] / values[1], height: values[2] / values[3])
        case "irot": return .rotation(Int(try box.body.unsigned8() & 3))
        case "auxC":
            _ = try box.versionAndFlags()
            return .auxiliary(String(decoding: box.body.rest().prefix { $0 != 0 }, as: UTF8.self))
        case "colr":
            switch try box.body.code() {
            case "nclx": return .primaries(Int(try box.body.unsigned16()))
            case "prof", "rICC": return .colorProfile(box.body.rest())
            default: return .other
            }
        default: return .other
        }
    }

    private func properties(of item: Int) -> [Property] {
        (propertyNumbers[item] ?? []).compactMap { properties.indices.contains($0 - 1) ? properties[$0 - 1] : nil }
    }

    /// Returns the size of an image after its crop and rotation; nil if it has none.
    func size(of item: Int) -> (width: Int, height: Int)? {
        guard items[item] != nil else { return nil }
        var size: (width: Int, height: Int)?
        for property in properties(of: item) {
            switch property {
            case .size(let width, let height) where width > 0 && height > 0: size = (width, height)
            case .crop(let width, let height) where width > 0 && height > 0: size = (width, height)
            case .rotation(let quarters) where quarters % 2 == 1: size = size.map { ($0.height, $0.width) }
            case .size, .crop, .rotation, .auxiliary, .primaries, .colorProfile, .other: break
            }
        }
        return size
    }

    /// Whether the primary image has the colors of Display P3. A color profile takes precedence.
    var isDisplayP3: Bool {
        var primaries = 0
        for property in properties(of: primary) {
            switch property {
            case .colorProfile(let profile): return ICCProfile.isDisplayP3(profile)
            case .primaries(let code): primaries = code
            case .size, .crop, .rotation, .auxiliary, .other: break
            }
        }
        return primaries == Int(ColorDescription.displayP3Primaries)
    }

    /// The auxiliary images of the primary image, in file order.
    var auxiliaryImages: [(item: Int, type: String)] {
        references.filter { $0.type == "auxl" && $0.to.contains(primary) }.flatMap { reference in
            properties(of: reference.from).compactMap { property in
                guard case .auxiliary(let type) = property else { return nil }
                return (reference.from, type)
            }
        }
    }

    /// Whether an auxiliary image contains the alpha of the primary image.
    var hasAlpha: Bool {
        auxiliaryImages.contains { $0.type.hasSuffix(":auxid:1") || $0.type.hasSuffix("alpha") }
    }

    /// Returns the number of the item with the XMP packet of an image; nil if it has none of its own.
    func xmp(of image: Int) -> Int? {
        items.filter { $0.value.type == "mime" && $0.value.contentType == Self.xmpType }.keys.sorted().first { item in
            references.contains { $0.type == "cdsc" && $0.from == item && $0.to.contains(image) }
        }
    }

    /// Returns the number of the item with metadata of the primary image; nil if there is none.
    func metadata(type: String, contentType: String = "") -> Int? {
        let matching = items.filter { $0.value.type == type && $0.value.contentType == contentType }.keys.sorted()
        let described = matching.first { item in
            references.contains { $0.type == "cdsc" && $0.from == item && $0.to.contains(primary) }
        }
        // An item without a reference describes the file; with one, another image, such as a depth map.
        return described ?? matching.first { item in !references.contains { $0.type == "cdsc" && $0.from == item } }
    }

    /// Returns the contents of an item; nil if a part of it is not in the file.
    func data(ofItem number: Int?, in file: [UInt8]) -> Data? {
        guard let location = number.flatMap({ locations[$0] }), location.method <= 1 else { return nil }
        let source = location.method == 0 ? file : [UInt8](itemData)
        var data = Data()
        for extent in location.extents {
            guard extent.offset >= 0, extent.count >= 0, extent.offset <= source.count,
                extent.count <= source.count - extent.offset, data.count + extent.count <= source.count
            else { return nil }
            data += source[extent.offset..<extent.offset + extent.count]
        }
        return data
    }
}
