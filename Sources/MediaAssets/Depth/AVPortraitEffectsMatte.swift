public import Foundation
public import MediaTypes

/// A matte that separates the persons in the foreground of a photo from the background.
///
/// No camera of this package delivers one; an app can create it from auxiliary image data.
/// - Important: Thread-safe, immutable.
public final class AVPortraitEffectsMatte: NSObject, Sendable {
    private let image: MattingImage

    init(_ image: MattingImage) { self.image = image }

    /// Creates a matte from a dictionary that `dictionaryRepresentation(forAuxiliaryDataType:)` returned.
    ///
    /// - Throws: `AVError.malformedDepth`.
    public convenience init(fromDictionaryRepresentation imageSourceAuxDataInfoDictionary: [AnyHashable: Any]) throws {
        self.init(try MattingImage(imageSourceAuxDataInfoDictionary))
    }

    /// Always `kCVPixelFormatType_OneComponent8`.
    public var pixelFormatType: OSType { CVPixelBufferGetPixelFormatType(image.pixels) }

    /// 255 for the foreground, 0 for the background.
    public var mattingImage: CVPixelBuffer { image.pixels }

    /// Returns the matte after an orientation is applied.
    public func applyingExifOrientation(_ exifOrientation: CGImagePropertyOrientation) -> Self {
        Self(image.applying(exifOrientation))
    }

    /// Returns the matte with another image.
    ///
    /// - Throws: `AVError.malformedDepth` if the pixel format is not `kCVPixelFormatType_OneComponent8`.
    public func replacingPortraitEffectsMatte(with pixelBuffer: CVPixelBuffer) throws -> Self {
        Self(try MattingImage(pixelBuffer))
    }

    /// Returns the matte as auxiliary image data, and its type in `outAuxDataType`.
    public func dictionaryRepresentation(
        forAuxiliaryDataType outAuxDataType: AutoreleasingUnsafeMutablePointer<NSString?>?
    ) -> [AnyHashable: Any]? {
        outAuxDataType?.pointee = NSString(string: kCGImageAuxiliaryDataTypePortraitEffectsMatte)
        return image.dictionary
    }
}
