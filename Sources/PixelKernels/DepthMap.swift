import CPixelKernels
package import MediaTypes

/// The values of a depth map, row by row without padding.
///
/// Depth buffers have one of four pixel formats: distance in meters or disparity in 1/meters, as half or single floats.
/// NaN marks a pixel without a measurement.
package struct DepthMap: Sendable {
    package private(set) var width: Int
    package private(set) var height: Int
    /// Whether the values are disparities (1/meters), not distances (meters).
    package let isDisparity: Bool
    /// `width` times `height` values; NaN where nothing was measured.
    package var values: [Float]

    /// The pixel formats of depth maps.
    package static let pixelFormats = [
        kCVPixelFormatType_DisparityFloat16, kCVPixelFormatType_DisparityFloat32, kCVPixelFormatType_DepthFloat16,
        kCVPixelFormatType_DepthFloat32,
    ]

    /// Whether a depth pixel format stores disparities.
    package static func isDisparity(_ pixelFormat: OSType) -> Bool {
        pixelFormat == kCVPixelFormatType_DisparityFloat16 || pixelFormat == kCVPixelFormatType_DisparityFloat32
    }

    /// Whether a depth pixel format stores half floats (2 bytes per value), not single floats (4 bytes).
    package static func isHalfFloat(_ pixelFormat: OSType) -> Bool {
        pixelFormat == kCVPixelFormatType_DisparityFloat16 || pixelFormat == kCVPixelFormatType_DepthFloat16
    }

    /// Creates a map from its values.
    ///
    /// - Parameter values: `width` times `height` values.
    package init(width: Int, height: Int, isDisparity: Bool, values: [Float]) {
        precondition(values.count == width * height, "\(values.count) values do not fill \(width)x\(height)")
        self.width = width
        self.height = height
        self.isDisparity = isDisparity
        self.values = values
    }

    /// Reads a buffer as distances or as disparities.
    ///
    /// - Throws: `.unsupportedFormat` if the buffer's pixel format is not a depth format.
    package init(_ buffer: CVPixelBuffer, asDisparity isDisparity: Bool) throws(ImageError) {
        let format = CVPixelBufferGetPixelFormatType(buffer)
        try Self.requireDepthFormat(format)
        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        self.init(
            width: width, height: height, isDisparity: isDisparity,
            values: [Float](unsafeUninitializedCapacity: width * height) { values, count in
                buffer.withPlane(0) { plane in
                    cpixel_depth_read(
                        plane.baseAddress.assumingMemoryBound(to: UInt8.self), plane.bytesPerRow,
                        Self.isHalfFloat(format) ? 1 : 0, Self.isDisparity(format) == isDisparity ? 0 : 1, Int32(width),
                        Int32(height), values.baseAddress)
                }
                count = width * height
            })
    }

    /// Writes the map into a buffer of its size, in the buffer's pixel format.
    ///
    /// - Throws: `.unsupportedFormat` if the buffer's pixel format is not a depth format, `.invalidGeometry` if its
    ///   size differs.
    package func write(to buffer: CVPixelBuffer) throws(ImageError) {
        let format = CVPixelBufferGetPixelFormatType(buffer)
        try Self.requireDepthFormat(format)
        guard CVPixelBufferGetWidth(buffer) == width, CVPixelBufferGetHeight(buffer) == height else {
            throw ImageError(
                .invalidGeometry,
                "a depth map of \(width)x\(height) does not fit a buffer of \(CVPixelBufferGetWidth(buffer))x"
                    + "\(CVPixelBufferGetHeight(buffer))")
        }
        buffer.withPlane(0) { plane in
            values.withUnsafeBufferPointer { values in
                cpixel_depth_write(
                    values.baseAddress, Int32(width), Int32(height),
                    plane.baseAddress.assumingMemoryBound(to: UInt8.self), plane.bytesPerRow,
                    Self.isHalfFloat(format) ? 1 : 0, Self.isDisparity(format) == isDisparity ? 0 : 1)
            }
        }
    }

    /// Returns the map rotated clockwise, then mirrored left to right.
    package func rotated(_ rotation: PixelRotation, isMirrored: Bool) -> DepthMap {
        guard rotation != .none || isMirrored else { return self }
        let size = rotation.swapsWidthAndHeight ? (width: height, height: width) : (width: width, height: height)
        return DepthMap(
            width: size.width, height: size.height, isDisparity: isDisparity,
            values: [Float](unsafeUninitializedCapacity: values.count) { result, count in
                values.withUnsafeBufferPointer { source in
                    cpixel_depth_rotate(
                        source.baseAddress, Int32(width), Int32(height), Int32(rotation.rawValue / 90),
                        isMirrored ? 1 : 0, result.baseAddress)
                }
                count = values.count
            })
    }

    private static func requireDepthFormat(_ format: OSType) throws(ImageError) {
        guard pixelFormats.contains(format) else {
            throw ImageError(
                .unsupportedFormat,
                "the pixel format \(fourCharacterText(format)) is not a depth format: use hdis, fdis, hdep or fdep")
        }
    }
}
