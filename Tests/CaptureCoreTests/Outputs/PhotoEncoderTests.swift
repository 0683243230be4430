import CaptureHAL
import Foundation
import MediaTypes
import PixelKernels
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class PhotoEncoderTests: XCTestCase {
    private func makeSession(_ fixture: CaptureFixture) throws -> (AVCaptureSession, AVCapturePhotoOutput) {
        let output = fixture.inSystem { AVCapturePhotoOutput() }
        let session = try fixture.makeSession(microphone: nil, [output])
        session.startRunning()
        fixture.advance(milliseconds: 110)
        return (session, output)
    }

    private func capture(
        _ fixture: CaptureFixture, _ output: AVCapturePhotoOutput, _ format: [String: Any]? = nil
    ) throws -> AVCapturePhoto {
        let photos = RecordingPhotos()
        output.capturePhoto(with: AVCapturePhotoSettings(format: format), delegate: photos)
        fixture.advance(milliseconds: 200)
        fixture.assertNoMisuse()
        return try XCTUnwrap(photos.photos.first)
    }

    func testCompressedAndUncompressedPhotosHaveAnImage() throws {
        let fixture = try CaptureFixture(scene: .chart)
        let (session, output) = try makeSession(fixture)
        let compressed = try capture(fixture, output)
        let uncompressed = try capture(
            fixture, output, [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange])
        for photo in [compressed, uncompressed] {
            let image = try XCTUnwrap(photo.cgImageRepresentation())
            XCTAssertEqual(image.width, 320)
            XCTAssertEqual(image.height, 240)
            XCTAssertNotNil(FrameMarker.read(from: image.pixelBuffer))
        }
        session.stopRunning()
    }

    func testThePhotoIsMagnifiedAroundItsCenter() throws {
        let fixture = try CaptureFixture(scene: .chart)
        let (session, output) = try makeSession(fixture)
        let connection = try XCTUnwrap(output.connection(with: .video))
        XCTAssertGreaterThanOrEqual(connection.videoMaxScaleAndCropFactor, 2)
        XCTAssertEqual(connection.videoScaleAndCropFactor, 1)
        fixture.assertMisuse(.range) { connection.videoScaleAndCropFactor = 0.5 }
        fixture.assertMisuse(.range) {
            connection.videoScaleAndCropFactor = connection.videoMaxScaleAndCropFactor + 1
        }
        let whole = try XCTUnwrap(try capture(fixture, output).cgImageRepresentation()).pixelBuffer
        connection.videoScaleAndCropFactor = 2
        let format: [String: Any] = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
        for photo in [try capture(fixture, output), try capture(fixture, output, format)] {
            let enlarged = try XCTUnwrap(photo.cgImageRepresentation()).pixelBuffer
            let expected = try XCTUnwrap(
                CVPixelBuffer(width: 320, height: 240, pixelFormat: kCVPixelFormatType_32BGRA))
            try PixelConverter().convert(
                whole, to: expected, PixelTransform(crop: PixelRect(x: 80, y: 60, width: 160, height: 120)))
            XCTAssertEqual(CVPixelBufferGetWidth(enlarged), 320)
            XCTAssertLessThan(difference(enlarged, expected), 8)
            XCTAssertGreaterThan(difference(enlarged, whole), 30)
        }
        session.stopRunning()
    }

    /// Returns the mean absolute difference of the bytes of two BGRA pixel buffers.
    private func difference(_ left: CVPixelBuffer, _ right: CVPixelBuffer) -> Double {
        left.withPlane(0) { a in
            right.withPlane(0) { b in
                var sum = 0
                for y in 0..<a.height {
                    let (rowA, rowB) = (a.baseAddress + y * a.bytesPerRow, b.baseAddress + y * b.bytesPerRow)
                    for x in 0..<4 * a.width {
                        sum += abs(
                            Int(rowA.load(fromByteOffset: x, as: UInt8.self))
                                - Int(rowB.load(fromByteOffset: x, as: UInt8.self)))
                    }
                }
                return Double(sum) / Double(4 * a.width * a.height)
            }
        }
    }

    func testTheCompletionOfPreparationIsCalled() throws {
        let fixture = try CaptureFixture()
        let (session, output) = try makeSession(fixture)
        session.stopRunning()
        let settings = [AVCapturePhotoSettings()]
        let received = Lock<[Bool]>([])
        output.setPreparedPhotoSettingsArray(settings) { isPrepared, error in
            XCTAssertNil(error)
            received.withLock { $0.append(isPrepared) }
        }
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(received.withLock { $0 }, [], "the session does not run yet")
        // A replaced preparation completes with false.
        output.setPreparedPhotoSettingsArray(settings + [AVCapturePhotoSettings()]) { isPrepared, _ in
            received.withLock { $0.append(isPrepared) }
        }
        fixture.advance(milliseconds: 0)
        XCTAssertEqual(received.withLock { $0 }, [false])
        session.startRunning()
        fixture.advance(milliseconds: 0)
        XCTAssertEqual(received.withLock { $0 }, [false, true])
        output.setPreparedPhotoSettingsArray(settings) { isPrepared, _ in received.withLock { $0.append(isPrepared) } }
        fixture.advance(milliseconds: 0)
        XCTAssertEqual(received.withLock { $0 }, [false, true, true])
        XCTAssertEqual(output.preparedPhotoSettingsArray, settings)
        fixture.assertMisuse(.invalidArgument) {
            output.setPreparedPhotoSettingsArray([
                AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.proRes422])
            ])
        }
        session.stopRunning()
    }

    func testACameraWithoutDepthDeliversNone() throws {
        let fixture = try CaptureFixture()
        let (session, output) = try makeSession(fixture)
        XCTAssertFalse(output.isDepthDataDeliverySupported)
        output.isDepthDataDeliveryEnabled = false
        fixture.assertNoMisuse()
        fixture.assertMisuse(.invalidArgument) { output.isDepthDataDeliveryEnabled = true }
        let settings = AVCapturePhotoSettings()
        settings.isDepthDataDeliveryEnabled = true
        XCTAssertTrue(AVCapturePhotoSettings(from: settings).isDepthDataDeliveryEnabled)
        fixture.assertMisuse(.invalidArgument) { output.capturePhoto(with: settings, delegate: RecordingPhotos()) }
        session.stopRunning()
    }
}
