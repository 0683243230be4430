import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class CameraIntrinsicsTests: XCTestCase {
    /// Records the intrinsic matrices of frames.
    private final class RecordingMatrices: AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
        let queue = DispatchQueue(label: "test.matrices")
        private let matrices = Lock<[matrix_float3x3?]>([])

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            let data =
                CMGetAttachment(
                    sampleBuffer, key: kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix, attachmentModeOut: nil)
                as? Data
            let matrix = data.map { data in data.withUnsafeBytes { $0.loadUnaligned(as: matrix_float3x3.self) } }
            matrices.withLock { $0.append(matrix) }
        }

        var last: matrix_float3x3? { matrices.withLock { $0.last ?? nil } }
    }

    /// Records the calibration of the last depth data.
    private final class LastCalibration: AVCaptureDepthDataOutputDelegate, Sendable {
        let queue = DispatchQueue(label: "test.calibrations")
        let last = Lock<AVCameraCalibrationData?>(nil, order: .client)

        func depthDataOutput(
            _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
            connection: AVCaptureConnection
        ) { last.withLock { $0 = depthData.cameraCalibrationData } }
    }

    func testFramesContainTheIntrinsicMatrix() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .hd1280x720, [output])
        let matrices = RecordingMatrices()
        output.setSampleBufferDelegate(matrices, queue: matrices.queue)
        let connection = try XCTUnwrap(output.connection(with: .video))
        func assertMatrix(_ focalLength: Float, _ x: Float, _ y: Float, line: UInt = #line) throws {
            fixture.advance(milliseconds: 100)
            let matrix = try XCTUnwrap(matrices.last, line: line)
            for (actual, expected) in [
                (matrix.columns.0, [focalLength, 0, 0]), (matrix.columns.1, [0, focalLength, 0]),
                (matrix.columns.2, [x, y, 1]),
            ] {
                for index in 0..<3 { XCTAssertEqual(actual[index], expected[index], accuracy: 0.5, line: line) }
            }
        }
        XCTAssertTrue(connection.isCameraIntrinsicMatrixDeliverySupported)
        XCTAssertFalse(connection.isCameraIntrinsicMatrixDeliveryEnabled)
        session.startRunning()
        fixture.advance(milliseconds: 40)
        XCTAssertNil(matrices.last)
        connection.isCameraIntrinsicMatrixDeliveryEnabled = true
        // A lens of 24 mm on a frame that is 36 mm wide.
        try assertMatrix(1280 * 24 / 36, 640, 360)
        connection.videoRotationAngle = 90
        try assertMatrix(1280 * 24 / 36, 360, 640)
        output.videoSettings = [kCVPixelBufferWidthKey: 360, kCVPixelBufferHeightKey: 640]
        try assertMatrix(640 * 24 / 36, 180, 320)
        let device = try fixture.device("phone.back-wide")
        try device.lockForConfiguration()
        device.videoZoomFactor = 2
        device.unlockForConfiguration()
        try assertMatrix(640 * 24 / 36 * 2, 180, 320)
        connection.preferredVideoStabilizationMode = .standard
        XCTAssertFalse(connection.isCameraIntrinsicMatrixDeliverySupported)
        XCTAssertFalse(connection.isCameraIntrinsicMatrixDeliveryEnabled)
        fixture.advance(milliseconds: 100)
        XCTAssertNil(matrices.last)
        fixture.assertMisuse(.invalidArgument) { connection.isCameraIntrinsicMatrixDeliveryEnabled = true }
        session.stopRunning()
    }

    func testTheMatrixEqualsThatOfTheDepthCalibration() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (video, depth) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCaptureDepthDataOutput()) }
        let session = try fixture.makeSession(
            camera: "phone.front-true-depth", microphone: nil, preset: .vga640x480, [video, depth])
        let (matrices, calibrations) = (RecordingMatrices(), LastCalibration())
        video.setSampleBufferDelegate(matrices, queue: matrices.queue)
        depth.setDelegate(calibrations, callbackQueue: calibrations.queue)
        video.connection(with: .video)?.isCameraIntrinsicMatrixDeliveryEnabled = true
        session.startRunning()
        fixture.advance(milliseconds: 100)
        session.stopRunning()
        let calibration = try XCTUnwrap(calibrations.last.withLock { $0 })
        let (frameMatrix, depthMatrix) = (try XCTUnwrap(matrices.last), calibration.intrinsicMatrix)
        XCTAssertEqual(calibration.intrinsicMatrixReferenceDimensions, CGSize(width: 640, height: 480))
        XCTAssertEqual(frameMatrix.columns.0[0], depthMatrix.columns.0[0], accuracy: 1)
        XCTAssertEqual(frameMatrix.columns.2[0], depthMatrix.columns.2[0], accuracy: 1)
        XCTAssertEqual(frameMatrix.columns.2[1], depthMatrix.columns.2[1], accuracy: 1)
        fixture.assertNoMisuse()
    }

    func testOtherOutputsDoNotSupportTheIntrinsicMatrix() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (photo, audio) = fixture.inSystem { (AVCapturePhotoOutput(), AVCaptureAudioDataOutput()) }
        let session = try fixture.makeSession(
            camera: "phone.back-wide", microphone: "phone.microphone", [photo, audio])
        for connection in photo.connections + audio.connections {
            XCTAssertFalse(connection.isCameraIntrinsicMatrixDeliverySupported)
            fixture.assertMisuse(.invalidArgument) { connection.isCameraIntrinsicMatrixDeliveryEnabled = true }
            connection.isCameraIntrinsicMatrixDeliveryEnabled = false
        }
        XCTAssertEqual(photo.connections.count + audio.connections.count, 3)
        fixture.assertNoMisuse()
        withExtendedLifetime(session) {}
    }
}
