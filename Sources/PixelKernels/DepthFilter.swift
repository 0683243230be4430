import CPixelKernels

/// Fills the holes of disparity maps, and takes off their noise.
///
/// Holes lie beside near things, where these hid what lies behind from one of the two eyes; so they are filled with the
/// farther one of their neighbours. Noise is averaged over what is alike, in space and from map to map, so that edges
/// stay: J.-S. Lee, "Digital image smoothing and the sigma filter", Computer Vision, Graphics, and Image Processing 24
/// (1983). Noise of disparities is about the same at all distances, which is why they are filtered and not distances.
package struct DepthFilter: Sendable {
    /// Alike are disparities that differ by no more than this share of them plus this much, in 1/metres.
    private static let likeness: (share: Float, floor: Float) = (0.03, 0.02)

    /// The result before; nil where another size, or nothing, came before.
    private var before: DepthMap?

    package init() {}

    /// Filters a map of disparities and remembers it for the next.
    package mutating func filter(_ map: DepthMap) -> DepthMap {
        var result = Self.smoothed(map)
        if let before, before.width == result.width, before.height == result.height {
            before.values.withUnsafeBufferPointer { before in
                result.values.withUnsafeMutableBufferPointer { values in
                    cpixel_disparity_settle(
                        values.baseAddress, before.baseAddress, Int64(values.count), Self.likeness.share,
                        Self.likeness.floor)
                }
            }
        }
        before = result
        return result
    }

    /// A map of disparities without holes and with less noise, by itself.
    package static func smoothed(_ map: DepthMap) -> DepthMap {
        precondition(map.isDisparity, "distances are not filtered")
        var filled = map
        filled.values.withUnsafeMutableBufferPointer {
            cpixel_disparity_fill($0.baseAddress, Int32(map.width), Int32(map.height))
        }
        var result = filled
        filled.values.withUnsafeBufferPointer { source in
            result.values.withUnsafeMutableBufferPointer { target in
                cpixel_disparity_smooth(
                    source.baseAddress, Int32(map.width), Int32(map.height), likeness.share, likeness.floor,
                    target.baseAddress)
            }
        }
        return result
    }
}
