import AssetTypes
public import Foundation
public import MediaTypes

/// A matte of one feature, such as the hair, of all people in an image.
/// - Important: Thread-safe, immutable.
public final class AVSemanticSegmentationMatte: NSObject, @unchecked Sendable {
    // SAFETY: constant.
    /// The feature that a matte covers.
    public struct MatteType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let skin = MatteType(rawValue: "AVSemanticSegmentationMatteTypeSkin")
        public static let hair = MatteType(rawValue: "AVSemanticSegmentationMatteTypeHair")
        public static let teeth = MatteType(rawValue: "AVSemanticSegmentationMatteTypeTeeth")
        public static let glasses = MatteType(rawValue: "AVSemanticSegmentationMatteTypeGlasses")

        fileprivate static let auxiliaryDataTypes: [MatteType: CFString] = [
            .skin: kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte,
            .hair: kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte,
            .teeth: kCGImageAuxiliaryDataTypeSemanticSegmentationTeethMatte,
            .glasses: kCGImageAuxiliaryDataTypeSemanticSegmentationGlassesMatte,
        ]
    }

    public let matteType: MatteType
    private let image: MattingImage

    init(_ matteType: MatteType, _ image: MattingImage) {
        self.matteType = matteType
        self.image = image
    }

    /// Creates a matte from auxiliary image data.
    ///
    /// - Parameter imageSourceAuxiliaryDataType: For example `kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte`.
    /// - Throws: `AVError.malformedDepth`; its message names the missing or invalid entry.
    public convenience init(
        fromImageSourceAuxiliaryDataType imageSourceAuxiliaryDataType: CFString,
        dictionaryRepresentation imageSourceAuxiliaryDataInfoDictionary: [AnyHashable: Any]
    ) throws {
        guard let type = MatteType.auxiliaryDataTypes.first(where: { $0.value == imageSourceAuxiliaryDataType })?.key
        else { throw AVError(.malformedDepth, "\(imageSourceAuxiliaryDataType) is not a semantic segmentation matte") }
        self.init(type, try MattingImage(imageSourceAuxiliaryDataInfoDictionary))
    }

    /// `kCVPixelFormatType_OneComponent8`.
    public var pixelFormatType: OSType { CVPixelBufferGetPixelFormatType(mattingImage) }

    /// The pixels, from 0 (outside the feature) to 255 (inside).
    public var mattingImage: CVPixelBuffer { image.pixels }

    /// Returns the matte aligned to the image after an orientation is applied to it.
    public func applyingExifOrientation(_ exifOrientation: CGImagePropertyOrientation) -> Self {
        Self(matteType, image.applying(exifOrientation))
    }

    /// Returns a matte of the same type with other pixels.
    ///
    /// - Throws: `AVError.malformedDepth` if the pixel format is not `kCVPixelFormatType_OneComponent8`.
    public func replacingSemanticSegmentationMatte(with pixelBuffer: CVPixelBuffer) throws -> Self {
        Self(matteType, try MattingImage(pixelBuffer))
    }

    /// Returns the matte as auxiliary image data; nil for matte types without an auxiliary data type.
    ///
    /// - Parameter outAuxDataType: Receives the auxiliary data type.
    public func dictionaryRepresentation(
        forAuxiliaryDataType outAuxDataType: UnsafeMutablePointer<NSString?>?
    ) -> [AnyHashable: Any]? {
        guard let type = MatteType.auxiliaryDataTypes[matteType] else { return nil }
        outAuxDataType?.pointee = NSString(string: type)
        return image.dictionary
    }
}
