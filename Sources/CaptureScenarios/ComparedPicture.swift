public import Foundation
import MediaCodecs
package import MediaTypes

/// A picture that does not meet an expectation.
public struct ComparedPicture: Sendable, Hashable, Codable {
    /// The line of the expectation in the scenario file, from 1.
    public var line: Int
    /// A description of the picture, such as `photo a.jpg`.
    public var name: String
    /// The picture of the run as a JPEG file.
    public var seen: Data
    /// The golden picture as a JPEG file; nil if there is none.
    public var expected: Data?
    /// The golden picture in dark gray, with the differences in red, as a PNG file; nil if there is no golden picture
    /// or the sizes differ.
    public var difference: Data?
}

extension Scenario.PictureExpectation {
    /// Returns the picture of a run with the golden picture and their difference; nil if the picture cannot be read.
    /// Called only if the picture does not meet the expectation.
    ///
    /// - Parameter goldenFolder: The folder of golden pictures.
    func comparison(_ expectation: Scenario.Expectation, in folder: URL, goldenFolder: URL) -> ComparedPicture? {
        // If the file is missing or cannot be read, the verdict reports it.
        guard exists, let picture = try? read(folder.appendingPathComponent(name)),
            let seen = try? JPEGCodec().encode(picture.pixels)
        else { return nil }
        var result = ComparedPicture(line: expectation.line, name: expectation.subjectOfFile ?? name, seen: seen)
        if let golden, let other = try? Picture(photo: goldenFolder.appendingPathComponent(golden)) {
            result.expected = try? JPEGCodec().encode(other.pixels)
            result.difference = picture.difference(to: other).flatMap { try? PNGCodec().encode($0) }
        }
        return result
    }
}

extension Picture {
    /// Returns the other picture in dark gray, with red pixels where this picture differs; nil if the sizes differ.
    package func difference(to other: Picture) -> CVPixelBuffer? {
        let (width, height) = (pixels.width, pixels.height)
        guard width == other.pixels.width, height == other.pixels.height,
            let result = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA)
        else { return nil }
        pixels.withPlane(0) { seen in
            other.pixels.withPlane(0) { expected in
                result.withPlane(0) { target in
                    for y in 0..<height {
                        let seenRow = (seen.baseAddress + y * seen.bytesPerRow).assumingMemoryBound(to: UInt8.self)
                        let expectedRow = (expected.baseAddress + y * expected.bytesPerRow)
                            .assumingMemoryBound(to: UInt8.self)
                        let row = (target.baseAddress + y * target.bytesPerRow).assumingMemoryBound(to: UInt8.self)
                        for x in stride(from: 0, to: 4 * width, by: 4) {
                            let (blue, green, red) = (
                                Int(expectedRow[x]), Int(expectedRow[x + 1]), Int(expectedRow[x + 2])
                            )
                            let largestDifference = max(
                                abs(Int(seenRow[x]) - blue), abs(Int(seenRow[x + 1]) - green),
                                abs(Int(seenRow[x + 2]) - red))
                            let gray = (blue + 2 * green + red) / 16
                            row[x] = UInt8(gray)
                            row[x + 1] = UInt8(gray)
                            // Amplified, because small differences are not visible.
                            row[x + 2] = UInt8(min(255, gray + 4 * largestDifference))
                            row[x + 3] = 255
                        }
                    }
                }
            }
        }
        return result
    }
}
