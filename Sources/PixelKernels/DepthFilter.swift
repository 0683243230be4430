import CPixelKernels

/// Fills the holes in disparity maps and reduces their noise.
///
/// A hole appears beside a near object that hides the background from one of the two lenses, so it is filled with the
/// farther of its neighbors. Noise is reduced by averaging similar values, within a map and with the previous map, so
/// that edges are preserved: J.-S. Lee, "Digital image smoothing and the sigma filter", Computer Vision, Graphics, and
/// Image Processing 24 (1983). Disparities are filtered, because their noise is about the same at all distances; the
/// noise of distances is not.
package struct DepthFilter: Sendable {
    /// Two disparities are similar if they differ by at most `relative` times the value plus `absolute`, in 1/meters.
    private static let tolerance: (relative: Float, absolute: Float) = (0.03, 0.02)

    /// The previous result; nil before the first map.
    private var previous: DepthMap?

    /// Creates a filter without a previous map.
    package init() {}

    /// Filters a disparity map and keeps the result for the next call.
    package mutating func filter(_ map: DepthMap) -> DepthMap {
        var result = Self.smoothed(map)
        if let previous, previous.width == result.width, previous.height == result.height {
            previous.values.withUnsafeBufferPointer { previous in
                result.values.withUnsafeMutableBufferPointer { values in
                    cpixel_disparity_average(
                        values.baseAddress, previous.baseAddress, Int64(values.count), Self.tolerance.relative,
                        Self.tolerance.absolute)
                }
            }
        }
        previous = result
        return result
    }

    /// Returns the map without holes and with less noise, without averaging it with a previous map.
    package static func smoothed(_ map: DepthMap) -> DepthMap {
        precondition(map.isDisparity, "only disparity maps can be filtered")
        var filled = map
        filled.values.withUnsafeMutableBufferPointer {
            cpixel_disparity_fill($0.baseAddress, Int32(map.width), Int32(map.height))
        }
        var result = filled
        filled.values.withUnsafeBufferPointer { source in
            result.values.withUnsafeMutableBufferPointer { target in
                cpixel_disparity_smooth(
                    source.baseAddress, Int32(map.width), Int32(map.height), tolerance.relative, tolerance.absolute,
                    target.baseAddress)
            }
        }
        return result
    }
}
