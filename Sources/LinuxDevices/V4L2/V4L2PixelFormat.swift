import CLinuxDevices
import CaptureHAL
import MediaTypes
import PixelKernels

/// A picture encoding of V4L2 as the rest of the system knows it.
///
/// Most are handed on as they lie in the driver's memory; see "Image Formats" of the V4L2 API. An encoding may stand
/// twice in the list: unpacked to what everything reads, and as it lies for clients that want its bits.
struct V4L2PixelFormat: Sendable, Hashable {
    /// How the planes of one picture lie.
    enum Layout: Sendable, Hashable {
        /// One plane; so many pixels share a block of whole bytes.
        case packed(bitsPerPixel: Int, pixelsPerBlock: Int)
        /// Luma, then Cb and Cr interleaved.
        case semiPlanar(Subsampling, bytesPerSample: Int)
        /// Luma, then two chroma planes; `crFirst` tells their order in memory.
        case planar(Subsampling, crFirst: Bool)
        /// No pixels.
        case compressed

        static func packed(bytesPerPixel: Int) -> Layout { .packed(bitsPerPixel: 8 * bytesPerPixel, pixelsPerBlock: 1) }
        static let packed422 = Layout.packed(bitsPerPixel: 16, pixelsPerBlock: 2)
    }

    /// How many columns and rows of luma share one of chroma.
    struct Subsampling: Sendable, Hashable {
        var columns: Int
        var rows: Int

        static let by420 = Subsampling(columns: 2, rows: 2)
        static let by422 = Subsampling(columns: 2, rows: 1)
        static let by444 = Subsampling(columns: 1, rows: 1)
    }

    let fourcc: UInt32
    let layout: Layout
    /// Whether every plane has a buffer of its own (the `…M` formats), rather than all lying in one.
    var isSplit = false
    /// The code of the pixels in video range, or of the codec.
    let code: OSType
    /// The code of the pixels in full range, where there is another.
    var fullRangeCode: OSType?
    /// What must be done before anything else can read the pixels; `code` tells what comes out, `layout` what goes in.
    var unpacking: V4L2Unpacking?

    /// The number of driver buffers that hold one picture.
    var memoryPlaneCount: Int {
        guard isSplit else { return 1 }
        switch layout {
        case .semiPlanar: return 2
        case .planar: return 3
        case .packed, .compressed: return 1
        }
    }

    func encoding(isFullRange: Bool) -> VideoStreamFormat.Encoding {
        if layout == .compressed { return .compressed(code) }
        return .pixels(isFullRange ? fullRangeCode ?? code : code)
    }

    /// The order in which a camera's formats are offered.
    enum Rank: Int, Comparable {
        /// Read by everything, as it lies.
        case asItLies
        /// Read by everything, after a copy.
        case unpacked
        /// For clients that ask for just these bits; nothing here converts them.
        case bits

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    var rank: Rank {
        if layout == .compressed { return .asItLies }
        guard PixelLayout.of(pixelFormat: code) != nil else { return .bits }
        return unpacking == nil ? .asItLies : .unpacked
    }

    /// The ways in which an encoding is offered; none where it is not known.
    static func formats(_ fourcc: UInt32) -> [V4L2PixelFormat] { all.filter { $0.fourcc == fourcc } }
}
