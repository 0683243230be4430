// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

public let CIDetectorTypeFace = "CIDetectorTypeFace"
public let CIDetectorTypeQRCode = "CIDetectorTypeQRCode"
/// Not available here.
public let CIDetectorTypeRectangle = "CIDetectorTypeRectangle"
/// Not available here.
public let CIDetectorTypeText = "CIDetectorTypeText"
/// Option: accuracy; without effect, since the detectors have one.
public let CIDetectorAccuracy = "CIDetectorAccuracy"
public let CIDetectorAccuracyLow = "CIDetectorAccuracyLow"
public let CIDetectorAccuracyHigh = "CIDetectorAccuracyHigh"
/// Option: tracking of faces; without effect.
public let CIDetectorTracking = "CIDetectorTracking"
/// Option: the size of the smallest feature as a fraction of the shorter side; smaller ones are left out.
public let CIDetectorMinFeatureSize = "CIDetectorMinFeatureSize"
/// Option: the maximum number of features.
public let CIDetectorMaxFeatureCount = "CIDetectorMaxFeatureCount"
/// Option: the EXIF orientation in which faces are upright.
public let CIDetectorImageOrientation = "CIDetectorImageOrientation"
/// Option: detection of smiles; without effect.
public let CIDetectorSmile = "CIDetectorSmile"
/// Option: detection of closed eyes; without effect.
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
    /// - Returns: nil for types that are not available: rectangles and texts, and faces without the face detector
    ///   (docs/detectors.md).
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

    /// Returns the features of an image, top to bottom; none if memory runs out.
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
        guard let reader = BarcodeReader(), let gray = Self.gray(image) else { return [] }
        return reader.read(gray).filter { $0.kind == .qr && $0.corners.count == 4 }
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
            let stored = Self.stored(box, of: size, orientation)
            return CIFaceFeature(
                angle: Float(face.roll > 180 ? 360 - face.roll : -face.roll),
                bounds: CGRect(
                    x: image.extent.minX + stored.minX, y: image.extent.maxY - stored.maxY, width: stored.width,
                    height: stored.height))
        }
    }

    /// Returns a rectangle of an upright image, from its top left, in the image as stored: the upright image is the
    /// stored one rotated clockwise, then mirrored.
    private static func stored(
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

    /// The luma of an image; nil if memory runs out.
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
