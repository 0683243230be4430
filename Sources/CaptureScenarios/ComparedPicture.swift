public import Foundation
import MediaCodecs
import MediaMeasurements

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

extension PictureExpectation {
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
