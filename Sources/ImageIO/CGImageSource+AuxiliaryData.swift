// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Foundation
import MediaCodecs
public import MediaTypes
import PixelKernels

/// Returns an auxiliary image of a HEIF or JPEG file, such as its depth map; nil if there is none of the type, or if it is
/// damaged.
///
/// - Returns: The pixels without padding under `kCGImageAuxiliaryDataInfoData`, their size and format under
///   `kCGImageAuxiliaryDataInfoDataDescription`, and the properties of the XMP packet under
///   `kCGImageAuxiliaryDataInfoMetadata`. Depth and disparity have the format that the file names as native.
/// - Note: Unlike Apple, the metadata is a dictionary, and the auxiliary images of a HEIF file are upright, as its image.
public func CGImageSourceCopyAuxiliaryDataInfoAtIndex(
    _ isrc: CGImageSource, _ index: Int, _ auxiliaryImageDataType: CFString
) -> CFDictionary? {
    guard index == 0, let kind = HEIFPhoto.AuxiliaryImage.Kind(auxiliaryImageDataType),
        let image = isrc.file?.auxiliaryImage(kind)
    else { return nil }
    guard kind == .depth else { return information(image.pixels, bytesPerPixel: 1, image.properties) }
    let isDisparity = auxiliaryImageDataType == kCGImageAuxiliaryDataTypeDisparity
    guard (image.properties["apdi:AuxiliaryImageType"] == "disparity") == isDisparity,
        let map = depthMap(image, isDisparity: isDisparity)
    else { return nil }
    return information(map, bytesPerPixel: DepthMap.isHalfFloat(map.pixelFormat) ? 2 : 4, image.properties)
}

/// Converts the codes of a stored map, from 0 for the minimum to 255 for the maximum, to its native format.
private func depthMap(_ image: PhotoFile.AuxiliaryImage, isDisparity: Bool) -> CVPixelBuffer? {
    let native = image.properties["apdi:NativeFormat"].flatMap { OSType($0) }
    let standard = isDisparity ? kCVPixelFormatType_DisparityFloat16 : kCVPixelFormatType_DepthFloat16
    let format = native.flatMap { DepthMap.pixelFormats.contains($0) ? $0 : nil } ?? standard
    guard let minimum = image.properties["apdi:FloatMinValue"].flatMap({ Float($0) }),
        let maximum = image.properties["apdi:FloatMaxValue"].flatMap({ Float($0) }),
        let result = CVPixelBuffer(width: image.pixels.width, height: image.pixels.height, pixelFormat: format)
    else { return nil }
    let codes = [UInt8](rows(of: image.pixels, bytesPerPixel: 1))
    let scale = (maximum - minimum) / 255
    let map = DepthMap(
        width: image.pixels.width, height: image.pixels.height, isDisparity: DepthMap.isDisparity(format),
        values: codes.map { minimum + Float($0) * scale })
    // The buffer was allocated with the map's size and type.
    try? map.write(to: result)
    return result
}

private func information(
    _ pixels: CVPixelBuffer, bytesPerPixel: Int, _ properties: [String: String]
) -> CFDictionary {
    let description: [String: Any] = [
        "Width": pixels.width, "Height": pixels.height, "BytesPerRow": pixels.width * bytesPerPixel,
        "PixelFormat": Int(pixels.pixelFormat),
    ]
    return [
        kCGImageAuxiliaryDataInfoData: rows(of: pixels, bytesPerPixel: bytesPerPixel),
        kCGImageAuxiliaryDataInfoDataDescription: description,
        kCGImageAuxiliaryDataInfoMetadata: properties as [String: Any],
    ]
}

/// Returns the rows of a buffer without padding.
private func rows(of pixels: CVPixelBuffer, bytesPerPixel: Int) -> Data {
    var data = Data(capacity: pixels.width * pixels.height * bytesPerPixel)
    pixels.withPlane(0) { plane in
        for row in 0..<pixels.height {
            data.append(
                plane.baseAddress.assumingMemoryBound(to: UInt8.self) + row * plane.bytesPerRow,
                count: pixels.width * bytesPerPixel)
        }
    }
    return data
}

extension HEIFPhoto.AuxiliaryImage.Kind {
    /// The kind of a type of auxiliary data; nil for an unknown one.
    fileprivate init?(_ type: CFString) {
        switch type {
        case kCGImageAuxiliaryDataTypeDisparity, kCGImageAuxiliaryDataTypeDepth: self = .depth
        case kCGImageAuxiliaryDataTypePortraitEffectsMatte: self = .portraitEffectsMatte
        case kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte: self = .skinMatte
        case kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte: self = .hairMatte
        case kCGImageAuxiliaryDataTypeSemanticSegmentationTeethMatte: self = .teethMatte
        case kCGImageAuxiliaryDataTypeSemanticSegmentationGlassesMatte: self = .glassesMatte
        default: return nil
        }
    }
}
