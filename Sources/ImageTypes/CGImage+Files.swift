public import Foundation
public import MediaTypes

extension CGImage {
    /// Decodes a JPEG file; nil if it cannot be decoded. The orientation of its metadata is not applied.
    ///
    /// - Parameters:
    ///   - source: Provides the contents of the file.
    ///   - decode: A mapping of component values; has no effect.
    ///   - shouldInterpolate: Has no effect.
    ///   - intent: Has no effect.
    public convenience init?(
        jpegDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
        intent: CGColorRenderingIntent
    ) {
        guard let data = source.data, data.starts(with: [0xff, 0xd8]), let file = DecodedImageFile(data) else {
            return nil
        }
        self.init(pixelBuffer: file.pixels, hasAlpha: file.hasAlpha)
    }

    /// Decodes a PNG file; nil if it cannot be decoded. The parameters are the same as for JPEG files.
    public convenience init?(
        pngDataProviderSource source: CGDataProvider, decode: UnsafePointer<CGFloat>?, shouldInterpolate: Bool,
        intent: CGColorRenderingIntent
    ) {
        guard let data = source.data, data.first == 0x89, let file = DecodedImageFile(data) else { return nil }
        self.init(pixelBuffer: file.pixels, hasAlpha: file.hasAlpha)
    }
}

/// How colors outside the target's gamut are mapped; has no effect, because all images are sRGB.
public enum CGColorRenderingIntent: Int32, Hashable, Sendable {
    case defaultIntent = 0
    case absoluteColorimetric, relativeColorimetric, perceptual, saturation
}
