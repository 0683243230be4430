import Foundation
import MediaTypes

/// An AVI file of uncompressed NV12 frames at 10 fps (Microsoft, AVI RIFF File Reference).
struct RawMovie {
    let width: Int
    let height: Int
    let frames: [[UInt8]]

    /// Creates frames of random noise.
    init(width: Int, height: Int, frameCount: Int, seed: UInt64 = 1) {
        self.width = width
        self.height = height
        var generator = SplitMix64(seed: seed)
        let byteCount = width * height * 3 / 2
        frames = (0..<frameCount).map { _ in (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) } }
    }

    func write(to url: URL) throws {
        let frameByteCount = width * height * 3 / 2
        let mainHeader: [UInt32] = [
            100_000, 0, 0, 0x10, UInt32(frames.count), 0, 1, UInt32(frameByteCount), UInt32(width), UInt32(height),
            0, 0, 0, 0,
        ]
        let streamHeader: [UInt32] = [
            Self.code("vids"), Self.code("NV12"), 0, 0, 0, 1, 10, 0, UInt32(frames.count), UInt32(frameByteCount),
            0, 0, 0, 0,
        ]
        let bitmapHeader: [UInt32] = [
            40, UInt32(width), UInt32(height), 1 | 12 << 16, Self.code("NV12"), UInt32(frameByteCount), 0, 0, 0, 0,
        ]
        var media = Self.bytes([Self.code("movi")])
        var index = Data()
        for frame in frames {
            index += Self.bytes([Self.code("00db"), 0x10, UInt32(media.count), UInt32(frame.count)])
            media += Self.chunk("00db", Data(frame))
        }
        let stream =
            Self.chunk("strh", Self.bytes(streamHeader)) + Self.chunk("strf", Self.bytes(bitmapHeader))
        let header =
            Self.chunk("avih", Self.bytes(mainHeader)) + Self.chunk("LIST", Self.bytes([Self.code("strl")]) + stream)
        let content =
            Self.bytes([Self.code("AVI ")]) + Self.chunk("LIST", Self.bytes([Self.code("hdrl")]) + header)
            + Self.chunk("LIST", media) + Self.chunk("idx1", index)
        try Self.chunk("RIFF", content).write(to: url)
    }

    private static func code(_ text: String) -> UInt32 { text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

    private static func bytes(_ words: [UInt32]) -> Data {
        words.reduce(into: Data()) { data, word in
            withUnsafeBytes(of: word.littleEndian) { data.append(contentsOf: $0) }
        }
    }

    private static func chunk(_ name: String, _ content: Data) -> Data {
        bytes([code(name), UInt32(content.count)]) + content + Data(count: content.count % 2)
    }
}
