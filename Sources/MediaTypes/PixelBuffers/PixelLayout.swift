/// Where the planes of a picture lie in one block of memory.
struct PixelLayout {
    /// Rows and columns around the picture that the memory has room for, in image pixels.
    struct Padding: Equatable {
        var left = 0
        var right = 0
        var top = 0
        var bottom = 0
    }

    /// One plane: its place, its visible size and its stride.
    struct Plane {
        /// From the start of memory to the first visible pixel, in bytes.
        var offset: Int
        var width: Int
        var height: Int
        var bytesPerRow: Int
    }

    /// The alignment of rows and planes that every buffer has, in bytes.
    static let minimumAlignment = 64
    /// The largest width and height.
    static let maximumSide = 1 << 16

    let planes: [Plane]
    let padding: Padding
    let byteCount: Int

    /// Lays the planes out one after another; nil where the sizes do not fit into an `Int`.
    ///
    /// - Parameter alignment: Of rows, in bytes; a power of two, and at least `minimumAlignment`.
    init?(_ format: PixelFormat, width: Int, height: Int, padding: Padding, alignment: Int) {
        var planes: [Plane] = []
        var end = 0
        // Padding on a side is rounded up to whole blocks of every plane.
        let across = format.planes.map { $0.blockWidth * $0.horizontalSubsampling }.max() ?? 1
        let down = format.planes.map(\.verticalSubsampling).max() ?? 1
        self.padding = Padding(
            left: roundUp(padding.left, to: across), right: roundUp(padding.right, to: across),
            top: roundUp(padding.top, to: down), bottom: roundUp(padding.bottom, to: down))
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

/// The next multiple of a positive number.
func roundUp(_ number: Int, to multiple: Int) -> Int { (number + multiple - 1) / multiple * multiple }
