package import Foundation
package import MediaTypes
package import PixelKernels

/// The parts of a JPEG file with auxiliary images, which can be replaced without encoding the image again.
///
/// Auxiliary images follow the image as files of their own, in the Multi-Picture Format (CIPA DC-007).
package struct JPEGPhoto: Sendable {
    /// The image as a JPEG file of its own.
    private var segments: JPEGSegments
    /// The auxiliary images; each is a JPEG file with an XMP packet.
    package private(set) var auxiliaryImages: [Data] = []

    /// Creates a photo without metadata.
    ///
    /// - Parameter image: The image as a JPEG file.
    /// - Throws: `.damaged`.
    package init(_ image: Data) throws(ImageError) { segments = try JPEGSegments(image) }

    /// Returns the EXIF block; nil if there is none.
    ///
    /// - Throws: `.damaged` if it cannot be read.
    package func exif() throws(ImageError) -> EXIF? { try segments.exif() }

    /// Replaces the EXIF block, or removes it if nil.
    ///
    /// - Throws: As `EXIF.encoded`.
    package mutating func setEXIF(_ exif: EXIF?) throws(ImageError) { try segments.setEXIF(exif) }

    /// Replaces the color profile, or removes it if nil.
    ///
    /// - Throws: `.tooLarge` above 65,519 bytes.
    package mutating func setColorProfile(_ profile: Data?) throws(ImageError) {
        try segments.setColorProfile(profile)
    }

    /// Adds an auxiliary image with one component.
    ///
    /// - Parameters:
    ///   - pixels: An image in `kCVPixelFormatType_OneComponent8`.
    ///   - xmp: The packet that describes it, at most 65,502 bytes.
    package mutating func add(_ pixels: CVPixelBuffer, xmp: Data) throws(ImageError) {
        let settings = JPEGCodec.Settings(quality: 95, subsampling: .gray)
        var image = try JPEGSegments(JPEGCodec().encode(pixels, settings: settings))
        try image.setXMP(xmp)
        auxiliaryImages.append(image.data)
    }

    /// Removes the auxiliary images.
    package mutating func removeAuxiliaryImages() { auxiliaryImages = [] }

    /// The contents of the file.
    package var fileData: Data {
        guard !auxiliaryImages.isEmpty else { return segments.data }
        var primary = segments
        primary.setMultiPictureIndex(imageSizes: auxiliaryImages.map(\.count))
        return auxiliaryImages.reduce(primary.data, +)
    }
}
