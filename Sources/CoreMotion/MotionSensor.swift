public import CaptureHAL
import Foundation
import MediaTypes

/// The attitude and acceleration of a simulated machine, which a test sets.
///
/// Its attitude follows the orientation sensor of the system, and turning it here changes the orientation:
/// ```swift
/// simulated.system.motion.turn(pitch: 90, roll: 20, yaw: 0, over: .seconds(1))
/// ```
/// - Important: Thread-safe.
public final class MotionSensor: Sendable {
    /// The values that the sensors measure at one time.
    struct Measurement {
        var time: CMTime
        var attitude: CMQuaternion
        /// In radians per second on the axes of the device.
        var rotationRate: DeviceVector
        /// In units of g on the axes of the device.
        var gravity: DeviceVector
        /// In units of g on the axes of the device, without gravity.
        var userAcceleration: DeviceVector
    }

    private struct State {
        /// The attitude at `start`.
        var attitude: CMQuaternion?
        var start = CMTime.zero
        /// In radians per second on the axes of the device, until `end`.
        var rate = DeviceVector()
        var end = CMTime.zero
        var acceleration = DeviceVector()
        /// The number of changes of the attitude; it identifies the turn that a timer ends.
        var changes = 0
        /// The orientation to which the attitude was last updated.
        var lastOrientation = DeviceOrientation.unknown

        func attitude(at time: CMTime) -> CMQuaternion? {
            guard let attitude else { return nil }
            let seconds = max(0, (CMTimeMinimum(time, end) - start).seconds)
            let speed = (rate.x * rate.x + rate.y * rate.y + rate.z * rate.z).squareRoot()
            guard speed > 0, seconds > 0 else { return attitude }
            let axis = DeviceVector(x: rate.x / speed, y: rate.y / speed, z: rate.z / speed)
            return attitude * CMQuaternion(axis: axis, angle: speed * seconds)
        }
    }

    private let clock: any CaptureClock
    private let orientation: OrientationSensor
    private let state = Lock(State())
    private let observation = Lock<ObserverToken?>(nil)

    init(clock: any CaptureClock, orientation: OrientationSensor) {
        self.clock = clock
        self.orientation = orientation
        updateAttitude()
        let token = orientation.observe { [weak self] in self?.updateAttitude() }
        observation.withLock { $0 = token }
    }

    /// Whether the machine has motion sensors: true if its orientation is known, or if a test has turned it.
    public var isPresent: Bool { state.withLock { $0.attitude != nil } }

    /// Turns the machine at constant speed; the orientation changes at the end.
    ///
    /// - Parameters:
    ///   - pitch: Degrees about the x axis; 0 is flat, 90 upright in portrait.
    ///   - roll: Degrees about the y axis; with a pitch of 0, -90 is landscape left.
    ///   - yaw: Degrees about the vertical axis, counterclockwise.
    ///   - duration: The duration of the turn.
    public func turn(pitch: Double, roll: Double, yaw: Double = 0, over duration: Duration = .zero) {
        let now = clock.now
        let target = Self.attitude(pitch: pitch, roll: roll, yaw: yaw)
        let end = now + CMTime(nanoseconds: duration.nanoseconds)
        let change = state.withLock { state in
            let current = state.attitude(at: now) ?? target
            let seconds = (end - now).seconds
            if seconds > 0 {
                let turn = (current.inverse * target).rotationVector
                state.attitude = current
                state.rate = DeviceVector(x: turn.x / seconds, y: turn.y / seconds, z: turn.z / seconds)
            } else {
                (state.attitude, state.rate) = (target, DeviceVector())
            }
            (state.start, state.end) = (now, end)
            state.changes += 1
            return state.changes
        }
        guard end > now else { return updateOrientation(to: target) }
        clock.schedule(at: end) { [weak self] in
            guard let self else { return }
            let isCurrent = state.withLock { state in
                guard state.changes == change else { return false }
                (state.attitude, state.rate) = (target, DeviceVector())
                return true
            }
            if isCurrent { updateOrientation(to: target) }
        }
    }

    /// Sets the acceleration of the machine without gravity, in units of g on the axes of the device.
    public func accelerate(x: Double, y: Double, z: Double) {
        state.withLock { $0.acceleration = DeviceVector(x: x, y: y, z: z) }
    }

    /// Returns the current values; nil without sensors.
    func measure() -> Measurement? {
        let now = clock.now
        return state.withLock { state in
            state.attitude(at: now).map { attitude in
                Measurement(
                    time: now, attitude: attitude, rotationRate: now < state.end ? state.rate : DeviceVector(),
                    gravity: Self.gravity(attitude), userAcceleration: state.acceleration)
            }
        }
    }

    private static func attitude(pitch: Double, roll: Double, yaw: Double) -> CMQuaternion {
        let radians = Double.pi / 180
        return CMQuaternion(axis: DeviceVector(z: 1), angle: yaw * radians)
            * CMQuaternion(axis: DeviceVector(x: 1), angle: pitch * radians)
            * CMQuaternion(axis: DeviceVector(y: 1), angle: roll * radians)
    }

    private static func gravity(_ attitude: CMQuaternion) -> DeviceVector {
        attitude.inverse.rotate(DeviceVector(z: -1))
    }

    /// Returns the orientation whose axis is less than 45° from gravity; nil if there is none.
    private static func orientation(_ attitude: CMQuaternion) -> DeviceOrientation? {
        let gravity = gravity(attitude)
        let candidates: [(Double, DeviceOrientation)] = [
            (-gravity.y, .portrait), (gravity.y, .portraitUpsideDown), (-gravity.x, .landscapeLeft),
            (gravity.x, .landscapeRight), (-gravity.z, .faceUp), (gravity.z, .faceDown),
        ]
        // Slightly more than the cosine of 45°, so that at most one candidate matches.
        return candidates.first { $0.0 > 0.708 }?.1
    }

    /// Sets the orientation sensor to the orientation of an attitude, if it has one.
    private func updateOrientation(to attitude: CMQuaternion) {
        if let new = Self.orientation(attitude), new != orientation.current { orientation.rotate(to: new) }
    }

    /// Sets the attitude to that of the orientation sensor if the orientation has changed, unless the attitude already
    /// has this orientation.
    private func updateAttitude() {
        let new = orientation.current
        let angles: (pitch: Double, roll: Double)? =
            switch new {
            case .unknown: nil
            case .portrait: (90, 0)
            case .portraitUpsideDown: (-90, 0)
            case .landscapeLeft: (0, -90)
            case .landscapeRight: (0, 90)
            case .faceUp: (0, 0)
            case .faceDown: (0, 180)
            }
        let now = clock.now
        state.withLock { state in
            guard state.lastOrientation != new else { return }
            state.lastOrientation = new
            guard let angles else { return }
            if let current = state.attitude(at: now), Self.orientation(current) == new { return }
            state.attitude = Self.attitude(pitch: angles.pitch, roll: angles.roll, yaw: 0)
            (state.rate, state.start, state.end) = (DeviceVector(), now, now)
            state.changes += 1
        }
    }
}

extension CaptureSystem {
    /// The attitude and acceleration of the machine.
    public var motion: MotionSensor {
        component(MotionSensor.self) { MotionSensor(clock: clock, orientation: orientation) }
    }
}
