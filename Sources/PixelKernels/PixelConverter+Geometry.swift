import CPixelKernels
import CYUV

extension PixelConverter {
    /// Scales between images of one layout, with a box filter for shrinking and bilinear interpolation for enlarging.
    func scale(_ source: PixelImage, to target: PixelImage) throws(ImageError) {
        let (s, t) = (source.planes, target.planes)
        let result: Int32
        switch source.layout {
        case .biplanar420:
            result = NV12Scale(
                s.0.base, s.0.stride32, s.1.base, s.1.stride32, source.width32, source.height32, t.0.base,
                t.0.stride32, t.1.base, t.1.stride32, target.width32, target.height32, kFilterBox)
        case .planar420:
            result = I420Scale(
                s.0.base, s.0.stride32, s.1.base, s.1.stride32, s.2.base, s.2.stride32, source.width32,
                source.height32, t.0.base, t.0.stride32, t.1.base, t.1.stride32, t.2.base, t.2.stride32,
                target.width32, target.height32, kFilterBox)
        case .gray:
            ScalePlane(
                s.0.base, s.0.stride32, source.width32, source.height32, t.0.base, t.0.stride32, target.width32,
                target.height32, kFilterBox)
            result = 0
        case .biplanar420x10, .biplanar422x10:
            throw ImageError(.unsupportedFormat, "10-bit images are scaled by component")
        case .rgb, .packed422:
            result = ARGBScale(
                s.0.base, s.0.stride32, source.width32, source.height32, t.0.base, t.0.stride32, target.width32,
                target.height32, kFilterBox)
        }
        try check(result, "scale")
    }

    /// Rotates, then mirrors an image; both images have the same layout and matching sizes.
    func orient(
        _ source: PixelImage, to target: PixelImage, _ rotation: PixelRotation, isMirrored: Bool
    ) throws(ImageError) {
        let orientation = Orientation(rotation, isMirrored: isMirrored)
        let (s, t) = (source.planes, target.planes)
        let (width, height) = (source.width32, source.height32)
        let (chromaWidth, chromaHeight420) = (source.chromaWidth, source.chromaHeight420)
        switch source.layout {
        case .gray:
            try orient(s.0, to: t.0, width, height, orientation)
        case .planar420:
            try orient(s.0, to: t.0, width, height, orientation)
            try orient(s.1, to: t.1, chromaWidth, chromaHeight420, orientation)
            try orient(s.2, to: t.2, chromaWidth, chromaHeight420, orientation)
        case .biplanar420:
            try orient(s.0, to: t.0, width, height, orientation)
            try orientInterleaved(s.1, to: t.1, chromaWidth, chromaHeight420, orientation)
        case .biplanar420x10, .biplanar422x10:
            throw ImageError(.unsupportedFormat, "10-bit images are rotated by component")
        case .rgb, .packed422:
            let result =
                switch orientation {
                case .mirrored:
                    ARGBMirror(s.0.base, s.0.stride32, t.0.base, t.0.stride32, width, height)
                case .rotated(let mode, let flips):
                    ARGBRotate(s.0.base, s.0.stride32, t.0.base, t.0.stride32, width, flips ? -height : height, mode)
                }
            try check(result, "rotate")
        }
    }

    /// The eight orientations as parameters of libyuv. libyuv flips an image vertically if its height is negative.
    enum Orientation {
        case mirrored
        /// Flipped vertically if `flips`, then rotated.
        case rotated(RotationMode, flips: Bool)

        // Mirroring after a quarter turn is equal to a vertical flip before it. Mirroring after a half turn is equal to
        // a vertical flip alone.
        init(_ rotation: PixelRotation, isMirrored: Bool) {
            switch (rotation, isMirrored) {
            case (.none, true): self = .mirrored
            case (.none, false): self = .rotated(kRotate0, flips: false)
            case (.clockwise180, true): self = .rotated(kRotate0, flips: true)
            case (.clockwise180, false): self = .rotated(kRotate180, flips: false)
            case (.clockwise90, let flips): self = .rotated(kRotate90, flips: flips)
            case (.clockwise270, let flips): self = .rotated(kRotate270, flips: flips)
            }
        }
    }

    private func orient(
        _ source: ImagePlane, to target: ImagePlane, _ width: Int32, _ height: Int32, _ orientation: Orientation
    ) throws(ImageError) {
        switch orientation {
        case .mirrored:
            MirrorPlane(source.base, source.stride32, target.base, target.stride32, width, height)
        case .rotated(let mode, let flips):
            let result = RotatePlane(
                source.base, source.stride32, target.base, target.stride32, width, flips ? -height : height, mode)
            try check(result, "rotate")
        }
    }

    private func orientInterleaved(
        _ source: ImagePlane, to target: ImagePlane, _ width: Int32, _ height: Int32, _ orientation: Orientation
    ) throws(ImageError) {
        switch orientation {
        case .mirrored:
            MirrorUVPlane(source.base, source.stride32, target.base, target.stride32, width, height)
        case .rotated(let mode, let flips):
            let swaps = mode == kRotate90 || mode == kRotate270
            let rotatedWidth = swaps ? height : width
            let rotatedHeight = swaps ? width : height
            let stride = (rotatedWidth + 63) / 64 * 64
            let planeByteCount = Int(stride) * Int(rotatedHeight)
            let first = scratch.bytes(.chroma, count: 2 * planeByteCount)
            let second = first + planeByteCount
            let result = SplitRotateUV(
                source.base, source.stride32, first, stride, second, stride, width, flips ? -height : height, mode)
            try check(result, "rotate")
            MergeUVPlane(first, stride, second, stride, target.base, target.stride32, rotatedWidth, rotatedHeight)
        }
    }

    /// Sets every visible pixel to opaque black.
    func fillBlack(_ image: PixelImage) {
        let black: UInt8 = image.encoding.isFullRange ? 0 : 16
        let planes = image.planes
        switch image.layout {
        case .biplanar420:
            SetPlane(planes.0.base, planes.0.stride32, image.width32, image.height32, UInt32(black))
            SetPlane(planes.1.base, planes.1.stride32, 2 * image.chromaWidth, image.chromaHeight420, 128)
        case .biplanar420x10, .biplanar422x10:
            // A 10-bit code is the 8-bit code times 4. In the upper bits of a little-endian word, its low byte is 0 and
            // its high byte is the 8-bit code.
            let chromaRows = image.layout == .biplanar420x10 ? image.chromaHeight420 : image.height32
            cpixel_fill(
                planes.0.base, planes.0.stride, image.chromaWidth, image.height32, [0, black, 0, black])
            cpixel_fill(planes.1.base, planes.1.stride, image.chromaWidth, chromaRows, [0, 128, 0, 128])
        case .planar420:
            SetPlane(planes.0.base, planes.0.stride32, image.width32, image.height32, UInt32(black))
            SetPlane(planes.1.base, planes.1.stride32, image.chromaWidth, image.chromaHeight420, 128)
            SetPlane(planes.2.base, planes.2.stride32, image.chromaWidth, image.chromaHeight420, 128)
        case .packed422(let startsWithLuma):
            let pattern = startsWithLuma ? [black, 128, black, 128] : [128, black, 128, black]
            cpixel_fill(planes.0.base, planes.0.stride, image.chromaWidth, image.height32, pattern)
        case .rgb(let order):
            guard let alpha = order.alpha else {
                SetPlane(planes.0.base, planes.0.stride32, 3 * image.width32, image.height32, 0)
                return
            }
            let pattern = (0..<4).map { $0 == alpha ? UInt8.max : 0 }
            cpixel_fill(planes.0.base, planes.0.stride, image.width32, image.height32, pattern)
        case .gray:
            SetPlane(planes.0.base, planes.0.stride32, image.width32, image.height32, 0)
        }
    }
}
