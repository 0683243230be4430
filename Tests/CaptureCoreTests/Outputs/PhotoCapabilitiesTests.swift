import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class PhotoCapabilitiesTests: XCTestCase {
    private func makeSession(_ fixture: CaptureFixture, camera: String) throws -> (
        AVCaptureSession, AVCapturePhotoOutput
    ) {
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        return (try fixture.makeSession(camera: camera, microphone: nil, preset: .vga640x480, [output]), output)
    }

    func testNothingIsAvailableWithoutACamera() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        XCTAssertEqual(output.availablePhotoCodecTypes, [])
        XCTAssertEqual(output.availablePhotoPixelFormatTypes, [])
        XCTAssertEqual(output.availablePhotoFileTypes, [])
        let received = Lock<[String]>([], order: .client)
        let observations = [
            output.observe(\.availablePhotoCodecTypes) { output, _ in
                received.withLock { $0.append("codecs \(output.availablePhotoCodecTypes.count)") }
            },
            output.observe(\.availablePhotoPixelFormatTypes) { output, _ in
                received.withLock { $0.append("pixels \(output.availablePhotoPixelFormatTypes.count)") }
            },
            output.observe(\.availablePhotoFileTypes) { output, _ in
                received.withLock { $0.append("files \(output.availablePhotoFileTypes.count)") }
            },
        ]
        let session = try fixture.makeSession(camera: nil, microphone: nil, [output])
        XCTAssertEqual(output.availablePhotoCodecTypes, [])
        XCTAssertEqual(received.withLock { $0 }, [])
        let input = try fixture.input("phone.front")
        session.addInput(input)
        XCTAssertEqual(output.availablePhotoCodecTypes, [.hevc, .jpeg])
        XCTAssertEqual(Set(received.withLock { $0 }), ["codecs 2", "pixels 3", "files 2"])
        session.removeInput(input)
        XCTAssertEqual(output.availablePhotoFileTypes, [])
        XCTAssertEqual(received.withLock { $0 }.suffix(3).sorted(), ["codecs 0", "files 0", "pixels 0"])
        for observation in observations { observation.invalidate() }
    }

    func testTheFlashModesCanBeObservedWhileCamerasAreSwitched() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, output) = try makeSession(fixture, camera: "phone.front")
        let received = Lock<[[AVCaptureDevice.FlashMode]]>([])
        let observation = output.observe(\.supportedFlashModes, options: .new) { _, change in
            received.withLock { $0.append(change.newValue ?? []) }
        }
        let back = try fixture.input("phone.back-wide")
        fixture.inSystem {
            session.beginConfiguration()
            session.removeInput(session.inputs[0])
            session.addInput(back)
            session.commitConfiguration()
        }
        XCTAssertEqual(received.withLock { $0 }.last, [.off, .on, .auto])
        observation.invalidate()
    }

    func testAnOverheatedFlashDoesNotFire() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, output) = try makeSession(fixture, camera: "phone.back-wide")
        session.startRunning()
        try fixture.host.setPressure(SystemPressure(.critical), uniqueID: "phone.back-wide")
        fixture.advance(milliseconds: 200)
        let photos = RecordingPhotos()
        let settings = AVCapturePhotoSettings()
        settings.flashMode = .on
        output.capturePhoto(with: settings, delegate: photos)
        fixture.advance(milliseconds: 300)
        let photo = try XCTUnwrap(photos.photos.first)
        XCTAssertFalse(photo.resolvedSettings.isFlashEnabled)
        let exif = try XCTUnwrap(JPEGSegments(XCTUnwrap(photo.fileDataRepresentation())).exif())
        XCTAssertEqual(exif.flash?.fired, false)
        fixture.assertNoMisuse()
        session.stopRunning()
    }
}
