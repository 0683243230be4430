import CaptureHAL
import Dispatch
public import Foundation
import MediaTypes

public typealias CMAccelerometerHandler = @Sendable (CMAccelerometerData?, (any Error)?) -> Void
public typealias CMGyroHandler = @Sendable (CMGyroData?, (any Error)?) -> Void
public typealias CMDeviceMotionHandler = @Sendable (CMDeviceMotion?, (any Error)?) -> Void

/// Reports the attitude and motion of the machine, on the clock of the capture system in which it was created.
///
/// The first update is reported 10 ms after the start, and the following ones at multiples of the interval after the
/// start.
/// - Important: Thread-safe. Handlers run on the client's queue.
public final class CMMotionManager: NSObject, Sendable {
    private enum Kind: Int, CaseIterable { case accelerometer, gyroscope, deviceMotion }

    private struct Updates {
        var isActive = false
        /// The number of starts. Scheduled updates of an earlier start are ignored.
        var generation = 0
        var interval = sensorPeriod
        var handler: (@Sendable (MotionSensor.Measurement) -> Void)?
        var queue: OperationQueue?
    }

    /// The time between two measurements of the sensor, in seconds: 100 per second, as on phones.
    private static let sensorPeriod = 0.01

    private let sensor: MotionSensor
    private let clock: any CaptureClock
    private let system: SystemReference
    private let updates = Lock(Kind.allCases.map { _ in Updates() })

    public override init() {
        let current = CaptureSystem.current
        sensor = current.motion
        clock = current.clock
        system = current.reference
    }

    // MARK: Accelerometer

    public var isAccelerometerAvailable: Bool { sensor.isPresent }
    public var isAccelerometerActive: Bool { isActive(.accelerometer) }

    /// In seconds.
    public var accelerometerUpdateInterval: TimeInterval {
        get { interval(.accelerometer) }
        set { setInterval(newValue, .accelerometer) }
    }

    /// The current values; nil while no updates are requested.
    public var accelerometerData: CMAccelerometerData? { measure(.accelerometer).map { CMAccelerometerData($0) } }
    public func startAccelerometerUpdates() { start(.accelerometer, nil, nil) }

    @preconcurrency
    public func startAccelerometerUpdates(
        to queue: OperationQueue, withHandler handler: @escaping CMAccelerometerHandler
    ) {
        start(.accelerometer, queue) { handler(CMAccelerometerData($0), nil) }
    }

    public func stopAccelerometerUpdates() { stop(.accelerometer) }

    // MARK: Gyroscope

    public var isGyroAvailable: Bool { sensor.isPresent }
    public var isGyroActive: Bool { isActive(.gyroscope) }

    public var gyroUpdateInterval: TimeInterval {
        get { interval(.gyroscope) }
        set { setInterval(newValue, .gyroscope) }
    }

    public var gyroData: CMGyroData? { measure(.gyroscope).map { CMGyroData($0) } }
    public func startGyroUpdates() { start(.gyroscope, nil, nil) }

    @preconcurrency
    public func startGyroUpdates(to queue: OperationQueue, withHandler handler: @escaping CMGyroHandler) {
        start(.gyroscope, queue) { handler(CMGyroData($0), nil) }
    }

    public func stopGyroUpdates() { stop(.gyroscope) }

    // MARK: Magnetometer

    /// Always false: there is no magnetometer.
    public var isMagnetometerAvailable: Bool { false }
    public var isMagnetometerActive: Bool { false }

    // MARK: Device motion

    public var isDeviceMotionAvailable: Bool { sensor.isPresent }
    public var isDeviceMotionActive: Bool { isActive(.deviceMotion) }

    public var deviceMotionUpdateInterval: TimeInterval {
        get { interval(.deviceMotion) }
        set { setInterval(newValue, .deviceMotion) }
    }

    public var deviceMotion: CMDeviceMotion? { measure(.deviceMotion).map { CMDeviceMotion($0) } }
    public var attitudeReferenceFrame: CMAttitudeReferenceFrame { .xArbitraryZVertical }

    public class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame {
        CaptureSystem.current.motion.isPresent ? [.xArbitraryZVertical, .xArbitraryCorrectedZVertical] : []
    }

    public func startDeviceMotionUpdates() { start(.deviceMotion, nil, nil) }

    /// The reference frame has no effect.
    public func startDeviceMotionUpdates(using referenceFrame: CMAttitudeReferenceFrame) { startDeviceMotionUpdates() }

    @preconcurrency
    public func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler)
    {
        start(.deviceMotion, queue) { handler(CMDeviceMotion($0), nil) }
    }

    @preconcurrency
    public func startDeviceMotionUpdates(
        using referenceFrame: CMAttitudeReferenceFrame, to queue: OperationQueue,
        withHandler handler: @escaping CMDeviceMotionHandler
    ) {
        startDeviceMotionUpdates(to: queue, withHandler: handler)
    }

    public func stopDeviceMotionUpdates() { stop(.deviceMotion) }

    // MARK: Updates

    private func isActive(_ kind: Kind) -> Bool { updates.withLock { $0[kind.rawValue].isActive } }
    private func interval(_ kind: Kind) -> TimeInterval { updates.withLock { $0[kind.rawValue].interval } }

    private func setInterval(_ interval: TimeInterval, _ kind: Kind) {
        updates.withLock { $0[kind.rawValue].interval = max(Self.sensorPeriod, interval) }
    }

    private func measure(_ kind: Kind) -> MotionSensor.Measurement? { isActive(kind) ? sensor.measure() : nil }

    private func start(
        _ kind: Kind, _ queue: OperationQueue?, _ handler: (@Sendable (MotionSensor.Measurement) -> Void)?
    ) {
        guard sensor.isPresent else { return }
        let generation = updates.withLock { all in
            let index = kind.rawValue
            all[index].isActive = true
            all[index].generation += 1
            (all[index].queue, all[index].handler) = (queue, handler)
            return all[index].generation
        }
        guard handler != nil else { return }
        // The first measurement is not delayed by a long interval: some apps set one, and stop after the first update.
        if interval(kind) > Self.sensorPeriod {
            schedule(after: Self.sensorPeriod) { $0.report(kind, generation) }
        }
        scheduleUpdate(kind, generation)
    }

    private func stop(_ kind: Kind) {
        updates.withLock { all in
            all[kind.rawValue].isActive = false
            all[kind.rawValue].handler = nil
            all[kind.rawValue].queue = nil
        }
    }

    private func scheduleUpdate(_ kind: Kind, _ generation: Int) {
        schedule(after: interval(kind)) { manager in
            if manager.report(kind, generation) { manager.scheduleUpdate(kind, generation) }
        }
    }

    private func schedule(after seconds: TimeInterval, _ action: @escaping @Sendable (CMMotionManager) -> Void) {
        clock.schedule(at: clock.now + CMTime(nanoseconds: Int64(seconds * 1_000_000_000))) { [weak self] in
            if let self { action(self) }
        }
    }

    /// Passes the current values to the client's handler.
    ///
    /// - Returns: Whether the updates of the start with this generation continue.
    @discardableResult
    private func report(_ kind: Kind, _ generation: Int) -> Bool {
        let current = updates.withLock { all -> Updates? in
            let updates = all[kind.rawValue]
            return updates.isActive && updates.generation == generation ? updates : nil
        }
        guard let current, let handler = current.handler, let queue = current.queue else { return false }
        if let measurement = sensor.measure() {
            if let target = queue.underlyingQueue {
                system.deliver(on: target) { handler(measurement) }
            } else {
                system.run { queue.addOperation { handler(measurement) } }
            }
        }
        return true
    }
}
