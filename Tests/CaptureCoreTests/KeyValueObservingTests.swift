import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore
@testable import CapturePreview
@testable import KeyValueObserving

final class KeyValueObservingTests: XCTestCase {
    /// A client's subclass with a property that depends on an inherited one.
    private final class SessionSubclass: AVCaptureSession, @unchecked Sendable {
        // SAFETY: no stored properties.
        var title: String { isRunning ? "live" : "off" }
    }

    private func makeVideoSession(_ fixture: CaptureFixture) throws -> AVCaptureSession {
        try fixture.makeSession(microphone: nil, [fixture.inSystem { AVCaptureVideoDataOutput() }])
    }

    func testIsRunningIsReportedWithOldAndNewValue() throws {
        let fixture = try CaptureFixture()
        let session = try makeVideoSession(fixture)
        let changes = Lock<[[Bool?]]>([], order: .client)
        let observation = session.observe(\.isRunning, options: [.new, .old]) { observed, change in
            XCTAssertTrue(observed === session)
            XCTAssertEqual(change.kind, .setting)
            changes.withLock { $0.append([change.oldValue, change.newValue, observed.isRunning]) }
        }
        session.startRunning()
        session.startRunning()
        session.stopRunning()
        XCTAssertEqual(changes.withLock { $0 }, [[false, true, true], [true, false, false]])
        observation.invalidate()
        session.startRunning()
        XCTAssertEqual(changes.withLock { $0.count }, 2)
        session.stopRunning()
    }

    /// Expects that a change of a property notifies its observers once.
    private func assertNotifies<Object: KeyValueObserving, Value>(
        _ object: Object, _ keyPath: KeyPath<Object, Value>, file: StaticString = #filePath, line: UInt = #line,
        _ change: () throws -> Void
    ) rethrows {
        let count = Lock(0)
        let observation = object.observe(keyPath) { _, _ in count.withLock { $0 += 1 } }
        try change()
        XCTAssertEqual(count.withLock { $0 }, 1, "\(Object.self)", file: file, line: line)
        observation.invalidate()
    }

    func testAClientNotifiesTheObserversOfAPropertyOfItsSubclass() throws {
        let fixture = try CaptureFixture()
        let session = fixture.inSystem { SessionSubclass() }
        assertNotifies(session, \.isRunning) {
            session.willChangeValue(forKey: "running")
            session.didChangeValue(forKey: "running")
        }
        assertNotifies(session, \.sessionPreset) { session.didChangeValue(forKey: "sessionPreset") }
        assertNotifies(session, \.title) {
            session.willChangeValue(for: \.title)
            session.didChangeValue(for: \.title)
        }
        let object = NSObject()
        object.willChangeValue(forKey: "property")
        object.didChangeValue(forKey: "property")
    }

    func testSettingAPropertyOfAConnectionNotifiesItsObservers() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (video, photo) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCapturePhotoOutput()) }
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [video, photo])
        let connection = try XCTUnwrap(video.connection(with: .video))
        assertNotifies(connection, \.isEnabled) { connection.isEnabled = false }
        assertNotifies(connection, \.videoRotationAngle) { connection.videoRotationAngle = 90 }
        assertNotifies(connection, \.videoOrientation) { connection.videoRotationAngle = 180 }
        assertNotifies(connection, \.videoRotationAngle) { connection.videoOrientation = .portrait }
        assertNotifies(connection, \.isVideoMirrored) { connection.isVideoMirrored = true }
        assertNotifies(connection, \.automaticallyAdjustsVideoMirroring) {
            connection.automaticallyAdjustsVideoMirroring = true
        }
        assertNotifies(connection, \.preferredVideoStabilizationMode) {
            connection.preferredVideoStabilizationMode = .standard
        }
        connection.preferredVideoStabilizationMode = .off
        assertNotifies(connection, \.isCameraIntrinsicMatrixDeliveryEnabled) {
            connection.isCameraIntrinsicMatrixDeliveryEnabled = true
        }
        let photoConnection = try XCTUnwrap(photo.connection(with: .video))
        assertNotifies(photoConnection, \.videoScaleAndCropFactor) { photoConnection.videoScaleAndCropFactor = 1 }
        let port = try XCTUnwrap(connection.inputPorts.first)
        assertNotifies(port, \.isEnabled) { port.isEnabled = false }
        assertNotifies(port, \.formatDescription) { session.sessionPreset = .hd1920x1080 }
        // A change in an open configuration can be read before the commit, so it is reported at once.
        session.beginConfiguration()
        assertNotifies(connection, \.videoRotationAngle) { connection.videoRotationAngle = 270 }
        session.commitConfiguration()
        fixture.assertNoMisuse()
    }

    func testSettingAPropertyOfASessionNotifiesItsObservers() throws {
        let fixture = try CaptureFixture()
        let session = fixture.inSystem { AVCaptureSession() }
        let input = try fixture.input(CaptureFixture.camera)
        assertNotifies(session, \.inputs) { session.addInput(input) }
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        assertNotifies(session, \.outputs) { session.addOutput(output) }
        assertNotifies(session, \.connections) { session.removeOutput(output) }
        assertNotifies(session, \.sessionPreset) { session.sessionPreset = .vga640x480 }
        try assertNotifies(session, \.sessionPreset) {
            try input.device.lockForConfiguration()
            input.device.activeFormat = input.device.formats[0]
        }
        assertNotifies(session, \.isMultitaskingCameraAccessEnabled) {
            session.isMultitaskingCameraAccessEnabled = true
        }
        assertNotifies(session, \.usesApplicationAudioSession) { session.usesApplicationAudioSession = false }
        assertNotifies(session, \.automaticallyConfiguresApplicationAudioSession) {
            session.automaticallyConfiguresApplicationAudioSession = false
        }
        assertNotifies(session, \.configuresApplicationAudioSessionToMixWithOthers) {
            session.configuresApplicationAudioSessionToMixWithOthers = true
        }
        assertNotifies(session, \.automaticallyConfiguresCaptureDeviceForWideColor) {
            session.automaticallyConfiguresCaptureDeviceForWideColor = false
        }
        fixture.assertNoMisuse()
    }

    func testSettingAPropertyOfAnOutputNotifiesItsObservers() throws {
        let fixture = try CaptureFixture()
        let (video, audio, movie) = fixture.inSystem {
            (AVCaptureVideoDataOutput(), AVCaptureAudioDataOutput(), AVCaptureMovieFileOutput())
        }
        let (photo, metadata, depth) = fixture.inSystem {
            (AVCapturePhotoOutput(), AVCaptureMetadataOutput(), AVCaptureDepthDataOutput())
        }
        let session = try fixture.makeSession([video, audio, movie, photo, metadata])
        assertNotifies(video, \.alwaysDiscardsLateVideoFrames) { video.alwaysDiscardsLateVideoFrames = false }
        assertNotifies(video, \.videoSettings) { video.videoSettings = [:] }
        assertNotifies(video, \.automaticallyConfiguresOutputBufferDimensions) {
            video.automaticallyConfiguresOutputBufferDimensions = false
        }
        assertNotifies(video, \.deliversPreviewSizedOutputBuffers) { video.deliversPreviewSizedOutputBuffers = true }
        assertNotifies(audio, \.audioSettings) { audio.audioSettings = nil }
        assertNotifies(movie, \.movieFragmentInterval) { movie.movieFragmentInterval = .invalid }
        assertNotifies(movie, \.metadata) { movie.metadata = [] }
        assertNotifies(movie, \.maxRecordedDuration) { movie.maxRecordedDuration = CMTime(value: 1, timescale: 1) }
        assertNotifies(movie, \.maxRecordedFileSize) { movie.maxRecordedFileSize = 1 }
        assertNotifies(movie, \.minFreeDiskSpaceLimit) { movie.minFreeDiskSpaceLimit = 1 }
        assertNotifies(photo, \.isHighResolutionCaptureEnabled) { photo.isHighResolutionCaptureEnabled = true }
        assertNotifies(photo, \.maxPhotoQualityPrioritization) { photo.maxPhotoQualityPrioritization = .quality }
        assertNotifies(photo, \.maxPhotoDimensions) { photo.maxPhotoDimensions = photo.maxPhotoDimensions }
        assertNotifies(metadata, \.metadataObjectTypes) { metadata.metadataObjectTypes = [.qr] }
        assertNotifies(metadata, \.rectOfInterest) {
            metadata.rectOfInterest = CGRect(x: 0, y: 0, width: 1, height: 0.5)
        }
        assertNotifies(depth, \.isFilteringEnabled) { depth.isFilteringEnabled = false }
        assertNotifies(depth, \.alwaysDiscardsLateDepthData) { depth.alwaysDiscardsLateDepthData = false }
        withExtendedLifetime(session) {}
        fixture.assertNoMisuse()
    }

    func testSettingAPropertyOfALayerNotifiesItsObservers() throws {
        let fixture = try CaptureFixture()
        let session = try fixture.makeSession([])
        let (layer, display) = fixture.inSystem { (AVCaptureVideoPreviewLayer(), AVSampleBufferDisplayLayer()) }
        assertNotifies(layer, \.session) { layer.session = session }
        assertNotifies(layer, \.connection) { layer.session = nil }
        assertNotifies(layer, \.videoGravity) { layer.videoGravity = .resizeAspectFill }
        assertNotifies(layer, \.bounds) { layer.bounds = CGRect(x: 0, y: 0, width: 10, height: 10) }
        assertNotifies(display, \.videoGravity) { display.videoGravity = .resize }
        fixture.assertNoMisuse()
    }

    func testSettingAPropertyOfADeviceNotifiesItsObservers() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let device = try fixture.device("phone.back-wide")
        try device.lockForConfiguration()
        assertNotifies(device, \.isSubjectAreaChangeMonitoringEnabled) {
            device.isSubjectAreaChangeMonitoringEnabled = true
        }
        assertNotifies(device, \.automaticallyAdjustsFaceDrivenAutoFocusEnabled) {
            device.automaticallyAdjustsFaceDrivenAutoFocusEnabled = false
        }
        assertNotifies(device, \.isFaceDrivenAutoFocusEnabled) { device.isFaceDrivenAutoFocusEnabled = false }
        assertNotifies(device, \.automaticallyAdjustsFaceDrivenAutoExposureEnabled) {
            device.automaticallyAdjustsFaceDrivenAutoExposureEnabled = false
        }
        assertNotifies(device, \.isFaceDrivenAutoExposureEnabled) { device.isFaceDrivenAutoExposureEnabled = false }
        assertNotifies(device, \.activeColorSpace) { device.activeColorSpace = .sRGB }
        assertNotifies(device, \.isGlobalToneMappingEnabled) { device.isGlobalToneMappingEnabled = false }
        assertNotifies(device, \.isGeometricDistortionCorrectionEnabled) {
            device.isGeometricDistortionCorrectionEnabled = false
        }
        assertNotifies(device, \.fallbackPrimaryConstituentDevices) { device.fallbackPrimaryConstituentDevices = [] }
        device.unlockForConfiguration()
        fixture.assertNoMisuse()
    }

    func testObservingAPropertyWithoutReportedChangesIsMisuse() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let device = try fixture.device(CaptureFixture.camera)
        let types = fixture.assertMisuse(.invalidArgument) {
            _ = output.observe(\.availableVideoPixelFormatTypes) { _, _ in }
        }
        XCTAssertTrue(
            types.hasPrefix(
                "-[AVCaptureVideoDataOutput observe(_:options:changeHandler:)] The key path "
                    + "\(\AVCaptureVideoDataOutput.availableVideoPixelFormatTypes) cannot be observed"), types)
        let name = fixture.assertMisuse(.invalidArgument) { _ = device.observe(\.localizedName) { _, _ in } }
        XCTAssertTrue(name.hasPrefix("-[AVCaptureDevice "), name)
        XCTAssertTrue(name.contains("\(\AVCaptureDevice.localizedName)"), name)
    }

    func testReleasingAnObservationEndsIt() throws {
        let fixture = try CaptureFixture()
        let session = try makeVideoSession(fixture)
        let count = Lock(0)
        do {
            let observation = session.observe(\.isRunning) { _, _ in count.withLock { $0 += 1 } }
            session.startRunning()
            _ = observation
        }
        session.stopRunning()
        XCTAssertEqual(count.withLock { $0 }, 1)
    }

    func testOptionsSelectTheReportedChanges() throws {
        let fixture = try CaptureFixture()
        let session = try makeVideoSession(fixture)
        let reported = Lock<[String]>([])
        func observe(_ name: String, _ options: NSKeyValueObservingOptions) -> NSKeyValueObservation {
            session.observe(\.isRunning, options: options) { _, change in
                reported.withLock {
                    $0.append(
                        "\(name) \(change.isPrior) \(change.oldValue.map(String.init) ?? "-") "
                            + "\(change.newValue.map(String.init) ?? "-")")
                }
            }
        }
        let observations = [
            observe("none", []), observe("initial", [.initial, .new]), observe("prior", [.prior, .old, .new]),
        ]
        XCTAssertEqual(reported.withLock { $0 }, ["initial false - false"])
        session.startRunning()
        XCTAssertEqual(
            reported.withLock { $0 },
            [
                "initial false - false", "none false - -", "initial false - true", "prior true false -",
                "prior false false true",
            ])
        for observation in observations { observation.invalidate() }
        session.stopRunning()
    }

    func testInheritedAndOwnPropertiesOfASubclassCanBeObserved() throws {
        let fixture = try CaptureFixture()
        let session = fixture.inSystem { SessionSubclass() }
        let input = try fixture.input(CaptureFixture.camera)
        fixture.inSystem {
            session.addInput(input)
            session.addOutput(AVCaptureVideoDataOutput())
        }
        let reported = Lock<[String]>([])
        let observations = [
            session.observe(\.title, options: .new) { _, change in
                reported.withLock { $0.append(change.newValue ?? "?") }
            },
            session.observe(\.isRunning, options: .new) { _, change in
                reported.withLock { $0.append("\(change.newValue.map(String.init) ?? "?")") }
            },
        ]
        session.startRunning()
        session.stopRunning()
        XCTAssertEqual(reported.withLock { $0 }, ["live", "true", "off", "false"])
        for observation in observations { observation.invalidate() }
    }

    func testStartAndEndOfAnInterruptionAreReported() throws {
        let fixture = try CaptureFixture()
        let session = try makeVideoSession(fixture)
        session.startRunning()
        let reported = Lock<[String]>([])
        let observations = [
            session.observe(\.isInterrupted, options: .new) { _, change in
                reported.withLock { $0.append("interrupted \(change.newValue ?? false)") }
            },
            session.observe(\.isRunning, options: .new) { _, change in
                reported.withLock { $0.append("running \(change.newValue ?? false)") }
            },
        ]
        fixture.system.interruptions.begin(.notAvailableInBackground)
        fixture.system.interruptions.end(.notAvailableInBackground)
        XCTAssertEqual(
            reported.withLock { $0 }, ["interrupted true", "running false", "interrupted false", "running true"])
        for observation in observations { observation.invalidate() }
        session.stopRunning()
    }

    func testAutomaticAdjustmentsAreReported() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [output])
        session.startRunning()
        fixture.advance(milliseconds: 2000)
        let device = try fixture.device("phone.back-wide")
        let adjusting = Lock<[Bool]>([])
        let isos = Lock<[Float]>([], order: .client)
        let observations = [
            device.observe(\.isAdjustingExposure, options: .new) { _, change in
                adjusting.withLock { $0.append(change.newValue ?? false) }
            },
            device.observe(\.exposureMode, options: .new) { device, _ in isos.withLock { $0.append(device.iso) } },
        ]
        try device.lockForConfiguration()
        device.setExposureTargetBias(2)
        device.exposureMode = .autoExpose
        fixture.advance(milliseconds: 3000)
        XCTAssertEqual(adjusting.withLock { $0.first }, true)
        XCTAssertEqual(adjusting.withLock { $0.last }, false)
        // The mode set by the client, and `.locked` at the end of the automatic exposure.
        XCTAssertEqual(isos.withLock { $0.count }, 2)
        for observation in observations { observation.invalidate() }
        session.stopRunning()
    }

    func testConnectionsAndDisconnectionsAreReported() throws {
        let fixture = try CaptureFixture()
        let discovery = fixture.inSystem {
            AVCaptureDevice.DiscoverySession(deviceTypes: [.external], mediaType: .video, position: .unspecified)
        }
        let device = try XCTUnwrap(discovery.devices.first)
        let reported = Lock<[Int]>([])
        let connected = Lock<[Bool]>([])
        let observations = [
            discovery.observe(\.devices, options: .new) { _, change in
                reported.withLock { $0.append(change.newValue?.count ?? -1) }
            },
            device.observe(\.isConnected, options: .new) { _, change in
                connected.withLock { $0.append(change.newValue ?? true) }
            },
        ]
        try fixture.host.disconnect(uniqueID: device.uniqueID)
        fixture.advance(milliseconds: 10)
        try fixture.host.reconnect(uniqueID: device.uniqueID)
        fixture.advance(milliseconds: 10)
        XCTAssertEqual(reported.withLock { $0 }, [0, 1])
        XCTAssertEqual(connected.withLock { $0 }, [false])
        for observation in observations { observation.invalidate() }
    }

    func testAnObserverCanChangeTheObservedProperty() throws {
        let fixture = try CaptureFixture()
        let session = try makeVideoSession(fixture)
        let reported = Lock<[Bool]>([])
        let observation = session.observe(\.isRunning, options: .new) { session, change in
            reported.withLock { $0.append(change.newValue ?? false) }
            if change.newValue == true { session.stopRunning() }
        }
        session.startRunning()
        XCTAssertEqual(reported.withLock { $0 }, [true, false])
        XCTAssertFalse(session.isRunning)
        observation.invalidate()
    }
}
