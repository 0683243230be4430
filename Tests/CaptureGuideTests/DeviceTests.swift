import AVFoundation
import CaptureGuide
import CaptureTesting
import TestSupport
import XCTest

/// The number in the name of a test is that of its row in docs/tutorials.md: `testS1_6…` tests S1-6.
final class DeviceTests: XCTestCase {
    func testS1_6ConnectedAndDisconnectedDevicesAreReported() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let events = Events<String>()
        // Nothing has listed the devices before.
        let monitor = DeviceMonitor(
            connected: { events.add("connected \($0.localizedName), main \(Thread.isMainThread)") },
            disconnected: { events.add("disconnected \($0.localizedName), main \(Thread.isMainThread)") })
        try simulated.host.disconnect(uniqueID: "webcam.camera")
        simulated.advance(by: .milliseconds(100))
        XCTAssertEqual(events.all, ["disconnected USB Webcam, main true"])
        XCTAssertFalse(DeviceList.devices.contains { $0.hasMediaType(.video) })
        try simulated.host.reconnect(uniqueID: "webcam.camera")
        simulated.advance(by: .milliseconds(100))
        XCTAssertEqual(events.last, "connected USB Webcam, main true")
        XCTAssertTrue(DeviceList.devices.contains { $0.localizedName == "USB Webcam" })
        withExtendedLifetime(monitor) {}
    }

    func testS1_7DevicesAreListedWithNamesPositionsAndIDs() throws {
        let simulated = try SimulatedSystem()
        XCTAssertEqual(
            Set(DeviceList.lines.filter { $0.hasPrefix("Device name") }),
            [
                "Device name: Back Camera", "Device name: Front Camera", "Device name: Back Ultra Wide Camera",
                "Device name: Back Telephoto Camera", "Device name: Built-in Microphone",
            ])
        let front = try XCTUnwrap(DeviceList.lines.firstIndex(of: "Device name: Front Camera"))
        XCTAssertEqual(DeviceList.lines[front + 1], "Device position : front")
        let back = try XCTUnwrap(DeviceList.camera(at: .back))
        XCTAssertEqual([back.uniqueID, back.modelID], ["phone.back-wide", "sim-phone-wide-1"])
        XCTAssertEqual(Set(DeviceList.devices.map(\.uniqueID)).count, DeviceList.devices.count)
        withExtendedLifetime(simulated) {}
    }

    func testS1_8CamerasAreFilteredByTorchAndPreset() throws {
        let simulated = try SimulatedSystem()
        XCTAssertEqual(
            Set(DeviceList.camerasWithTorch(supporting: .vga640x480).map(\.uniqueID)),
            ["phone.back-wide", "phone.back-ultra-wide", "phone.back-telephoto"])
        XCTAssertEqual(DeviceList.camerasWithTorch(supporting: .qvga320x240), [])
        let webcam = try SimulatedSystem(profile: "webcam")
        webcam.run { XCTAssertEqual(DeviceList.camerasWithTorch(supporting: .vga640x480), []) }
        withExtendedLifetime(simulated) {}
    }

    func testS1_9FocusingOnceEndsLocked() throws {
        let simulated = try SimulatedSystem(scene: .chart)
        let receiver = FrameReceiver(pixelFormat: nil) { _ in }
        let session = try makeSession(receiver.output)
        session.startRunning()
        let focus = FocusAndExposure(of: try camera(of: session))
        XCTAssertEqual(focus.device.focusMode, .continuousAutoFocus)
        XCTAssertTrue(try focus.focus(at: CGPoint(x: 0.3, y: 0.4)))
        XCTAssertEqual(focus.device.focusMode, .autoFocus)
        XCTAssertTrue(simulated.advance(until: { focus.device.focusMode == .locked }, limit: .seconds(5)))
        XCTAssertFalse(focus.device.isAdjustingFocus)
        XCTAssertEqual(focus.device.focusPointOfInterest, CGPoint(x: 0.3, y: 0.4))

        try focus.resetFocus()
        XCTAssertEqual(focus.device.focusMode, .continuousAutoFocus)
        try focus.lockFocus()
        XCTAssertEqual(focus.device.focusMode, .locked)
        let position = focus.device.lensPosition
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(focus.device.lensPosition, position)
    }

    func testS1_10PointsOfInterestBelongToTheSensorInAnyOrientation() throws {
        let simulated = try SimulatedSystem(scene: .backlight, orientation: .landscapeLeft)
        // With the home button on the right, the unrotated image is upright, and its top left is (0, 0).
        let session = try makeSession()
        session.startRunning()
        let container = CALayer()
        container.bounds = CGRect(x: 0, y: 0, width: 640, height: 480)
        let preview = Preview(of: session, on: container)
        preview.layer.connection?.orient(.landscapeRight)
        XCTAssertEqual(preview.layer.captureDevicePointConverted(fromLayerPoint: .zero), .zero)
        // Held upright, that corner of the sensor is at the top right of the screen.
        simulated.system.orientation.rotate(to: .portrait)
        container.bounds = CGRect(x: 0, y: 0, width: 480, height: 640)
        preview.layer.frame = container.bounds
        preview.layer.connection?.orient(.portrait)
        let point = preview.layer.captureDevicePointConverted(fromLayerPoint: CGPoint(x: 480, y: 0))
        XCTAssertEqual(point.x, 0, accuracy: 0.001)
        XCTAssertEqual(point.y, 0, accuracy: 0.001)
        // The camera meters the same part of the sensor, in any device orientation.
        let settings = FocusAndExposure(of: try camera(of: session))
        try settings.expose(at: CGPoint(x: 0.25, y: 0.75))
        simulated.system.orientation.rotate(to: .landscapeRight)
        simulated.advance(by: .milliseconds(500))
        XCTAssertEqual(settings.device.exposurePointOfInterest, CGPoint(x: 0.25, y: 0.75))
    }

    func testS1_11AdjustingFocusExposureAndWhiteBalanceCanBeObserved() throws {
        let simulated = try SimulatedSystem(scene: grey(lux: 5, "temperature: 2800 K"))
        let receiver = FrameReceiver(pixelFormat: nil) { _ in }
        let session = try makeSession(.cif352x288, receiver.output)
        let device = try camera(of: session)
        session.startRunning()
        simulated.advance(by: .seconds(3))
        let events = Events<(AdjustmentMonitor.Setting, Bool)>()
        let monitor = AdjustmentMonitor(of: device) { events.add(($0, $1)) }
        try FocusAndExposure(of: device).focus(at: CGPoint(x: 0.2, y: 0.2))
        try Light(of: device).setTorch(.on)
        simulated.advance(by: .seconds(3))
        for setting in [AdjustmentMonitor.Setting.focus, .exposure, .whiteBalance] {
            let states = events.all.filter { $0.0 == setting }.map(\.1)
            XCTAssertEqual(states.first, true, "\(setting)")
            XCTAssertEqual(states.last, false, "\(setting)")
        }
        withExtendedLifetime(monitor) {}
    }

    func testS1_12DefaultFocusAndExposureAreRestored() throws {
        let simulated = try SimulatedSystem(scene: .chart)
        let receiver = FrameReceiver(pixelFormat: nil) { _ in }
        let session = try makeSession(receiver.output)
        session.startRunning()
        let settings = FocusAndExposure(of: try camera(of: session))
        try settings.focus(at: CGPoint(x: 0.1, y: 0.1))
        try settings.expose(at: CGPoint(x: 0.1, y: 0.1))
        try settings.lockExposure()
        simulated.advance(by: .seconds(2))
        XCTAssertEqual(settings.device.exposureMode, .locked)
        XCTAssertTrue(try settings.resetFocus())
        XCTAssertTrue(try settings.resetExposure())
        XCTAssertEqual(settings.device.focusPointOfInterest, CGPoint(x: 0.5, y: 0.5))
        XCTAssertEqual(settings.device.focusMode, .continuousAutoFocus)
        XCTAssertEqual(settings.device.exposurePointOfInterest, CGPoint(x: 0.5, y: 0.5))
        XCTAssertEqual(settings.device.exposureMode, .continuousAutoExposure)

        let webcam = try SimulatedSystem(profile: "webcam")
        try webcam.run {
            let settings = FocusAndExposure(of: try XCTUnwrap(AVCaptureDevice.default(for: .video)))
            XCTAssertFalse(try settings.focus(at: .zero), "the lens of the webcam does not move")
        }
    }

    func testS1_16WhiteBalanceIsFixedOrFollowsTheLight() throws {
        for isFixed in [true, false] {
            let simulated = try SimulatedSystem(scene: grey(lux: 5, "temperature: 2800 K"))
            let receiver = FrameReceiver(pixelFormat: nil) { _ in }
            let session = try makeSession(.cif352x288, receiver.output)
            session.startRunning()
            simulated.advance(by: .seconds(2))
            let whiteBalance = WhiteBalance(of: try camera(of: session))
            XCTAssertTrue(try whiteBalance.set(isFixed ? .locked : .continuousAutoWhiteBalance))
            let initialGains = whiteBalance.device.deviceWhiteBalanceGains
            try Light(of: whiteBalance.device).setTorch(.on)
            simulated.advance(by: .seconds(3))
            let finalGains = whiteBalance.device.deviceWhiteBalanceGains
            if isFixed {
                XCTAssertEqual(finalGains, initialGains)
            } else {
                XCTAssertGreaterThan(finalGains.redGain, initialGains.redGain + 0.1, "the torch has less red")
            }
            simulated.close()
        }
    }

    func testS1_18AFailedConfigurationLockIsReportedAndNothingChanges() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        let device = try XCTUnwrap(AVCaptureDevice.default(for: .video))
        try simulated.host.setInUse(true, uniqueID: "webcam.camera")
        XCTAssertThrowsError(try device.configure { _ in XCTFail("changed without a lock") }) { error in
            XCTAssertNotNil((error as? AVError)?.code)
        }
        try simulated.host.setInUse(false, uniqueID: "webcam.camera")
        XCTAssertTrue(try WhiteBalance(of: device).set(.locked))
        XCTAssertEqual(device.whiteBalanceMode, .locked)
        try simulated.host.disconnect(uniqueID: "webcam.camera")
        simulated.advance(by: .milliseconds(100))
        XCTAssertThrowsError(try device.configure { _ in XCTFail("changed without a device") }) { error in
            XCTAssertEqual((error as? AVError)?.code, .deviceNotConnected)
        }
    }

    func testS1_19CamerasAreSwitchedWithoutStoppingTheSession() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let times = Events<Double>()
        let receiver = FrameReceiver { times.add($0.presentationTimeStamp.seconds) }
        let session = try makeSession(receiver.output)
        let back = try XCTUnwrap(session.inputs.first as? AVCaptureDeviceInput)
        session.startRunning()
        simulated.advance(by: .seconds(1))
        let runningStates = Events<Bool>()
        let monitor = SessionMonitor()
        monitor.observeProperties(of: session) { isRunning, _ in runningStates.add(isRunning) }
        let front = try session.replace(back, with: try XCTUnwrap(DeviceList.camera(at: .front)))
        XCTAssertEqual(session.inputs, [front])
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(runningStates.all, [], "the session ran all the time")
        let gaps = zip(times.all, times.all.dropFirst()).map { $1 - $0 }
        XCTAssertLessThan(try XCTUnwrap(gaps.max()), 0.5)
        XCTAssertGreaterThan(try XCTUnwrap(gaps.min()), 0)
        XCTAssertGreaterThan(times.count, 45)

        try simulated.host.disconnect(uniqueID: "phone.back-wide")
        simulated.advance(by: .milliseconds(100))
        XCTAssertThrowsError(try session.replace(front, with: back.device))
        XCTAssertEqual(session.inputs, [front], "the session keeps its camera")
    }
}
