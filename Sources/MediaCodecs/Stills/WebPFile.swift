import Foundation
import PixelKernels

/// The header, metadata and image data of a WebP file (RFC 9649).
struct WebPFile {
    /// Width and height in pixels.
    let size: (width: Int, height: Int)
    let hasAlpha: Bool
    /// The EXIF block as stored in JPEG files; nil if there is none.
    let exifData: Data?
    /// The text of the XMP packet; nil if there is none.
    let xmp: Data?
    /// The image data: the chunks of a still image, or those of an animation's first frame; empty if it is missing.
    private let imageChunks: [Chunk]
    /// The distance of the image data's left and upper edge from those of the canvas, in pixels.
    let offset: (x: Int, y: Int)
    /// Width and height of the image data in pixels; nil if it is missing.
    let imageSize: (width: Int, height: Int)?

    private struct Chunk {
        var type: String
        var payload: Data
    }

    /// Whether a file is a WebP file.
    ///
    /// - Parameter start: The first bytes of the file.
    static func isWebP(start: Data) -> Bool {
        start.count >= 12 && start.starts(with: Data("RIFF".utf8)) && start.dropFirst(8).starts(with: Data("WEBP".utf8))
    }

    /// Parses a file; nil if its size is unknown. The last chunk can be incomplete.
    init?(_ data: Data) {
        let chunks = Self.chunks(data.dropFirst(12))
        func first(_ type: String) -> Data? { chunks.first { $0.type == type }?.payload }
        let frame = first("ANMF").flatMap { $0.count >= 16 ? [UInt8]($0.prefix(16)) : nil }
        if let frame, let payload = first("ANMF") {
            // A frame of an animation: x and y in units of two pixels, width and height less one, duration and flags.
            offset = (2 * Self.unsigned24(frame, 0), 2 * Self.unsigned24(frame, 3))
            imageChunks = Self.chunks(payload.dropFirst(16))
        } else {
            offset = (0, 0)
            imageChunks = chunks.filter { ["ALPH", "VP8 ", "VP8L"].contains($0.type) }
        }
        imageSize = imageChunks.lazy.compactMap(Self.size).first
        if let header = first("VP8X").map({ [UInt8]($0) }), header.count >= 10 {
            size = (1 + Self.unsigned24(header, 4), 1 + Self.unsigned24(header, 7))
            hasAlpha = header[0] & 0x10 != 0
        } else if let imageSize {
            size = imageSize
            // The header of a lossless image: signature, width and height of 14 bits each, and a bit for alpha.
            hasAlpha = first("VP8L").map { $0.count > 4 && $0[$0.startIndex + 4] & 0x10 != 0 } ?? false
        } else {
            return nil
        }
        exifData = first("EXIF").map { block in
            // Some programs store the signature, too.
            block.starts(with: EXIFBlock.signature) ? block : EXIFBlock.signature + block
        }
        xmp = first("XMP ")
    }

    /// Whether image data follows the header, even if it is incomplete.
    var hasImageData: Bool { imageSize != nil }

    /// A file with the image data alone, without metadata and animation.
    var stillImage: Data {
        var body = Data("WEBP".utf8)
        if let imageSize, imageChunks.contains(where: { $0.type == "ALPH" }) {
            // Alpha beside lossy image data requires the extended header.
            let flags: [UInt8] = [0x10, 0, 0, 0]
            Self.append(
                Chunk(
                    type: "VP8X",
                    payload: Data(flags + Self.bytes24(imageSize.width - 1) + Self.bytes24(imageSize.height - 1))),
                to: &body)
        }
        for chunk in imageChunks { Self.append(chunk, to: &body) }
        return Data("RIFF".utf8) + Self.bytes32(body.count) + body
    }

    // MARK: Chunks

    private static func chunks(_ data: Data) -> [Chunk] {
        var chunks: [Chunk] = []
        var rest = data
        while rest.count >= 8 {
            let header = [UInt8](rest.prefix(8))
            let count = Int(header[4]) | unsigned24(header, 5) << 8
            let type = String(decoding: header[0..<4], as: UTF8.self)
            rest = rest.dropFirst(8)
            chunks.append(Chunk(type: type, payload: Data(rest.prefix(count))))
            // Chunks have an even number of bytes.
            rest = rest.dropFirst(count + count % 2)
        }
        return chunks
    }

    private static func append(_ chunk: Chunk, to data: inout Data) {
        data += Data(chunk.type.utf8) + bytes32(chunk.payload.count) + chunk.payload
        if chunk.payload.count % 2 == 1 { data.append(0) }
    }

    /// Reads the size from the header of image data.
    private static func size(_ chunk: Chunk) -> (width: Int, height: Int)? {
        let bytes = [UInt8](chunk.payload.prefix(10))
        switch chunk.type {
        case "VP8 ":
            // RFC 6386, 9.1: a frame tag, a start code, then width and height of 14 bits each with scales.
            guard bytes.count == 10, bytes[3...].starts(with: [0x9D, 0x01, 0x2A]) else { return nil }
            let (width, height) = (
                Int(bytes[6]) | Int(bytes[7] & 0x3F) << 8, Int(bytes[8]) | Int(bytes[9] & 0x3F) << 8
            )
            return width > 0 && height > 0 ? (width, height) : nil
        case "VP8L":
            guard bytes.count >= 5, bytes[0] == 0x2F else { return nil }
            let bits = Int(bytes[1]) | unsigned24(bytes, 2) << 8
            return (1 + bits & 0x3FFF, 1 + bits >> 14 & 0x3FFF)
        default: return nil
        }
    }

    private static func unsigned24(_ bytes: [UInt8], _ offset: Int) -> Int {
        Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2]) << 16
    }

    private static func bytes24(_ value: Int) -> [UInt8] { [UInt8](bytes32(value).prefix(3)) }

    private static func bytes32(_ value: Int) -> Data {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { Data($0) }
    }
}
