import CaptureCore
import CaptureHAL
import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes
import PixelKernels

/// A depth map as a picture for a person: near is red, far is blue, and black is what was not measured.
struct DepthPicture {
    let picture: CVPixelBuffer
    /// Metres to what is nearest and farthest; nil where nothing was measured.
    let range: ClosedRange<Double>?
    /// The share of the map that was not measured.
    let holes: Double

    /// Colours of even steps of disparity, from the farthest to the nearest: red, green, blue.
    private static let colors: [(Double, Double, Double)] = [
        (40, 20, 90), (40, 80, 190), (30, 160, 180), (90, 200, 90), (230, 210, 60), (240, 120, 40), (190, 30, 30),
    ]

    /// - Throws: `CommandFailure` where there is no memory for the picture.
    init(_ depth: AVDepthData) throws(CommandFailure) {
        let map: DepthMap
        do throws(PixelError) {
            map = try DepthMap(depth.depthDataMap, asDisparity: true)
        } catch {
            throw CommandFailure(error.message)
        }
        let known = map.values.filter { !$0.isNaN }
        let (far, near) = (known.min() ?? 0, known.max() ?? 0)
        // What is infinitely far has no distance that could be printed; 1 km stands for it.
        range = known.isEmpty ? nil : 1 / Double(max(near, 0.001))...1 / Double(max(far, 0.001))
        holes = Double(map.values.count - known.count) / Double(max(map.values.count, 1))
        guard
            let picture = CVPixelBuffer(
                width: map.width, height: map.height, pixelFormat: kCVPixelFormatType_32BGRA)
        else { throw CommandFailure("a picture of \(map.width)x\(map.height) does not fit into memory") }
        picture.withPlane(0) { plane in
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
        self.picture = picture
    }

    /// The picture's file.
    func png() throws(CommandFailure) -> Data {
        do throws(StillError) {
            return try PNGCodec().encode(picture)
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    /// What the picture shows, in a few words.
    var summary: String {
        let size = "\(CVPixelBufferGetWidth(picture))x\(CVPixelBufferGetHeight(picture))"
        guard let range else { return "\(size), nothing was measured" }
        let missing = holes > 0 ? ", \(plainNumber(holes * 100)) % not measured" : ""
        return "\(size), \(plainNumber(range.lowerBound)) m to \(plainNumber(range.upperBound)) m\(missing)"
    }

    private static func color(_ share: Float) -> (UInt32, UInt32, UInt32) {
        let place = Double(share) * Double(colors.count - 1)
        let index = min(max(Int(place), 0), colors.count - 2)
        let part = place - Double(index)
        let (a, b) = (colors[index], colors[index + 1])
        func mix(_ a: Double, _ b: Double) -> UInt32 { UInt32((a + (b - a) * part).rounded()) }
        return (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
    }
}
