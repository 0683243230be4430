public import Foundation

/// Three values on the axes of the device: x to the right, y to the upper edge, z out of the screen.
struct DeviceVector: Sendable, Hashable {
    var x = 0.0
    var y = 0.0
    var z = 0.0
}

/// A rotation.
public struct CMQuaternion: Sendable, Hashable {
    public var x: Double
    public var y: Double
    public var z: Double
    public var w: Double

    public init() { self.init(x: 0, y: 0, z: 0, w: 1) }

    public init(x: Double, y: Double, z: Double, w: Double) {
        self.x = x
        self.y = y
        self.z = z
        self.w = w
    }

    /// Creates the rotation by an angle in radians about an axis of length 1.
    init(axis: DeviceVector, angle: Double) {
        let factor = sin(angle / 2)
        self.init(x: axis.x * factor, y: axis.y * factor, z: axis.z * factor, w: cos(angle / 2))
    }

    var inverse: CMQuaternion { CMQuaternion(x: -x, y: -y, z: -z, w: w) }

    static func * (a: CMQuaternion, b: CMQuaternion) -> CMQuaternion {
        CMQuaternion(
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z)
    }

    func rotate(_ vector: DeviceVector) -> DeviceVector {
        let result = self * CMQuaternion(x: vector.x, y: vector.y, z: vector.z, w: 0) * inverse
        return DeviceVector(x: result.x, y: result.y, z: result.z)
    }

    /// The rotation as an axis with the angle in radians, at most π, as its length.
    var rotationVector: DeviceVector {
        let sign = w < 0 ? -1.0 : 1
        let length = (x * x + y * y + z * z).squareRoot()
        guard length > 0 else { return DeviceVector() }
        let factor = sign * 2 * atan2(length, abs(w)) / length
        return DeviceVector(x: x * factor, y: y * factor, z: z * factor)
    }
}

/// A matrix that transforms vectors from the reference frame to the axes of the device; `m12` is in row 1, column 2.
public struct CMRotationMatrix: Sendable, Hashable {
    public var m11 = 1.0
    public var m12 = 0.0
    public var m13 = 0.0
    public var m21 = 0.0
    public var m22 = 1.0
    public var m23 = 0.0
    public var m31 = 0.0
    public var m32 = 0.0
    public var m33 = 1.0

    public init() {}
}

/// The reference frame of an attitude; the z axis points up in all of them.
public struct CMAttitudeReferenceFrame: OptionSet, Sendable, Hashable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let xArbitraryZVertical = CMAttitudeReferenceFrame(rawValue: 1 << 0)
    public static let xArbitraryCorrectedZVertical = CMAttitudeReferenceFrame(rawValue: 1 << 1)
    public static let xMagneticNorthZVertical = CMAttitudeReferenceFrame(rawValue: 1 << 2)
    public static let xTrueNorthZVertical = CMAttitudeReferenceFrame(rawValue: 1 << 3)
}

/// The attitude of the device relative to a reference frame.
///
/// - Important: Confined to one thread at a time.
public final class CMAttitude: NSObject {
    public private(set) var quaternion: CMQuaternion

    init(_ quaternion: CMQuaternion) { self.quaternion = quaternion }

    /// The axes of the device in the reference frame.
    private var axes: (x: DeviceVector, y: DeviceVector, z: DeviceVector) {
        (
            quaternion.rotate(DeviceVector(x: 1)), quaternion.rotate(DeviceVector(y: 1)),
            quaternion.rotate(DeviceVector(z: 1))
        )
    }

    /// Whether the upper edge points up or down, so that roll and yaw are the same rotation (gimbal lock).
    private var isVertical: Bool { abs(axes.y.z) > 0.999_999 }

    /// The rotation about the x axis in radians.
    public var pitch: Double { asin(min(1, max(-1, axes.y.z))) }
    /// The rotation about the y axis in radians.
    public var roll: Double { isVertical ? 0 : atan2(-axes.x.z, axes.z.z) }
    /// The rotation about the z axis in radians.
    public var yaw: Double { isVertical ? atan2(axes.x.y, axes.x.x) : atan2(-axes.y.x, axes.y.y) }

    public var rotationMatrix: CMRotationMatrix {
        let (x, y, z) = axes
        var matrix = CMRotationMatrix()
        (matrix.m11, matrix.m12, matrix.m13) = (x.x, x.y, x.z)
        (matrix.m21, matrix.m22, matrix.m23) = (y.x, y.y, y.z)
        (matrix.m31, matrix.m32, matrix.m33) = (z.x, z.y, z.z)
        return matrix
    }

    /// Makes the attitude relative to another one.
    public func multiply(byInverseOf attitude: CMAttitude) { quaternion = attitude.quaternion.inverse * quaternion }

    public override func copy() -> Any { CMAttitude(quaternion) }
}
