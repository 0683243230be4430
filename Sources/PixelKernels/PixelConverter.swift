public import MediaTypes

/// Converts images from one pixel buffer to another of any size and format, with cropping, rotation and mirroring.
///
/// Formats: 8-bit Y'CbCr 4:2:0 in two or three planes and 4:2:2 packed ('2vuy', 'yuvs', 'yuvf'), R'G'B' with 24 and 32
/// bits, one component ('L008', full range), and 10-bit Y'CbCr 4:2:0 and 4:2:2 in two planes ('x420', 'xf20', 'x422',
/// 'xf22'). Conversions between two 10-bit formats with the same matrix preserve 10 bits; other conversions use 8 bits.
///
/// The attachment `kCVImageBufferYCbCrMatrixKey` determines the matrix of a Y'CbCr buffer. A destination without this
/// attachment is tagged with the source's matrix if the source is Y'CbCr; otherwise with BT.709 for heights of at least
/// 720 pixels, and with BT.601 for others. Chroma samples are assumed to be at the center of the pixels that share
/// them. The memory for intermediate images is reused between conversions.
///
/// R'G'B' and gray have a standard dynamic range, and so has a destination that is tagged with another transfer function:
/// the highlights of an HLG or PQ source are compressed, unless the destination is tagged with the same function.
///
/// - Important: Confined to one thread at a time.
public final class PixelConverter {
    let scratch = ScratchMemory()

    /// Creates a converter.
    public init() {}

    /// Converts the image of `source` into `destination`.
    ///
    /// Both buffers are locked during the conversion. The destination's alpha, if any, is copied from the source, or
    /// opaque if the source has none.
    /// - Throws: `.unsupportedFormat`, `.invalidGeometry` for a crop outside the source, `.inaccessible` or
    ///   `.outOfMemory`; the destination's contents are then undefined.
    public func convert(
        _ source: CVPixelBuffer, to destination: CVPixelBuffer, _ transform: PixelTransform = .identity
    ) throws(ImageError) {
        guard CVPixelBufferLockBaseAddress(source, .readOnly) == kCVReturnSuccess else {
            throw ImageError(.inaccessible, "the source's pixel buffer cannot be locked for reading")
        }
        defer { CVPixelBufferUnlockBaseAddress(source, .readOnly) }
        var image = try PixelImage(source)
        let layout = PixelLayout.of(pixelFormat: CVPixelBufferGetPixelFormatType(destination))?.layout
        let isTagged = CVBufferCopyAttachment(destination, kCVImageBufferTransferFunctionKey, nil) != nil
        if let range = HighDynamicRange(source), HighDynamicRange(destination) != range,
            layout?.isYCbCr == false || isTagged
        {
            let converted = scratchImage(.standardRange, .rgb(.bgra), like: image)
            try convert(image, to: converted)
            range.convertToBT709(converted)
            image = converted
        }
        try convert(image, to: destination, transform)
    }

    /// Converts an image in the caller's memory into `destination`.
    package func convert(
        _ source: PixelImage, to destination: CVPixelBuffer, _ transform: PixelTransform = .identity
    ) throws(ImageError) {
        guard CVPixelBufferLockBaseAddress(destination, []) == kCVReturnSuccess else {
            throw ImageError(.inaccessible, "the destination's pixel buffer cannot be locked for writing")
        }
        defer { CVPixelBufferUnlockBaseAddress(destination, []) }
        let assumed = source.layout.isYCbCr ? source.encoding.matrix : nil
        let target = try PixelImage(destination, assuming: assumed)
        try convert(source, to: target, transform)
        if target.layout.isYCbCr, YCbCrEncoding.Matrix.attached(to: destination) != target.encoding.matrix {
            CVBufferSetAttachment(
                destination, kCVImageBufferYCbCrMatrixKey, target.encoding.matrix.attachment, .shouldPropagate)
        }
    }

    /// Converts an image in memory into another; they must not overlap.
    package func convert(
        _ source: PixelImage, to destination: PixelImage, _ transform: PixelTransform = .identity
    ) throws(ImageError) {
        guard source.width > 0, source.height > 0, destination.width > 0, destination.height > 0 else {
            throw ImageError(.invalidGeometry, "an image without pixels cannot be converted")
        }
        var current = source
        if let crop = transform.crop { current = try current.cropped(to: crop) }
        var target = destination
        try fit(&current, into: &target, transform)
        if current.layout.hasTenBits || target.layout.hasTenBits {
            return try convertTenBits(
                current, to: target,
                PixelTransform(rotation: transform.rotation, isMirrored: transform.isMirrored, fitting: .stretch))
        }

        let swaps = transform.rotation.swapsWidthAndHeight
        let width = swaps ? target.height : target.width
        let height = swaps ? target.width : target.height
        let scales = current.width != width || current.height != height
        let orients = transform.rotation != .none || transform.isMirrored
        guard scales || orients else { return try convertFormat(current, to: target) }

        // libyuv scales and rotates only some layouts. The last step writes to the target if possible.
        let working = Self.workingLayout(for: current.layout)
        if working != current.layout {
            let image = scratch.image(
                .working, layout: working, width: current.width, height: current.height, encoding: current.encoding)
            try convertFormat(current, to: image)
            current = image
        }
        let encodingFits = !working.isYCbCr || current.encoding == target.encoding
        let endsInTarget = working == target.layout && encodingFits
        if scales {
            let result =
                endsInTarget && !orients
                ? target
                : scratch.image(.scaled, layout: working, width: width, height: height, encoding: current.encoding)
            try scale(current, to: result)
            current = result
        }
        if orients {
            let result =
                endsInTarget
                ? target
                : scratch.image(
                    .oriented, layout: working, width: target.width, height: target.height, encoding: current.encoding)
            try orient(current, to: result, transform.rotation, isMirrored: transform.isMirrored)
            current = result
        }
        if !endsInTarget { try convertFormat(current, to: target) }
    }

    /// Returns the layout in which images are scaled and rotated.
    private static func workingLayout(for layout: PixelLayout) -> PixelLayout {
        switch layout {
        case .biplanar420, .planar420, .gray: layout
        case .packed422, .biplanar420x10, .biplanar422x10: .biplanar420
        case .rgb(let order): order.byteCount == 4 ? layout : .rgb(.bgra)
        }
    }

    /// For `.fill`, crops the source to the aspect ratio of the target. For `.fit`, fills the target with black and
    /// crops it to the aspect ratio of the source.
    private func fit(
        _ source: inout PixelImage, into target: inout PixelImage, _ transform: PixelTransform
    ) throws(ImageError) {
        let swaps = transform.rotation.swapsWidthAndHeight
        let rotated = swaps ? (source.height, source.width) : (source.width, source.height)
        switch transform.fitting {
        case .stretch:
            break
        case .fit:
            let (width, height) = Self.largestSize(shapedAs: rotated, inside: (target.width, target.height))
            guard width != target.width || height != target.height else { return }
            fillBlack(target)
            let alignment = target.layout.alignment
            target = try target.cropped(
                to: PixelRect(
                    x: (target.width - width) / 2 / alignment.x * alignment.x,
                    y: (target.height - height) / 2 / alignment.y * alignment.y, width: width, height: height))
        case .fill:
            let shape = swaps ? (target.height, target.width) : (target.width, target.height)
            let (width, height) = Self.largestSize(shapedAs: shape, inside: (source.width, source.height))
            guard width != source.width || height != source.height else { return }
            let alignment = source.layout.alignment
            source = try source.cropped(
                to: PixelRect(
                    x: (source.width - width) / 2 / alignment.x * alignment.x,
                    y: (source.height - height) / 2 / alignment.y * alignment.y, width: width, height: height))
        }
    }

    /// Returns the largest size with the aspect ratio of `shape` inside another size, rounded to the nearest pixel, at
    /// least 1x1.
    static func largestSize(
        shapedAs shape: (width: Int, height: Int), inside size: (width: Int, height: Int)
    ) -> (width: Int, height: Int) {
        if shape.width * size.height >= shape.height * size.width {
            let height = (shape.height * size.width + shape.width / 2) / shape.width
            return (size.width, min(max(height, 1), size.height))
        }
        let width = (shape.width * size.height + shape.height / 2) / shape.height
        return (min(max(width, 1), size.width), size.height)
    }

    /// Throws `.outOfMemory` for a failed libyuv call; sizes and pointers were checked before.
    func check(_ result: Int32, _ step: StaticString) throws(ImageError) {
        guard result == 0 else {
            throw ImageError(.outOfMemory, "libyuv could not \(step) an image (result \(result))")
        }
    }
}
