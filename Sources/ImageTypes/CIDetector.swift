// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

public let CIDetectorTypeFace = "CIDetectorTypeFace"
public let CIDetectorTypeQRCode = "CIDetectorTypeQRCode"
/// Not supported.
public let CIDetectorTypeRectangle = "CIDetectorTypeRectangle"
/// Not supported.
public let CIDetectorTypeText = "CIDetectorTypeText"
/// Option: the accuracy; has no effect, because each detector has only one.
public let CIDetectorAccuracy = "CIDetectorAccuracy"
public let CIDetectorAccuracyLow = "CIDetectorAccuracyLow"
public let CIDetectorAccuracyHigh = "CIDetectorAccuracyHigh"
/// Option: tracking of faces; has no effect.
public let CIDetectorTracking = "CIDetectorTracking"
/// Option: the size of the smallest feature as a fraction of the shorter side; smaller ones are omitted.
public let CIDetectorMinFeatureSize = "CIDetectorMinFeatureSize"
/// Option: the maximum number of features.
public let CIDetectorMaxFeatureCount = "CIDetectorMaxFeatureCount"
/// Option: the EXIF orientation in which faces are upright.
public let CIDetectorImageOrientation = "CIDetectorImageOrientation"
/// Option: detection of smiles; has no effect.
public let CIDetectorSmile = "CIDetectorSmile"
/// Option: detection of closed eyes; has no effect.
public let CIDetectorEyeBlink = "CIDetectorEyeBlink"

/// Finds QR codes, and faces if the face detector is installed, in images.
///
/// - Important: Thread-safe.
public final class CIDetector: NSObject, Sendable {
    private enum Kind { case face, code }

    private let kind: Kind
    private let minimumSize: Double
    private let maximumCount: Int

    /// Creates a detector.
    ///
    /// - Returns: nil for rectangles and text, which are not supported, and for faces if the face detector is not
    ///   installed (docs/detectors.md).
    public init?(ofType type: String, context: CIContext?, options: [String: Any]? = nil) {
        switch type {
        case CIDetectorTypeQRCode: kind = .code
        case CIDetectorTypeFace where FaceDetector.isAvailable: kind = .face
        default: return nil
        }
        minimumSize = (options?[CIDetectorMinFeatureSize] as? NSNumber)?.doubleValue ?? 0
        maximumCount = (options?[CIDetectorMaxFeatureCount] as? NSNumber)?.intValue ?? .max
    }

    public func features(in image: CIImage) -> [CIFeature] { features(in: image, options: nil) }

    /// Returns the features of an image, top to bottom; an empty array if memory cannot be allocated.
    public func features(in image: CIImage, options: [String: Any]?) -> [CIFeature] {
        let found: [CIFeature]
        switch kind {
        case .code: found = codes(in: image)
        case .face:
            let number = (options?[CIDetectorImageOrientation] as? NSNumber)?.uint32Value
            found = faces(in: image, number.flatMap { CGImagePropertyOrientation(rawValue: $0) } ?? .up)
        }
        let smallest = minimumSize * Double(min(image.extent.width, image.extent.height))
        let large = found.filter { Double(min($0.bounds.width, $0.bounds.height)) >= smallest }
        return Array(large.prefix(max(0, maximumCount)))
    }

    private func codes(in image: CIImage) -> [CIFeature] {
        guard let reader = BarcodeReader([.qr]), let gray = Self.gray(image) else { return [] }
        return reader.read(gray).filter { $0.corners.count == 4 }
            .map { code in
                let corners = code.corners.map { corner in
                    CGPoint(x: image.extent.minX + CGFloat(corner.x), y: image.extent.maxY - CGFloat(corner.y))
                }
                let (left, right) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
                let (bottom, top) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
                return CIQRCodeFeature(
                    code.text, corners: corners,
                    bounds: CGRect(x: left, y: bottom, width: right - left, height: top - bottom))
            }
    }

    private func faces(in image: CIImage, _ orientation: CGImagePropertyOrientation) -> [CIFeature] {
        let upright = image.oriented(orientation)
        guard let detector = FaceDetector(), let gray = Self.gray(upright) else { return [] }
        let (width, height) = (CVPixelBufferGetWidth(gray), CVPixelBufferGetHeight(gray))
        let found = gray.withPlane(0) { plane in
            detector.faces(in: plane.baseAddress, width: width, height: height, bytesPerRow: plane.bytesPerRow)
        }
        let size = CGSize(width: CGFloat(width), height: CGFloat(height))
        return found.map { face in
            let box = CGRect(x: face.left, y: face.top, width: face.width, height: face.height)
            let stored = Self.storedRect(box, of: size, orientation)
            return CIFaceFeature(
                angle: Float(face.roll > 180 ? 360 - face.roll : -face.roll),
                bounds: CGRect(
                    x: image.extent.minX + stored.minX, y: image.extent.maxY - stored.maxY, width: stored.width,
                    height: stored.height))
        }
    }

    /// Converts a rectangle from an upright image to the stored image; the origin of both is at the top left.
    ///
    /// The upright image is the stored image rotated clockwise, then mirrored.
    /// - Parameter size: The size of the upright image in pixels.
    private static func storedRect(
        _ box: CGRect, of size: CGSize, _ orientation: CGImagePropertyOrientation
    ) -> CGRect {
        var box = box
        if orientation.isMirrored { box.origin.x = size.width - box.maxX }
        switch orientation.rotation {
        case .none: return box
        case .clockwise90:
            return CGRect(x: box.minY, y: size.width - box.maxX, width: box.height, height: box.width)
        case .clockwise180:
            return CGRect(
                x: size.width - box.maxX, y: size.height - box.maxY, width: box.width, height: box.height)
        case .clockwise270:
            return CGRect(x: size.height - box.maxY, y: box.minX, width: box.height, height: box.width)
        }
    }

    /// Returns the luma of an image; nil if memory cannot be allocated.
    private static func gray(_ image: CIImage) -> CVPixelBuffer? {
        guard
            let target = CVPixelBuffer(
                width: Int(image.extent.width), height: Int(image.extent.height),
                pixelFormat: kCVPixelFormatType_OneComponent8),
            image.draw(into: target, .identity)
        else { return nil }
        return target
    }
}
