package import MediaTypes

/// One plane of an image, in memory that it does not own.
package struct ImagePlane {
    /// The first byte of the top row.
    package var base: UnsafeMutablePointer<UInt8>
    /// Bytes from one row to the next.
    package var stride: Int

    /// Creates a plane.
    package init(base: UnsafeMutablePointer<UInt8>, stride: Int) {
        self.base = base
        self.stride = stride
    }

    var stride32: Int32 { Int32(truncatingIfNeeded: stride) }
}

/// An image in memory that it does not own; the owner keeps the memory valid while the image is in use.
package struct PixelImage {
    package var layout: PixelLayout
    package var width: Int
    package var height: Int
    /// `layout.planeCount` planes; the remaining entries repeat the last one.
    package var planes: (ImagePlane, ImagePlane, ImagePlane)
    /// The encoding of a Y'CbCr image; not used for R'G'B' and gray.
    package var encoding: YCbCrEncoding

    /// Creates an image.
    package init(
        layout: PixelLayout, width: Int, height: Int, planes: (ImagePlane, ImagePlane, ImagePlane),
        encoding: YCbCrEncoding
    ) {
        self.layout = layout
        self.width = width
        self.height = height
        self.planes = planes
        self.encoding = encoding
    }

    /// Creates an image from one to three planes.
    package init(layout: PixelLayout, width: Int, height: Int, planes: [ImagePlane], encoding: YCbCrEncoding) {
        self.init(
            layout: layout, width: width, height: height,
            planes: (planes[0], planes[min(1, planes.count - 1)], planes[min(2, planes.count - 1)]),
            encoding: encoding)
    }

    /// Creates an image of the pixels of a locked buffer.
    ///
    /// - Parameter matrix: The matrix to use for a buffer without a matrix attachment; nil to choose it by the height.
    package init(_ buffer: CVPixelBuffer, assuming matrix: YCbCrEncoding.Matrix? = nil) throws(ImageError) {
        let format = CVPixelBufferGetPixelFormatType(buffer)
        guard let (layout, isFullRange) = PixelLayout.of(pixelFormat: format) else {
            throw ImageError(.unsupportedFormat, "the pixel format \(fourCharacterText(format)) cannot be converted")
        }
        let height = CVPixelBufferGetHeight(buffer)
        let matrix =
            YCbCrEncoding.Matrix.attached(to: buffer) ?? matrix ?? YCbCrEncoding.Matrix.assumed(height: height)
        var planes: (ImagePlane?, ImagePlane?, ImagePlane?)
        if layout.planeCount == 1 {
            planes.0 = CVPixelBufferGetBaseAddress(buffer).map {
                ImagePlane(base: $0.assumingMemoryBound(to: UInt8.self), stride: CVPixelBufferGetBytesPerRow(buffer))
            }
            (planes.1, planes.2) = (planes.0, planes.0)
        } else {
            planes.0 = Self.plane(0, of: buffer)
            planes.1 = Self.plane(1, of: buffer)
            planes.2 = layout.planeCount > 2 ? Self.plane(2, of: buffer) : planes.1
        }
        guard let first = planes.0, let second = planes.1, let third = planes.2 else {
            throw ImageError(.inaccessible, "the pixel buffer's memory is not accessible: lock its base address first")
        }
        self.init(
            layout: layout, width: CVPixelBufferGetWidth(buffer), height: height, planes: (first, second, third),
            encoding: YCbCrEncoding(matrix: matrix, isFullRange: isFullRange))
    }

    private static func plane(_ index: Int, of buffer: CVPixelBuffer) -> ImagePlane? {
        CVPixelBufferGetBaseAddressOfPlane(buffer, index).map {
            ImagePlane(
                base: $0.assumingMemoryBound(to: UInt8.self), stride: CVPixelBufferGetBytesPerRowOfPlane(buffer, index))
        }
    }

    var width32: Int32 { Int32(truncatingIfNeeded: width) }
    var height32: Int32 { Int32(truncatingIfNeeded: height) }
    /// Width of the chroma planes.
    var chromaWidth: Int32 { Int32(truncatingIfNeeded: (width + 1) / 2) }
    /// Height of the chroma planes of a 4:2:0 image of this size; those of 4:2:2 have the full height.
    var chromaHeight420: Int32 { Int32(truncatingIfNeeded: (height + 1) / 2) }

    /// Returns a part of the image. With subsampled chroma, its left and top edges move up to one pixel outward to an
    /// even position.
    func cropped(to rect: PixelRect) throws(ImageError) -> PixelImage {
        guard rect.x >= 0, rect.y >= 0, rect.width > 0, rect.height > 0, rect.x <= width - rect.width,
            rect.y <= height - rect.height
        else {
            throw ImageError(
                .invalidGeometry,
                "the part \(rect.width)x\(rect.height) at (\(rect.x), \(rect.y)) does not lie inside "
                    + "\(width)x\(height) pixels")
        }
        let x = rect.x / layout.alignment.x * layout.alignment.x
        let y = rect.y / layout.alignment.y * layout.alignment.y
        var image = self
        image.width = rect.width + rect.x - x
        image.height = rect.height + rect.y - y
        switch layout {
        case .biplanar420:
            image.planes.0.base += y * planes.0.stride + x
            image.planes.1.base += y / 2 * planes.1.stride + x
            image.planes.2 = image.planes.1
        case .biplanar420x10, .biplanar422x10:
            let chromaY = layout == .biplanar420x10 ? y / 2 : y
            image.planes.0.base += y * planes.0.stride + 2 * x
            image.planes.1.base += chromaY * planes.1.stride + 2 * x
            image.planes.2 = image.planes.1
        case .planar420:
            image.planes.0.base += y * planes.0.stride + x
            image.planes.1.base += y / 2 * planes.1.stride + x / 2
            image.planes.2.base += y / 2 * planes.2.stride + x / 2
        case .packed422:
            image.planes.0.base += y * planes.0.stride + 2 * x
        case .rgb(let order):
            image.planes.0.base += y * planes.0.stride + order.byteCount * x
        case .gray:
            image.planes.0.base += y * planes.0.stride + x
        }
        return image
    }
}

extension YCbCrEncoding.Matrix {
    /// Returns the matrix in a buffer's attachment; nil if there is none or it is not supported.
    package static func attached(to buffer: CVPixelBuffer) -> YCbCrEncoding.Matrix? {
        let value = CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil)
        return (value as? String).flatMap { YCbCrEncoding.Matrix(attachment: $0) }
    }
}
