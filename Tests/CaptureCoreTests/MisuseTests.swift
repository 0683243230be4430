import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

/// Tests calls for which Apple's frameworks raise an exception. Each is reported once, with the name of the exception
/// and a message, and has no effect.
final class MisuseTests: XCTestCase {
    /// A session that is not running, with the back camera and the microphone of a phone, and outputs.
    private struct Fixture {
        let capture: CaptureFixture
        let session: AVCaptureSession
        let camera: AVCaptureDevice
        let input: AVCaptureDeviceInput
        let microphone: AVCaptureDeviceInput
        let video = AVCaptureVideoDataOutput()
        let audio = AVCaptureAudioDataOutput()
        let movie = AVCaptureMovieFileOutput()
        let photo = AVCapturePhotoOutput()

        init(_ capture: CaptureFixture) throws {
            self.capture = capture
            session = AVCaptureSession()
            input = try capture.input("phone.back-wide")
            microphone = try capture.input("phone.microphone")
            camera = input.device
            session.sessionPreset = .vga640x480
            session.addInput(input)
            session.addInput(microphone)
            for output in [video, audio, movie, photo] { session.addOutput(output) }
        }

        /// Returns the front camera, locked for configuration. It has no torch and no low-light boost.
        func lockedFront() throws -> AVCaptureDevice {
            let front = try capture.device("phone.front")
            try front.lockForConfiguration()
            return front
        }

        var videoConnection: AVCaptureConnection? { video.connection(with: .video) }
        var audioConnection: AVCaptureConnection? { audio.connection(with: .audio) }
    }

    private struct Case {
        let exception: Misuse.Exception
        /// The expected prefix of the message.
        let method: String
        /// Expected words in the message.
        let words: String
        /// Whether the camera is locked before the call.
        let isLocked: Bool
        let call: (Fixture) throws -> Void
        let line: UInt

        init(
            _ exception: Misuse.Exception, _ method: String, _ words: String = "", locked isLocked: Bool = false,
            line: UInt = #line, _ call: @escaping (Fixture) throws -> Void
        ) {
            self.exception = exception
            self.method = method
            self.words = words
            self.isLocked = isLocked
            self.line = line
            self.call = call
        }
    }

    private func check(_ cases: [Case]) throws {
        for testCase in cases {
            let capture = try CaptureFixture(profile: "phone")
            let fixture = try capture.inSystem { try Fixture(capture) }
            capture.assertNoMisuse(line: testCase.line)
            if testCase.isLocked { try fixture.camera.lockForConfiguration() }
            let (inputs, outputs) = (fixture.session.inputs, fixture.session.outputs)
            let (connections, preset) = (fixture.session.connections, fixture.session.sessionPreset)
            let (format, selection) = (fixture.camera.activeFormat, fixture.camera.selection)
            try capture.inSystem { try testCase.call(fixture) }
            let misuses = capture.dequeueMisuses()
            XCTAssertEqual(misuses.map(\.exception), [testCase.exception], "\(misuses)", line: testCase.line)
            let message = misuses.first?.message ?? ""
            XCTAssertTrue(
                message.hasPrefix(testCase.method), "\(message) does not name \(testCase.method)", line: testCase.line)
            XCTAssertTrue(
                message.contains(testCase.words), "\(message) does not say: \(testCase.words)", line: testCase.line)
            XCTAssertFalse(message.contains(" 0x"), "\(message) contains an address", line: testCase.line)
            XCTAssertEqual(fixture.session.inputs, inputs, line: testCase.line)
            XCTAssertEqual(fixture.session.outputs, outputs, line: testCase.line)
            XCTAssertEqual(fixture.session.connections, connections, line: testCase.line)
            XCTAssertEqual(fixture.session.sessionPreset, preset, line: testCase.line)
            XCTAssertTrue(fixture.camera.activeFormat === format, line: testCase.line)
            XCTAssertEqual(fixture.camera.selection, selection, line: testCase.line)
            XCTAssertFalse(fixture.session.isRunning, line: testCase.line)
        }
    }

    func testSettingADeviceWithoutItsLockIsMisuse() throws {
        typealias Gains = AVCaptureDevice.WhiteBalanceGains
        let calls: [(String, (AVCaptureDevice) throws -> Void)] = [
            ("setActiveFormat:", { $0.activeFormat = $0.formats[0] }),
            ("setActiveVideoMinFrameDuration:", { $0.activeVideoMinFrameDuration = .invalid }),
            ("setActiveVideoMaxFrameDuration:", { $0.activeVideoMaxFrameDuration = .invalid }),
            ("setTorchMode:", { $0.torchMode = .on }),
            ("setTorchModeOnWithLevel:error:", { try $0.setTorchModeOn(level: 1) }),
            ("setFlashMode:", { $0.flashMode = .on }),
            ("setVideoZoomFactor:", { $0.videoZoomFactor = 2 }),
            ("rampToVideoZoomFactor:withRate:", { $0.ramp(toVideoZoomFactor: 2, withRate: 1) }),
            ("cancelVideoZoomRamp", { $0.cancelVideoZoomRamp() }),
            ("setActiveColorSpace:", { $0.activeColorSpace = .sRGB }),
            ("setAutomaticallyAdjustsVideoHDREnabled:", { $0.automaticallyAdjustsVideoHDREnabled = false }),
            ("setVideoHDREnabled:", { $0.isVideoHDREnabled = true }),
            ("setGeometricDistortionCorrectionEnabled:", { $0.isGeometricDistortionCorrectionEnabled = false }),
            ("setSubjectAreaChangeMonitoringEnabled:", { $0.isSubjectAreaChangeMonitoringEnabled = true }),
            ("setFocusMode:", { $0.focusMode = .locked }),
            ("setFocusPointOfInterest:", { $0.focusPointOfInterest = .zero }),
            ("setFocusModeLockedWithLensPosition:completionHandler:", { $0.setFocusModeLocked(lensPosition: 0.5) }),
            ("setSmoothAutoFocusEnabled:", { $0.isSmoothAutoFocusEnabled = true }),
            ("setExposureMode:", { $0.exposureMode = .locked }),
            ("setExposurePointOfInterest:", { $0.exposurePointOfInterest = .zero }),
            (
                "setExposureModeCustomWithDuration:ISO:completionHandler:",
                { $0.setExposureModeCustom(duration: CMTime(value: 1, timescale: 60), iso: 100) }
            ),
            ("setExposureTargetBias:completionHandler:", { $0.setExposureTargetBias(1) }),
            (
                "setAutomaticallyEnablesLowLightBoostWhenAvailable:",
                { $0.automaticallyEnablesLowLightBoostWhenAvailable = true }
            ),
            ("setWhiteBalanceMode:", { $0.whiteBalanceMode = .locked }),
            (
                "setWhiteBalanceModeLockedWithDeviceWhiteBalanceGains:completionHandler:",
                { $0.setWhiteBalanceModeLocked(with: Gains(redGain: 2, greenGain: 1, blueGain: 2)) }
            ),
        ]
        try check(
            calls.map { method, call in
                Case(
                    .generic, "-[AVCaptureDevice \(method)]",
                    "May not be called without first successfully gaining exclusive ownership of the device using "
                        + "-lockForConfiguration:"
                ) { try call($0.camera) }
            })
    }

    func testUnsupportedDeviceSettingsAreMisuse() throws {
        typealias Gains = AVCaptureDevice.WhiteBalanceGains
        typealias Chromaticity = AVCaptureDevice.WhiteBalanceChromaticityValues
        func device(_ method: String) -> String { "-[AVCaptureDevice \(method)]" }
        try check([
            Case(.invalidArgument, device("setActiveFormat:"), "is not a format of", locked: true) {
                $0.camera.activeFormat = $0.microphone.device.formats[0]
            },
            Case(
                .invalidArgument, device("setActiveVideoMinFrameDuration:"),
                "Unsupported frame duration - Supported ranges: ( <AVFrameRateRange: 1.0 - 30.0> ), tried to set",
                locked: true
            ) { $0.camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 240) },
            Case(.invalidArgument, device("setActiveVideoMaxFrameDuration:"), "Unsupported", locked: true) {
                $0.camera.activeVideoMaxFrameDuration = CMTime(value: 5, timescale: 1)
            },
            Case(.invalidArgument, device("setTorchMode:"), "not supported", locked: true) {
                try $0.lockedFront().torchMode = .auto
            },
            Case(.invalidArgument, device("setTorchModeOnWithLevel:error:"), "level", locked: true) {
                try $0.camera.setTorchModeOn(level: 1.5)
            },
            Case(.invalidArgument, device("setActiveColorSpace:"), "not supported", locked: true) {
                $0.camera.activeColorSpace = .P3_D65
            },
            Case(.generic, device("setVideoHDREnabled:"), "automaticallyAdjustsVideoHDREnabled", locked: true) {
                $0.camera.isVideoHDREnabled = true
            },
            Case(.generic, device("setVideoHDREnabled:"), "isVideoHDRSupported", locked: true) {
                $0.camera.automaticallyAdjustsVideoHDREnabled = false
                $0.camera.isVideoHDREnabled = true
            },
            Case(
                .invalidArgument, device("setGeometricDistortionCorrectionEnabled:"), "not supported", locked: true
            ) { $0.camera.isGeometricDistortionCorrectionEnabled = true },
            Case(.range, device("setVideoZoomFactor:"), "outside the range", locked: true) {
                $0.camera.videoZoomFactor = 0.5
            },
            Case(.range, device("setVideoZoomFactor:"), "outside the range", locked: true) {
                $0.camera.videoZoomFactor = $0.camera.activeFormat.videoMaxZoomFactor + 1
            },
            Case(.range, device("rampToVideoZoomFactor:withRate:"), "factor", locked: true) {
                $0.camera.ramp(toVideoZoomFactor: 100, withRate: 1)
            },
            Case(
                .range, device("setExposureModeCustomWithDuration:ISO:completionHandler:"), "duration", locked: true
            ) { $0.camera.setExposureModeCustom(duration: CMTime(value: 10, timescale: 1), iso: 100) },
            Case(.range, device("setExposureModeCustomWithDuration:ISO:completionHandler:"), "ISO", locked: true) {
                $0.camera.setExposureModeCustom(duration: CMTime(value: 1, timescale: 60), iso: 1)
            },
            Case(.range, device("setExposureTargetBias:completionHandler:"), "bias", locked: true) {
                $0.camera.setExposureTargetBias(100)
            },
            Case(
                .range, device("setWhiteBalanceModeLockedWithDeviceWhiteBalanceGains:completionHandler:"), "[1,",
                locked: true
            ) { $0.camera.setWhiteBalanceModeLocked(with: Gains(redGain: 9, greenGain: 1, blueGain: 1)) },
            Case(.range, device("chromaticityValuesForDeviceWhiteBalanceGains:"), "gain") {
                _ = $0.camera.chromaticityValues(for: Gains(redGain: 0.5, greenGain: 1, blueGain: 1))
            },
            Case(.range, device("temperatureAndTintValuesForDeviceWhiteBalanceGains:"), "gain") {
                _ = $0.camera.temperatureAndTintValues(for: Gains(redGain: 99, greenGain: 1, blueGain: 1))
            },
            Case(.range, device("deviceWhiteBalanceGainsForChromaticityValues:"), "[0, 1]") {
                _ = $0.camera.deviceWhiteBalanceGains(for: Chromaticity(x: 1.5, y: 0.3))
            },
            Case(
                .invalidArgument, device("setAutomaticallyEnablesLowLightBoostWhenAvailable:"), "not supported",
                locked: true
            ) {
                try $0.lockedFront().automaticallyEnablesLowLightBoostWhenAvailable = true
            },
            Case(.invalidArgument, "-[AVCaptureDeviceInput setVideoMinFrameDurationOverride:]", "not supported") {
                $0.input.videoMinFrameDurationOverride = CMTime(value: 1, timescale: 1000)
            },
            Case(.invalidArgument, "+[AVCaptureDevice authorizationStatusForMediaType:]", "AVMediaTypeVideo") { _ in
                _ = AVCaptureDevice.authorizationStatus(for: .metadata)
            },
            Case(.invalidArgument, "+[AVCaptureDevice requestAccessForMediaType:completionHandler:]", "Audio") { _ in
                AVCaptureDevice.requestAccess(for: .text) { _ in }
            },
            Case(.generic, "Cannot instantiate AVCaptureInput", "abstract superclass") { _ in
                _ = AVCaptureInput()
            },
        ])
    }

    func testInvalidCallsOfASessionAreMisuse() throws {
        func session(_ method: String) -> String { "-[AVCaptureSession \(method)]" }
        try check([
            Case(
                .generic, session("startRunning"),
                "startRunning may not be called between calls to beginConfiguration and commitConfiguration"
            ) {
                $0.session.beginConfiguration()
                $0.session.startRunning()
                $0.session.commitConfiguration()
            },
            Case(.generic, session("stopRunning"), "may not be called between calls to beginConfiguration") {
                $0.session.beginConfiguration()
                $0.session.stopRunning()
                $0.session.commitConfiguration()
            },
            Case(.invalidArgument, session("addInput:"), "may not be added more than once to a session") {
                $0.session.addInput($0.input)
            },
            Case(
                .invalidArgument, session("addInput:"),
                "Multiple audio/video AVCaptureInputs are not currently supported"
            ) { $0.session.addInput(try $0.capture.input("phone.front")) },
            Case(.invalidArgument, session("addInput:"), "may not be added to more than one session") {
                AVCaptureSession().addInput($0.input)
            },
            Case(.invalidArgument, session("addInputWithNoConnections:"), "more than once") {
                $0.session.addInputWithNoConnections($0.input)
            },
            Case(
                .invalidArgument, session("addInput:"),
                "because the device does not support AVCaptureSessionPreset320x240 - "
                    + "Use -[AVCaptureDevice supportsAVCaptureSessionPreset:]"
            ) {
                let other = AVCaptureSession()
                other.sessionPreset = .qvga320x240
                other.addInput(try $0.capture.input("phone.front"))
            },
            Case(.invalidArgument, session("setSessionPreset:"), "is not supported") {
                $0.session.sessionPreset = .qvga320x240
            },
            Case(
                .invalidArgument, session("addOutput:"),
                "because more than one output of the same type is unsupported."
            ) { $0.session.addOutput(AVCaptureMovieFileOutput()) },
            Case(.invalidArgument, session("addOutput:"), "may not be added more than once to a session") {
                $0.session.addOutput($0.video)
            },
            Case(.invalidArgument, session("addOutputWithNoConnections:"), "may not be added to more than one session")
            {
                AVCaptureSession().addOutputWithNoConnections($0.video)
            },
            Case(.invalidArgument, session("addConnection:"), "belongs to the session already") {
                $0.session.addConnection($0.session.connections[0])
            },
            Case(.invalidArgument, session("addConnection:"), "has a connection for that medium already") {
                $0.session.addConnection(AVCaptureConnection(inputPorts: [$0.input.ports[0]], output: $0.video))
            },
            Case(.invalidArgument, session("addConnection:"), "does not accept media of that type") {
                $0.session.addConnection(AVCaptureConnection(inputPorts: [$0.microphone.ports[0]], output: $0.video))
            },
            Case(.invalidArgument, session("addConnection:"), "output does not belong") {
                let output = AVCaptureVideoDataOutput()
                $0.session.addConnection(AVCaptureConnection(inputPorts: [$0.input.ports[0]], output: output))
            },
            Case(.invalidArgument, session("addConnection:"), "ports do not belong") {
                let input = try $0.capture.input("phone.front")
                $0.session.addConnection(AVCaptureConnection(inputPorts: [input.ports[0]], output: $0.video))
            },
            Case(.invalidArgument, session("setSessionPreset:"), "is not supported") { _ in
                AVCaptureMultiCamSession().sessionPreset = .photo
            },
        ])
    }

    func testInvalidCallsOfConnectionsAndOutputsAreMisuse() throws {
        func connection(_ method: String) -> String { "-[AVCaptureConnection \(method)]" }
        try check([
            Case(.invalidArgument, connection("setVideoMirrored:"), "automaticallyAdjustsVideoMirroring is YES") {
                $0.videoConnection?.automaticallyAdjustsVideoMirroring = true
                $0.videoConnection?.isVideoMirrored = true
            },
            Case(.invalidArgument, connection("setVideoMirrored:"), "no video") {
                $0.audioConnection?.isVideoMirrored = true
            },
            Case(.invalidArgument, connection("setVideoOrientation:"), "no video") {
                $0.audioConnection?.videoOrientation = .portrait
            },
            Case(.invalidArgument, connection("setVideoRotationAngle:"), "45.0 is not 0, 90, 180 or 270") {
                $0.videoConnection?.videoRotationAngle = 45
            },
            Case(.invalidArgument, connection("setVideoRotationAngle:"), "no video") {
                $0.audioConnection?.videoRotationAngle = 90
            },
            Case(
                .invalidArgument, "-[AVCapturePhotoOutput capturePhotoWithSettings:delegate:]",
                "No active and enabled video connection"
            ) { $0.photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: RecordingPhotos()) },
            Case(
                .invalidArgument, "-[AVCaptureMovieFileOutput startRecordingToOutputFileURL:recordingDelegate:]",
                "No active/enabled connections"
            ) {
                for connection in $0.movie.connections { connection.isEnabled = false }
                $0.movie.startRecording(to: $0.capture.url("a.mov"), recordingDelegate: RecordingMovies())
            },
            Case(.invalidArgument, "-[AVCaptureVideoDataOutput setSampleBufferDelegate:queue:]", "NULL queue passed") {
                $0.video.setSampleBufferDelegate(RecordingFrames(), queue: nil)
            },
            Case(.invalidArgument, "-[AVCaptureAudioDataOutput setSampleBufferDelegate:queue:]", "NULL queue passed") {
                $0.audio.setSampleBufferDelegate(RecordingAudio(), queue: nil)
            },
            Case(.invalidArgument, "-[AVCaptureVideoDataOutput setVideoSettings:]", "Unsupported pixel format type") {
                $0.video.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_24RGB]
            },
        ])
    }
}
