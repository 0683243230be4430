import CPixelKernels
import CYUV
package import MediaTypes

// Images with 10 bits per component: see `PixelLayout.biplanar420x10`.
extension PixelConverter {
    /// One component of an image: 10-bit values in the lower bits of 16-bit words.
    private struct Component {
        var base: UnsafeMutablePointer<UInt16>
        /// Words from one row to the next.
        var stride: Int
        var width: Int
        var height: Int

        var stride32: Int32 { Int32(truncatingIfNeeded: stride) }
        var width32: Int32 { Int32(truncatingIfNeeded: width) }
        var height32: Int32 { Int32(truncatingIfNeeded: height) }
    }

    /// Converts an image if the source or the target has 10 bits per component.
    ///
    /// - Parameter transform: A rotation and mirroring, with `.stretch` and without a crop.
    func convertTenBits(
        _ source: PixelImage, to target: PixelImage, _ transform: PixelTransform
    ) throws(ImageError) {
        guard source.layout.hasTenBits else {
            let image = scratchImage(.expanded, .biplanar420, like: target)
            try convert(source, to: image, transform)
            return expand(image, to: target)
        }
        guard target.layout.hasTenBits, source.encoding.matrix == target.encoding.matrix else {
            let image = scratchImage(.reduced, .biplanar420, like: source)
            reduce(source, to: image)
            return try convert(image, to: target, transform)
        }
        let isCopy =
            source.layout == target.layout && source.encoding == target.encoding && transform == .identity
            && source.width == target.width && source.height == target.height
        if isCopy {
            for (plane, from, to) in [
                (0, source.planes.0, target.planes.0), (1, source.planes.1, target.planes.1),
            ] {
                let size = source.layout.planeSize(plane, width: source.width, height: source.height)
                copy(from, to: to, Int32(size.byteCount), Int32(size.rows))
            }
            return
        }
        try convertComponents(source, to: target, transform)
    }

    /// Converts between images with 10 bits per component and the same matrix.
    private func convertComponents(
        _ source: PixelImage, to target: PixelImage, _ transform: PixelTransform
    ) throws(ImageError) {
        let components = split(source)
        let swaps = transform.rotation.swapsWidthAndHeight
        var oriented = components
        if transform.rotation != .none || transform.isMirrored {
            oriented = allocate(
                .orientedComponents,
                sizes: components.map { swaps ? ($0.height, $0.width) : ($0.width, $0.height) })
            for (from, to) in zip(components, oriented) {
                try orient(
                    from, to: to, PixelConverter.Orientation(transform.rotation, isMirrored: transform.isMirrored))
            }
        }
        let sizes = componentSizes(of: target)
        var scaled = oriented
        if zip(oriented, sizes).contains(where: { $0.width != $1.width || $0.height != $1.height }) {
            scaled = allocate(.scaledComponents, sizes: sizes)
            // Without scaling, a conversion from 4:2:0 to 4:2:2 repeats chroma rows, as with 8 bits.
            let repeats = oriented[0].height == sizes[0].height && oriented[0].width == sizes[0].width
            for (from, to) in zip(oriented, scaled) {
                if repeats, to.height > from.height {
                    for row in 0..<to.height {
                        (to.base + row * to.stride).update(from: from.base + row / 2 * from.stride, count: to.width)
                    }
                    continue
                }
                ScalePlane_16(
                    from.base, from.stride32, from.width32, from.height32, to.base, to.stride32, to.width32,
                    to.height32, kFilterBox)
            }
        }
        if source.encoding.isFullRange != target.encoding.isFullRange {
            changeRange(of: scaled, toFullRange: target.encoding.isFullRange)
        }
        merge(scaled, to: target)
    }

    /// Copies the components of a 10-bit buffer to three planes of 16-bit words, with the values in the lower bits.
    ///
    /// - Parameters:
    ///   - planes: Y', Cb and Cr.
    ///   - hasFullChroma: Whether the chroma planes have the size of the luma plane; otherwise they have the chroma
    ///     size of the buffer.
    package func copyComponents(
        of buffer: CVPixelBuffer, to planes: [ImagePlane], hasFullChroma: Bool
    ) throws(ImageError) {
        guard CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess else {
            throw ImageError(.inaccessible, "the pixel buffer cannot be locked for reading")
        }
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        let image = try PixelImage(buffer)
        for (index, (part, plane)) in zip(split(image), planes).enumerated() {
            let target = words(plane)
            let size = index == 0 || !hasFullChroma ? (part.width32, part.height32) : (image.width32, image.height32)
            ScalePlane_16(
                part.base, part.stride32, part.width32, part.height32, target.base, target.stride, size.0, size.1,
                kFilterBilinear)
        }
    }

    /// Returns the sizes of Y', Cb and Cr in pixels.
    private func componentSizes(of image: PixelImage) -> [(width: Int, height: Int)] {
        let chromaHeight = image.layout == .biplanar420x10 ? (image.height + 1) / 2 : image.height
        let chroma = ((image.width + 1) / 2, chromaHeight)
        return [(image.width, image.height), chroma, chroma]
    }

    /// Returns components of the given sizes in scratch memory.
    private func allocate(_ slot: ScratchMemory.Slot, sizes: [(width: Int, height: Int)]) -> [Component] {
        let strides = sizes.map { ($0.width + 31) / 32 * 32 }
        let total = zip(sizes, strides).reduce(0) { $0 + $1.0.height * $1.1 }
        var next = UnsafeMutableRawPointer(scratch.bytes(slot, count: 2 * total))
            .bindMemory(to: UInt16.self, capacity: total)
        return zip(sizes, strides).map { size, stride in
            defer { next += size.height * stride }
            return Component(base: next, stride: stride, width: size.width, height: size.height)
        }
    }

    /// Returns the base address and the stride of a plane in 16-bit words.
    private func words(_ plane: ImagePlane) -> (base: UnsafeMutablePointer<UInt16>, stride: Int32) {
        // The rows of 10-bit pixel buffers are aligned to 16-bit words.
        let base = UnsafeMutableRawPointer(plane.base).assumingMemoryBound(to: UInt16.self)
        return (base, Int32(truncatingIfNeeded: plane.stride / 2))
    }

    /// Copies Y', Cb and Cr of an image to separate components in scratch memory.
    private func split(_ image: PixelImage) -> [Component] {
        let parts = allocate(.components, sizes: componentSizes(of: image))
        let (luma, chroma) = (words(image.planes.0), words(image.planes.1))
        ConvertToLSBPlane_16(
            luma.base, luma.stride, parts[0].base, parts[0].stride32, parts[0].width32, parts[0].height32, 10)
        SplitUVPlane_16(
            chroma.base, chroma.stride, parts[1].base, parts[1].stride32, parts[2].base, parts[2].stride32,
            parts[1].width32, parts[1].height32, 10)
        return parts
    }

    /// Copies Y', Cb and Cr to an image.
    private func merge(_ parts: [Component], to image: PixelImage) {
        let (luma, chroma) = (words(image.planes.0), words(image.planes.1))
        ConvertToMSBPlane_16(
            parts[0].base, parts[0].stride32, luma.base, luma.stride, parts[0].width32, parts[0].height32, 10)
        MergeUVPlane_16(
            parts[1].base, parts[1].stride32, parts[2].base, parts[2].stride32, chroma.base, chroma.stride,
            parts[1].width32, parts[1].height32, 10)
    }

    private func orient(_ from: Component, to: Component, _ orientation: Orientation) throws(ImageError) {
        // libyuv does not mirror 16-bit planes. A half turn followed by a vertical flip has the same result.
        let (mode, flips) =
            switch orientation {
            case .mirrored: (kRotate180, true)
            case .rotated(let mode, let flips): (mode, flips)
            }
        try check(
            RotatePlane_16(
                from.base, from.stride32, to.base, to.stride32, from.width32, flips ? -from.height32 : from.height32,
                mode), "rotate")
    }

    private func changeRange(of parts: [Component], toFullRange: Bool) {
        let change = YCbCrEncoding.rangeChange(toFullRange: toFullRange, bits: 10)
        for (index, part) in parts.enumerated() {
            let (factor, offset) = index == 0 ? change.y : change.c
            cpixel_scale_components(part.base, 2 * part.stride, part.width32, part.height32, factor, offset)
        }
    }

    // MARK: 8 bits

    /// Returns the factors and offsets (times 65536) that convert luma and chroma from 8 to 10 bits, or from 10 to 8
    /// bits: ITU-T H.273, equations 24 to 32.
    private static func bitDepthChange(
        toTenBits: Bool, isFullRange: Bool
    ) -> (y: (factor: Int32, offset: Int32), c: (factor: Int32, offset: Int32)) {
        let up = isFullRange ? 1023.0 / 255 : 4
        let factor = toTenBits ? up : 1 / up
        let chroma = toTenBits ? 512 - 128 * factor : 128 - 512 * factor
        func fixed(_ number: Double) -> Int32 { Int32((number * 65536).rounded()) }
        return ((fixed(factor), 32768), (fixed(factor), fixed(chroma) + 32768))
    }

    /// Converts a 10-bit image to an 8-bit 4:2:0 image in two planes, of the same size and encoding.
    private func reduce(_ source: PixelImage, to target: PixelImage) {
        let change = Self.bitDepthChange(toTenBits: false, isFullRange: source.encoding.isFullRange)
        let (s, t) = (source.planes, target.planes)
        cpixel_words_to_bytes(
            s.0.base, s.0.stride, 1, t.0.base, t.0.stride, source.width32, source.height32, change.y.factor,
            change.y.offset)
        // Each 4:2:0 chroma row is the average of two 4:2:2 chroma rows; with an odd height, the last row is single.
        let averagesRows = source.layout == .biplanar422x10
        let rowCount = averagesRows ? source.height32 / 2 : source.chromaHeight420
        cpixel_words_to_bytes(
            s.1.base, s.1.stride, averagesRows ? 2 : 1, t.1.base, t.1.stride, 2 * source.chromaWidth, rowCount,
            change.c.factor, change.c.offset)
        if rowCount < source.chromaHeight420 {
            cpixel_words_to_bytes(
                s.1.base + (source.height - 1) * s.1.stride, s.1.stride, 1, t.1.base + Int(rowCount) * t.1.stride,
                t.1.stride, 2 * source.chromaWidth, 1, change.c.factor, change.c.offset)
        }
    }

    /// Converts an 8-bit 4:2:0 image in two planes to a 10-bit image of the same size and encoding.
    private func expand(_ source: PixelImage, to target: PixelImage) {
        let change = Self.bitDepthChange(toTenBits: true, isFullRange: target.encoding.isFullRange)
        let (s, t) = (source.planes, target.planes)
        cpixel_bytes_to_words(
            s.0.base, s.0.stride, 1, t.0.base, t.0.stride, source.width32, source.height32, change.y.factor,
            change.y.offset)
        let repeatsRows = target.layout == .biplanar422x10
        cpixel_bytes_to_words(
            s.1.base, s.1.stride, repeatsRows ? 2 : 1, t.1.base, t.1.stride, 2 * source.chromaWidth,
            repeatsRows ? target.height32 : target.chromaHeight420, change.c.factor, change.c.offset)
    }
}
