public import Foundation
public import PixelKernels

/// A JPEG file, split into the marker segments before the image data (ITU-T T.81, annex B) and the rest. One of the
/// segments can contain an EXIF block, and another one an XMP packet.
public struct JPEGSegments: Sendable {
    /// One marker segment.
    struct Segment: Sendable, Hashable {
        /// The second byte of the marker, such as 0xE1 for APP1.
        var marker: UInt8
        /// The contents without marker and length.
        var payload: Data
    }

    /// The properties of the image in the frame header (ITU-T T.81, B.2.2).
    struct Frame: Sendable, Hashable {
        /// In pixels.
        var width: Int
        /// In pixels; 0 if it follows the first scan.
        var height: Int
        /// The bits of a sample.
        var precision: Int
        var componentCount: Int
    }

    /// The segments between the start of image and the first scan, in file order.
    private(set) var segments: [Segment] = []
    /// The data from the first scan's marker to the end; empty without a scan.
    private var rest = Data()

    /// Parses a file.
    ///
    /// - Throws: `.damaged` if there is no scan or a segment is incomplete.
    public init(_ data: Data) throws(ImageError) {
        if let failure = parse([UInt8](data), skipsUnknownBytes: false) { throw failure }
    }

    /// Parses a file to read it only: unknown bytes between segments are skipped, as decoders do, and the segments end
    /// at the first incomplete one. Nil if the data does not begin as a JPEG file.
    package init?(readable data: Data) {
        guard data.starts(with: [0xFF, 0xD8]) else { return nil }
        _ = parse([UInt8](data), skipsUnknownBytes: true)
    }

    /// Appends the segments of a file.
    ///
    /// - Returns: Why the file has no scan that can be found; nil if it has one.
    private mutating func parse(_ bytes: [UInt8], skipsUnknownBytes: Bool) -> ImageError? {
        guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else {
            return ImageError(.damaged, "the data is not a JPEG image: it does not begin with FF D8")
        }
        var position = 2
        while true {
            guard position + 4 <= bytes.count else {
                return ImageError(.damaged, "the JPEG data ends at byte \(bytes.count), before any image data")
            }
            guard bytes[position] == 0xFF, bytes[position + 1] != 0 else {
                guard skipsUnknownBytes else {
                    return ImageError(.damaged, "the JPEG data has no marker at byte \(position)")
                }
                position += 1
                continue
            }
            let marker = bytes[position + 1]
            if marker == 0xFF {
                position += 1
                continue
            }
            if marker == 0xDA { break }
            if marker == 0xD9 {
                return ImageError(.damaged, "the JPEG image ends at byte \(position), before any image data")
            }
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            guard length >= 2, position + 2 + length <= bytes.count else {
                return ImageError(.damaged, "the JPEG segment at byte \(position) does not fit into the data")
            }
            segments.append(Segment(marker: marker, payload: Data(bytes[(position + 4)..<(position + 2 + length)])))
            position += 2 + length
        }
        rest = Data(bytes[position...])
        return nil
    }

    /// The frame header; nil if there is none.
    var frame: Frame? {
        // All markers from SOF0 to SOF15, without those of tables in the same range (table B.1).
        let header = segments.first { (0xC0...0xCF).contains($0.marker) && ![0xC4, 0xC8, 0xCC].contains($0.marker) }
        guard let bytes = header.map({ [UInt8]($0.payload) }), bytes.count >= 6 else { return nil }
        return Frame(
            width: Int(bytes[3]) << 8 | Int(bytes[4]), height: Int(bytes[1]) << 8 | Int(bytes[2]),
            precision: Int(bytes[0]), componentCount: Int(bytes[5]))
    }

    /// Whether there is a scan.
    var hasImageData: Bool { !rest.isEmpty }

    /// Width and height in pixels; nil without a frame header.
    var size: (width: Int, height: Int)? {
        guard let frame, frame.width > 0 else { return nil }
        let height = frame.height > 0 ? frame.height : heightAfterScan ?? 0
        return height > 0 ? (frame.width, height) : nil
    }

    /// The height in the DNL segment that can follow the first scan (B.2.5).
    private var heightAfterScan: Int? {
        guard let segment = rest.range(of: Data([0xFF, 0xDC, 0, 4])), segment.upperBound + 2 <= rest.endIndex else {
            return nil
        }
        return Int(rest[segment.upperBound]) << 8 | Int(rest[segment.upperBound + 1])
    }

    private static func isEXIF(_ segment: Segment) -> Bool {
        segment.marker == 0xE1 && segment.payload.starts(with: EXIFBlock.signature)
    }

    /// A JFIF header of version 1.1 without a unit of density and without a thumbnail (ISO/IEC 10918-5, 10.1).
    private static let plainJFIF = Segment(
        marker: 0xE0, payload: Data("JFIF\0".utf8) + Data([1, 1, 0, 0, 1, 0, 1, 0, 0]))

    /// The EXIF block as stored; nil if there is none.
    var exifData: Data? { segments.first(where: Self.isEXIF)?.payload }

    /// The text of the XMP packet (ISO 16684-3, 6.2.1); nil if there is none.
    var xmp: Data? {
        segments.first(where: Self.isXMP).map { $0.payload.dropFirst(Self.xmpSignature.count) }
    }

    /// The image resources of Photoshop, which contain the texts of IPTC; empty if there are none.
    var imageResources: Data {
        let signature = Data("Photoshop 3.0\0".utf8)
        return segments.filter { $0.marker == 0xED && $0.payload.starts(with: signature) }
            .reduce(into: Data()) { $0 += $1.payload.dropFirst(signature.count) }
    }

    /// The comments, in UTF-8 or Latin-1.
    var comments: [String] {
        segments.filter { $0.marker == 0xFE }.map { String(textOfUnknownEncoding: $0.payload.prefix { $0 != 0 }) }
    }

    private static let xmpSignature = Data("http://ns.adobe.com/xap/1.0/\0".utf8)

    private static func isXMP(_ segment: Segment) -> Bool {
        segment.marker == 0xE1 && segment.payload.starts(with: xmpSignature)
    }

    /// Returns the EXIF block; nil if there is none.
    ///
    /// - Throws: `.damaged` if it cannot be read.
    public func exif() throws(ImageError) -> EXIF? {
        guard let exifData else { return nil }
        return try EXIF(encoded: exifData)
    }

    /// Replaces the EXIF block, or removes it if nil. The image data is not changed.
    ///
    /// EXIF requires its block directly after the start of the image (CIPA DC-008, 4.5.4), JFIF its header. The block
    /// replaces a header without information, and is replaced by one when it is removed; other headers remain in front
    /// of it.
    /// - Throws: As `EXIF.encoded`.
    public mutating func setEXIF(_ exif: EXIF?) throws(ImageError) {
        let payload = try exif?.encoded()
        let hadBlock = segments.contains(where: Self.isEXIF)
        segments.removeAll(where: Self.isEXIF)
        guard let payload else {
            if hadBlock, segments.first?.marker != 0xE0 { segments.insert(Self.plainJFIF, at: 0) }
            return
        }
        segments.removeAll { $0 == Self.plainJFIF }
        let index = segments.first?.marker == 0xE0 ? 1 : 0
        segments.insert(Segment(marker: 0xE1, payload: payload), at: index)
    }

    /// Replaces the XMP packet.
    ///
    /// - Throws: `.tooLarge` above 65,502 bytes.
    mutating func setXMP(_ packet: Data) throws(ImageError) {
        let payload = Self.xmpSignature + packet
        guard payload.count <= 65533 else {
            throw ImageError(.tooLarge, "an XMP packet of \(packet.count) bytes exceeds a segment of a JPEG file")
        }
        segments.removeAll(where: Self.isXMP)
        insertAfterMetadata(Segment(marker: 0xE1, payload: payload))
    }

    /// The color profile (ICC.1:2010, B.4), from all its segments; nil if there is none, or if a segment is missing.
    var colorProfile: Data? {
        let parts = segments.filter(Self.isProfile).map { [UInt8]($0.payload.dropFirst(Self.profileSignature.count)) }
            .filter { $0.count > 2 }.sorted { $0[0] < $1[0] }
        guard let first = parts.first, parts.count == Int(first[1]), parts.map({ Int($0[0]) }) == Array(1...parts.count)
        else { return nil }
        return parts.reduce(into: Data()) { $0 += $1.dropFirst(2) }
    }

    private static let profileSignature = Data("ICC_PROFILE\0".utf8)

    private static func isProfile(_ segment: Segment) -> Bool {
        segment.marker == 0xE2 && segment.payload.starts(with: profileSignature)
    }

    /// Replaces the color profile, or removes it if nil.
    ///
    /// - Throws: `.tooLarge` above 65,519 bytes.
    mutating func setColorProfile(_ profile: Data?) throws(ImageError) {
        segments.removeAll(where: Self.isProfile)
        guard let profile else { return }
        // The first segment of one.
        let payload = Self.profileSignature + Data([1, 1]) + profile
        guard payload.count <= 65533 else {
            throw ImageError(.tooLarge, "a color profile of \(profile.count) bytes exceeds a segment of a JPEG file")
        }
        insertAfterMetadata(Segment(marker: 0xE2, payload: payload))
    }

    /// Inserts a segment behind the header of JFIF, the EXIF block and the XMP packet.
    mutating func insertAfterMetadata(_ segment: Segment) {
        segments.insert(segment, at: segments.prefix { [0xE0, 0xE1].contains($0.marker) }.count)
    }

    /// Removes segments.
    mutating func removeSegments(where isRemoved: (Segment) -> Bool) { segments.removeAll(where: isRemoved) }

    /// Returns the offset of a segment in the file.
    func offset(ofSegment index: Int) -> Int { segments[..<index].reduce(2) { $0 + 4 + $1.payload.count } }

    /// The contents of the whole file.
    public var data: Data {
        var data = Data([0xFF, 0xD8])
        for segment in segments {
            let length = segment.payload.count + 2
            data.append(contentsOf: [0xFF, segment.marker, UInt8(length >> 8), UInt8(length & 0xFF)])
            data.append(segment.payload)
        }
        data.append(rest)
        return data
    }
}
