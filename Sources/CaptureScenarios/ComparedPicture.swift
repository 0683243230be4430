public import Foundation
import MediaCodecs
package import MediaTypes

/// A picture that does not meet an expectation.
public struct ComparedPicture: Sendable, Hashable, Codable {
    /// The line of the expectation in the scenario file, from 1.
    public var line: Int
    /// The picture in words, such as `photo a.jpg`.
    public var name: String
    /// What was seen, as a JPEG file.
    public var seen: Data
    /// The golden picture as a JPEG file; nil without one.
    public var expected: Data?
    /// The golden picture in dark gray, with the differences in red, as a PNG file; nil if the sizes differ.
    public var difference: Data?
}

extension Scenario.PictureExpectation {
    /// Returns the picture of a run that does not meet the expectation; nil if there is none that can be read.
    ///
    /// - Parameter goldens: The folder of golden pictures.
    func comparison(_ expectation: Scenario.Expectation, in folder: URL, goldens: URL) -> ComparedPicture? {
        // The verdict reports a file that is missing or cannot be read.
        guard exists, let picture = try? read(folder.appendingPathComponent(name)),
            let seen = try? JPEGCodec().encode(picture.pixels)
        else { return nil }
        var result = ComparedPicture(line: expectation.line, name: expectation.subjectOfFile ?? name, seen: seen)
        if let golden, let other = try? Picture(photo: goldens.appendingPathComponent(golden)) {
            result.expected = try? JPEGCodec().encode(other.pixels)
            result.difference = picture.difference(to: other).flatMap { try? PNGCodec().encode($0) }
        }
        return result
    }
}

extension Picture {
    /// Returns another picture in dark gray, with red where this one differs; nil if the sizes differ.
    package func difference(to other: Picture) -> CVPixelBuffer? {
        let (width, height) = (pixels.width, pixels.height)
        guard width == other.pixels.width, height == other.pixels.height,
            let result = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA)
        else { return nil }
        pixels.withPlane(0) { seen in
            other.pixels.withPlane(0) { expected in
                result.withPlane(0) { target in
                    for y in 0..<height {
                        let a = (seen.baseAddress + y * seen.bytesPerRow).assumingMemoryBound(to: UInt8.self)
                        let b = (expected.baseAddress + y * expected.bytesPerRow).assumingMemoryBound(to: UInt8.self)
                        let row = (target.baseAddress + y * target.bytesPerRow).assumingMemoryBound(to: UInt8.self)
                        for x in stride(from: 0, to: 4 * width, by: 4) {
                            let (blue, green, red) = (Int(b[x]), Int(b[x + 1]), Int(b[x + 2]))
                            let largest = max(
                                abs(Int(a[x]) - blue), abs(Int(a[x + 1]) - green), abs(Int(a[x + 2]) - red))
                            let gray = (blue + 2 * green + red) / 16
                            // A difference of a few steps is not visible, so all are amplified.
                            row[x] = UInt8(gray)
                            row[x + 1] = UInt8(gray)
                            row[x + 2] = UInt8(min(255, gray + 4 * largest))
                            row[x + 3] = 255
                        }
                    }
                }
            }
        }
        return result
    }
}
