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

    private func makeSession(_ bench: CaptureFixture) throws -> AVCaptureSession {
        try bench.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480,
            [bench.run { AVCaptureVideoDataOutput() }])
    }

    private func makeSlider(_ bench: CaptureFixture, _ values: Lock<[Float]>) -> AVCaptureSlider {
        let slider = bench.run { AVCaptureSlider("Focus", symbolName: "scope", in: 0...1, step: 0.25) }
        slider.setActionQueue(queue) { value in values.withLock { $0.append(value) } }
        return slider
    }

    func testTheUserMovesASliderAndItsActionIsCalled() throws {
        let bench = try CaptureFixture(profile: "phone")
        let session = try makeSession(bench)
        let button = try XCTUnwrap(bench.system.cameraControl)
        let values = Lock<[Float]>([], order: .client)
        let slider = makeSlider(bench, values)
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
        bench.clock.settle()
        XCTAssertEqual(values.withLock { $0 }, [0.5, 1])
        XCTAssertEqual(slider.value, 1)
        XCTAssertEqual(delegate.dequeue(), ["active", "enter"])

        // Values that the client sets do not call the action.
        slider.value = 0.25
        slider.isEnabled = false
        XCTAssertFalse(button.adjust("Focus", to: 0.75))
        XCTAssertTrue(button.dismiss())
        XCTAssertFalse(button.dismiss())
        bench.clock.settle()
        XCTAssertEqual(values.withLock { $0 }, [0.5, 1])
        XCTAssertEqual(delegate.dequeue(), ["exit", "inactive"])
        session.stopRunning()
        bench.assertNoMisuse()
    }

    func testTheUserPicksAnIndex() throws {
        let bench = try CaptureFixture(profile: "phone")
        let session = try makeSession(bench)
        let button = try XCTUnwrap(bench.system.cameraControl)
        let picked = Lock<[Int]>([], order: .client)
        let picker = bench.run {
            AVCaptureIndexPicker("Filter", symbolName: "camera.filters", numberOfIndexes: 3) { "no. \($0)" }
        }
        XCTAssertEqual(picker.localizedIndexTitles, ["no. 0", "no. 1", "no. 2"])
        picker.setActionQueue(queue) { index in picked.withLock { $0.append(index) } }
        session.addControl(picker)
        session.setControlsDelegate(delegate, queue: queue)
        session.startRunning()
        for index in [1, 9, -1] { XCTAssertTrue(button.adjust("Filter", to: Double(index))) }
        bench.clock.settle()
        XCTAssertEqual(picked.withLock { $0 }, [1, 2, 0])
        XCTAssertEqual(picker.selectedIndex, 0)
        session.stopRunning()
        bench.assertNoMisuse()
    }

    func testSystemSlidersControlTheCamera() throws {
        let bench = try CaptureFixture(profile: "phone")
        let session = try makeSession(bench)
        let button = try XCTUnwrap(bench.system.cameraControl)
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
        bench.clock.settle()
        XCTAssertEqual(factors.withLock { $0 }, [2, 5])
        XCTAssertEqual(camera.videoZoomFactor, 5)
        XCTAssertEqual(camera.exposureTargetBias, -1)
        session.stopRunning()
        bench.assertNoMisuse()
    }

    func testRecommendedRangesFollowTheFormatAndTheConstituents() throws {
        let bench = try CaptureFixture(profile: "phone")
        let (wide, triple) = (try bench.device("phone.back-wide"), try bench.device("phone.back-triple"))
        let last = try XCTUnwrap(triple.virtualDeviceSwitchOverVideoZoomFactors.last).doubleValue
        for (camera, most) in [(wide, 5), (triple, 5 * last)] {
            let format = camera.activeFormat
            XCTAssertEqual(format.systemRecommendedVideoZoomRange, 1...min(CGFloat(most), format.videoMaxZoomFactor))
            XCTAssertEqual(format.systemRecommendedExposureBiasRange, -2...2)
        }
        let microphone = try bench.device("phone.microphone").activeFormat
        XCTAssertNil(microphone.systemRecommendedVideoZoomRange)
        XCTAssertNil(microphone.systemRecommendedExposureBiasRange)
    }

    func testControlsAreDismissedWhenTheSessionStopsOrLosesThem() throws {
        let bench = try CaptureFixture(profile: "phone")
        let session = try makeSession(bench)
        let button = try XCTUnwrap(bench.system.cameraControl)
        let slider = makeSlider(bench, Lock([], order: .client))
        session.addControl(slider)
        session.startRunning()
        XCTAssertFalse(button.press(), "the session has no delegate")
        session.setControlsDelegate(delegate, queue: queue)
        for end in [{ session.stopRunning() }, { session.removeControl(slider) }] {
            session.startRunning()
            XCTAssertTrue(button.press())
            end()
            bench.clock.settle()
            XCTAssertEqual(delegate.dequeue(), ["active", "enter", "exit", "inactive"])
            XCTAssertFalse(button.press())
        }
        session.stopRunning()
        bench.assertNoMisuse()
    }

    func testWrongUseOfControlsIsReported() throws {
        let bench = try CaptureFixture(profile: "phone")
        let session = try makeSession(bench)
        let idle = bench.run { AVCaptureSlider("Idle", symbolName: "", in: 0...1) }
        XCTAssertFalse(session.canAddControl(idle))
        bench.assertMisuse(.invalidArgument) { session.addControl(idle) }
        bench.assertMisuse(.invalidArgument) { session.setControlsDelegate(delegate, queue: nil) }
        bench.assertMisuse(.invalidArgument) { idle.value = 2 }
        bench.assertMisuse(.invalidArgument) { _ = AVCaptureSlider("", symbolName: "", in: 1...1) }
        bench.assertMisuse(.invalidArgument) { _ = AVCaptureSlider("", symbolName: "", in: 0...1, step: 0) }
        bench.assertMisuse(.invalidArgument) { _ = AVCaptureSlider("", symbolName: "", values: []) }
        bench.assertMisuse(.invalidArgument) {
            _ = AVCaptureIndexPicker("", symbolName: "", localizedIndexTitles: [])
        }
        let picker = bench.run { AVCaptureIndexPicker("", symbolName: "", numberOfIndexes: 2) }
        bench.assertMisuse(.invalidArgument) { picker.selectedIndex = 2 }
        let microphone = try bench.device("phone.microphone")
        bench.assertMisuse(.invalidArgument) { _ = AVCaptureSystemZoomSlider(device: microphone) }
        bench.assertMisuse(.invalidArgument) { _ = AVCaptureSystemExposureBiasSlider(device: microphone) }
        let sliders = (0..<5).map { _ in makeSlider(bench, Lock([], order: .client)) }
        for slider in sliders.prefix(session.maxControlsCount) { session.addControl(slider) }
        bench.assertMisuse(.invalidArgument) { session.addControl(sliders[4]) }
        let other = bench.run { AVCaptureSession() }
        bench.assertMisuse(.invalidArgument) { other.addControl(sliders[0]) }
    }

    func testAMachineWithoutACameraControlSupportsNoControls() throws {
        let bench = try CaptureFixture()
        let session = try bench.makeSession([])
        XCTAssertNil(bench.system.cameraControl)
        XCTAssertFalse(session.supportsControls)
        XCTAssertEqual(session.maxControlsCount, 0)
        let slider = makeSlider(bench, Lock([], order: .client))
        XCTAssertFalse(session.canAddControl(slider))
        bench.assertMisuse(.invalidArgument) { session.addControl(slider) }
    }
}
