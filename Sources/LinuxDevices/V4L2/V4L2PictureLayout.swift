import CLinuxDevices
import MediaTypes

/// Where the planes of a picture lie in the driver's buffers, by the format that the driver accepted.
struct V4L2PictureLayout: Sendable, Hashable {
    struct Plane: Sendable, Hashable {
        /// The driver's buffer that holds it.
        var memory: Int
        var offset: Int
        var width: Int
        var height: Int
        var bytesPerRow: Int

        var end: Int { offset + bytesPerRow * (height - 1) + rowByteCount }
        /// The bytes of a row that hold pixels.
        var rowByteCount: Int
    }

    /// In the order of the pixel format, so Y, Cb, Cr; empty for compressed pictures.
    let planes: [Plane]
    /// The bytes that each of the driver's buffers must hold for a whole picture.
    let byteCounts: [Int]

    /// - Parameters:
    ///   - bytesPerRow: Of each of the driver's buffers; 0 is taken as rows without padding.
    init(_ format: V4L2PixelFormat, width: Int, height: Int, bytesPerRow strides: [Int]) {
        func stride(_ memory: Int, atLeast minimum: Int) -> Int {
            max(memory < strides.count ? strides[memory] : 0, minimum)
        }
        let halfWidth = (width + 1) / 2
        let halfHeight = (height + 1) / 2
        var planes: [Plane]
        switch format.layout {
        case .compressed:
            planes = []
        case .packed(let bytes):
            // Packed 4:2:2 has whole pairs of pixels in a row.
            let row = bytes == 2 ? halfWidth * 4 : width * bytes
            planes = [
                Plane(
                    memory: 0, offset: 0, width: width, height: height, bytesPerRow: stride(0, atLeast: row),
                    rowByteCount: row)
            ]
        case .semiPlanar:
            let luma = stride(0, atLeast: width)
            let chroma = format.isSplit ? stride(1, atLeast: halfWidth * 2) : max(luma, halfWidth * 2)
            planes = [
                Plane(memory: 0, offset: 0, width: width, height: height, bytesPerRow: luma, rowByteCount: width),
                Plane(
                    memory: format.isSplit ? 1 : 0, offset: format.isSplit ? 0 : luma * height, width: halfWidth,
                    height: halfHeight, bytesPerRow: chroma, rowByteCount: halfWidth * 2),
            ]
        case .planar(let crFirst):
            let luma = stride(0, atLeast: width)
            let chroma = format.isSplit ? stride(1, atLeast: halfWidth) : max(luma / 2, halfWidth)
            planes = [Plane(memory: 0, offset: 0, width: width, height: height, bytesPerRow: luma, rowByteCount: width)]
            for index in 0..<2 {
                planes.append(
                    Plane(
                        memory: format.isSplit ? index + 1 : 0,
                        offset: format.isSplit ? 0 : luma * height + index * chroma * halfHeight, width: halfWidth,
                        height: halfHeight, bytesPerRow: chroma, rowByteCount: halfWidth))
            }
            if crFirst { planes.swapAt(1, 2) }
        }
        self.planes = planes
        byteCounts = (0..<format.memoryPlaneCount).map { memory in
            planes.filter { $0.memory == memory }.map(\.end).max() ?? 1
        }
    }
}
