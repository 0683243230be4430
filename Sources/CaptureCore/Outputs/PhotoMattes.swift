import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// The mattes of a photo.
struct PhotoMattes {
    var portraitEffects: AVPortraitEffectsMatte?
    var semantic: [AVSemanticSegmentationMatte] = []

    /// Creates no mattes.
    init() {}

    /// Wraps the mattes of a still.
    ///
    /// - Throws: `AVError.malformedDepth` if a matte has another pixel format than `kCVPixelFormatType_OneComponent8`.
    init(_ mattes: [StillMatte: CVPixelBuffer]) throws(AVError) {
        if let pixels = mattes[.portraitEffects] { portraitEffects = AVPortraitEffectsMatte(try MattingImage(pixels)) }
        for (type, kind) in AVSemanticSegmentationMatte.MatteType.stillMattes {
            guard let pixels = mattes[kind] else { continue }
            semantic.append(AVSemanticSegmentationMatte(type, try MattingImage(pixels)))
        }
    }
}

/// The auxiliary images in the file of a photo.
struct PhotoAuxiliaries {
    var depth: AVDepthData?
    var mattes = PhotoMattes()

    var isEmpty: Bool { depth == nil && mattes.portraitEffects == nil && mattes.semantic.isEmpty }

    /// Whether both contain the same objects.
    func isIdentical(to other: PhotoAuxiliaries) -> Bool {
        depth === other.depth && mattes.portraitEffects === other.mattes.portraitEffects
            && mattes.semantic.elementsEqual(other.mattes.semantic, by: ===)
    }

    /// Returns the images of a HEIF file.
    ///
    /// - Throws: `ImageError` if an image cannot be read, or `EncodingError`.
    func heifImages() throws -> [HEIFPhoto.AuxiliaryImage] {
        var images: [HEIFPhoto.AuxiliaryImage] = []
        if let depth { images.append(try depth.heifImage()) }
        for matte in codedMattes {
            images.append(
                HEIFPhoto.AuxiliaryImage(
                    kind: matte.kind, picture: try HEIFPicture(encoding: matte.pixels, quality: 0.9), xmp: matte.xmp))
        }
        return images
    }

    /// Adds the images to a JPEG file.
    func add(to jpeg: inout JPEGPhoto) throws(ImageError) {
        if let depth { try jpeg.add(depth) }
        for matte in codedMattes { try jpeg.add(matte.pixels, xmp: matte.xmp) }
    }

    private var codedMattes: [(kind: HEIFPhoto.AuxiliaryImage.Kind, pixels: CVPixelBuffer, xmp: Data)] {
        var result: [(HEIFPhoto.AuxiliaryImage.Kind, CVPixelBuffer, Data)] = []
        func add(_ kind: HEIFPhoto.AuxiliaryImage.Kind, _ pixels: CVPixelBuffer, _ namespace: String, _ version: String)
        {
            // The type in the property `auxC` of a HEIF file ends with the subtype.
            let subtype = kind.rawValue.split(separator: ":").last.map(String.init) ?? ""
            var writer = XMPWriter(namespaces: [
                ("apdi", "http://ns.apple.com/pixeldatainfo/1.0/"),
                (namespace, "http://ns.apple.com/\(namespace)/1.0/"),
            ])
            writer.add("apdi:AuxiliaryImageSubType", subtype)
            writer.add("apdi:NativeFormat", "\(kCVPixelFormatType_OneComponent8)")
            writer.add("apdi:StoredFormat", "\(kCVPixelFormatType_OneComponent8)")
            writer.add("\(namespace):\(version)", "65537")
            result.append((kind, pixels, Data(writer.text.utf8)))
        }
        if let matte = mattes.portraitEffects {
            add(.portraitEffectsMatte, matte.mattingImage, "portraitEffectsMatte", "PortraitEffectsMatteVersion")
        }
        for matte in mattes.semantic {
            guard let kind = HEIFPhoto.AuxiliaryImage.Kind(matte.matteType) else { continue }
            add(kind, matte.mattingImage, "semanticSegmentationMatte", "SemanticSegmentationMatteVersion")
        }
        return result
    }
}

extension HEIFPhoto.AuxiliaryImage.Kind {
    /// The kind of a semantic segmentation matte; nil for an unknown one.
    init?(_ type: AVSemanticSegmentationMatte.MatteType) {
        switch type {
        case .skin: self = .skinMatte
        case .hair: self = .hairMatte
        case .teeth: self = .teethMatte
        case .glasses: self = .glassesMatte
        default: return nil
        }
    }
}
