import CLinuxDevices
import CaptureHAL
import MediaTypes
import PixelKernels

/// A V4L2 pixel format or codec and the pixel format that clients receive for it. See "Image Formats" of the V4L2 API.
///
/// Most formats are delivered in the driver's memory without a copy. A format can be listed twice: converted to a
/// format that all consumers can read, and unconverted for clients that need the original bits.
struct V4L2PixelFormat: Sendable, Hashable {
    /// The memory layout of a frame.
    enum Layout: Sendable, Hashable {
        /// One plane; blocks of `pixelsPerBlock` pixels fill complete bytes.
        case packed(bitsPerPixel: Int, pixelsPerBlock: Int)
        /// Luma, then Cb and Cr interleaved.
        case semiPlanar(Subsampling, bytesPerSample: Int)
        /// Luma, then two chroma planes, with Cr before Cb if `crFirst`.
        case planar(Subsampling, crFirst: Bool)
        /// Compressed data.
        case compressed

        static func packed(bytesPerPixel: Int) -> Layout { .packed(bitsPerPixel: 8 * bytesPerPixel, pixelsPerBlock: 1) }
        static let packed422 = Layout.packed(bitsPerPixel: 16, pixelsPerBlock: 2)
    }

    /// The number of luma columns and rows per chroma sample.
    struct Subsampling: Sendable, Hashable {
        var columns: Int
        var rows: Int

        static let by420 = Subsampling(columns: 2, rows: 2)
        static let by422 = Subsampling(columns: 2, rows: 1)
        static let by444 = Subsampling(columns: 1, rows: 1)
    }

    let fourcc: UInt32
    let layout: Layout
    /// Whether each plane has its own memory plane (the `…M` formats); else all planes share one.
    var isSplit = false
    /// The Core Video pixel format for video range, or the codec.
    let code: OSType
    /// The Core Video pixel format for full range, if it is a different one.
    var fullRangeCode: OSType?
    /// The conversion of the driver's pixels, described by `layout`, to the pixel format `code`; nil if none is needed.
    var unpacking: V4L2Unpacking?

    /// The number of memory planes of a driver's buffer.
    var memoryPlaneCount: Int {
        guard isSplit else { return 1 }
        switch layout {
        case .semiPlanar: return 2
        case .planar: return 3
        case .packed, .compressed: return 1
        }
    }

    /// The encoding that clients receive.
    func encoding(isFullRange: Bool) -> VideoStreamFormat.Encoding {
        if layout == .compressed { return .compressed(code) }
        return .pixels(isFullRange ? fullRangeCode ?? code : code)
    }

    /// The order of a camera's formats: preferred ones first.
    enum Rank: Int, Comparable {
        /// Readable by all consumers, without a copy.
        case direct
        /// Readable by all consumers after a conversion.
        case unpacked
        /// Only for clients that request this pixel format, which few can use.
        case unconverted

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    /// The position of the format in a camera's list.
    var rank: Rank {
        if layout == .compressed { return .direct }
        guard let layout = PixelLayout.of(pixelFormat: code)?.layout, !layout.hasTenBits else { return .unconverted }
        return unpacking == nil ? .direct : .unpacked
    }

    /// The four-character code as text, for the log.
    var fourccText: String { Self.text(ofFourcc: fourcc) }

    /// Returns the text of a four-character code; `?` replaces control characters.
    static func text(ofFourcc fourcc: UInt32) -> String {
        // Bit 31 is a flag for big-endian formats.
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: fourcc >> (8 * $0)) & 0x7f }
        return String(decoding: bytes.map { $0 < 0x20 ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
    }

    /// Returns the formats for a four-character code; empty if it is not supported.
    static func formats(_ fourcc: UInt32) -> [V4L2PixelFormat] { all.filter { $0.fourcc == fourcc } }
}
