public import Foundation
public import PixelKernels

/// A JPEG file, split into the marker segments before the image data (ITU-T T.81, annex B) and the rest. One of the
/// segments can contain an EXIF block.
public struct JPEGSegments: Sendable {
    /// One marker segment.
    struct Segment: Sendable, Hashable {
        /// The second byte of the marker, such as 0xE1 for APP1.
        var marker: UInt8
        /// The contents without marker and length.
        var payload: Data
    }

    /// The segments between the start of image and the first scan, in file order.
    private var segments: [Segment]
    /// The data from the first scan's marker to the end.
    private var rest: Data

    /// Parses a file.
    ///
    /// - Throws: `.damaged` if there is no scan or a segment is incomplete.
    public init(_ data: Data) throws(ImageError) {
        let bytes = [UInt8](data)
        guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else {
            throw ImageError(.damaged, "the data is not a JPEG image: it does not begin with FF D8")
        }
        segments = []
        var position = 2
        while true {
            guard position + 4 <= bytes.count else {
                throw ImageError(.damaged, "the JPEG data ends at byte \(bytes.count), before any image data")
            }
            guard bytes[position] == 0xFF else {
                throw ImageError(.damaged, "the JPEG data has no marker at byte \(position)")
            }
            let marker = bytes[position + 1]
            if marker == 0xFF {
                position += 1
                continue
            }
            if marker == 0xDA { break }
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            guard length >= 2, position + 2 + length <= bytes.count else {
                throw ImageError(.damaged, "the JPEG segment at byte \(position) does not fit into the data")
            }
            segments.append(Segment(marker: marker, payload: Data(bytes[(position + 4)..<(position + 2 + length)])))
            position += 2 + length
        }
        rest = Data(bytes[position...])
    }

    private static func isEXIF(_ segment: Segment) -> Bool {
        segment.marker == 0xE1 && segment.payload.starts(with: EXIFBlock.signature)
    }

    /// Returns the EXIF block; nil if there is none.
    ///
    /// - Throws: `.damaged` if it cannot be read.
    public func exif() throws(ImageError) -> EXIF? {
        guard let segment = segments.first(where: Self.isEXIF) else { return nil }
        return try EXIF(encoded: segment.payload)
    }

    /// Replaces the EXIF block, or removes it if nil. The image data is not changed.
    ///
    /// - Throws: As `EXIF.encoded`.
    public mutating func setEXIF(_ exif: EXIF?) throws(ImageError) {
        let payload = try exif?.encoded()
        segments.removeAll(where: Self.isEXIF)
        guard let payload else { return }
        // After the JFIF header, which must be the first segment.
        let index = segments.first?.marker == 0xE0 ? 1 : 0
        segments.insert(Segment(marker: 0xE1, payload: payload), at: index)
    }

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
