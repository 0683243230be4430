public import Foundation
import MediaCodecs
public import MediaTypes
import PixelKernels

/// An image for views: pixels, orientation and scale.
public final class UIImage: NSObject, Sendable {
    /// The orientation in which the pixels are stored.
    public enum Orientation: Int, Sendable, Hashable {
        case up = 0
        case down = 1
        case left = 2
        case right = 3
        case upMirrored = 4
        case downMirrored = 5
        case leftMirrored = 6
        case rightMirrored = 7

        package init(_ orientation: CGImagePropertyOrientation) {
            self =
                switch orientation {
                case .up: .up
                case .upMirrored: .upMirrored
                case .down: .down
                case .downMirrored: .downMirrored
                case .leftMirrored: .leftMirrored
                case .right: .right
                case .rightMirrored: .rightMirrored
                case .left: .left
                }
        }

        package var property: CGImagePropertyOrientation {
            switch self {
            case .up: .up
            case .down: .down
            case .left: .left
            case .right: .right
            case .upMirrored: .upMirrored
            case .downMirrored: .downMirrored
            case .leftMirrored: .leftMirrored
            case .rightMirrored: .rightMirrored
            }
        }
    }

    /// Whether views show the colors of an image, or its alpha in their tint color.
    public enum RenderingMode: Int, Sendable, Hashable {
        /// A template in buttons of the type `system`, otherwise the original.
        case automatic = 0
        case alwaysOriginal, alwaysTemplate
    }

    /// The pixels; nil for an empty image and for one that was created from a `CIImage`.
    public let cgImage: CGImage?
    /// The image of Core Image from which the image was created; nil for others.
    public let ciImage: CIImage?
    public let imageOrientation: Orientation
    /// The number of pixels per point.
    public let scale: CGFloat
    public let renderingMode: RenderingMode

    /// Creates an empty image of size zero.
    public convenience override init() { self.init(pixels: nil, scale: 1, orientation: .up, renderingMode: .automatic) }

    private init(pixels: CGImage?, scale: CGFloat, orientation: Orientation, renderingMode: RenderingMode) {
        cgImage = pixels
        ciImage = nil
        self.scale = scale
        imageOrientation = orientation
        self.renderingMode = renderingMode
    }

    private init(ciImage: CIImage, scale: CGFloat, orientation: Orientation, renderingMode: RenderingMode) {
        cgImage = nil
        self.ciImage = ciImage
        self.scale = scale
        imageOrientation = orientation
        self.renderingMode = renderingMode
    }

    public convenience init(ciImage: CIImage) { self.init(ciImage: ciImage, scale: 1, orientation: .up) }

    public convenience init(ciImage: CIImage, scale: CGFloat, orientation: Orientation) {
        self.init(ciImage: ciImage, scale: scale, orientation: orientation, renderingMode: .automatic)
    }

    /// The pixels of `cgImage`, or those of `ciImage`, which are rendered by each call; nil for an empty image.
    package var pixels: CGImage? {
        cgImage ?? ciImage.flatMap { CIContext().createCGImage($0, from: $0.extent) }
    }

    public convenience init(cgImage: CGImage) { self.init(cgImage: cgImage, scale: 1, orientation: .up) }

    public convenience init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
        self.init(pixels: cgImage, scale: scale, orientation: orientation, renderingMode: .automatic)
    }

    /// Returns the same image with another rendering mode.
    public func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage {
        if let ciImage {
            return UIImage(
                ciImage: ciImage, scale: scale, orientation: imageOrientation, renderingMode: renderingMode)
        }
        return UIImage(pixels: cgImage, scale: scale, orientation: imageOrientation, renderingMode: renderingMode)
    }

    /// Creates an image from the contents of a JPEG, PNG, HEIF, WebP or DNG file, with its orientation; nil if the data cannot be
    /// decoded.
    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    public convenience init?(data: Data, scale: CGFloat) {
        guard let file = DecodedImageFile(data) else { return nil }
        self.init(
            cgImage: CGImage(pixelBuffer: file.pixels, hasAlpha: file.hasAlpha), scale: scale,
            orientation: Orientation(file.orientation))
    }

    /// Creates an image from a file; nil if it cannot be read.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data)
    }

    /// The size of the upright image in points.
    public var size: CGSize {
        let pixelSize = cgImage.map { CGSize(width: $0.width, height: $0.height) } ?? ciImage?.extent.size
        guard let pixelSize, scale > 0 else { return .zero }
        let size = CGSize(width: pixelSize.width / scale, height: pixelSize.height / scale)
        return imageOrientation.property.rotation.swapsWidthAndHeight
            ? CGSize(width: size.height, height: size.width) : size
    }

    /// Returns the contents of a JPEG file; nil if the image is empty or too large. Transparent pixels are on white.
    ///
    /// - Parameter compressionQuality: From 0 (smallest) to 1 (best).
    public func jpegData(compressionQuality: CGFloat) -> Data? {
        guard let cgImage = pixels else { return nil }
        let quality = Int((min(max(compressionQuality, 0), 1) * 99).rounded()) + 1
        do throws(ImageError) {
            let pixels =
                cgImage.alphaInfo == .premultipliedFirst ? try cgImage.pixelBuffer.onBackground() : cgImage.pixelBuffer
            var segments = try JPEGSegments(
                JPEGCodec().encode(pixels, settings: JPEGCodec.Settings(quality: quality)))
            var exif = EXIF()
            exif.orientation = imageOrientation.property
            try segments.setEXIF(exif)
            return segments.data
        } catch {
            return nil
        }
    }

    /// Returns the contents of a PNG file of the upright image, with alpha if the image has it; nil if the image is
    /// empty or memory cannot be allocated.
    public func pngData() -> Data? {
        guard let cgImage = pixels else { return nil }
        let orientation = imageOrientation.property
        let transform = PixelTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored)
        let size = transform.naturalSize(width: cgImage.width, height: cgImage.height)
        guard
            let upright = CVPixelBuffer(
                width: size.width, height: size.height, pixelFormat: kCVPixelFormatType_32BGRA)
        else { return nil }
        do throws(ImageError) {
            try PixelConverter().convert(cgImage.pixelBuffer, to: upright, transform)
        } catch {
            return nil
        }
        do throws(ImageError) {
            return cgImage.alphaInfo == .premultipliedFirst
                ? try PNGCodec().encodeWithAlpha(upright) : try PNGCodec().encode(upright)
        } catch {
            return nil
        }
    }
}
