import MediaTypes
import PixelKernels

/// A pupil in an image.
struct Pupil {
    /// The center in pixels.
    var x: Double
    var y: Double
    /// In pixels.
    var radius: Double
    /// The distance in meters.
    var depth: Double

    /// The distance between the flash and the axis of the lens, in meters.
    private static let flashOffset = 0.012
    /// The largest angle between the flash and the lens, seen from the eye, at which the retina reflects the flash into
    /// the lens, as a tangent: 2.5 degrees.
    private static let largestTangent = 0.0437
    /// The ambient light above which pupils are so small that they do not glow, in lux.
    private static let largestLux = 100.0

    /// Returns the radius of a pupil in meters.
    ///
    /// P. Moon, D. E. Spencer, "On the Stiles-Crawford effect", Journal of the Optical Society of America 34 (1944):
    /// d = 4.9 mm - 3 mm tanh(0.4 lg L), for a luminance L in cd/m2. The surroundings reflect a fifth of the light.
    static func radiusMeters(lux: Double) -> Double {
        let luminance = max(lux * 0.2 / 3.14159, 1e-6)
        // tanh(x) = 1 - 2 / (exp(2 x) + 1); lg L = log2 L / log2 10; exp(x) = exp2(x log2 e).
        let argument = 0.4 * RepeatableMath.log2(luminance) / 3.321928
        let tangent = 1 - 2 / (RepeatableMath.exp2(2 * argument * 1.442695) + 1)
        return (4.9 - 3 * tangent) / 2000
    }

    /// Whether the retina reflects a flash into the lens.
    ///
    /// - Parameter lux: The ambient light.
    func glows(lux: Double) -> Bool {
        lux <= Self.largestLux && Self.flashOffset / depth <= Self.largestTangent && radius >= 0.3
    }
}

extension CVPixelBuffer {
    /// Fills pupils with the red of the retina.
    ///
    /// - Parameter buffer: 4:2:0 in two planes, with 8 or 10 bits, as this buffer.
    func fillRed(_ pupils: [Pupil]) {
        // R'G'B' = (0.78, 0.16, 0.10) of Rec. ITU-R BT.709: Y' = 0.288, Cb = -0.101, Cr = 0.312.
        let isFullRange = PixelLayout.of(pixelFormat: pixelFormat)?.isFullRange ?? false
        let bytes = format.bitsPerComponent > 8 ? 2 : 1
        let (luma, chroma) =
            isFullRange ? (0.288 * 255, 255.0) : (16 + 0.288 * 219, 224.0)
        let codes = [luma, 128 - 0.101 * chroma, 128 + 0.312 * chroma]
        for pupil in pupils {
            fillDisc(plane: 0, pupil.x, pupil.y, pupil.radius, [codes[0]], bytes)
            fillDisc(plane: 1, pupil.x / 2, pupil.y / 2, pupil.radius / 2, Array(codes[1...]), bytes)
        }
    }

    /// Blends a disc into a plane, with a soft edge.
    ///
    /// - Parameters:
    ///   - codes: The values of the components of a sample, with 8 bits.
    ///   - byteCount: The number of bytes of a component: with two, its 10 bits are the high ones.
    private func fillDisc(
        plane index: Int, _ x: Double, _ y: Double, _ radius: Double, _ codes: [Double], _ byteCount: Int
    ) {
        withPlane(index) { plane in
            let (width, height) = (self.width >> index, self.height >> index)
            func range(_ center: Double, _ count: Int) -> Range<Int> {
                let end = min(max(0, Int(center + radius + 2)), count)
                return min(max(0, Int(center - radius - 1)), end)..<end
            }
            for row in range(y, height) {
                for column in range(x, width) {
                    let (dx, dy) = (Double(column) + 0.5 - x, Double(row) + 0.5 - y)
                    let coverage = min(max(radius + 0.5 - (dx * dx + dy * dy).squareRoot(), 0), 1)
                    guard coverage > 0 else { continue }
                    for (component, code) in codes.enumerated() {
                        let offset = row * plane.bytesPerRow + (column * codes.count + component) * byteCount
                        if byteCount == 2 {
                            let old = Double(plane.baseAddress.load(fromByteOffset: offset, as: UInt16.self))
                            let new = UInt16((old + (code * 256 - old) * coverage).rounded()) & 0xffc0
                            plane.baseAddress.storeBytes(of: new, toByteOffset: offset, as: UInt16.self)
                        } else {
                            let old = Double(plane.baseAddress.load(fromByteOffset: offset, as: UInt8.self))
                            let new = UInt8((old + (code - old) * coverage).rounded())
                            plane.baseAddress.storeBytes(of: new, toByteOffset: offset, as: UInt8.self)
                        }
                    }
                }
            }
        }
    }
}
