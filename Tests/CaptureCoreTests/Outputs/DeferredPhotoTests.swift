import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Tests photos that are delivered as proxies.
final class DeferredPhotoTests: XCTestCase {
    private final class RecordingProxies: AVCapturePhotoCaptureDelegate, Sendable {
        private struct State {
            var events: [String] = []
            var proxies: [AVCaptureDeferredPhotoProxy?] = []
            var errors: [AVError?] = []
        }

        private let state = Lock(State())
        var events: [String] { state.withLock { $0.events } }
        var proxies: [AVCaptureDeferredPhotoProxy?] { state.withLock { $0.proxies } }
        var errors: [AVError?] { state.withLock { $0.errors } }

        func photoOutput(
            _ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
        ) {
            state.withLock { $0.events.append("begin") }
        }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
        ) {
            state.withLock { $0.events.append("photo") }
        }

        func photoOutput(
            _ output: AVCapturePhotoOutput,
            didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?,
            error: (any Error)?
        ) {
            state.withLock {
                $0.events.append("proxy")
                $0.proxies.append(deferredPhotoProxy)
            }
        }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
            error: (any Error)?
        ) {
            state.withLock {
                $0.events.append("end")
                $0.errors.append(error as? AVError)
            }
        }
    }

    private struct Capture {
        let fixture: CaptureFixture
        let session: AVCaptureSession
        let output: AVCapturePhotoOutput

        init() throws {
            fixture = try CaptureFixture { clock in
                [
                    try SimHost(
                        profiles: [DeviceProfile.builtIn("phone")], scene: .chart,
                        light: SceneLight(lux: 5, kelvin: 3000), orientation: .landscapeLeft, clock: clock)
                ]
            }
            let output = fixture.inSystem { AVCapturePhotoOutput() }
            self.output = output
            session = try fixture.makeSession(
                camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [output])
            output.maxPhotoQualityPrioritization = .quality
            XCTAssertTrue(output.isAutoDeferredPhotoDeliverySupported)
            XCTAssertFalse(output.isAutoDeferredPhotoDeliveryEnabled)
            output.isAutoDeferredPhotoDeliveryEnabled = true
            session.startRunning()
            fixture.advance(milliseconds: 2000)
        }

        func settings(
            _ codec: AVVideoCodecType = .hevc, _ quality: AVCapturePhotoOutput.QualityPrioritization = .quality
        ) -> AVCapturePhotoSettings {
            let settings = fixture.inSystem { AVCapturePhotoSettings(format: [AVVideoCodecKey: codec]) }
            settings.photoQualityPrioritization = quality
            return settings
        }
    }

    func testAPhotoOfMergedFramesIsDeliveredAsAProxy() throws {
        let capture = try Capture()
        for codec in [AVVideoCodecType.hevc, .jpeg] {
            let proxies = RecordingProxies()
            capture.output.capturePhoto(with: capture.settings(codec), delegate: proxies)
            capture.fixture.advance(milliseconds: 500)
            XCTAssertEqual(proxies.events, ["begin", "proxy", "end"])
            XCTAssertEqual(proxies.errors, [nil])
            let proxy = try XCTUnwrap(proxies.proxies.first ?? nil)
            XCTAssertEqual(proxy.resolvedSettings.deferredPhotoProxyDimensions.width, 320)
            XCTAssertEqual(proxy.resolvedSettings.photoDimensions.width, 640)
            let data = try XCTUnwrap(proxy.fileDataRepresentation())
            let file = try XCTUnwrap(PhotoFile(data))
            XCTAssertEqual(file.format, codec == .hevc ? .heic : .jpeg)
            XCTAssertEqual(try file.size().width, 320)
            XCTAssertEqual(try file.decoded().pixels.width, 320)
            let finished = try XCTUnwrap(DeferredPhotoFile.finished(data).flatMap { PhotoFile($0) })
            XCTAssertEqual(finished.format, file.format)
            XCTAssertEqual(try finished.size().width, 640)
            XCTAssertEqual(finished.metadata.make, "Obscura")
        }
        capture.fixture.assertNoMisuse()
    }

    func testAPhotoOfOneFrameIsNotDeferred() throws {
        let capture = try Capture()
        let photos = RecordingProxies()
        capture.output.capturePhoto(with: capture.settings(.hevc, .speed), delegate: photos)
        capture.fixture.advance(milliseconds: 300)
        XCTAssertEqual(photos.events, ["begin", "photo", "end"])
        capture.output.isAutoDeferredPhotoDeliveryEnabled = false
        let whole = RecordingProxies()
        capture.output.capturePhoto(with: capture.settings(), delegate: whole)
        capture.fixture.advance(milliseconds: 500)
        XCTAssertEqual(whole.events, ["begin", "photo", "end"])
        capture.fixture.assertNoMisuse()
    }

    func testAFailedCaptureHasNoProxy() throws {
        let capture = try Capture()
        let proxies = RecordingProxies()
        capture.output.capturePhoto(with: capture.settings(), delegate: proxies)
        capture.session.stopRunning()
        capture.fixture.advance(milliseconds: 100)
        XCTAssertEqual(proxies.events, ["begin", "proxy", "end"])
        XCTAssertEqual(proxies.proxies.count, 1)
        XCTAssertNil(proxies.proxies[0])
        XCTAssertEqual(proxies.errors.map(\.?.code), [.sessionNotRunning])
        capture.fixture.assertNoMisuse()
    }

    func testADelegateMustReceiveProxies() throws {
        let capture = try Capture()
        let message = capture.fixture.assertMisuse(.invalidArgument) {
            let photos = RecordingPhotos()
            capture.output.capturePhoto(with: capture.settings(), delegate: photos)
            capture.fixture.advance(milliseconds: 500)
            XCTAssertEqual(photos.events, ["begin", "will", "did", "end"])
        }
        XCTAssertTrue(message.contains("didFinishCapturingDeferredPhotoProxy"), message)
    }

    func testAFileWithoutABoxIsNotDeferred() throws {
        for data in [Data(), Data("abc".utf8), Data(repeating: 0, count: 100), Data(repeating: 0xFF, count: 100)] {
            XCTAssertNil(DeferredPhotoFile.finished(data))
        }
        let joined = DeferredPhotoFile.join(Data("small".utf8), Data("large".utf8))
        XCTAssertTrue(joined.starts(with: Data("small".utf8)))
        XCTAssertEqual(DeferredPhotoFile.finished(joined), Data("large".utf8))
        XCTAssertNil(DeferredPhotoFile.finished(joined.dropLast()))
    }
}
