import CPixelKernels
package import Foundation
package import MediaTypes

/// Draws images over each other with affine transforms.
///
/// All buffers are 32BGRA. The origin of coordinates is the top left corner of the top left pixel. Images that are
/// reduced in size are scaled with a box filter first; otherwise, pixels are interpolated bilinearly. Edges are
/// antialiased, except those at whole pixels.
/// - Important: Confined to one thread at a time.
package final class LayerCompositor {
    private let converter = PixelConverter()
    /// The buffer of the last scaled image, reused for scaled images of the same size.
    private var scaled: CVPixelBuffer?

    /// Creates a compositor.
    package init() {}

    /// Fills a buffer with a color; components are from 0 to 1.
    package func fill(
        _ target: CVPixelBuffer, red: Double, green: Double, blue: Double, alpha: Double
    ) throws(ImageError) {
        func byte(_ component: Double) -> UInt8 { UInt8((min(1, max(0, component)) * 255).rounded()) }
        let pattern = [byte(blue), byte(green), byte(red), byte(alpha)]
        try withImage(of: target, forWriting: true) { image in
            cpixel_fill(image.planes.0.base, image.planes.0.stride, image.width32, image.height32, pattern)
        }
    }

    /// Draws a part of an image over a buffer.
    ///
    /// - Parameters:
    ///   - crop: The part to draw, in pixels of the image; clipped to the image.
    ///   - transform: From pixels of the image to pixels of the target. Nothing is drawn if it cannot be inverted.
    ///   - opacity: From 0 to 1.
    /// - Throws: `.unsupportedFormat`, `.inaccessible` or `.outOfMemory`.
    package func draw(
        _ source: CVPixelBuffer, crop: CGRect = .infinite, transform: CGAffineTransform, opacity: Float,
        over target: CVPixelBuffer
    ) throws(ImageError) {
        let bounds = CGRect(
            x: 0, y: 0, width: Double(CVPixelBufferGetWidth(source)), height: Double(CVPixelBufferGetHeight(source)))
        let visible = crop.isInfinite ? bounds : crop.standardized.intersection(bounds)
        let determinant = transform.a * transform.d - transform.b * transform.c
        let weight = UInt32((Double(min(1, max(0, opacity))) * 65536).rounded())
        guard !visible.isNull, !visible.isEmpty, abs(determinant) > 1e-9, determinant.isFinite,
            transform.tx.isFinite, transform.ty.isFinite, weight > 0
        else {
            return
        }
        let horizontal = min(1, hypot(transform.a, transform.b))
        let vertical = min(1, hypot(transform.c, transform.d))
        let width = max(1, (bounds.width * horizontal).rounded())
        let height = max(1, (bounds.height * vertical).rounded())
        guard width < bounds.width || height < bounds.height else {
            return try draw(source, visible, transform, weight, over: target)
        }
        let image = try scale(source, Int(width), Int(height))
        let (x, y) = (bounds.width / width, bounds.height / height)
        let part = CGRect(
            x: visible.minX / x, y: visible.minY / y, width: visible.width / x, height: visible.height / y)
        try draw(image, part, CGAffineTransform(scaleX: x, y: y).concatenating(transform), weight, over: target)
    }

    private func scale(_ source: CVPixelBuffer, _ width: Int, _ height: Int) throws(ImageError) -> CVPixelBuffer {
        var image = scaled.flatMap { image in
            CVPixelBufferGetWidth(image) == width && CVPixelBufferGetHeight(image) == height ? image : nil
        }
        if image == nil {
            image = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA)
        }
        guard let image else {
            throw ImageError(.outOfMemory, "cannot allocate an image of \(width)x\(height) pixels")
        }
        try converter.convert(source, to: image)
        scaled = image
        return image
    }

    /// Draws the visible part of an image that is not reduced in size. `weight` is the opacity times 65536.
    private func draw(
        _ source: CVPixelBuffer, _ visible: CGRect, _ transform: CGAffineTransform, _ weight: UInt32,
        over target: CVPixelBuffer
    ) throws(ImageError) {
        try withImage(of: source, forWriting: false) { (image) throws(ImageError) in
            try withImage(of: target, forWriting: true) { below in
                let size = CGRect(x: 0, y: 0, width: Double(below.width), height: Double(below.height))
                // Antialiasing affects up to one more pixel on each side.
                let part = visible.applying(transform).standardized.insetBy(dx: -1, dy: -1).intersection(size)
                guard !part.isNull, !part.isEmpty else { return }
                let touched = part.integral
                if let offset = Self.wholePixelOffset(transform, visible) {
                    let part = visible.offsetBy(dx: offset.x, dy: offset.y).intersection(size)
                    guard !part.isNull, !part.isEmpty else { return }
                    let first =
                        image.planes.0.base + Int(part.minY - offset.y) * image.planes.0.stride
                        + 4 * Int(part.minX - offset.x)
                    cpixel_blend(
                        first, image.planes.0.stride, Int32(part.width), Int32(part.height), weight,
                        below.planes.0.base + Int(part.minY) * below.planes.0.stride + 4 * Int(part.minX),
                        below.planes.0.stride)
                } else if let layer = Self.layer(transform, visible) {
                    cpixel_draw_layer(
                        image.planes.0.base, image.planes.0.stride, layer, weight,
                        below.planes.0.base, below.planes.0.stride, Int32(touched.minX), Int32(touched.minY),
                        Int32(touched.maxX), Int32(touched.maxY))
                }
            }
        }
    }

    /// Returns the offset if a transform only translates by whole pixels and the edges of the visible part are at whole
    /// pixels; otherwise nil.
    private static func wholePixelOffset(_ transform: CGAffineTransform, _ visible: CGRect) -> CGPoint? {
        func isNear(_ first: CGFloat, _ second: CGFloat, _ tolerance: CGFloat) -> Bool {
            abs(first - second) < tolerance
        }
        let offset = CGPoint(x: transform.tx.rounded(), y: transform.ty.rounded())
        let sides = [visible.minX, visible.minY, visible.maxX, visible.maxY]
        // A thousandth of a pixel at the far side of the image is not visible.
        let scale = 1e-3 / max(visible.maxX, visible.maxY)
        guard isNear(transform.a, 1, scale), isNear(transform.d, 1, scale), isNear(transform.b, 0, scale),
            isNear(transform.c, 0, scale), isNear(transform.tx, offset.x, 1e-3), isNear(transform.ty, offset.y, 1e-3),
            sides.allSatisfy({ $0 == $0.rounded() })
        else { return nil }
        return offset
    }

    /// Returns the kernel's parameters; nil if a coefficient exceeds the limits of `cpixel_layer`. The image is then
    /// too small or too far away to be visible.
    private static func layer(_ transform: CGAffineTransform, _ visible: CGRect) -> cpixel_layer? {
        let inverse = transform.inverted()
        let steps = [inverse.a, inverse.b, inverse.c, inverse.d]
        guard steps.allSatisfy({ abs($0) < 16384 }), abs(inverse.tx) < 268_435_456, abs(inverse.ty) < 268_435_456 else {
            return nil
        }
        func fixed(_ number: CGFloat, _ bits: Int) -> Int64 { Int64((number * CGFloat(1 << bits)).rounded()) }
        return cpixel_layer(
            x: fixed(inverse.tx, 32), x_per_column: fixed(inverse.a, 32), x_per_row: fixed(inverse.c, 32),
            y: fixed(inverse.ty, 32), y_per_column: fixed(inverse.b, 32), y_per_row: fixed(inverse.d, 32),
            left: fixed(visible.minX, 16), top: fixed(visible.minY, 16), right: fixed(visible.maxX, 16),
            bottom: fixed(visible.maxY, 16), x_scale: fixed(min(16384, 1 / hypot(inverse.a, inverse.c)), 16),
            y_scale: fixed(min(16384, 1 / hypot(inverse.b, inverse.d)), 16))
    }

    private func withImage(
        of buffer: CVPixelBuffer, forWriting: Bool, _ body: (PixelImage) throws(ImageError) -> Void
    ) throws(ImageError) {
        guard CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA else {
            throw ImageError(.unsupportedFormat, "layers are drawn in 32BGRA only")
        }
        let flags: CVPixelBufferLockFlags = forWriting ? [] : .readOnly
        guard CVPixelBufferLockBaseAddress(buffer, flags) == kCVReturnSuccess else {
            throw ImageError(.inaccessible, "the pixel buffer of a layer cannot be locked")
        }
        defer { CVPixelBufferUnlockBaseAddress(buffer, flags) }
        try body(PixelImage(buffer))
    }
}
