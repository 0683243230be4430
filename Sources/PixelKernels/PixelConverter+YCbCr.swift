import CPixelKernels
import CYUV

// Conversions within Y'CbCr, and between Y'CbCr and gray.
extension PixelConverter {
    /// Converts between Y'CbCr layouts without a change of the encoding.
    func convertLayout(_ source: PixelImage, to target: PixelImage) throws(ImageError) {
        let (s, t) = (source.planes, target.planes)
        let (width, height) = (source.width32, source.height32)
        switch (source.layout, target.layout) {
        case (.biplanar420, .biplanar420):
            copy(s.0, to: t.0, width, height)
            copy(s.1, to: t.1, 2 * source.chromaWidth, source.chromaHeight420)
        case (.planar420, .planar420):
            copy(s.0, to: t.0, width, height)
            copy(s.1, to: t.1, source.chromaWidth, source.chromaHeight420)
            copy(s.2, to: t.2, source.chromaWidth, source.chromaHeight420)
        case (.planar420, .biplanar420):
            copy(s.0, to: t.0, width, height)
            MergeUVPlane(
                s.1.base, s.1.stride32, s.2.base, s.2.stride32, t.1.base, t.1.stride32, source.chromaWidth,
                source.chromaHeight420)
        case (.biplanar420, .planar420):
            copy(s.0, to: t.0, width, height)
            SplitUVPlane(
                s.1.base, s.1.stride32, t.1.base, t.1.stride32, t.2.base, t.2.stride32, source.chromaWidth,
                source.chromaHeight420)
        case (.packed422(let startsWithLuma), .biplanar420):
            let unpack = startsWithLuma ? YUY2ToNV12 : UYVYToNV12
            try check(
                unpack(s.0.base, s.0.stride32, t.0.base, t.0.stride32, t.1.base, t.1.stride32, width, height),
                "unpack")
        case (.packed422(let startsWithLuma), .planar420):
            let unpack = startsWithLuma ? YUY2ToI420 : UYVYToI420
            try check(
                unpack(
                    s.0.base, s.0.stride32, t.0.base, t.0.stride32, t.1.base, t.1.stride32, t.2.base, t.2.stride32,
                    width, height), "unpack")
        case (.packed422(let from), .packed422(let to)):
            if from == to {
                copy(s.0, to: t.0, 4 * source.chromaWidth, height)
            } else {
                cpixel_swap_bytes(
                    s.0.base, s.0.stride, t.0.base, t.0.stride, 2 * source.chromaWidth, height)
            }
        case (_, .packed422):
            try pack(source, to: target)
        case (_, _):
            throw ImageError(.unsupportedFormat, "\(source.layout) cannot be converted to \(target.layout)")
        }
    }

    /// Converts a 4:2:0 image to a packed 4:2:2 one.
    func pack(_ source: PixelImage, to target: PixelImage) throws(ImageError) {
        var image = source
        if source.layout == .biplanar420 {
            image = scratchImage(.planar, .planar420, like: source)
            try convertLayout(source, to: image)
        }
        let pack = target.layout == .packed422(startsWithLuma: true) ? I420ToYUY2 : I420ToUYVY
        let (s, t) = (image.planes, target.planes.0)
        try check(
            pack(
                s.0.base, s.0.stride32, s.1.base, s.1.stride32, s.2.base, s.2.stride32, t.base, t.stride32,
                source.width32, source.height32), "pack")
    }

    /// Changes the value range in place.
    func changeRange(of image: PixelImage, toFullRange: Bool) {
        let (y, c) = YCbCrEncoding.rangeChange(toFullRange: toFullRange)
        func change(
            _ plane: ImagePlane, _ byteCount: Int32, _ rows: Int32, _ by: (factor: Int32, offset: Int32)
        ) {
            cpixel_scale_bytes(
                plane.base, plane.stride, plane.base, plane.stride, byteCount, rows, by.factor, by.offset)
        }
        let planes = image.planes
        switch image.layout {
        case .biplanar420:
            change(planes.0, image.width32, image.height32, y)
            change(planes.1, 2 * image.chromaWidth, image.chromaHeight420, c)
        case .planar420:
            change(planes.0, image.width32, image.height32, y)
            change(planes.1, image.chromaWidth, image.chromaHeight420, c)
            change(planes.2, image.chromaWidth, image.chromaHeight420, c)
        case .packed422(let startsWithLuma):
            let (even, odd) = startsWithLuma ? (y, c) : (c, y)
            let plane = planes.0
            cpixel_scale_byte_pairs(
                plane.base, plane.stride, plane.base, plane.stride, 2 * image.chromaWidth, image.height32, even.factor,
                even.offset, odd.factor, odd.offset)
        case .biplanar420x10, .biplanar422x10, .rgb, .gray:
            break
        }
    }

    // MARK: Gray

    /// Converts a Y'CbCr image to full-range gray.
    func reduceToGray(_ source: PixelImage, to target: PixelImage) throws(ImageError) {
        let (s, t) = (source.planes.0, target.planes.0)
        let (width, height) = (source.width32, source.height32)
        if case .packed422(let startsWithLuma) = source.layout {
            let unpack = startsWithLuma ? YUY2ToY : UYVYToY
            try check(unpack(s.base, s.stride32, t.base, t.stride32, width, height), "unpack")
        } else {
            copy(s, to: t, width, height)
        }
        if !source.encoding.isFullRange {
            let change = YCbCrEncoding.rangeChange(toFullRange: true).y
            cpixel_scale_bytes(t.base, t.stride, t.base, t.stride, width, height, change.factor, change.offset)
        }
    }

    /// Converts a gray image to Y'CbCr with neutral chroma.
    func expandGray(_ source: PixelImage, to target: PixelImage) throws(ImageError) {
        if case .packed422 = target.layout {
            let image = scratchImage(.planar, .planar420, like: target)
            try expandGray(source, to: image)
            return try pack(image, to: target)
        }
        let (s, t) = (source.planes.0, target.planes)
        copy(s, to: t.0, source.width32, source.height32)
        if !target.encoding.isFullRange {
            let change = YCbCrEncoding.rangeChange(toFullRange: false).y
            cpixel_scale_bytes(
                t.0.base, t.0.stride, t.0.base, t.0.stride, source.width32, source.height32, change.factor,
                change.offset)
        }
        if target.layout == .biplanar420 {
            SetPlane(t.1.base, t.1.stride32, 2 * target.chromaWidth, target.chromaHeight420, 128)
        } else {
            SetPlane(t.1.base, t.1.stride32, target.chromaWidth, target.chromaHeight420, 128)
            SetPlane(t.2.base, t.2.stride32, target.chromaWidth, target.chromaHeight420, 128)
        }
    }
}
