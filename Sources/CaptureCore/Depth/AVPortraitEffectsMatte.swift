public import Foundation
public import MediaTypes

/// A matte that separates the subject of a portrait from its background.
/// - Important: Thread-safe, immutable.
public final class AVPortraitEffectsMatte: NSObject, @unchecked Sendable {
    // SAFETY: constant.
    private let image: MattingImage

    init(_ image: MattingImage) { self.image = image }

    /// Creates a matte from auxiliary image data.
    ///
    /// - Throws: `AVError.malformedDepth`; its message names the missing or invalid entry.
    public convenience init(
        fromDictionaryRepresentation imageSourceAuxDataInfoDictionary: [AnyHashable: Any]
    ) throws {
        self.init(try MattingImage(imageSourceAuxDataInfoDictionary))
    }

    /// `kCVPixelFormatType_OneComponent8`.
    public var pixelFormatType: OSType { CVPixelBufferGetPixelFormatType(mattingImage) }

    /// The pixels, from 0 (background) to 255 (subject).
    public var mattingImage: CVPixelBuffer { image.pixels }

    /// Returns the matte aligned to the image after an orientation is applied to it.
    public func applyingExifOrientation(_ exifOrientation: CGImagePropertyOrientation) -> Self {
        Self(image.applying(exifOrientation))
    }

    /// Returns a matte with other pixels.
    ///
    /// - Throws: `AVError.malformedDepth` if the pixel format is not `kCVPixelFormatType_OneComponent8`.
    public func replacingPortraitEffectsMatte(with pixelBuffer: CVPixelBuffer) throws -> Self {
        Self(try MattingImage(pixelBuffer))
    }

    /// Returns the matte as auxiliary image data. Never nil.
    ///
    /// - Parameter outAuxDataType: Receives `kCGImageAuxiliaryDataTypePortraitEffectsMatte`.
    public func dictionaryRepresentation(
        forAuxiliaryDataType outAuxDataType: UnsafeMutablePointer<NSString?>?
    ) -> [AnyHashable: Any]? {
        outAuxDataType?.pointee = NSString(string: kCGImageAuxiliaryDataTypePortraitEffectsMatte)
        return image.dictionary
    }
}
