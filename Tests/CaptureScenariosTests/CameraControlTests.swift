import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes
import StrictYAML
import XCTest

@testable import CaptureScenarios

/// Tests the actions that change settings of the camera.
final class CameraControlTests: XCTestCase {
    /// At least one step of each action.
    private static let steps: [(yaml: String, control: Scenario.CameraControl, log: String)] = [
        ("focus-at, point: [0.25, 0.75]", .focusAt(x: 0.25, y: 0.75, .autoFocus), "focus-at [0.25, 0.75] auto-focus"),
        (
            "focus-at, point: [0, 1], mode: continuous-auto-focus", .focusAt(x: 0, y: 1, .continuousAutoFocus),
            "focus-at [0.0, 1.0] continuous-auto-focus"
        ),
        (
            "expose-at, point: [0.5, 0.5], mode: continuous-auto-exposure",
            .exposeAt(x: 0.5, y: 0.5, .continuousAutoExposure), "expose-at [0.5, 0.5] continuous-auto-exposure"
        ),
        ("focus-mode, mode: locked", .focusMode(.locked), "focus-mode locked"),
        ("exposure-mode, mode: auto-expose", .exposureMode(.autoExpose), "exposure-mode auto-expose"),
        (
            "white-balance-mode, mode: continuous-auto-white-balance", .whiteBalanceMode(.continuousAutoWhiteBalance),
            "white-balance-mode continuous-auto-white-balance"
        ),
        ("lens-position, position: 0.5", .lensPosition(0.5), "lens-position 0.5"),
        ("exposure-bias, bias: -1.5", .exposureBias(-1.5), "exposure-bias -1.5"),
        (
            "custom-exposure, duration: 1/100 s, iso: 200",
            .customExposure(duration: CMTime(value: 10_000, timescale: 1_000_000), iso: 200),
            "custom-exposure 0.01 s ISO 200.0"
        ),
        ("custom-exposure, iso: 80", .customExposure(duration: nil, iso: 80), "custom-exposure ISO 80.0"),
        (
            "white-balance, temperature: 3200 K, tint: -10", .whiteBalance(temperature: 3200, tint: -10),
            "white-balance 3200.0 K -10.0"
        ),
        ("zoom, factor: 2", .zoom(factor: 2, over: nil), "zoom 2.0"),
        (
            "zoom, factor: 4, over: 0.5 s", .zoom(factor: 4, over: CMTime(value: 500_000, timescale: 1_000_000)),
            "zoom 4.0 over 0.5 s"
        ),
        ("torch, mode: auto", .torchMode(.auto), "torch auto"),
        ("torch, level: 0.5", .torchLevel(0.5), "torch 0.5"),
        ("format, size: 1280x720", .format(width: 1280, height: 720, frameRate: nil), "format 1280x720"),
        (
            "format, size: 1280x720, frame-rate: 60", .format(width: 1280, height: 720, frameRate: 60),
            "format 1280x720 60.0"
        ),
        ("frame-rate, frame-rate: 24", .frameRate(24), "frame-rate 24.0"),
        (
            "subject-area-change-monitoring, enabled: true", .subjectAreaChangeMonitoring(true),
            "subject-area-change-monitoring true"
        ),
        ("low-light-boost, enabled: true", .lowLightBoost(true), "low-light-boost true"),
        ("video-hdr, mode: auto", .videoHDR(nil), "video-hdr auto"),
        ("video-hdr, mode: on", .videoHDR(true), "video-hdr on"),
        ("smooth-auto-focus, enabled: false", .smoothAutoFocus(false), "smooth-auto-focus false"),
        (
            "auto-focus-range-restriction, range: near", .autoFocusRangeRestriction(.near),
            "auto-focus-range-restriction near"
        ),
        ("face-driven-auto-focus, mode: off", .faceDrivenAutoFocus(false), "face-driven-auto-focus off"),
        ("face-driven-auto-exposure, mode: on", .faceDrivenAutoExposure(true), "face-driven-auto-exposure on"),
    ]

    private static func yaml(_ steps: [String], profile: String = "phone", end: String = "1 s") -> String {
        """
        scenario: 1
        name: Settings
        devices: {profile: \(profile), scene: grey}
        session: {preset: 352x288, microphone: false, outputs: [video]}
        timeline:
        \(steps.map { "  - {\($0)}" }.joined(separator: "\n"))
        end: \(end)
        """
    }

    /// Plays a scenario and returns its log.
    ///
    /// - Parameter watch: Called with the camera and the setting after each step that changes a camera setting, and
    ///   with a nil setting when the session is closed.
    private func play(
        _ yaml: String, watch: (AVCaptureDevice, Scenario.CameraControl?) -> Void = { _, _ in }
    ) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scenario-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { XCTAssertNoThrow(try FileManager.default.removeItem(at: folder)) }
        return try ScenarioPlayer(Scenario(yaml: yaml, file: "t.yaml"), folder: folder).play { session, _, moment in
            guard let camera = session.camera else { return }
            switch moment {
            case .after(let step): if case .camera(let control) = step.action { watch(camera, control) }
            case .closed: watch(camera, nil)
            case .ready, .before, .returned: break
            }
        }.log
    }

    func testEachActionIsReadLoggedAndWritten() throws {
        let names = Set(Self.steps.map { String($0.yaml.prefix { $0 != "," }) })
        XCTAssertEqual(names, Set((ActionDeclaration.camera + ActionDeclaration.cameraFormats).map(\.name)))
        let scenario = try Scenario(yaml: Self.yaml(Self.steps.map { "at: 0 s, do: \($0.yaml)" }), file: "t.yaml")
        XCTAssertEqual(scenario.timeline.map(\.action), Self.steps.map { .camera($0.control) })
        XCTAssertEqual(scenario.timeline.map { "\($0.action)" }, Self.steps.map(\.log))
        let written = try Scenario(yaml: scenario.yaml, file: "t.yaml")
        XCTAssertEqual(written.timeline.map(\.action), scenario.timeline.map(\.action))
    }

    func testAWrongValueIsReportedWithLineKeyAndCorrection() {
        for (step, key, text) in [
            ("focus-att, point: [0, 0]", "timeline[1].do", "did you mean \"focus-at\""),
            ("focus-at", "timeline[1]", "\"point\" is missing"),
            ("focus-at, point: [0.5]", "timeline[1].point", "at least 2"),
            ("focus-at, point: [0, 0, 0]", "timeline[1].point", "two coordinates"),
            ("focus-at, point: [0, 1.5]", "timeline[1].point[1]", "1.5 is out of range"),
            ("expose-at, point: [0, 0], mode: auto-exposee", "timeline[1].mode", "did you mean \"auto-expose\""),
            ("focus-mode, mode: auto-expose", "timeline[1].mode", "valid names are locked, auto-focus"),
            ("lens-position, position: 2", "timeline[1].position", "out of range"),
            ("exposure-bias, bias: 1 EV", "timeline[1].bias", "plain number"),
            ("custom-exposure", "timeline[1]", "a duration or an ISO"),
            ("custom-exposure, duration: 5", "timeline[1].duration", "no unit"),
            ("white-balance, temperature: 50 K", "timeline[1].temperature", "out of range"),
            ("zoom, factor: 0.5", "timeline[1].factor", "out of range"),
            ("zoom, factor: 2, ovr: 1 s", "timeline[1].ovr", "did you mean \"over\""),
            ("zoom, factor: 2, mode: on", "timeline[1].mode", "it accepts factor, over"),
            ("torch", "timeline[1]", "\"mode\" is missing"),
            ("torch, level: 0", "timeline[1].level", "out of range"),
            ("torch, mode: on, level: 0.5", "timeline[1].mode", "remove one"),
        ] {
            let yaml = Self.yaml(["at: 0 s, do: start", "at: 0 s, do: \(step)"])
            XCTAssertThrowsError(try Scenario(yaml: yaml, file: "t.yaml"), step) { error in
                guard let error = error as? YAMLError else { return XCTFail("\(error)") }
                XCTAssertEqual(error.line, 7, step)
                XCTAssertEqual(error.key, key, error.description)
                XCTAssertTrue(error.description.contains(text), error.description)
            }
        }
    }

    func testEachActionChangesTheSettingOfTheCamera() throws {
        let steps = [
            "at: 0 s, do: start", "at: 0.1 s, do: focus-at, point: [0.25, 0.75]",
            "at: 0.1 s, do: expose-at, point: [0.75, 0.25], mode: continuous-auto-exposure",
            "at: 0.1 s, do: exposure-bias, bias: 1", "at: 0.2 s, do: lens-position, position: 0.25",
            "at: 0.2 s, do: custom-exposure, duration: 1/100 s, iso: 200", "at: 0.2 s, do: torch, level: 0.5",
            "at: 0.2 s, do: white-balance-mode, mode: locked", "at: 0.2 s, do: zoom, factor: 2",
            "at: 0.2 s, do: low-light-boost, enabled: true", "at: 0.2 s, do: video-hdr, mode: off",
            "at: 0.2 s, do: smooth-auto-focus, enabled: true",
            "at: 0.2 s, do: auto-focus-range-restriction, range: far",
            "at: 0.2 s, do: face-driven-auto-focus, mode: off", "at: 0.2 s, do: face-driven-auto-exposure, mode: off",
            "at: 0.2 s, do: subject-area-change-monitoring, enabled: true",
        ]
        var count = 0
        let log = try play(Self.yaml(steps, end: "0.3 s")) { camera, control in
            count += 1
            switch control {
            case .focusAt:
                XCTAssertEqual(camera.focusPointOfInterest, CGPoint(x: 0.25, y: 0.75))
                XCTAssertEqual(camera.focusMode, .autoFocus)
            case .exposeAt:
                XCTAssertEqual(camera.exposurePointOfInterest, CGPoint(x: 0.75, y: 0.25))
                XCTAssertEqual(camera.exposureMode, .continuousAutoExposure)
            case .exposureBias: XCTAssertEqual(camera.exposureTargetBias, 1)
            case .lensPosition: XCTAssertEqual(camera.focusMode, .locked)
            case .customExposure: XCTAssertEqual(camera.exposureMode, .custom)
            case .torchLevel: XCTAssertEqual(camera.torchLevel, 0.5)
            case .whiteBalanceMode: XCTAssertEqual(camera.whiteBalanceMode, .locked)
            case .zoom: XCTAssertEqual(camera.videoZoomFactor, 2)
            case .lowLightBoost: XCTAssertTrue(camera.automaticallyEnablesLowLightBoostWhenAvailable)
            case .videoHDR:
                XCTAssertFalse(camera.automaticallyAdjustsVideoHDREnabled)
                XCTAssertFalse(camera.isVideoHDREnabled)
            case .smoothAutoFocus: XCTAssertTrue(camera.isSmoothAutoFocusEnabled)
            case .autoFocusRangeRestriction: XCTAssertEqual(camera.autoFocusRangeRestriction, .far)
            case .faceDrivenAutoFocus: XCTAssertFalse(camera.isFaceDrivenAutoFocusEnabled)
            case .faceDrivenAutoExposure: XCTAssertFalse(camera.isFaceDrivenAutoExposureEnabled)
            case .subjectAreaChangeMonitoring: XCTAssertTrue(camera.isSubjectAreaChangeMonitoringEnabled)
            case nil:
                XCTAssertEqual(camera.lensPosition, 0.25, accuracy: 0.01)
                XCTAssertEqual(camera.iso, 200, accuracy: 1)
                XCTAssertEqual(camera.exposureDuration.seconds, 0.01, accuracy: 0.0001)
            default: XCTFail("\(String(describing: control))")
            }
        }
        XCTAssertEqual(count, 16)
        XCTAssertFalse(log.contains { $0.contains("misuse") || $0.contains("cannot") }, "\(log)")
    }

    func testAZoomWithADurationChangesTheFactorGradually() throws {
        var factors: [Double] = []
        _ = try play(
            Self.yaml(
                [
                    "at: 0 s, do: start", "at: 0.1 s, do: zoom, factor: 4, over: 0.4 s",
                    // A step without effect halfway through the zoom, at which the factor is recorded.
                    "at: 0.3 s, do: exposure-bias, bias: 0",
                ], end: "0.6 s")
        ) { camera, _ in factors.append(Double(camera.videoZoomFactor)) }
        XCTAssertEqual(factors.count, 3)
        XCTAssertEqual(factors[0], 1, accuracy: 0.001)
        XCTAssertEqual(factors[1], 2, accuracy: 0.25)
        XCTAssertEqual(factors[2], 4)
    }

    func testAnUnsupportedSettingIsLoggedAsMisuse() throws {
        let log = try play(
            Self.yaml(
                ["at: 0 s, do: start", "at: 0 s, do: torch, mode: on", "at: 0 s, do: zoom, factor: 900"],
                profile: "webcam", end: "0.1 s"))
        XCTAssertTrue(log.contains { $0.contains("misuse") && $0.contains("setTorchMode:") }, "\(log)")
        XCTAssertTrue(log.contains { $0.contains("misuse") && $0.contains("setVideoZoomFactor:") }, "\(log)")
    }

    func testASettingWithoutACameraIsLogged() throws {
        let yaml = Self.yaml(
            [
                "at: 0 s, do: remove-input, device: phone.back-wide", "at: 0 s, do: zoom, factor: 2",
            ], end: "0.1 s"
        ).replacingOccurrences(of: "session: {", with: "session: {camera: phone.back-wide, ")
        XCTAssertTrue(try play(yaml).contains("0.000000 the session has no camera"))
    }
}
