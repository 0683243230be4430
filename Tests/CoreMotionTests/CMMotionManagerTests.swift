import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CoreMotion

final class CMMotionManagerTests: XCTestCase {
    private let clock = SimClock()

    private func makeSystem(_ orientation: DeviceOrientation) -> CaptureSystem {
        CaptureSystem(hosts: [], clock: clock, orientation: OrientationSensor(orientation))
    }

    func testGravityFollowsTheOrientation() throws {
        let system = makeSystem(.portrait)
        let manager = system.run { CMMotionManager() }
        XCTAssertNil(manager.deviceMotion, "there are no updates")
        manager.startDeviceMotionUpdates()
        let expected: [(DeviceOrientation, CMAcceleration)] = [
            (.portrait, CMAcceleration(y: -1)), (.landscapeLeft, CMAcceleration(x: -1)),
            (.landscapeRight, CMAcceleration(x: 1)), (.portraitUpsideDown, CMAcceleration(y: 1)),
            (.faceUp, CMAcceleration(z: -1)), (.faceDown, CMAcceleration(z: 1)),
        ]
        for (orientation, gravity) in expected {
            system.orientation.rotate(to: orientation)
            let motion = try XCTUnwrap(manager.deviceMotion)
            XCTAssertEqual(motion.gravity.x, gravity.x, accuracy: 1e-9)
            XCTAssertEqual(motion.gravity.y, gravity.y, accuracy: 1e-9)
            XCTAssertEqual(motion.gravity.z, gravity.z, accuracy: 1e-9)
        }
    }

    func testARotationIsMeasuredAndChangesTheOrientation() throws {
        let system = makeSystem(.faceUp)
        let manager = system.run { CMMotionManager() }
        let pitchesInDegrees = Lock<[Double]>([], order: .client)
        manager.deviceMotionUpdateInterval = 0.25
        manager.startDeviceMotionUpdates(to: .main) { motion, _ in
            let pitch = (motion?.attitude.pitch ?? 0) * 180 / .pi
            pitchesInDegrees.withLock { $0.append(pitch.rounded()) }
        }
        system.motion.turn(pitch: 80, roll: 0, over: .seconds(1))
        clock.advance(by: .milliseconds(500))
        manager.startGyroUpdates()
        XCTAssertEqual(try XCTUnwrap(manager.gyroData).rotationRate.x, 80 * .pi / 180, accuracy: 1e-9)
        XCTAssertEqual(system.orientation.current, .faceUp)
        clock.advance(by: .milliseconds(750))
        XCTAssertEqual(pitchesInDegrees.withLock { $0 }, [1, 20, 40, 60, 80, 80])
        XCTAssertEqual(system.orientation.current, .portrait)
        XCTAssertEqual(manager.gyroData?.rotationRate, CMRotationRate())
        manager.stopDeviceMotionUpdates()
        clock.advance(by: .seconds(1))
        XCTAssertEqual(pitchesInDegrees.withLock { $0.count }, 6)
    }

    func testTheFirstUpdateDoesNotWaitForALongInterval() {
        let system = makeSystem(.portrait)
        let manager = system.run { CMMotionManager() }
        let times = Lock<[Double]>([], order: .client)
        manager.accelerometerUpdateInterval = 5
        manager.startAccelerometerUpdates(to: .main) { [clock] _, _ in
            times.withLock { $0.append(clock.now.seconds) }
        }
        clock.advance(by: .seconds(11))
        XCTAssertEqual(times.withLock { $0 }, [0.01, 5, 10])
    }

    func testLockingTheInterfaceDoesNotEndARotation() {
        let system = makeSystem(.faceUp)
        system.motion.turn(pitch: 80, roll: 0, over: .seconds(1))
        clock.advance(by: .milliseconds(900))
        system.orientation.lockInterface(to: .portrait)
        clock.advance(by: .milliseconds(100))
        XCTAssertEqual(system.orientation.current, .portrait)
    }

    func testASecondRotationWithTheSameEndTimeReplacesTheFirst() throws {
        let system = makeSystem(.faceUp)
        let orientations = Lock<[DeviceOrientation]>([], order: .client)
        let observation = system.orientation.observe { [orientation = system.orientation] in
            orientations.withLock { $0.append(orientation.current) }
        }
        system.motion.turn(pitch: 80, roll: 0, over: .seconds(1))
        system.motion.turn(pitch: 0, roll: -80, over: .seconds(1))
        clock.advance(by: .seconds(1))
        observation.cancel()
        XCTAssertEqual(orientations.withLock { $0 }, [.landscapeLeft])
        XCTAssertEqual(system.orientation.current, .landscapeLeft)
        let attitude = try XCTUnwrap(system.motion.measure()).attitude
        XCTAssertEqual(attitude.rotate(DeviceVector(x: 1)).z, sin(80 * Double.pi / 180), accuracy: 1e-6)
    }

    func testTheAccelerometerMeasuresGravityAndAcceleration() throws {
        let system = makeSystem(.faceUp)
        let manager = system.run { CMMotionManager() }
        manager.startAccelerometerUpdates()
        system.motion.accelerate(x: 0.5, y: 0, z: 0)
        let acceleration = try XCTUnwrap(manager.accelerometerData).acceleration
        XCTAssertEqual(acceleration.x, 0.5, accuracy: 1e-9)
        XCTAssertEqual(acceleration.z, -1, accuracy: 1e-9)
    }

    func testAnAttitudeReportsItsAngles() throws {
        let system = makeSystem(.faceUp)
        system.motion.turn(pitch: 30, roll: -40, yaw: 50)
        let attitude = CMAttitude(try XCTUnwrap(system.motion.measure()).attitude)
        XCTAssertEqual(attitude.pitch * 180 / .pi, 30, accuracy: 1e-6)
        XCTAssertEqual(attitude.roll * 180 / .pi, -40, accuracy: 1e-6)
        XCTAssertEqual(attitude.yaw * 180 / .pi, 50, accuracy: 1e-6)
        let reference = CMAttitude(attitude.quaternion)
        attitude.multiply(byInverseOf: reference)
        XCTAssertEqual(attitude.quaternion.w, 1, accuracy: 1e-9)
    }

    func testAMachineWithoutSensorsHasNoMotion() {
        let system = makeSystem(.unknown)
        let manager = system.run { CMMotionManager() }
        XCTAssertFalse(manager.isDeviceMotionAvailable)
        manager.startDeviceMotionUpdates()
        XCTAssertFalse(manager.isDeviceMotionActive)
    }
}
