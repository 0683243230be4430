import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class SettingCompletionsTests: XCTestCase {
    private let completions = Lock<[(name: String, time: CMTime)]>([])
    private var names: [String] { completions.withLock { $0.map(\.name) } }
    private var times: [CMTime] { completions.withLock { $0.map(\.time) } }

    /// Returns a completion handler that records its name and time.
    private func handler(_ name: String) -> @Sendable (CMTime) -> Void {
        { [completions] time in completions.withLock { $0.append((name, time)) } }
    }

    /// Returns a running session with a phone's camera that is locked for configuration.
    private func makeRunningSession() throws -> (CaptureFixture, AVCaptureSession, AVCaptureDevice) {
        let fixture = try CaptureFixture(profile: "phone")
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [output])
        session.startRunning()
        fixture.advance(milliseconds: 200)
        let device = try fixture.device("phone.back-wide")
        try device.lockForConfiguration()
        return (fixture, session, device)
    }

    func testAReplacedSettingCompletesInOrder() throws {
        let (fixture, session, device) = try makeRunningSession()
        let start = fixture.clock.now
        device.setFocusModeLocked(lensPosition: 0.2, completionHandler: handler("A"))
        device.setFocusModeLocked(lensPosition: 0.8, completionHandler: handler("B"))
        device.setExposureTargetBias(1, completionHandler: handler("C"))
        device.setWhiteBalanceModeLocked(
            with: AVCaptureDevice.currentWhiteBalanceGains, completionHandler: handler("D"))
        fixture.advance(milliseconds: 1500)
        XCTAssertEqual(names, ["A", "B", "C", "D"])
        XCTAssertTrue(times.allSatisfy { $0.isNumeric && $0 >= start }, "\(times)")
        // The bias takes effect immediately, but its handler waits for the lens.
        XCTAssertEqual(times[2], times[0])
        XCTAssertGreaterThanOrEqual(times[1], times[0])
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testEachOfManySettingsCompletesInOrder() throws {
        let (fixture, session, device) = try makeRunningSession()
        for step in 1...20 {
            device.setFocusModeLocked(lensPosition: Float(step) / 20, completionHandler: handler("\(step)"))
            fixture.advance(milliseconds: 7)
        }
        fixture.advance(milliseconds: 1500)
        XCTAssertEqual(names, (1...20).map { "\($0)" })
        XCTAssertEqual(times, times.sorted())
        session.stopRunning()
    }

    func testAModeChangeCompletesThePrecedingSetting() throws {
        let (fixture, session, device) = try makeRunningSession()
        device.setFocusModeLocked(lensPosition: 0.1, completionHandler: handler("lens"))
        device.focusMode = .continuousAutoFocus
        device.setExposureModeCustom(
            duration: CMTime(value: 1, timescale: 500), iso: 100, completionHandler: handler("exposure"))
        device.exposureMode = .continuousAutoExposure
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(names, ["lens", "exposure"])
        XCTAssertTrue(times.allSatisfy(\.isNumeric), "\(times)")
        session.stopRunning()
    }

    func testWithoutAStreamTheHandlerReceivesAnInvalidTimeAfterTheCall() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        try device.lockForConfiguration()
        device.setFocusModeLocked(lensPosition: 0.5, completionHandler: handler("lens"))
        XCTAssertEqual(names, [])
        fixture.clock.settle()
        XCTAssertEqual(names, ["lens"])
        XCTAssertEqual(times, [.invalid])
        XCTAssertEqual(device.focusMode, .locked)
    }

    func testStoppingTheSessionCompletesAllSettingsOnce() throws {
        let (fixture, session, device) = try makeRunningSession()
        device.setFocusModeLocked(lensPosition: 0.1, completionHandler: handler("lens"))
        device.setExposureTargetBias(1, completionHandler: handler("bias"))
        session.stopRunning()
        fixture.advance(milliseconds: 2000)
        XCTAssertEqual(names, ["lens", "bias"])
        XCTAssertEqual(times, [.invalid, .invalid])
        session.startRunning()
        device.setExposureTargetBias(0, completionHandler: handler("again"))
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(names, ["lens", "bias", "again"])
        XCTAssertTrue(times[2].isNumeric)
        session.stopRunning()
    }

    func testADisconnectionCompletesAllSettings() throws {
        let (fixture, session, device) = try makeRunningSession()
        device.setFocusModeLocked(lensPosition: 0.1, completionHandler: handler("lens"))
        try fixture.host.disconnect(uniqueID: "phone.back-wide")
        fixture.advance(milliseconds: 2000)
        XCTAssertEqual(names, ["lens"])
        XCTAssertEqual(times, [.invalid])
        session.stopRunning()
    }

    func testAnInterruptionCompletesAllSettings() throws {
        let (fixture, session, device) = try makeRunningSession()
        device.setFocusModeLocked(lensPosition: 0.1, completionHandler: handler("lens"))
        fixture.system.interruptions.begin(.notAvailableInBackground)
        fixture.advance(milliseconds: 2000)
        XCTAssertEqual(times, [.invalid])
        fixture.system.interruptions.end(.notAvailableInBackground)
        fixture.advance(milliseconds: 500)
        XCTAssertEqual(names, ["lens"])
        session.stopRunning()
    }

    func testANewStreamCompletesTheSettingsOfThePreviousOne() throws {
        let (fixture, session, device) = try makeRunningSession()
        device.setExposureModeCustom(
            duration: CMTime(value: 1, timescale: 500), iso: 100, completionHandler: handler("exposure"))
        session.sessionPreset = .hd1280x720
        fixture.advance(milliseconds: 2000)
        XCTAssertEqual(names, ["exposure"])
        XCTAssertTrue(times.allSatisfy(\.isNumeric), "\(times)")
        session.stopRunning()
    }

    // MARK: Async overloads

    func testSynchronousCodeCanOmitTheHandler() throws {
        let (fixture, session, device) = try makeRunningSession()
        func set() {
            device.setFocusModeLocked(lensPosition: 0.5)
            device.setExposureModeCustom(duration: AVCaptureDevice.currentExposureDuration, iso: 100)
            device.setExposureTargetBias(1)
            device.setWhiteBalanceModeLocked(with: AVCaptureDevice.currentWhiteBalanceGains)
            device.setFocusModeLocked(lensPosition: 0.25) { [completions] time in
                completions.withLock { $0.append(("lens", time)) }
            }
        }
        set()
        fixture.advance(milliseconds: 1500)
        XCTAssertEqual(names, ["lens"])
        XCTAssertEqual(device.exposureTargetBias, 1)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testAwaitedSettingsReturnTimesInOrder() async throws {
        let (fixture, session, device) = try makeRunningSession()
        let start = fixture.clock.now
        let isDone = Lock(false)
        let settings = Task {
            let times: [CMTime] = [
                await device.setFocusModeLocked(lensPosition: 0.5),
                await device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 200), iso: 100),
                await device.setExposureTargetBias(1),
                await device.setWhiteBalanceModeLocked(with: AVCaptureDevice.currentWhiteBalanceGains),
            ]
            isDone.withLock { $0 = true }
            return times
        }
        while !isDone.withLock({ $0 }) {
            fixture.advance(milliseconds: 5)
            await Task.yield()
        }
        let times = await settings.value
        XCTAssertTrue(times.allSatisfy { $0.isNumeric && $0 >= start }, "\(times)")
        XCTAssertEqual(times, times.sorted())
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testASettingWithoutAStreamReturnsAtOnce() async throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        try device.lockForConfiguration()
        var times = [
            await device.setFocusModeLocked(lensPosition: 0.5),
            await device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 200), iso: 100),
            await device.setExposureTargetBias(1),
            await device.setWhiteBalanceModeLocked(with: AVCaptureDevice.currentWhiteBalanceGains),
        ]
        XCTAssertEqual(device.iso, 100)
        fixture.assertNoMisuse()
        times.append(await device.setFocusModeLocked(lensPosition: 2))
        XCTAssertEqual(fixture.dequeueMisuses().map(\.exception), [.range])
        XCTAssertEqual(times, Array(repeating: .invalid, count: 5))
    }

    func testMisuseWhileRunningReturnsAtOnce() async throws {
        let (fixture, session, device) = try makeRunningSession()
        let times = [
            await device.setFocusModeLocked(lensPosition: 2), await device.setExposureTargetBias(1000),
            await device.setExposureModeCustom(duration: .zero, iso: 100),
        ]
        XCTAssertEqual(times, Array(repeating: .invalid, count: 3))
        XCTAssertEqual(fixture.dequeueMisuses().map(\.exception), [.range, .range, .range])
        session.stopRunning()
    }
}
