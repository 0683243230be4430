public import Foundation

/// An immutable bitmap image.
///
/// - Note: Unlike Apple, a pixel always has four bytes: blue, green, red, and premultiplied alpha or an unused byte.
public final class CGImage: @unchecked Sendable {
    // SAFETY: immutable after `init`; the pixels are never modified.

    /// The image as a 32BGRA pixel buffer; read only.
    package let pixelBuffer: CVPixelBuffer
    /// `premultipliedFirst`, or `noneSkipFirst` for an opaque image.
    public let alphaInfo: CGImageAlphaInfo

    /// Creates an image.
    ///
    /// - Parameters:
    ///   - pixelBuffer: A 32BGRA buffer that must not be modified afterwards.
    ///   - hasAlpha: Whether the pixels have premultiplied alpha; otherwise they are opaque.
    package init(pixelBuffer: CVPixelBuffer, hasAlpha: Bool = false) {
        self.pixelBuffer = pixelBuffer
        alphaInfo = hasAlpha ? .premultipliedFirst : .noneSkipFirst
    }

    /// In pixels.
    public var width: Int { CVPixelBufferGetWidth(pixelBuffer) }
    /// In pixels.
    public var height: Int { CVPixelBufferGetHeight(pixelBuffer) }
    public var bitsPerComponent: Int { 8 }
    public var bitsPerPixel: Int { 32 }
    /// Bytes per row, also in the data of `dataProvider`.
    public var bytesPerRow: Int { CVPixelBufferGetBytesPerRow(pixelBuffer) }
    /// Always sRGB.
    public var colorSpace: CGColorSpace? { CGColorSpace(name: CGColorSpace.sRGB) }
    /// Little-endian 32-bit pixels.
    public var bitmapInfo: CGBitmapInfo { [.byteOrder32Little, CGBitmapInfo(rawValue: alphaInfo.rawValue)] }
    /// Provides the bytes of the pixels.
    public var dataProvider: CGDataProvider? { CGDataProvider(self) }

    /// Returns a part of the image, in a rectangle that is expanded to whole pixels; nil if it is outside the image.
    public func cropping(to rect: CGRect) -> CGImage? {
        let part = rect.integral.intersection(CGRect(x: 0, y: 0, width: width, height: height))
        guard part.width >= 1, part.height >= 1 else { return nil }
        var result: CVPixelBuffer?
        CVPixelBufferCreate(nil, Int(part.width), Int(part.height), kCVPixelFormatType_32BGRA, nil, &result)
        guard let result else { return nil }
        CVPixelBufferLockBaseAddress(pixelBuffer, .readOnly)
        CVPixelBufferLockBaseAddress(result, [])
        defer {
            CVPixelBufferUnlockBaseAddress(result, [])
            CVPixelBufferUnlockBaseAddress(pixelBuffer, .readOnly)
        }
        guard let source = CVPixelBufferGetBaseAddress(pixelBuffer), let target = CVPixelBufferGetBaseAddress(result)
        else { return nil }
        for row in 0..<Int(part.height) {
            (target + row * CVPixelBufferGetBytesPerRow(result)).copyMemory(
                from: source + (row + Int(part.minY)) * bytesPerRow + Int(part.minX) * 4,
                byteCount: Int(part.width) * 4)
        }
        return CGImage(pixelBuffer: result, hasAlpha: alphaInfo == .premultipliedFirst)
    }
}

/// Provides bytes: the pixels of an image, or data from the client.
public final class CGDataProvider: Sendable {
    private enum Source: Sendable {
        case image(CGImage)
        case data(CFData)
    }

    private let source: Source

    init(_ image: CGImage) { source = .image(image) }

    /// Provides a client's bytes, for example those of a JPEG file.
    public init?(data: CFData) { source = .data(data) }

    /// The client's bytes, or a copy of all rows of the image including their padding.
    public var data: CFData? {
        switch source {
        case .data(let data): return data
        case .image(let image):
            CVPixelBufferLockBaseAddress(image.pixelBuffer, .readOnly)
            defer { CVPixelBufferUnlockBaseAddress(image.pixelBuffer, .readOnly) }
            return CVPixelBufferGetBaseAddress(image.pixelBuffer).map {
                Data(bytes: $0, count: image.bytesPerRow * image.height)
            }
        }
    }
}

/// The position of the alpha component in a pixel.
public enum CGImageAlphaInfo: UInt32, Sendable, Hashable {
    case none = 0
    case premultipliedLast = 1
    case premultipliedFirst = 2
    case last = 3
    case first = 4
    case noneSkipLast = 5
    case noneSkipFirst = 6
    case alphaOnly = 7
}

/// The layout of a pixel's components.
public struct CGBitmapInfo: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1f)
    public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
    public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
    public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
    public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)
}
