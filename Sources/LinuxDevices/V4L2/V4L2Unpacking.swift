import CLinuxDevices
import MediaTypes

/// How pixels that nothing else reads become pixels that the rest of the system knows, by a copy.
enum V4L2Unpacking: Sendable, Hashable {
    /// Cr before Cb, to Cb before Cr (NV21 to NV12).
    case crFirst
    /// Two bytes a sample with the higher bits on top, to the upper bytes (P010 to NV12).
    case upperBytes
    /// 4:2:2 or 4:4:4 wherever the components lie, to packed 4:2:2.
    case gather(ComponentPlaces)
    /// Sixteen bits a pixel, to BGRA.
    case rgb16(RGB16)
    /// Four bytes a pixel, one of them unused, to BGRA; the places of the others.
    case rgb32(red: Int32, green: Int32, blue: Int32)
    /// Deep grey, to eight bits.
    case gray8(Samples)
    /// Deep grey, to the upper bits of little-endian words.
    case gray16(Samples)
    /// One sample a pixel behind a mosaic of filters, to BGRA by the means of the neighbours; the red filter's place
    /// in each 2x2.
    case bayer(Samples, redColumn: Int32, redRow: Int32)

    /// How the samples of a plane follow each other.
    struct Samples: Sendable, Hashable {
        private enum Packing: UInt32 { case bytes, words, swappedWords, mipi }

        private let packing: Packing
        let bits: Int32

        static let bytes = Samples(packing: .bytes, bits: 8)
        /// In the lower bits of little-endian words.
        static func words(bits: Int32) -> Samples { Samples(packing: .words, bits: bits) }
        /// In the lower bits of big-endian words.
        static func swappedWords(bits: Int32) -> Samples { Samples(packing: .swappedWords, bits: bits) }
        /// Without gaps, as cameras send them: RAW10, RAW12 or RAW14 of MIPI CSI-2.
        static func mipi(bits: Int32) -> Samples { Samples(packing: .mipi, bits: bits) }

        var layout: V4L2PixelFormat.Layout {
            switch packing {
            case .bytes: .packed(bytesPerPixel: 1)
            case .words, .swappedWords: .packed(bytesPerPixel: 2)
            case .mipi: .packed(bitsPerPixel: Int(bits), pixelsPerBlock: bits == 12 ? 2 : 4)
            }
        }

        var kernelPacking: clinuxdevices_packing {
            switch packing {
            case .bytes: clinuxdevices_bytes
            case .words: clinuxdevices_words
            case .swappedWords: clinuxdevices_swapped_words
            case .mipi: clinuxdevices_mipi
            }
        }
    }

    /// The bits that each component has in a pixel's word.
    struct RGB16: Sendable, Hashable {
        var red: ClosedRange<Int32>
        var green: ClosedRange<Int32>
        var blue: ClosedRange<Int32>
        var isBigEndian = false

        var kernelFormat: clinuxdevices_rgb16 {
            clinuxdevices_rgb16(
                is_big_endian: isBigEndian ? 1 : 0, red_shift: red.lowerBound, red_bits: Int32(red.count),
                green_shift: green.lowerBound, green_bits: Int32(green.count), blue_shift: blue.lowerBound,
                blue_bits: Int32(blue.count))
        }
    }

    /// Where Y', Cb and Cr lie.
    struct ComponentPlaces: Sendable, Hashable {
        struct Place: Sendable, Hashable {
            var plane = 0
            /// Bytes before the first sample of a row.
            var offset = 0
            /// Bytes from one sample to the next.
            var step = 1
        }

        var y: Place
        var cb: Place
        var cr: Place
        var pixelsPerChroma: Int32

        static func packed422(y: Int, cb: Int, cr: Int) -> ComponentPlaces {
            ComponentPlaces(
                y: Place(offset: y, step: 2), cb: Place(offset: cb, step: 4), cr: Place(offset: cr, step: 4),
                pixelsPerChroma: 2)
        }

        static func packed444(y: Int, cb: Int, cr: Int, step: Int) -> ComponentPlaces {
            ComponentPlaces(
                y: Place(offset: y, step: step), cb: Place(offset: cb, step: step), cr: Place(offset: cr, step: step),
                pixelsPerChroma: 1)
        }

        static func semiPlanar(_ subsampling: V4L2PixelFormat.Subsampling, crFirst: Bool = false) -> ComponentPlaces {
            ComponentPlaces(
                y: Place(), cb: Place(plane: 1, offset: crFirst ? 1 : 0, step: 2),
                cr: Place(plane: 1, offset: crFirst ? 0 : 1, step: 2), pixelsPerChroma: Int32(subsampling.columns))
        }

        /// The layout has brought the planes into the order Y', Cb, Cr.
        static func planar(_ subsampling: V4L2PixelFormat.Subsampling) -> ComponentPlaces {
            ComponentPlaces(
                y: Place(), cb: Place(plane: 1), cr: Place(plane: 2), pixelsPerChroma: Int32(subsampling.columns))
        }
    }

    /// Writes the whole picture.
    ///
    /// - Parameters:
    ///   - source: As many planes as the source's layout has, each whole.
    ///   - picture: Of the source's size.
    func unpack(_ source: [PixelPlane], into picture: CVPixelBuffer) {
        guard let first = source.first else { return }
        picture.withPlane(0) { unpack(source, first, into: $0) }
        guard source.count > 1 else { return }
        switch self {
        case .crFirst:
            picture.withPlane(1) { target in
                clinuxdevices_swap_pairs(
                    bytes(source[1]), source[1].bytesPerRow, bytes(target), target.bytesPerRow, Int32(target.width),
                    Int32(target.height))
            }
        case .upperBytes:
            picture.withPlane(1) { upperBytes(source[1], into: $0, samplesPerColumn: 2) }
        case .gather, .rgb16, .rgb32, .gray8, .gray16, .bayer: break
        }
    }

    /// Writes the first plane.
    private func unpack(_ source: [PixelPlane], _ first: PixelPlane, into target: PixelPlane) {
        let (from, to) = (bytes(first), bytes(target))
        let (width, height) = (Int32(target.width), Int32(target.height))
        switch self {
        case .crFirst:
            for row in 0..<target.height {
                (target.baseAddress + row * target.bytesPerRow).copyMemory(
                    from: first.baseAddress + row * first.bytesPerRow, byteCount: target.width)
            }
        case .upperBytes:
            upperBytes(first, into: target, samplesPerColumn: 1)
        case .gather(let places):
            guard source.count > max(places.cb.plane, places.cr.plane) else { return }
            clinuxdevices_ycbcr_to_yuvs(
                component(places.y, source), component(places.cb, source), component(places.cr, source),
                places.pixelsPerChroma, to, target.bytesPerRow, width, height)
        case .rgb16(let format):
            clinuxdevices_rgb16_to_bgra(
                from, first.bytesPerRow, format.kernelFormat, to, target.bytesPerRow, width, height)
        case .rgb32(let red, let green, let blue):
            clinuxdevices_rgb32_to_bgra(
                from, first.bytesPerRow, red, green, blue, to, target.bytesPerRow, width, height)
        case .gray8(let samples):
            clinuxdevices_gray_to_8(
                from, first.bytesPerRow, samples.kernelPacking, samples.bits, to, target.bytesPerRow, width, height)
        case .gray16(let samples):
            clinuxdevices_gray_to_16(
                from, first.bytesPerRow, samples.kernelPacking, samples.bits, to, target.bytesPerRow, width, height)
        case .bayer(let samples, let redColumn, let redRow):
            clinuxdevices_bayer_to_bgra(
                from, first.bytesPerRow, samples.kernelPacking, samples.bits, to, target.bytesPerRow, width, height,
                redColumn, redRow)
        }
    }

    private func upperBytes(_ source: PixelPlane, into target: PixelPlane, samplesPerColumn: Int) {
        clinuxdevices_gray_to_8(
            bytes(source), source.bytesPerRow, clinuxdevices_words, 16, bytes(target), target.bytesPerRow,
            Int32(target.width * samplesPerColumn), Int32(target.height))
    }

    private func component(_ place: ComponentPlaces.Place, _ source: [PixelPlane]) -> clinuxdevices_component {
        clinuxdevices_component(
            base: bytes(source[place.plane]) + place.offset, stride: source[place.plane].bytesPerRow,
            step: Int32(place.step))
    }

    private func bytes(_ plane: PixelPlane) -> UnsafeMutablePointer<UInt8> {
        plane.baseAddress.assumingMemoryBound(to: UInt8.self)
    }
}
