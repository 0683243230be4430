import CLinuxDevices
import MediaTypes

/// A conversion of the driver's pixels to a pixel format that the library can process.
enum V4L2Unpacking: Sendable, Hashable {
    /// Swaps Cr and Cb (NV21 to NV12).
    case swapChroma
    /// Keeps the upper byte of 16-bit samples (P010 to NV12).
    case upperBytes
    /// Any layout of 4:2:2 or 4:4:4 to packed 4:2:2.
    case repack(ComponentLayout)
    /// 16 bits per pixel to BGRA.
    case rgb16(RGB16)
    /// Four bytes per pixel, one of them unused, to BGRA; the values are the byte offsets of the components.
    case rgb32(red: Int32, green: Int32, blue: Int32)
    /// Gray with more than 8 bits to 8 bits.
    case gray8(Samples)
    /// Gray with more than 8 bits to the upper bits of little-endian 16-bit words.
    case gray16(Samples)
    /// Bayer samples to BGRA by bilinear interpolation; the values are the position of red in each 2x2 block.
    case bayer(Samples, redColumn: Int32, redRow: Int32)

    /// The packing of a plane's samples.
    struct Samples: Sendable, Hashable {
        private enum Packing: UInt32 { case bytes, words, swappedWords, mipi }

        private let packing: Packing
        let bits: Int32

        static let bytes = Samples(packing: .bytes, bits: 8)
        /// In the lower bits of little-endian 16-bit words.
        static func words(bits: Int32) -> Samples { Samples(packing: .words, bits: bits) }
        /// In the lower bits of big-endian 16-bit words.
        static func swappedWords(bits: Int32) -> Samples { Samples(packing: .swappedWords, bits: bits) }
        /// Packed without padding: RAW10, RAW12 or RAW14 of MIPI CSI-2.
        static func mipi(bits: Int32) -> Samples { Samples(packing: .mipi, bits: bits) }

        var layout: V4L2PixelFormat.Layout {
            switch packing {
            case .bytes: .packed(bytesPerPixel: 1)
            case .words, .swappedWords: .packed(bytesPerPixel: 2)
            case .mipi: .packed(bitsPerPixel: Int(bits), pixelsPerBlock: bits == 12 ? 2 : 4)
            }
        }

        var cPacking: clinuxdevices_packing {
            switch packing {
            case .bytes: clinuxdevices_bytes
            case .words: clinuxdevices_words
            case .swappedWords: clinuxdevices_swapped_words
            case .mipi: clinuxdevices_mipi
            }
        }
    }

    /// The bits of each component in a 16-bit pixel, from 0, the least significant.
    struct RGB16: Sendable, Hashable {
        var red: ClosedRange<Int32>
        var green: ClosedRange<Int32>
        var blue: ClosedRange<Int32>
        var isBigEndian = false

        var cFormat: clinuxdevices_rgb16 {
            clinuxdevices_rgb16(
                is_big_endian: isBigEndian ? 1 : 0, red_shift: red.lowerBound, red_bits: Int32(red.count),
                green_shift: green.lowerBound, green_bits: Int32(green.count), blue_shift: blue.lowerBound,
                blue_bits: Int32(blue.count))
        }
    }

    /// The positions of the Y', Cb and Cr samples.
    struct ComponentLayout: Sendable, Hashable {
        /// The position of a component's samples in memory.
        struct Component: Sendable, Hashable {
            var plane = 0
            /// The offset in bytes of the first sample in a row.
            var offset = 0
            /// The distance in bytes between samples.
            var step = 1
        }

        var y: Component
        var cb: Component
        var cr: Component
        /// The number of pixels of a row per chroma sample.
        var pixelsPerChroma: Int32

        static func packed422(y: Int, cb: Int, cr: Int) -> ComponentLayout {
            ComponentLayout(
                y: Component(offset: y, step: 2), cb: Component(offset: cb, step: 4),
                cr: Component(offset: cr, step: 4),
                pixelsPerChroma: 2)
        }

        static func packed444(y: Int, cb: Int, cr: Int, step: Int) -> ComponentLayout {
            ComponentLayout(
                y: Component(offset: y, step: step), cb: Component(offset: cb, step: step),
                cr: Component(offset: cr, step: step),
                pixelsPerChroma: 1)
        }

        static func semiPlanar(_ subsampling: V4L2PixelFormat.Subsampling, crFirst: Bool = false) -> ComponentLayout {
            ComponentLayout(
                y: Component(), cb: Component(plane: 1, offset: crFirst ? 1 : 0, step: 2),
                cr: Component(plane: 1, offset: crFirst ? 0 : 1, step: 2), pixelsPerChroma: Int32(subsampling.columns))
        }

        /// Three planes; `V4L2FrameLayout` orders them as Y', Cb, Cr.
        static func planar(_ subsampling: V4L2PixelFormat.Subsampling) -> ComponentLayout {
            ComponentLayout(
                y: Component(), cb: Component(plane: 1), cr: Component(plane: 2),
                pixelsPerChroma: Int32(subsampling.columns))
        }
    }

    /// Converts a frame.
    ///
    /// - Parameters:
    ///   - source: All planes of the driver's layout, complete.
    ///   - destination: A pixel buffer of the same size.
    func unpack(_ source: [PixelPlane], into destination: CVPixelBuffer) {
        guard let first = source.first else { return }
        destination.withPlane(0) { unpack(source, first, into: $0) }
        guard source.count > 1 else { return }
        switch self {
        case .swapChroma:
            destination.withPlane(1) { target in
                clinuxdevices_swap_pairs(
                    bytes(source[1]), source[1].bytesPerRow, bytes(target), target.bytesPerRow, Int32(target.width),
                    Int32(target.height))
            }
        case .upperBytes:
            destination.withPlane(1) { upperBytes(source[1], into: $0, samplesPerColumn: 2) }
        case .repack, .rgb16, .rgb32, .gray8, .gray16, .bayer: break
        }
    }

    /// Writes the first plane of the destination.
    private func unpack(_ source: [PixelPlane], _ first: PixelPlane, into target: PixelPlane) {
        let (from, to) = (bytes(first), bytes(target))
        let (width, height) = (Int32(target.width), Int32(target.height))
        switch self {
        case .swapChroma:
            for row in 0..<target.height {
                (target.baseAddress + row * target.bytesPerRow).copyMemory(
                    from: first.baseAddress + row * first.bytesPerRow, byteCount: target.width)
            }
        case .upperBytes:
            upperBytes(first, into: target, samplesPerColumn: 1)
        case .repack(let layout):
            guard source.count > max(layout.cb.plane, layout.cr.plane) else { return }
            clinuxdevices_ycbcr_to_yuvs(
                component(layout.y, source), component(layout.cb, source), component(layout.cr, source),
                layout.pixelsPerChroma, to, target.bytesPerRow, width, height)
        case .rgb16(let format):
            clinuxdevices_rgb16_to_bgra(
                from, first.bytesPerRow, format.cFormat, to, target.bytesPerRow, width, height)
        case .rgb32(let red, let green, let blue):
            clinuxdevices_rgb32_to_bgra(
                from, first.bytesPerRow, red, green, blue, to, target.bytesPerRow, width, height)
        case .gray8(let samples):
            clinuxdevices_gray_to_8(
                from, first.bytesPerRow, samples.cPacking, samples.bits, to, target.bytesPerRow, width, height)
        case .gray16(let samples):
            clinuxdevices_gray_to_16(
                from, first.bytesPerRow, samples.cPacking, samples.bits, to, target.bytesPerRow, width, height)
        case .bayer(let samples, let redColumn, let redRow):
            clinuxdevices_bayer_to_bgra(
                from, first.bytesPerRow, samples.cPacking, samples.bits, to, target.bytesPerRow, width, height,
                redColumn, redRow)
        }
    }

    /// Keeps the upper byte of each 16-bit sample.
    ///
    /// - Parameter samplesPerColumn: 1 for luma, 2 for interleaved chroma.
    private func upperBytes(_ source: PixelPlane, into target: PixelPlane, samplesPerColumn: Int) {
        clinuxdevices_gray_to_8(
            bytes(source), source.bytesPerRow, clinuxdevices_words, 16, bytes(target), target.bytesPerRow,
            Int32(target.width * samplesPerColumn), Int32(target.height))
    }

    private func component(_ component: ComponentLayout.Component, _ source: [PixelPlane]) -> clinuxdevices_component {
        clinuxdevices_component(
            base: bytes(source[component.plane]) + component.offset, stride: source[component.plane].bytesPerRow,
            step: Int32(component.step))
    }

    private func bytes(_ plane: PixelPlane) -> UnsafeMutablePointer<UInt8> {
        plane.baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}
