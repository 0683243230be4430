import CPixelKernels
import CYUV

extension PixelConverter {
    /// Converts an image to another layout and encoding; both images have the same size.
    func convertFormat(_ source: PixelImage, to target: PixelImage) throws(ImageError) {
        switch (source.layout, target.layout) {
        case (.rgb(let from), .rgb(let to)):
            try reorderRGB(source, from, to: target, to)
        case (.rgb(let order), .biplanar420), (.rgb(let order), .planar420):
            encode(source, order, to: target)
        case (.rgb(let order), .packed422):
            let image = scratchImage(.planar, .planar420, like: target)
            encode(source, order, to: image)
            try pack(image, to: target)
        case (.rgb(let order), .gray):
            var encoding = target.encoding
            encoding.isFullRange = true
            cpixel_rgb_to_luma(
                source.planes.0.base, source.planes.0.stride, order.kernelOrder, source.width32, source.height32,
                target.planes.0.base, target.planes.0.stride, encoding.weights.y)
        case (_, .rgb(let order)):
            try decode(source, to: target, order)
        case (.gray, .gray):
            copy(source.planes.0, to: target.planes.0, source.width32, source.height32)
        case (.gray, _):
            try expandGray(source, to: target)
        case (_, .gray):
            try reduceToGray(source, to: target)
        case (_, _) where source.encoding.matrix != target.encoding.matrix:
            let image = scratchImage(.bgra, .rgb(.bgra), like: source)
            try decode(source, to: image, .bgra)
            try convertFormat(image, to: target)
        case (_, _):
            try convertLayout(source, to: target)
            if source.encoding.isFullRange != target.encoding.isFullRange {
                changeRange(of: target, toFullRange: target.encoding.isFullRange)
            }
        }
    }

    func scratchImage(
        _ slot: ScratchMemory.Slot, _ layout: PixelLayout, like image: PixelImage
    ) -> PixelImage {
        scratch.image(slot, layout: layout, width: image.width, height: image.height, encoding: image.encoding)
    }

    func copy(_ source: ImagePlane, to target: ImagePlane, _ byteCount: Int32, _ rows: Int32) {
        CopyPlane(source.base, source.stride32, target.base, target.stride32, byteCount, rows)
    }

    // MARK: R'G'B'

    /// Converts between byte orders of R'G'B'.
    private func reorderRGB(
        _ source: PixelImage, _ from: PixelOrder, to target: PixelImage, _ to: PixelOrder
    ) throws(ImageError) {
        let (s, t) = (source.planes.0, target.planes.0)
        let (width, height) = (source.width32, source.height32)
        if from == to { return copy(s, to: t, width * Int32(from.byteCount), height) }
        switch (from.byteCount, to.byteCount) {
        case (4, 4):
            try shuffle(s, to: t, width, height, from, to)
        case (3, 3):
            try check(RAWToRGB24(s.base, s.stride32, t.base, t.stride32, width, height), "reorder")
        case (3, _):
            let result =
                from == .rgb
                ? RAWToARGB(s.base, s.stride32, t.base, t.stride32, width, height)
                : RGB24ToARGB(s.base, s.stride32, t.base, t.stride32, width, height)
            try check(result, "reorder")
            if to != .bgra { try shuffle(t, to: t, width, height, .bgra, to) }
        case (_, _):
            var plane = s
            if from != .bgra {
                let image = scratchImage(.bgra, .rgb(.bgra), like: source)
                plane = image.planes.0
                try shuffle(s, to: plane, width, height, from, .bgra)
            }
            let result =
                to == .rgb
                ? ARGBToRAW(plane.base, plane.stride32, t.base, t.stride32, width, height)
                : ARGBToRGB24(plane.base, plane.stride32, t.base, t.stride32, width, height)
            try check(result, "reorder")
        }
    }

    /// Reorders the bytes of pixels of four bytes; works in place if both planes are equal.
    private func shuffle(
        _ source: ImagePlane, to target: ImagePlane, _ width: Int32, _ height: Int32, _ from: PixelOrder,
        _ to: PixelOrder
    ) throws(ImageError) {
        // libyuv expects the byte positions of four pixels, a vector of 16 bytes.
        var positions = SIMD16<UInt8>()
        for pixel in 0..<4 {
            positions[4 * pixel + to.red] = UInt8(4 * pixel + from.red)
            positions[4 * pixel + to.green] = UInt8(4 * pixel + from.green)
            positions[4 * pixel + to.blue] = UInt8(4 * pixel + from.blue)
            if let toAlpha = to.alpha, let fromAlpha = from.alpha {
                positions[4 * pixel + toAlpha] = UInt8(4 * pixel + fromAlpha)
            }
        }
        let result = withUnsafeBytes(of: &positions) { positions in
            ARGBShuffle(
                source.base, source.stride32, target.base, target.stride32,
                positions.baseAddress?.assumingMemoryBound(to: UInt8.self), width, height)
        }
        try check(result, "reorder")
    }

    // MARK: Between R'G'B' and Y'CbCr

    /// Converts R'G'B' to Y'CbCr 4:2:0 in two or three planes.
    private func encode(_ source: PixelImage, _ order: PixelOrder, to target: PixelImage) {
        let weights = target.encoding.weights
        let (y, cb) = (target.planes.0, target.planes.1)
        let isInterleaved = target.layout == .biplanar420
        let cr = isInterleaved ? cb.base + 1 : target.planes.2.base
        // The planes of an image that the caller created may differ in stride.
        if !isInterleaved && target.planes.2.stride != cb.stride {
            let image = scratchImage(.planar, .planar420, like: target)
            encode(source, order, to: image)
            copy(image.planes.0, to: y, target.width32, target.height32)
            copy(image.planes.1, to: cb, target.chromaWidth, target.chromaHeight420)
            copy(image.planes.2, to: target.planes.2, target.chromaWidth, target.chromaHeight420)
            return
        }
        cpixel_rgb_to_420(
            source.planes.0.base, source.planes.0.stride, order.kernelOrder, source.width32, source.height32, y.base,
            y.stride, cb.base, cr, cb.stride, isInterleaved ? 2 : 1, weights.y, weights.cb, weights.cr)
    }

    /// Converts Y'CbCr or gray to R'G'B'.
    ///
    /// On x86, libyuv's factors have 8 bits: for BT.709, blue has errors of up to 15 levels, and other processors
    /// compute other bytes. This kernel is exact and as fast.
    private func decode(_ source: PixelImage, to target: PixelImage, _ order: PixelOrder) throws(ImageError) {
        let (s, t) = (source.planes, target.planes.0)
        func run(
            yStep: Int32, cb: UnsafeMutablePointer<UInt8>, _ cbStride: Int, cr: UnsafeMutablePointer<UInt8>,
            _ crStride: Int, step: Int32, rowShift: Int32, luma: UnsafeMutablePointer<UInt8>
        ) {
            cpixel_ycbcr_to_rgb(
                luma, s.0.stride, yStep, cb, cr, cbStride, crStride, step, rowShift, source.width32, source.height32,
                t.base, t.stride, order.kernelOrder, source.encoding.decoding)
        }
        switch source.layout {
        case .biplanar420:
            run(
                yStep: 1, cb: s.1.base, s.1.stride, cr: s.1.base + 1, s.1.stride, step: 2, rowShift: 1, luma: s.0.base)
        case .planar420:
            run(yStep: 1, cb: s.1.base, s.1.stride, cr: s.2.base, s.2.stride, step: 1, rowShift: 1, luma: s.0.base)
        case .packed422(let startsWithLuma):
            let chroma = s.0.base + (startsWithLuma ? 1 : 0)
            run(
                yStep: 2, cb: chroma, s.0.stride, cr: chroma + 2, s.0.stride, step: 4, rowShift: 0,
                luma: s.0.base + (startsWithLuma ? 0 : 1))
        case .gray:
            if order == .bgra {
                let (width, height) = (source.width32, source.height32)
                try check(J400ToARGB(s.0.base, s.0.stride32, t.base, t.stride32, width, height), "decode")
            } else {
                let image = scratchImage(.bgra, .rgb(.bgra), like: target)
                try decode(source, to: image, .bgra)
                try reorderRGB(image, .bgra, to: target, order)
            }
        case .rgb(let from):
            try reorderRGB(source, from, to: target, order)
        case .biplanar420x10, .biplanar422x10:
            throw ImageError(.unsupportedFormat, "10-bit images are reduced to 8 bits before they are decoded")
        }
    }
}
