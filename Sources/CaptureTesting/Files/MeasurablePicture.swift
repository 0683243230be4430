public import Foundation
public import ImageTypes
import MediaMeasurements
public import MediaTypes
import PixelKernels

/// A picture that assertions measure: pixels, an image, or the contents or location of a JPEG or PNG file.
public protocol MeasurablePicture {
    /// Returns the upright pixels of the picture.
    ///
    /// - Throws: The reason if the picture cannot be read.
    func measuredPicture() throws -> MeasuredPicture
}

/// The pixels of a picture that assertions measure.
public struct MeasuredPicture: Sendable {
    let picture: Picture
    /// The contents of the file of the picture; nil if it is not a file.
    let file: Data?

    /// Converts an upright pixel buffer.
    ///
    /// - Throws: An error if its format has no colors.
    public init(pixels: CVPixelBuffer) throws {
        picture = try Picture(pixels)
        file = nil
    }

    /// Decodes the contents of a JPEG or PNG file, and rotates the picture upright.
    ///
    /// - Throws: An error if they cannot be decoded.
    public init(file data: Data) throws {
        picture = try Picture(photo: data)
        file = data
    }

    /// Rotates an image upright.
    init(_ image: CGImage, orientation: UIImage.Orientation) throws {
        let orientation = orientation.property
        picture = try Picture(
            image.pixelBuffer, PixelTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored))
        file = nil
    }
}

extension CVImageBuffer: MeasurablePicture {
    public func measuredPicture() throws -> MeasuredPicture { try MeasuredPicture(pixels: self) }
}

extension CGImage: MeasurablePicture {
    public func measuredPicture() throws -> MeasuredPicture { try MeasuredPicture(self, orientation: .up) }
}

extension UIImage: MeasurablePicture {
    public func measuredPicture() throws -> MeasuredPicture {
        guard let cgImage = pixels else { throw Picture.ReadingError(description: "the image has no pixels") }
        return try MeasuredPicture(cgImage, orientation: imageOrientation)
    }
}

extension Data: MeasurablePicture {
    public func measuredPicture() throws -> MeasuredPicture { try MeasuredPicture(file: self) }
}

extension URL: MeasurablePicture {
    public func measuredPicture() throws -> MeasuredPicture { try MeasuredPicture(file: Data(contentsOf: self)) }
}
