import CaptureCore
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// A color image of a depth map: near is red, far is blue, and black is not measured.
struct DepthImage {
    /// The image, in BGRA.
    let image: CVPixelBuffer
    /// The smallest and largest distance in meters; nil if nothing was measured.
    let range: ClosedRange<Double>?
    /// The fraction of the map that was not measured.
    let holes: Double

    /// The colors of equal steps of disparity, from the farthest to the nearest: red, green and blue from 0 to 255.
    private static let colors: [(Double, Double, Double)] = [
        (40, 20, 90), (40, 80, 190), (30, 160, 180), (90, 200, 90), (230, 210, 60), (240, 120, 40), (190, 30, 30),
    ]

    /// Renders a depth map.
    ///
    /// - Throws: `CommandFailure` if memory is insufficient.
    init(_ depth: AVDepthData) throws(CommandFailure) {
        let map: DepthMap
        do throws(ImageError) {
            map = try DepthMap(depth.depthDataMap, asDisparity: true)
        } catch {
            throw CommandFailure(error.message)
        }
        // Disparities in 1/m: the smallest one is that of the farthest point.
        let known = map.values.filter { !$0.isNaN }
        let (far, near) = (known.min() ?? 0, known.max() ?? 0)
        // Distances are limited to 1 km, because infinity cannot be printed in JSON.
        range = known.isEmpty ? nil : 1 / Double(max(near, 0.001))...1 / Double(max(far, 0.001))
        holes = Double(map.values.count - known.count) / Double(max(map.values.count, 1))
        guard
            let image = CVPixelBuffer(
                width: map.width, height: map.height, pixelFormat: kCVPixelFormatType_32BGRA)
        else { throw CommandFailure("not enough memory for an image of \(map.width)x\(map.height)") }
        image.withPlane(0) { plane in
            for row in 0..<map.height {
                for column in 0..<map.width {
                    let value = map.values[row * map.width + column]
                    let color = value.isNaN ? (0, 0, 0) : Self.color(near > far ? (value - far) / (near - far) : 1)
                    (plane.baseAddress + row * plane.bytesPerRow).storeBytes(
                        of: color.2 | color.1 << 8 | color.0 << 16 | 0xff00_0000, toByteOffset: column * 4,
                        as: UInt32.self)
                }
            }
        }
        self.image = image
    }

    /// Returns the image as a PNG file.
    func png() throws(CommandFailure) -> Data {
        do throws(ImageError) {
            return try PNGCodec().encode(image)
        } catch {
            throw CommandFailure("the depth map cannot be encoded: \(error.message)")
        }
    }

    /// The size, the range of distances and the unmeasured percentage of the map, for the output of a command.
    var summary: String {
        let size = "\(CVPixelBufferGetWidth(image))x\(CVPixelBufferGetHeight(image))"
        guard let range else { return "\(size), nothing was measured" }
        let missing = holes > 0 ? ", \(plainNumber(holes * 100)) % not measured" : ""
        return "\(size), \(plainNumber(range.lowerBound)) m to \(plainNumber(range.upperBound)) m\(missing)"
    }

    private static func color(_ fraction: Float) -> (UInt32, UInt32, UInt32) {
        let position = Double(fraction) * Double(colors.count - 1)
        let index = min(max(Int(position), 0), colors.count - 2)
        let part = position - Double(index)
        let (a, b) = (colors[index], colors[index + 1])
        func mix(_ a: Double, _ b: Double) -> UInt32 { UInt32((a + (b - a) * part).rounded()) }
        return (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
    }
}
