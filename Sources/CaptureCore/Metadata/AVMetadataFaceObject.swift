package import CaptureHAL
public import Foundation

/// A detected face.
public final class AVMetadataFaceObject: AVMetadataObject, @unchecked Sendable {
    // SAFETY: immutable.
    /// Identifies the face while it is tracked; never reused.
    public var faceID: Int { objectID }
    private let roll: CGFloat?
    private let yaw: CGFloat?
    private let misuse: MisuseHandler

    /// Creates a detected face.
    ///
    /// - Parameters:
    ///   - roll: Clockwise degrees by which the face is tilted; nil if unknown.
    ///   - yaw: Degrees by which the face is rotated toward the right edge of the frame; nil if unknown.
    package init(
        faceID: Int, roll: CGFloat?, yaw: CGFloat?, _ detection: Detection, misuse: MisuseHandler
    ) {
        self.roll = roll
        self.yaw = yaw
        self.misuse = misuse
        super.init(.face, detection, objectID: faceID)
    }

    /// Creates the object for a face that a camera has detected.
    convenience init(_ face: DetectedFace, _ detection: Detection, misuse: MisuseHandler) {
        self.init(
            faceID: face.id, roll: face.roll.map { CGFloat($0) }, yaw: face.yaw.map { CGFloat($0) }, detection,
            misuse: misuse)
    }

    public var hasRollAngle: Bool { roll != nil }
    public var hasYawAngle: Bool { yaw != nil }

    /// Clockwise degrees, 0 for a level face; reading it if `hasRollAngle` is false is misuse.
    public var rollAngle: CGFloat { angle(roll, "rollAngle", "hasRollAngle") }
    /// Degrees, 0 for a face in frontal view; reading it if `hasYawAngle` is false is misuse.
    public var yawAngle: CGFloat { angle(yaw, "yawAngle", "hasYawAngle") }

    private func angle(_ value: CGFloat?, _ name: String, _ check: String) -> CGFloat {
        if let value { return value }
        misuse.report(.generic, "-[AVMetadataFaceObject \(name)] the angle is unknown; check \(check) first")
        return 0
    }

    package override func transformed(by geometry: FrameGeometry) -> AVMetadataObject {
        let sign: CGFloat = geometry.isMirrored ? -1 : 1
        return AVMetadataFaceObject(
            faceID: faceID, roll: roll.map { Self.normalized(sign * ($0 + CGFloat(geometry.rotationAngle))) },
            yaw: yaw.map { Self.normalized(sign * $0) }, detection(in: geometry), misuse: misuse)
    }

    /// Returns the angle in the range 0 ..< 360.
    private static func normalized(_ degrees: CGFloat) -> CGFloat {
        let remainder = degrees.truncatingRemainder(dividingBy: 360)
        return remainder < 0 ? remainder + 360 : remainder
    }
}

extension AVMetadataFaceObject: NSCopying {
    public func copy(with zone: NSZone? = nil) -> Any { self }
}

extension DetectedFace {
    /// The bounding box in the coordinates of `AVMetadataObject.bounds`.
    var bounds: CGRect { CGRect(x: x, y: y, width: width, height: height) }
}
