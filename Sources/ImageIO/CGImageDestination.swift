// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import MediaCodecs
public import MediaTypes
import PixelKernels

/// Apple's `CFMutableData`, as a Foundation class.
public typealias CFMutableData = NSMutableData

/// Writes a JPEG or PNG file with metadata of the `kCGImageProperty…` keys.
///
/// - Important: Confined to one thread at a time.
public final class CGImageDestination {
    fileprivate enum Target {
        case data(NSMutableData)
        case file(URL)
    }

    fileprivate enum Image {
        case image(CGImage)
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

    /// Returns the contents of the file; nil if there is no image, or if it cannot be encoded.
    fileprivate func encoded() -> Data? {
        guard let image else { return nil }
        let all = properties.mergingImageProperties(image.properties)
        do throws(ImageError) {
            switch image.contents {
            case .image(let image): return try encode(image, EXIF(), all)
            case .file(let file): return try copy(file, all)
            }
        } catch {
            return nil
        }
    }

    /// Copies a file. The image is only encoded again if the format, a quality or a maximum size requires it.
    private func copy(_ file: ImageFile, _ properties: [String: Any]) throws(ImageError) -> Data {
        let needsEncoding =
            file.type != format.rawValue || properties[kCGImageDestinationLossyCompressionQuality] != nil
            || properties[kCGImageDestinationImageMaxPixelSize] != nil
        let exif = file.exif ?? EXIF()
        if needsEncoding {
            guard let image = file.image() else { throw ImageError(.damaged, "the image cannot be decoded") }
            return try encode(image, exif, properties)
        }
        // Without changes, the metadata is copied byte for byte.
        return properties.isEmpty
            ? file.data : try ImageFile.replacing(merge(exif, properties), in: file.data, format)
    }

    private func encode(
        _ image: CGImage, _ exif: EXIF, _ properties: [String: Any]
    ) throws(ImageError) -> Data {
        var image = image
        if let side = (properties[kCGImageDestinationImageMaxPixelSize] as? NSNumber)?.intValue {
            guard let scaled = ImageFile.scale(image, maximumSide: side, orientation: .up) else {
                throw ImageError(.outOfMemory, "the image cannot be scaled")
            }
            image = scaled
        }
        let quality = (properties[kCGImageDestinationLossyCompressionQuality] as? NSNumber)?.doubleValue ?? 0.9
        let background = properties[kCGImageDestinationBackgroundColor] as? CGColor ?? .white
        return try ImageFile.encode(
            image, as: format, quality: quality, background: background, exif: merge(exif, properties))
    }

    /// Returns metadata that is merged with properties. `NSNull` removes a property, also in nested dictionaries.
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

/// Returns the uniform type identifiers of the formats that can be written.
public func CGImageDestinationCopyTypeIdentifiers() -> CFArray { ImageFile.Format.allCases.map(\.rawValue) }

/// Sets properties for all images.
public func CGImageDestinationSetProperties(_ idst: CGImageDestination, _ properties: CFDictionary?) {
    idst.properties = properties ?? [:]
}

/// Adds an image with metadata from `properties`. Only the first image is written.
public func CGImageDestinationAddImage(
    _ idst: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) {
    if idst.image == nil { idst.image = (.image(image), properties ?? [:]) }
}

/// Adds an image of a source with its metadata. An entry of `properties` replaces the metadata's value for the key;
/// `NSNull` removes it.
///
/// - Note: Unlike Apple, an image of the same type is copied without a loss of quality, unless `properties` contains
///   a quality or a maximum size.
public func CGImageDestinationAddImageFromSource(
    _ idst: CGImageDestination, _ isrc: CGImageSource, _ index: Int, _ properties: CFDictionary?
) {
    guard idst.image == nil, index == 0, let file = isrc.file else { return }
    idst.image = (.file(file), properties ?? [:])
}

/// Writes the file.
///
/// - Returns: False if there is no image, or if it cannot be encoded or written.
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
