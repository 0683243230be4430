/// A width and a height in pixels that can be compared and hashed.
///
/// `CMVideoDimensions` is not `Hashable` in Apple's SDK, and apps may declare that conformance themselves.
package struct PixelSize: Hashable, Sendable {
    /// In pixels.
    package var width: Int32
    /// In pixels.
    package var height: Int32

    /// Creates a size.
    package init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }

    /// The size as `CMVideoDimensions`.
    package var dimensions: CMVideoDimensions { CMVideoDimensions(width: width, height: height) }
}

extension CMVideoDimensions {
    /// The dimensions as a value that can be compared and hashed.
    package var pixelSize: PixelSize { PixelSize(width: width, height: height) }
}
