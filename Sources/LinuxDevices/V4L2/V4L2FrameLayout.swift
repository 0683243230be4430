import CLinuxDevices
import MediaTypes

/// The position of a frame's planes in the driver's buffers, for the format that the driver accepted.
struct V4L2FrameLayout: Sendable, Hashable {
    /// One plane of a frame.
    struct Plane: Sendable, Hashable {
        /// The index of the memory plane that contains it.
        var memoryPlane: Int
        /// The offset in bytes of the first row in the memory plane.
        var offset: Int
        var width: Int
        var height: Int
        var bytesPerRow: Int

        /// The offset in bytes of the end of the last row.
        var end: Int { offset + bytesPerRow * (height - 1) + rowByteCount }
        /// The number of bytes of a row that contain pixels.
        var rowByteCount: Int
    }

    /// The planes in the order of the pixel format, such as Y, Cb, Cr; empty for compressed frames.
    let planes: [Plane]
    /// The minimum number of bytes of each memory plane for a complete frame.
    let byteCounts: [Int]

    /// Computes the layout of a frame.
    ///
    /// - Parameter bytesPerRow: The stride of each memory plane; 0 means rows without padding.
    init(_ format: V4L2PixelFormat, width: Int, height: Int, bytesPerRow strides: [Int]) {
        func stride(_ memory: Int, atLeast minimum: Int) -> Int {
            max(memory < strides.count ? strides[memory] : 0, minimum)
        }
        var planes: [Plane]
        switch format.layout {
        case .compressed:
            planes = []
        case .packed(let bits, let pixelsPerBlock):
            // Rows end with a complete block.
            let row = (width + pixelsPerBlock - 1) / pixelsPerBlock * pixelsPerBlock * bits / 8
            planes = [
                Plane(
                    memoryPlane: 0, offset: 0, width: width, height: height, bytesPerRow: stride(0, atLeast: row),
                    rowByteCount: row)
            ]
        case .semiPlanar(let subsampling, let bytesPerSample):
            let (columns, rows) = subsampling.chroma(width, height)
            let luma = stride(0, atLeast: width * bytesPerSample)
            let row = columns * 2 * bytesPerSample
            // In a shared memory plane, the chroma stride follows from the luma stride.
            let chroma = format.isSplit ? stride(1, atLeast: row) : max(luma * 2 / subsampling.columns, row)
            planes = [
                Plane(
                    memoryPlane: 0, offset: 0, width: width, height: height, bytesPerRow: luma,
                    rowByteCount: width * bytesPerSample),
                Plane(
                    memoryPlane: format.isSplit ? 1 : 0, offset: format.isSplit ? 0 : luma * height, width: columns,
                    height: rows, bytesPerRow: chroma, rowByteCount: row),
            ]
        case .planar(let subsampling, let crFirst):
            let (columns, rows) = subsampling.chroma(width, height)
            let luma = stride(0, atLeast: width)
            planes = [
                Plane(
                    memoryPlane: 0, offset: 0, width: width, height: height, bytesPerRow: luma, rowByteCount: width)
            ]
            for index in 0..<2 {
                let chroma =
                    format.isSplit
                    ? stride(index + 1, atLeast: columns) : max(luma / subsampling.columns, columns)
                planes.append(
                    Plane(
                        memoryPlane: format.isSplit ? index + 1 : 0,
                        offset: format.isSplit ? 0 : luma * height + index * chroma * rows, width: columns,
                        height: rows, bytesPerRow: chroma, rowByteCount: columns))
            }
            if crFirst { planes.swapAt(1, 2) }
        }
        self.planes = planes
        byteCounts = (0..<format.memoryPlaneCount).map { memory in
            planes.filter { $0.memoryPlane == memory }.map(\.end).max() ?? 1
        }
    }
}

extension V4L2PixelFormat.Subsampling {
    /// The numbers of columns and rows of a chroma plane.
    fileprivate func chroma(_ width: Int, _ height: Int) -> (columns: Int, rows: Int) {
        ((width + columns - 1) / columns, (height + rows - 1) / rows)
    }
}
