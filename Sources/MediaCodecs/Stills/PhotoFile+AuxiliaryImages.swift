import Foundation
package import MediaTypes
package import PixelKernels

extension PhotoFile {
    /// An image that belongs to the photo and shows the same view.
    package struct AuxiliaryImage {
        /// In `kCVPixelFormatType_OneComponent8`. In a HEIF file it is upright, as the photo; otherwise it has the
        /// orientation of the photo.
        package let pixels: CVPixelBuffer
        /// The properties of its XMP packet by name with the usual prefix, such as `depthData:Accuracy`.
        package let properties: [String: String]
    }

    /// Decodes the first auxiliary image of a kind; nil if there is none.
    ///
    /// - Throws: As `decoded()`.
    package func auxiliaryImage(_ kind: HEIFPhoto.AuxiliaryImage.Kind) throws(ImageError) -> AuxiliaryImage? {
        switch format {
        case .heic: return try heifImage(kind)
        case .jpeg: return try jpegImage(kind)
        case .png, .avif, .webP, .dng: return nil
        }
    }

    private func heifImage(_ kind: HEIFPhoto.AuxiliaryImage.Kind) throws(ImageError) -> AuxiliaryImage? {
        guard case .heif(let file) = contents, let item = file.auxiliaryImages[kind.rawValue] else { return nil }
        let image = try HEIFDecoder.decodeAuxiliary(data, item: item.number)
        return AuxiliaryImage(
            pixels: try Self.gray(image.pixels), properties: item.xmp.map { XMPPacket($0).appleProperties } ?? [:])
    }

    private func jpegImage(_ kind: HEIFPhoto.AuxiliaryImage.Kind) throws(ImageError) -> AuxiliaryImage? {
        for file in JPEGSegments.otherImages(of: data) {
            guard let packet = JPEGSegments(readable: file)?.xmp.map({ XMPPacket($0) }) else { continue }
            let properties = packet.appleProperties
            guard kind.matches(properties) else { continue }
            let image = try JPEGCodec().decode(file, pixelFormat: kCVPixelFormatType_32BGRA)
            return AuxiliaryImage(pixels: try Self.gray(image.pixels), properties: properties)
        }
        return nil
    }

    private static func gray(_ pixels: CVPixelBuffer) throws(ImageError) -> CVPixelBuffer {
        guard
            let result = CVPixelBuffer(
                width: pixels.width, height: pixels.height, pixelFormat: kCVPixelFormatType_OneComponent8)
        else { throw ImageError(.outOfMemory, "no pixel buffer of \(pixels.width)x\(pixels.height) could be created") }
        try PixelConverter().convert(pixels, to: result)
        return result
    }
}

extension HEIFPhoto.AuxiliaryImage.Kind {
    /// Whether the properties of an image in a JPEG file, which has no type, describe this kind.
    fileprivate func matches(_ properties: [String: String]) -> Bool {
        switch self {
        case .depth: ["depth", "disparity"].contains(properties["apdi:AuxiliaryImageType"])
        case .portraitEffectsMatte, .skinMatte, .hairMatte, .teethMatte, .glassesMatte, .skyMatte:
            properties["apdi:AuxiliaryImageSubType"].map { rawValue.hasSuffix(":" + $0) } ?? false
        }
    }
}
