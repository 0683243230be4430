// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation

/// The type of `CIFaceFeature`.
public let CIFeatureTypeFace = "Face"
/// The type of `CIRectangleFeature`.
public let CIFeatureTypeRectangle = "Rectangle"
/// The type of `CIQRCodeFeature`.
public let CIFeatureTypeQRCode = "QRCode"

/// Something that a detector found in an image.
public class CIFeature: NSObject, @unchecked Sendable {
    // SAFETY: all properties are constants, also in subclasses.
    public let type: String
    /// In the coordinates of the image, whose y axis points up.
    public let bounds: CGRect

    init(type: String, bounds: CGRect) {
        self.type = type
        self.bounds = bounds
    }
}

/// A QR code.
public final class CIQRCodeFeature: CIFeature, @unchecked Sendable {
    // SAFETY: all properties are constants.
    /// The text; nil if the contents are not text.
    public let messageString: String?
    /// The corners, named from the orientation of the code, not of the image.
    public let topLeft: CGPoint
    public let topRight: CGPoint
    public let bottomLeft: CGPoint
    public let bottomRight: CGPoint

    /// Creates a code.
    ///
    /// - Parameter corners: Counterclockwise from the top left corner.
    init(_ message: String?, corners: [CGPoint], bounds: CGRect) {
        messageString = message
        (topLeft, bottomLeft, bottomRight, topRight) = (corners[0], corners[1], corners[2], corners[3])
        super.init(type: CIFeatureTypeQRCode, bounds: bounds)
    }
}

/// A rectangle in perspective, such as a sheet of paper.
///
/// - Note: Unlike Apple, no detector finds rectangles: `CIDetector(ofType: CIDetectorTypeRectangle, …)` returns nil.
public final class CIRectangleFeature: CIFeature, @unchecked Sendable {
    // SAFETY: all properties are constants.
    public let topLeft: CGPoint
    public let topRight: CGPoint
    public let bottomLeft: CGPoint
    public let bottomRight: CGPoint

    init(topLeft: CGPoint, topRight: CGPoint, bottomLeft: CGPoint, bottomRight: CGPoint, bounds: CGRect) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomLeft = bottomLeft
        self.bottomRight = bottomRight
        super.init(type: CIFeatureTypeRectangle, bounds: bounds)
    }
}

/// A face.
///
/// - Note: Unlike Apple, eyes, mouth and smile are not detected.
public final class CIFaceFeature: CIFeature, @unchecked Sendable {
    // SAFETY: all properties are constants.
    /// The rotation of the face in degrees; positive angles are counterclockwise.
    public let faceAngle: Float

    init(angle: Float, bounds: CGRect) {
        faceAngle = angle
        super.init(type: CIFeatureTypeFace, bounds: bounds)
    }

    public var hasFaceAngle: Bool { true }
    public var hasLeftEyePosition: Bool { false }
    public var leftEyePosition: CGPoint { .zero }
    public var hasRightEyePosition: Bool { false }
    public var rightEyePosition: CGPoint { .zero }
    public var hasMouthPosition: Bool { false }
    public var mouthPosition: CGPoint { .zero }
    public var hasTrackingID: Bool { false }
    public var trackingID: Int32 { 0 }
    public var hasTrackingFrameCount: Bool { false }
    public var trackingFrameCount: Int32 { 0 }
    public var hasSmile: Bool { false }
    public var leftEyeClosed: Bool { false }
    public var rightEyeClosed: Bool { false }
}
