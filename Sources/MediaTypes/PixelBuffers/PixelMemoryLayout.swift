/// The memory layout of a pixel buffer: the offsets and strides of its planes in one allocation.
struct PixelMemoryLayout {
    /// Additional rows and columns around the image, in pixels of the image.
    struct Padding: Equatable {
        var left = 0
        var right = 0
        var top = 0
        var bottom = 0
    }

    /// The position, visible size and stride of one plane.
    struct Plane {
        /// The offset in bytes of the first visible pixel.
        var offset: Int
        /// Visible columns of the plane.
        var width: Int
        /// Visible rows of the plane.
        var height: Int
        var bytesPerRow: Int
    }

    /// The minimum alignment of rows and planes in bytes.
    static let minimumAlignment = 64
    /// The largest width and height in pixels.
    static let maximumSide = 1 << 16

    let planes: [Plane]
    let padding: Padding
    let byteCount: Int

    /// Computes the layout with consecutive planes; nil if the number of bytes exceeds an `Int`.
    ///
    /// - Parameter alignment: The alignment of rows in bytes: a power of two, at least `minimumAlignment`.
    init?(_ format: PixelFormat, width: Int, height: Int, padding: Padding, alignment: Int) {
        var planes: [Plane] = []
        var end = 0
        // The padding of each side is rounded up to complete blocks of all planes.
        let columnMultiple = format.planes.map { $0.blockWidth * $0.horizontalSubsampling }.max() ?? 1
        let rowMultiple = format.planes.map(\.verticalSubsampling).max() ?? 1
        self.padding = Padding(
            left: roundUp(padding.left, to: columnMultiple), right: roundUp(padding.right, to: columnMultiple),
            top: roundUp(padding.top, to: rowMultiple), bottom: roundUp(padding.bottom, to: rowMultiple))
        for plane in format.planes {
            let left = self.padding.left / plane.horizontalSubsampling
            let top = self.padding.top / plane.verticalSubsampling
            let columns = plane.width(ofImage: width) + left + self.padding.right / plane.horizontalSubsampling
            let rows = plane.height(ofImage: height) + top + self.padding.bottom / plane.verticalSubsampling
            let stride = roundUp(plane.byteCount(ofColumns: columns), to: max(alignment, plane.rowAlignment))
            let (size, overflow) = stride.multipliedReportingOverflow(by: rows)
            let (next, overflow2) = end.addingReportingOverflow(size)
            if overflow || overflow2 { return nil }
            planes.append(
                Plane(
                    offset: end + top * stride + plane.byteCount(ofColumns: left), width: plane.width(ofImage: width),
                    height: plane.height(ofImage: height), bytesPerRow: stride))
            end = next
        }
        self.planes = planes
        self.byteCount = end
    }
}

/// Returns the smallest multiple of a positive number that is not less than `number`.
func roundUp(_ number: Int, to multiple: Int) -> Int { (number + multiple - 1) / multiple * multiple }
