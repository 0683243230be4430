import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

final class AVCaptureSessionControlsTests: XCTestCase {
    /// Records the calls of a controls delegate.
    private final class RecordingControlsDelegate: AVCaptureSessionControlsDelegate, Sendable {
        private let recorded = Lock<[String]>([], order: .client)

        func dequeue() -> [String] {
            recorded.withLock { calls in
                defer { calls = [] }
                return calls
            }
        }

        func sessionControlsDidBecomeActive(_ session: AVCaptureSession) { recorded.withLock { $0.append("active") } }
        func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession) {
            recorded.withLock { $0.append("enter") }
        }
        func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession) {
            recorded.withLock { $0.append("exit") }
        }
        func sessionControlsDidBecomeInactive(_ session: AVCaptureSession) {
            recorded.withLock { $0.append("inactive") }
        }
    }

    private let queue = DispatchQueue(label: "controls")
    private let delegate = RecordingControlsDelegate()

    private func makeSession(_ fixture: CaptureFixture) throws -> AVCaptureSession {
        try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480,
            [fixture.inSystem { AVCaptureVideoDataOutput() }])
    }

    private func makeSlider(_ fixture: CaptureFixture, _ values: Lock<[Float]>) -> AVCaptureSlider {
        let slider = fixture.inSystem { AVCaptureSlider("Focus", symbolName: "scope", in: 0...1, step: 0.25) }
        slider.setActionQueue(queue) { value in values.withLock { $0.append(value) } }
        return slider
    }

    func testAControlThatTwoThreadsAddBelongsToOneSession() throws {
        let fixture = try CaptureFixture(profile: "phone")
        for round in 0..<200 {
            let sessions = fixture.inSystem { [AVCaptureSession(), AVCaptureSession()] }
            let control = makeSlider(fixture, Lock([]))
            DispatchQueue.concurrentPerform(iterations: 2) { sessions[$0].addControl(control) }
            XCTAssertEqual(sessions.count { $0.controls == [control] }, 1, "round \(round)")
            XCTAssertEqual(fixture.dequeueMisuses().count, 1, "round \(round)")
        }
    }

    func testASessionHasNoMoreControlsThanItsMaximumIfTwoThreadsAddThem() throws {
        let fixture = try CaptureFixture(profile: "phone")
        for round in 0..<200 {
            let session = fixture.inSystem { AVCaptureSession() }
            let controls = (0..<6).map { _ in makeSlider(fixture, Lock([])) }
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                for index in 0..<3 { session.addControl(controls[3 * thread + index]) }
            }
            XCTAssertEqual(session.controls.count, session.maxControlsCount, "round \(round)")
            XCTAssertEqual(fixture.dequeueMisuses().count, 2, "round \(round)")
            // A rejected control can be added to another session.
            let rejected = controls.filter { !session.controls.contains($0) }
            let other = fixture.inSystem { AVCaptureSession() }
            for control in rejected { XCTAssertTrue(other.canAddControl(control), "round \(round)") }
        }
    }

    func testTheUserMovesASliderAndItsActionIsCalled() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let session = try makeSession(fixture)
        let button = try XCTUnwrap(fixture.system.cameraControl)
        let values = Lock<[Float]>([], order: .client)
        let slider = makeSlider(fixture, values)
        XCTAssertTrue(session.supportsControls)
        XCTAssertTrue(session.canAddControl(slider))
        session.addControl(slider)
        session.setControlsDelegate(delegate, queue: queue)
        XCTAssertEqual(session.controls, [slider])
        XCTAssertTrue(session.controlsDelegate === delegate)

        XCTAssertFalse(button.adjust("Focus", to: 0.5), "the session does not run")
        session.startRunning()
        XCTAssertTrue(button.adjust("Focus", to: 0.6))
        XCTAssertFalse(button.adjust("focus", to: 0.6))
        XCTAssertTrue(button.adjust("Focus", to: 7))
        fixture.clock.settle()
        XCTAssertEqual(values.withLock { $0 }, [0.5, 1])
        XCTAssertEqual(slider.value, 1)
        XCTAssertEqual(delegate.dequeue(), ["active", "enter"])

        // Values that the client sets do not call the action.
        slider.value = 0.25
        slider.isEnabled = false
        XCTAssertFalse(button.adjust("Focus", to: 0.75))
        XCTAssertTrue(button.dismiss())
        XCTAssertFalse(button.dismiss())
        fixture.clock.settle()
        XCTAssertEqual(values.withLock { $0 }, [0.5, 1])
        XCTAssertEqual(delegate.dequeue(), ["exit", "inactive"])
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testAnIndexThatTheUserPicksIsClampedAndPassedToTheAction() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let session = try makeSession(fixture)
        let button = try XCTUnwrap(fixture.system.cameraControl)
        let picked = Lock<[Int]>([], order: .client)
        let picker = fixture.inSystem {
            AVCaptureIndexPicker("Filter", symbolName: "camera.filters", numberOfIndexes: 3) { "no. \($0)" }
        }
        XCTAssertEqual(picker.localizedIndexTitles, ["no. 0", "no. 1", "no. 2"])
        picker.setActionQueue(queue) { index in picked.withLock { $0.append(index) } }
        session.addControl(picker)
        session.setControlsDelegate(delegate, queue: queue)
        session.startRunning()
        for index in [1, 9, -1] { XCTAssertTrue(button.adjust("Filter", to: Double(index))) }
        fixture.clock.settle()
        XCTAssertEqual(picked.withLock { $0 }, [1, 2, 0])
        XCTAssertEqual(picker.selectedIndex, 0)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testAPickerWithoutIndexesCannotBeAdjusted() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let session = try makeSession(fixture)
        let button = try XCTUnwrap(fixture.system.cameraControl)
        let picked = Lock<[Int]>([], order: .client)
        let pickers = Lock<[AVCaptureIndexPicker]>([], order: .client)
        fixture.assertMisuse(.invalidArgument) {
            let picker = AVCaptureIndexPicker("Filter", symbolName: "", numberOfIndexes: 0)
            pickers.withLock { $0.append(picker) }
        }
        let picker = try XCTUnwrap(pickers.withLock { $0.first })
        picker.setActionQueue(queue) { index in picked.withLock { $0.append(index) } }
        session.addControl(picker)
        session.setControlsDelegate(delegate, queue: queue)
        session.startRunning()
        XCTAssertFalse(button.adjust("Filter", to: 0))
        fixture.clock.settle()
        XCTAssertEqual(picked.withLock { $0 }, [])
        XCTAssertEqual(picker.selectedIndex, 0)
        session.stopRunning()
    }

    func testASliderWithAnInvalidStepHasAllValues() throws {
        for step in [0, -0.25, .nan, .infinity] as [Float] {
            let fixture = try CaptureFixture(profile: "phone")
            let session = try makeSession(fixture)
            let button = try XCTUnwrap(fixture.system.cameraControl)
            let sliders = Lock<[AVCaptureSlider]>([], order: .client)
            fixture.assertMisuse(.invalidArgument) {
                let slider = AVCaptureSlider("Focus", symbolName: "", in: 0...1, step: step)
                sliders.withLock { $0.append(slider) }
            }
            let slider = try XCTUnwrap(sliders.withLock { $0.first })
            let values = Lock<[Float]>([], order: .client)
            slider.setActionQueue(queue) { value in values.withLock { $0.append(value) } }
            session.addControl(slider)
            session.setControlsDelegate(delegate, queue: queue)
            session.startRunning()
            XCTAssertTrue(button.adjust("Focus", to: 0.625))
            fixture.clock.settle()
            XCTAssertEqual(values.withLock { $0 }, [0.625], "step \(step)")
            XCTAssertEqual(slider.value, 0.625, "step \(step)")
            session.stopRunning()
        }
    }

    func testAValueThatIsNotANumberDoesNotAdjustAControl() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let session = try makeSession(fixture)
        let button = try XCTUnwrap(fixture.system.cameraControl)
        let values = Lock<[Float]>([], order: .client)
        let slider = makeSlider(fixture, values)
        session.addControl(slider)
        session.setControlsDelegate(delegate, queue: queue)
        session.startRunning()
        XCTAssertFalse(button.adjust("Focus", to: .nan))
        XCTAssertTrue(button.adjust("Focus", to: .infinity))
        fixture.clock.settle()
        XCTAssertEqual(values.withLock { $0 }, [1])
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testSystemSlidersControlTheCamera() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let session = try makeSession(fixture)
        let button = try XCTUnwrap(fixture.system.cameraControl)
        let camera = try XCTUnwrap((session.inputs.first as? AVCaptureDeviceInput)?.device)
        let factors = Lock<[CGFloat]>([], order: .client)
        let zoom = AVCaptureSystemZoomSlider(device: camera) { factor in
            XCTAssertTrue(Thread.isMainThread)
            factors.withLock { $0.append(factor) }
        }
        session.addControl(zoom)
        session.addControl(AVCaptureSystemExposureBiasSlider(device: camera))
        session.setControlsDelegate(delegate, queue: queue)
        session.startRunning()
        XCTAssertTrue(button.adjust("Zoom", to: 2))
        XCTAssertTrue(button.adjust("Zoom", to: 100))
        XCTAssertTrue(button.adjust("Exposure", to: -1))
        fixture.clock.settle()
        XCTAssertEqual(factors.withLock { $0 }, [2, 5])
        XCTAssertEqual(camera.videoZoomFactor, 5)
        XCTAssertEqual(camera.exposureTargetBias, -1)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testRecommendedRangesFollowTheFormatAndTheConstituents() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (wide, triple) = (try fixture.device("phone.back-wide"), try fixture.device("phone.back-triple"))
        let last = try XCTUnwrap(triple.virtualDeviceSwitchOverVideoZoomFactors.last).doubleValue
        for (camera, maximum) in [(wide, 5), (triple, 5 * last)] {
            let format = camera.activeFormat
            XCTAssertEqual(format.systemRecommendedVideoZoomRange, 1...min(CGFloat(maximum), format.videoMaxZoomFactor))
            XCTAssertEqual(format.systemRecommendedExposureBiasRange, -2...2)
        }
        let microphone = try fixture.device("phone.microphone").activeFormat
        XCTAssertNil(microphone.systemRecommendedVideoZoomRange)
        XCTAssertNil(microphone.systemRecommendedExposureBiasRange)
    }

    func testControlsAreDismissedWhenTheSessionStopsOrTheyAreRemoved() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let session = try makeSession(fixture)
        let button = try XCTUnwrap(fixture.system.cameraControl)
        let slider = makeSlider(fixture, Lock([], order: .client))
        session.addControl(slider)
        session.startRunning()
        XCTAssertFalse(button.press(), "the session has no delegate")
        session.setControlsDelegate(delegate, queue: queue)
        for dismiss in [{ session.stopRunning() }, { session.removeControl(slider) }] {
            session.startRunning()
            XCTAssertTrue(button.press())
            dismiss()
            fixture.clock.settle()
            XCTAssertEqual(delegate.dequeue(), ["active", "enter", "exit", "inactive"])
            XCTAssertFalse(button.press())
        }
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testWrongUseOfControlsIsReported() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let session = try makeSession(fixture)
        let idle = fixture.inSystem { AVCaptureSlider("Idle", symbolName: "", in: 0...1) }
        XCTAssertFalse(session.canAddControl(idle))
        fixture.assertMisuse(.invalidArgument) { session.addControl(idle) }
        fixture.assertMisuse(.invalidArgument) { session.setControlsDelegate(delegate, queue: nil) }
        fixture.assertMisuse(.invalidArgument) { idle.value = 2 }
        fixture.assertMisuse(.invalidArgument) { _ = AVCaptureSlider("", symbolName: "", in: 1...1) }
        fixture.assertMisuse(.invalidArgument) { _ = AVCaptureSlider("", symbolName: "", in: 0...1, step: 0) }
        fixture.assertMisuse(.invalidArgument) { _ = AVCaptureSlider("", symbolName: "", values: []) }
        fixture.assertMisuse(.invalidArgument) {
            _ = AVCaptureIndexPicker("", symbolName: "", localizedIndexTitles: [])
        }
        let picker = fixture.inSystem { AVCaptureIndexPicker("", symbolName: "", numberOfIndexes: 2) }
        fixture.assertMisuse(.invalidArgument) { picker.selectedIndex = 2 }
        let microphone = try fixture.device("phone.microphone")
        fixture.assertMisuse(.invalidArgument) { _ = AVCaptureSystemZoomSlider(device: microphone) }
        fixture.assertMisuse(.invalidArgument) { _ = AVCaptureSystemExposureBiasSlider(device: microphone) }
        let sliders = (0..<5).map { _ in makeSlider(fixture, Lock([], order: .client)) }
        for slider in sliders.prefix(session.maxControlsCount) { session.addControl(slider) }
        fixture.assertMisuse(.invalidArgument) { session.addControl(sliders[4]) }
        let other = fixture.inSystem { AVCaptureSession() }
        fixture.assertMisuse(.invalidArgument) { other.addControl(sliders[0]) }
    }

    func testAMachineWithoutACameraControlSupportsNoControls() throws {
        let fixture = try CaptureFixture()
        let session = try fixture.makeSession([])
        XCTAssertNil(fixture.system.cameraControl)
        XCTAssertFalse(session.supportsControls)
        XCTAssertEqual(session.maxControlsCount, 0)
        let slider = makeSlider(fixture, Lock([], order: .client))
        XCTAssertFalse(session.canAddControl(slider))
        fixture.assertMisuse(.invalidArgument) { session.addControl(slider) }
    }
}
