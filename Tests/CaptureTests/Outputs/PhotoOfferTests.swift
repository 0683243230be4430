import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import SimDevices
import XCTest

@testable import Capture

final class PhotoOfferTests: XCTestCase {
    private func makeSession(_ bench: CaptureBench, camera: String) throws -> (AVCaptureSession, AVCapturePhotoOutput) {
        let output = bench.run { AVCapturePhotoOutput() }
        return (try bench.makeSession(camera: camera, microphone: nil, preset: .vga640x480, [output]), output)
    }

    func testAFlashThatIsTooHotDoesNotFire() throws {
        let bench = try CaptureBench(profile: "phone")
        let (session, output) = try makeSession(bench, camera: "phone.back-wide")
        session.startRunning()
        try bench.host.setPressure(SystemPressure(.critical), uniqueID: "phone.back-wide")
        bench.advance(milliseconds: 200)
        let photos = RecordingPhotos()
        let settings = AVCapturePhotoSettings()
        settings.flashMode = .on
        output.capturePhoto(with: settings, delegate: photos)
        bench.advance(milliseconds: 300)
        let photo = try XCTUnwrap(photos.photos.first)
        XCTAssertFalse(photo.resolvedSettings.isFlashEnabled)
        let exif = try XCTUnwrap(JPEGSegments(XCTUnwrap(photo.fileDataRepresentation())).exif())
        XCTAssertEqual(exif.flash?.fired, false)
        bench.assertNoMisuse()
        session.stopRunning()
    }
}
