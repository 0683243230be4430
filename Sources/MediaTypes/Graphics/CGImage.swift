public import Foundation

/// A picture that does not change.
///
/// - Note: Unlike Apple, this is a small stand-in: always 32 bits a pixel in the order B, G, R, X, and without drawing.
public final class CGImage: @unchecked Sendable {
    // SAFETY: nothing changes after `init`, and nobody else writes the pixels.

    /// The picture as a pixel buffer of 32BGRA; to be read only.
    package let pixelBuffer: CVPixelBuffer

    /// - Parameter pixelBuffer: Of 32BGRA; handed over for good.
    package init(pixelBuffer: CVPixelBuffer) { self.pixelBuffer = pixelBuffer }

    /// Columns.
    public var width: Int { CVPixelBufferGetWidth(pixelBuffer) }
    /// Rows.
    public var height: Int { CVPixelBufferGetHeight(pixelBuffer) }
    public var bitsPerComponent: Int { 8 }
    public var bitsPerPixel: Int { 32 }
    /// Bytes from one row to the next, also in the data of `dataProvider`.
    public var bytesPerRow: Int { CVPixelBufferGetBytesPerRow(pixelBuffer) }
    public var alphaInfo: CGImageAlphaInfo { .noneSkipFirst }
    /// 32 bits, least significant byte first.
    public var bitmapInfo: CGBitmapInfo { [.byteOrder32Little, CGBitmapInfo(rawValue: alphaInfo.rawValue)] }
    /// The pixels' bytes.
    public var dataProvider: CGDataProvider? { CGDataProvider(self) }

    /// A part of the picture, in whole pixels; nil where it lies outside.
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
        return CGImage(pixelBuffer: result)
    }
}

/// Gives the bytes of a picture.
public final class CGDataProvider: Sendable {
    private let image: CGImage

    init(_ image: CGImage) { self.image = image }

    /// A copy of all rows, with what lies between them.
    public var data: CFData? {
        CVPixelBufferLockBaseAddress(image.pixelBuffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(image.pixelBuffer, .readOnly) }
        return CVPixelBufferGetBaseAddress(image.pixelBuffer).map {
            Data(bytes: $0, count: image.bytesPerRow * image.height)
        }
    }
}

/// Where a pixel's opacity lies.
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

/// How a pixel's components lie.
public struct CGBitmapInfo: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1f)
    public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
    public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
    public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)
}
