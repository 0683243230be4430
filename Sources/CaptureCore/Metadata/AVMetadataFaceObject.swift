package import CaptureHAL
public import Foundation

/// A face that was seen.
public final class AVMetadataFaceObject: AVMetadataObject, @unchecked Sendable {
    // SAFETY: constant.
    /// The same while the face is tracked; never given again.
    public let faceID: Int
    private let roll: CGFloat?
    private let yaw: CGFloat?
    private let misuse: MisuseHandler

    /// - Parameters:
    ///   - roll: Clockwise degrees by which the face is tilted, nil where unknown.
    ///   - yaw: Degrees by which it is turned to the right of the picture, nil where unknown.
    package init(
        faceID: Int, roll: CGFloat?, yaw: CGFloat?, _ sighting: Sighting, misuse: MisuseHandler
    ) {
        self.faceID = faceID
        self.roll = roll
        self.yaw = yaw
        self.misuse = misuse
        super.init(.face, sighting)
    }

    public var hasRollAngle: Bool { roll != nil }
    public var hasYawAngle: Bool { yaw != nil }

    /// Clockwise degrees, 0 where the face is level; reading it where there is none is misuse.
    public var rollAngle: CGFloat { angle(roll, "rollAngle", "hasRollAngle") }
    /// Degrees, 0 where the face looks at the camera; reading it where there is none is misuse.
    public var yawAngle: CGFloat { angle(yaw, "yawAngle", "hasYawAngle") }

    private func angle(_ value: CGFloat?, _ name: String, _ question: String) -> CGFloat {
        if let value { return value }
        misuse.report(.generic, "-[AVMetadataFaceObject \(name)] there is no such angle; ask \(question) first")
        return 0
    }

    override func transformed(by geometry: PictureGeometry) -> AVMetadataObject {
        let sign: CGFloat = geometry.isMirrored ? -1 : 1
        return AVMetadataFaceObject(
            faceID: faceID, roll: roll.map { Self.normalized(sign * ($0 + CGFloat(geometry.rotationAngle))) },
            yaw: yaw.map { Self.normalized(sign * $0) }, sighting(in: geometry), misuse: misuse)
    }

    /// The angle from 0 up to 360.
    private static func normalized(_ degrees: CGFloat) -> CGFloat {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }
}
