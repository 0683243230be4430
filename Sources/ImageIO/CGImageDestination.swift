// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import MediaCodecs
public import MediaTypes
import PixelKernels

/// Mutable data, where Apple's headers say `CFMutableData`.
public typealias CFMutableData = NSMutableData

/// Writes an image file: JPEG or PNG, with the metadata that `kCGImageProperty…` names.
///
/// - Important: Confined.
public final class CGImageDestination {
    fileprivate enum Target {
        case data(NSMutableData)
        case file(URL)
    }

    fileprivate enum Image {
        case pixels(CGImage)
        case file(ImageFile)
    }

    fileprivate let target: Target
    fileprivate let format: ImageFile.Format
    fileprivate var image: (contents: Image, properties: [String: Any])?
    fileprivate var properties: [String: Any] = [:]

    fileprivate init(_ target: Target, _ format: ImageFile.Format) {
        self.target = target
        self.format = format
    }

    /// Encodes the image; nil without one, or if it cannot be encoded.
    fileprivate func encoded() -> Data? {
        guard let image else { return nil }
        let all = properties.mergingImageProperties(image.properties)
        do throws(ImageError) {
            switch image.contents {
            case .pixels(let pixels): return try encode(pixels.pixelBuffer, EXIF(), all)
            case .file(let file): return try copy(file, all)
            }
        } catch {
            return nil
        }
    }

    /// Copies a file of the same format without encoding it again.
    private func copy(_ file: ImageFile, _ properties: [String: Any]) throws(ImageError) -> Data {
        let needsEncoding =
            file.format != format || properties[kCGImageDestinationLossyCompressionQuality] != nil
            || properties[kCGImageDestinationImageMaxPixelSize] != nil
        let exif = file.exif ?? EXIF()
        if needsEncoding {
            guard let pixels = file.pixels() else { throw ImageError(.damaged, "the image cannot be decoded") }
            return try encode(pixels, exif, properties)
        }
        // Without changes the metadata is kept byte by byte.
        return properties.isEmpty
            ? file.data : try ImageFile.replacing(merge(exif, properties), in: file.data, format)
    }

    private func encode(
        _ pixels: CVPixelBuffer, _ exif: EXIF, _ properties: [String: Any]
    ) throws(ImageError) -> Data {
        var pixels = pixels
        if let side = (properties[kCGImageDestinationImageMaxPixelSize] as? NSNumber)?.intValue {
            guard let scaled = ImageFile.scale(pixels, maximumSide: side, orientation: .up) else {
                throw ImageError(.outOfMemory, "the image cannot be scaled")
            }
            pixels = scaled
        }
        let quality = (properties[kCGImageDestinationLossyCompressionQuality] as? NSNumber)?.doubleValue ?? 0.9
        return try ImageFile.encode(pixels, as: format, quality: quality, exif: merge(exif, properties))
    }

    /// Returns metadata with the properties; `NSNull` removes one, also in nested dictionaries.
    private func merge(_ exif: EXIF, _ properties: [String: Any]) -> EXIF {
        func removingNull(_ values: [String: Any]) -> [String: Any] {
            values.compactMapValues { value -> Any? in
                if value is NSNull { return nil }
                return (value as? [String: Any]).map(removingNull) ?? value
            }
        }
        var result = EXIF(imageProperties: removingNull(exif.imageProperties.mergingImageProperties(properties)))
        result.thumbnail = exif.thumbnail
        return result
    }
}

public let kCGImageDestinationLossyCompressionQuality: CFString = "kCGImageDestinationLossyCompressionQuality"
public let kCGImageDestinationBackgroundColor: CFString = "kCGImageDestinationBackgroundColor"
public let kCGImageDestinationImageMaxPixelSize: CFString = "kCGImageDestinationImageMaxPixelSize"
public let kCGImageDestinationEmbedThumbnail: CFString = "kCGImageDestinationEmbedThumbnail"
public let kCGImageDestinationOptimizeColorForSharing: CFString = "kCGImageDestinationOptimizeColorForSharing"

/// Creates a destination; nil unless the type is JPEG or PNG and there is one image.
public func CGImageDestinationCreateWithData(
    _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? {
    guard count == 1 else { return nil }
    return ImageFile.Format(rawValue: type).map { CGImageDestination(.data(data), $0) }
}

/// Creates a destination; nil unless the type is JPEG or PNG and there is one image.
public func CGImageDestinationCreateWithURL(
    _ url: CFURL, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? {
    guard count == 1 else { return nil }
    return ImageFile.Format(rawValue: type).map { CGImageDestination(.file(url), $0) }
}

/// The identifiers of the types that are written.
public func CGImageDestinationCopyTypeIdentifiers() -> CFArray { ImageFile.Format.allCases.map(\.rawValue) }

/// Sets properties for all images.
public func CGImageDestinationSetProperties(_ idst: CGImageDestination, _ properties: CFDictionary?) {
    idst.properties = properties ?? [:]
}

/// Adds an image with the metadata of the properties. Only the first image is written.
public func CGImageDestinationAddImage(
    _ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) {
    if idst.image == nil { idst.image = (.pixels(image), properties ?? [:]) }
}

/// Adds an image of a source with its metadata, in which properties replace equal keys and `NSNull` removes them.
///
/// - Note: Unlike Apple, an image of the same type is copied without a loss of quality, unless the properties have a
///   quality or a maximum size.
public func CGImageDestinationAddImageFromSource(
    _ idst: CGImageDestination, _ isrc: CGImageSource, _ index: Int, _ properties: CFDictionary?
) {
    guard idst.image == nil, index == 0, let file = isrc.file else { return }
    idst.image = (.file(file), properties ?? [:])
}

/// Writes the file.
///
/// - Returns: False without an image, or if it cannot be encoded or written.
public func CGImageDestinationFinalize(_ idst: CGImageDestination) -> Bool {
    guard let data = idst.encoded() else { return false }
    switch idst.target {
    case .data(let target):
        target.setData(data)
        return true
    case .file(let url):
        // The reason is not reported, as on Apple's systems.
        return (try? data.write(to: url, options: .atomic)) != nil
    }
}
