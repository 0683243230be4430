public import Foundation
public import MediaTypes

/// A matte of one kind of region in a photo, such as hair or skin.
///
/// No camera of this package delivers one; an app can create it from auxiliary image data.
/// - Important: Thread-safe, immutable.
public final class AVSemanticSegmentationMatte: NSObject, Sendable {
    /// A kind of region.
    public struct MatteType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let skin = MatteType(rawValue: "AVSemanticSegmentationMatteTypeSkin")
        public static let hair = MatteType(rawValue: "AVSemanticSegmentationMatteTypeHair")
        public static let teeth = MatteType(rawValue: "AVSemanticSegmentationMatteTypeTeeth")
        public static let glasses = MatteType(rawValue: "AVSemanticSegmentationMatteTypeGlasses")
    }

    private static let auxiliaryTypes: [MatteType: CFString] = [
        .skin: kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte,
        .hair: kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte,
        .teeth: kCGImageAuxiliaryDataTypeSemanticSegmentationTeethMatte,
        .glasses: kCGImageAuxiliaryDataTypeSemanticSegmentationGlassesMatte,
    ]

    public let matteType: MatteType
    private let image: MattingImage

    init(_ matteType: MatteType, _ image: MattingImage) {
        self.matteType = matteType
        self.image = image
    }

    /// Creates a matte from a dictionary that `dictionaryRepresentation(forAuxiliaryDataType:)` returned.
    ///
    /// - Throws: `AVError.malformedDepth`, also for an unknown type.
    public convenience init(
        fromImageSourceAuxiliaryDataType imageSourceAuxiliaryDataType: CFString,
        dictionaryRepresentation imageSourceAuxiliaryDataInfoDictionary: [AnyHashable: Any]
    ) throws {
        let type = Self.auxiliaryTypes.first { $0.value == imageSourceAuxiliaryDataType }?.key
        guard let type else {
            throw AVError(.malformedDepth, "\(imageSourceAuxiliaryDataType) is not the type of a matte")
        }
        self.init(type, try MattingImage(imageSourceAuxiliaryDataInfoDictionary))
    }

    /// Always `kCVPixelFormatType_OneComponent8`.
    public var pixelFormatType: OSType { CVPixelBufferGetPixelFormatType(image.pixels) }

    /// 255 inside of the region, 0 outside.
    public var mattingImage: CVPixelBuffer { image.pixels }

    /// Returns the matte after an orientation is applied.
    public func applyingExifOrientation(_ exifOrientation: CGImagePropertyOrientation) -> Self {
        Self(matteType, image.applying(exifOrientation))
    }

    /// Returns the matte with another image.
    ///
    /// - Throws: `AVError.malformedDepth` if the pixel format is not `kCVPixelFormatType_OneComponent8`.
    public func replacingSemanticSegmentationMatte(with pixelBuffer: CVPixelBuffer) throws -> Self {
        Self(matteType, try MattingImage(pixelBuffer))
    }

    /// Returns the matte as auxiliary image data, and its type in `outAuxDataType`.
    public func dictionaryRepresentation(
        forAuxiliaryDataType outAuxDataType: AutoreleasingUnsafeMutablePointer<NSString?>?
    ) -> [AnyHashable: Any]? {
        outAuxDataType?.pointee = Self.auxiliaryTypes[matteType].map { NSString(string: $0) }
        return image.dictionary
    }
}
