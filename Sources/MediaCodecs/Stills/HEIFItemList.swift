import Foundation
import MediaTypes

/// Writes the items of a HEIF file and the boxes that describe them (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12).
struct HEIFItemList {
    private struct Item {
        var type: String
        /// The MIME type of an item of the type `mime`.
        var contentType: String?
        /// Whether readers do not show the item as an image of its own.
        var isHidden: Bool
        var data: Data
        /// Whether the data are in the box `idat`, not in `mdat`.
        var isInline = false
        /// The numbers of the properties, in the order in which they apply.
        var properties: [(number: UInt8, isEssential: Bool)] = []
    }

    /// The number of the primary item.
    var primary: UInt16 = 0
    private var items: [Item] = []
    /// The boxes of the properties, each once; items refer to them by their number, which begins at 1.
    private var properties: [[UInt8]] = []
    private var references: [(type: String, from: UInt16, to: [UInt16])] = []
    /// Whether an image has more than 8 bits per component.
    private var hasDeepImage = false

    // MARK: Items

    /// Adds a picture, and its tiles if it has several.
    ///
    /// - Parameter auxiliary: The type of an auxiliary image.
    /// - Returns: The number of the item.
    mutating func add(
        _ picture: HEIFPicture, _ orientation: CGImagePropertyOrientation, isHidden: Bool = false,
        auxiliary: String? = nil
    ) -> UInt16 {
        let number: UInt16
        hasDeepImage = hasDeepImage || picture.bitsPerComponent > 8
        if !picture.isGrid {
            number = addTile(picture.tiles[0], isHidden: isHidden)
        } else {
            let tiles = picture.tiles.map { tile in
                let number = addTile(tile, isHidden: true)
                addSize(picture.tileWidth, picture.tileHeight, to: number)
                addColor(of: picture, to: number)
                return number
            }
            number = add(Item(type: "grid", isHidden: isHidden, data: grid(of: picture), isInline: true))
            refer("dimg", from: number, to: tiles)
        }
        addSize(picture.width, picture.height, to: number)
        addColor(of: picture, to: number)
        if let auxiliary {
            addProperty(to: number, isEssential: true) { builder in
                builder.fullBox("auxC") { box in
                    box.data(auxiliary.utf8)
                    box.unsigned8(0)
                }
            }
        }
        addOrientation(orientation, to: number)
        return number
    }

    /// Adds the XMP packet of an item.
    mutating func addXMP(_ packet: Data, of item: UInt16) {
        let number = add(Item(type: "mime", contentType: "application/rdf+xml", isHidden: true, data: packet))
        refer("cdsc", from: number, to: [item])
    }

    /// Adds the EXIF block of an item.
    ///
    /// - Parameter block: The block as stored in a JPEG file.
    mutating func addEXIF(_ block: Data, of item: UInt16) {
        // The TIFF header follows `Exif` and two zeros, six bytes after the offset itself (ISO/IEC 23008-12, A.2.1).
        let number = add(Item(type: "Exif", isHidden: true, data: Data([0, 0, 0, 6]) + block))
        refer("cdsc", from: number, to: [item])
    }

    mutating func refer(_ type: String, from item: UInt16, to others: [UInt16]) {
        references.append((type, item, others))
    }

    private mutating func add(_ item: Item) -> UInt16 {
        items.append(item)
        return UInt16(items.count)
    }

    private mutating func addTile(_ tile: HEIFPicture.Tile, isHidden: Bool) -> UInt16 {
        let number = add(Item(type: "hvc1", isHidden: isHidden, data: tile.data))
        addProperty(to: number, isEssential: true) { builder in
            builder.box("hvcC") { $0.data(tile.configuration) }
        }
        return number
    }

    /// The description of a grid (ISO/IEC 23008-12, 6.6.2.3).
    private func grid(of picture: HEIFPicture) -> Data {
        var builder = BoxBuilder()
        builder.zeros(2)
        builder.unsigned8(UInt8(picture.tiles.count / picture.columnCount - 1))
        builder.unsigned8(UInt8(picture.columnCount - 1))
        builder.unsigned16(UInt16(picture.width))
        builder.unsigned16(UInt16(picture.height))
        return Data(builder.bytes)
    }

    // MARK: Properties

    private mutating func addProperty(to item: UInt16, isEssential: Bool, _ body: (inout BoxBuilder) -> Void) {
        var builder = BoxBuilder()
        body(&builder)
        let index = properties.firstIndex(of: builder.bytes) ?? properties.count
        if index == properties.count { properties.append(builder.bytes) }
        items[Int(item) - 1].properties.append((UInt8(index + 1), isEssential))
    }

    private mutating func addSize(_ width: Int, _ height: Int, to item: UInt16) {
        addProperty(to: item, isEssential: false) { builder in
            builder.fullBox("ispe") { box in
                box.unsigned32(UInt32(width))
                box.unsigned32(UInt32(height))
            }
        }
    }

    /// Adds the bits of each component, and the colors unless the image has one component.
    ///
    /// Many readers ignore the primaries of `nclx`, so that Display P3 has a color profile as well.
    private mutating func addColor(of picture: HEIFPicture, to item: UInt16) {
        let bits = UInt8(picture.bitsPerComponent)
        addProperty(to: item, isEssential: false) { builder in
            builder.fullBox("pixi") { $0.data(picture.color == nil ? [1, bits] : [3, bits, bits, bits]) }
        }
        guard let color = picture.color else { return }
        if color.primaries == ColorDescription.displayP3Primaries {
            addProperty(to: item, isEssential: false) { builder in
                builder.box("colr") { box in
                    box.code("prof")
                    box.data(ICCProfile.displayP3)
                }
            }
        }
        addProperty(to: item, isEssential: false) { builder in
            builder.box("colr") { box in
                box.code("nclx")
                box.unsigned16(color.primaries)
                box.unsigned16(color.transfer)
                box.unsigned16(color.matrix)
                box.unsigned8(color.isFullRange ? 0x80 : 0)
            }
        }
    }

    private mutating func addOrientation(_ orientation: CGImagePropertyOrientation, to item: UInt16) {
        // Quarters of a turn counterclockwise.
        let quarters = UInt8((360 - orientation.rotation.rawValue) / 90 % 4)
        if quarters > 0 { addProperty(to: item, isEssential: true) { $0.box("irot") { $0.unsigned8(quarters) } } }
        // The axis 1 exchanges left and right (ISO/IEC 23008-12:2022, 6.5.12).
        if orientation.isMirrored { addProperty(to: item, isEssential: true) { $0.box("imir") { $0.unsigned8(1) } } }
    }

    // MARK: The file

    /// Returns the contents of the file: `ftyp`, `meta`, `mdat`.
    func fileData() -> Data {
        var type = BoxBuilder()
        // The profile Main 10 of HEVC excludes the brands of the profile Main (ISO/IEC 23008-12, B.4.1).
        let brands = hasDeepImage ? ["heix", "mif1", "heix", "miaf"] : ["heic", "mif1", "heic", "miaf", "MiHB"]
        type.box("ftyp") { box in
            box.code(brands[0])
            box.unsigned32(0)
            for brand in brands.dropFirst() { box.code(brand) }
        }
        // The size of `meta` does not depend on the offsets in it.
        let start = type.bytes.count + meta(dataOffset: 0).count + 8
        var file = Data(type.bytes + meta(dataOffset: start))
        var header = BoxBuilder()
        header.unsigned32(UInt32(8 + items.reduce(0) { $0 + ($1.isInline ? 0 : $1.data.count) }))
        header.code("mdat")
        file += header.bytes
        for item in items where !item.isInline { file += item.data }
        return file
    }

    /// - Parameter dataOffset: The offset of the first item's data in the file.
    private func meta(dataOffset: Int) -> [UInt8] {
        var builder = BoxBuilder()
        builder.fullBox("meta") { meta in
            meta.fullBox("hdlr") { box in
                box.zeros(4)
                box.code("pict")
                box.zeros(13)
            }
            meta.box("dinf") { box in
                box.fullBox("dref") { references in
                    references.unsigned32(1)
                    // The data are in this file.
                    references.fullBox("url ", flags: 1) { _ in }
                }
            }
            meta.fullBox("pitm") { $0.unsigned16(primary) }
            appendInformation(to: &meta)
            if !references.isEmpty { appendReferences(to: &meta) }
            appendProperties(to: &meta)
            let inline = items.filter(\.isInline)
            if !inline.isEmpty {
                meta.box("idat") { box in
                    for item in inline { box.data(item.data) }
                }
            }
            appendLocations(dataOffset: dataOffset, to: &meta)
        }
        return builder.bytes
    }

    private func appendInformation(to builder: inout BoxBuilder) {
        builder.fullBox("iinf") { box in
            box.unsigned16(UInt16(items.count))
            for (index, item) in items.enumerated() {
                box.fullBox("infe", version: 2, flags: item.isHidden ? 1 : 0) { entry in
                    entry.unsigned16(UInt16(index + 1))
                    entry.unsigned16(0)
                    entry.code(item.type)
                    entry.unsigned8(0)
                    guard let contentType = item.contentType else { return }
                    entry.data(contentType.utf8)
                    entry.unsigned8(0)
                }
            }
        }
    }

    private func appendReferences(to builder: inout BoxBuilder) {
        builder.fullBox("iref") { box in
            for reference in references {
                box.box(reference.type) { body in
                    body.unsigned16(reference.from)
                    body.unsigned16(UInt16(reference.to.count))
                    for item in reference.to { body.unsigned16(item) }
                }
            }
        }
    }

    private func appendProperties(to builder: inout BoxBuilder) {
        builder.box("iprp") { box in
            box.box("ipco") { container in
                for property in properties { container.data(property) }
            }
            box.fullBox("ipma") { associations in
                let described = items.enumerated().filter { !$0.element.properties.isEmpty }
                associations.unsigned32(UInt32(described.count))
                for (index, item) in described {
                    associations.unsigned16(UInt16(index + 1))
                    associations.unsigned8(UInt8(item.properties.count))
                    for property in item.properties {
                        associations.unsigned8(property.number | (property.isEssential ? 0x80 : 0))
                    }
                }
            }
        }
    }

    private func appendLocations(dataOffset: Int, to builder: inout BoxBuilder) {
        builder.fullBox("iloc", version: 1) { box in
            // Offsets and sizes have four bytes.
            box.unsigned16(0x4400)
            box.unsigned16(UInt16(items.count))
            var (offset, inlineOffset) = (dataOffset, 0)
            for (index, item) in items.enumerated() {
                box.unsigned16(UInt16(index + 1))
                box.unsigned16(item.isInline ? 1 : 0)
                box.unsigned16(0)
                box.unsigned16(1)
                box.unsigned32(UInt32(item.isInline ? inlineOffset : offset))
                box.unsigned32(UInt32(item.data.count))
                if item.isInline { inlineOffset += item.data.count } else { offset += item.data.count }
            }
        }
    }
}
