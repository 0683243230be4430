public import Foundation

/// In units of g.
public struct CMAcceleration: Sendable, Hashable {
    public var x: Double
    public var y: Double
    public var z: Double

    public init(x: Double = 0, y: Double = 0, z: Double = 0) {
        self.x = x
        self.y = y
        self.z = z
    }

    init(_ vector: DeviceVector) { self.init(x: vector.x, y: vector.y, z: vector.z) }
}

/// In radians per second.
public struct CMRotationRate: Sendable, Hashable {
    public var x: Double
    public var y: Double
    public var z: Double

    public init(x: Double = 0, y: Double = 0, z: Double = 0) {
        self.x = x
        self.y = y
        self.z = z
    }

    init(_ vector: DeviceVector) { self.init(x: vector.x, y: vector.y, z: vector.z) }
}

/// A measurement with its time.
open class CMLogItem: NSObject {
    /// In seconds, on the clock of the capture system.
    public final let timestamp: TimeInterval

    init(_ timestamp: TimeInterval) { self.timestamp = timestamp }
}

/// The acceleration with gravity.
public final class CMAccelerometerData: CMLogItem {
    public let acceleration: CMAcceleration

    init(_ measurement: MotionSensor.Measurement) {
        let (gravity, user) = (measurement.gravity, measurement.userAcceleration)
        acceleration = CMAcceleration(x: gravity.x + user.x, y: gravity.y + user.y, z: gravity.z + user.z)
        super.init(measurement.time.seconds)
    }
}

public final class CMGyroData: CMLogItem {
    public let rotationRate: CMRotationRate

    init(_ measurement: MotionSensor.Measurement) {
        rotationRate = CMRotationRate(measurement.rotationRate)
        super.init(measurement.time.seconds)
    }
}

/// Attitude, rotation and acceleration.
public final class CMDeviceMotion: CMLogItem {
    public let attitude: CMAttitude
    public let rotationRate: CMRotationRate
    public let gravity: CMAcceleration
    public let userAcceleration: CMAcceleration
    /// Always -1: there is no compass.
    public var heading: Double { -1 }

    init(_ measurement: MotionSensor.Measurement) {
        attitude = CMAttitude(measurement.attitude)
        rotationRate = CMRotationRate(measurement.rotationRate)
        gravity = CMAcceleration(measurement.gravity)
        userAcceleration = CMAcceleration(measurement.userAcceleration)
        super.init(measurement.time.seconds)
    }
}
