import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import RecordedDevices
import XCTest

@testable import CaptureCore

/// Tests the libraries that `Sources/Detectors/build` builds, with cameras that deliver a picture.
final class DetectorTests: XCTestCase {
    private final class Listener: AVCaptureMetadataOutputObjectsDelegate, Sendable {
        let queue = DispatchQueue(label: "test.metadata")
        let reported = Lock<[[AVMetadataObject]]>([])

        func metadataOutput(
            _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
            from connection: AVCaptureConnection
        ) {
            reported.withLock { $0.append(metadataObjects) }
        }
    }

    /// Returns the objects of each report of a camera that delivers a picture for one second.
    private func objects(
        of types: [AVMetadataObject.ObjectType], in picture: String
    ) throws -> [[AVMetadataObject]] {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Fixtures/Media/\(picture)").standardizedFileURL.path
        let fixture = try CaptureFixture { clock in [try MediaFileHost(path: path, clock: clock, atEnd: .loop)] }
        let output = fixture.inSystem { AVCaptureMetadataOutput() }
        let session = try fixture.makeSession(
            camera: "file:\(picture):camera", microphone: nil, preset: .inputPriority, [output])
        let listener = Listener()
        output.setMetadataObjectsDelegate(listener, queue: listener.queue)
        output.metadataObjectTypes = types
        session.startRunning()
        fixture.advance(milliseconds: 1000)
        session.stopRunning()
        fixture.assertNoMisuse()
        return listener.reported.withLock { $0 }
    }

    private func skipUnlessInstalled(_ reason: String?) throws {
        if let reason {
            throw XCTSkip("\(reason): run Sources/Detectors/build, and set OBSCURA_DETECTORS to its folder")
        }
    }

    func testARealFaceInAPictureIsFoundAndKeepsItsIdentifier() throws {
        try skipUnlessInstalled(FaceDetector.unavailabilityReason)
        let reports = try objects(of: [.face], in: "face.jpg")
        XCTAssertGreaterThan(reports.count, 1)
        for report in reports {
            XCTAssertEqual(report.count, 1)
            let face = try XCTUnwrap(report.first as? AVMetadataFaceObject)
            XCTAssertEqual(face.faceID, 1)
            XCTAssertEqual(face.rollAngle, 0)
            XCTAssertEqual(face.yawAngle, 0)
            // The positions of the eyes and the chin in the picture.
            XCTAssertTrue(face.bounds.contains(CGPoint(x: 200.0 / 512, y: 112.0 / 512)), "\(face.bounds)")
            XCTAssertTrue(face.bounds.contains(CGPoint(x: 245.0 / 512, y: 112.0 / 512)), "\(face.bounds)")
            XCTAssertTrue(face.bounds.contains(CGPoint(x: 225.0 / 512, y: 165.0 / 512)), "\(face.bounds)")
            XCTAssertLessThan(face.bounds.width, 0.25)
        }
    }

    func testAPictureWithoutFacesHasNone() throws {
        try skipUnlessInstalled(FaceDetector.unavailabilityReason)
        XCTAssertEqual(try objects(of: [.face], in: "matrix-codes.png").count, 0)
    }

    func testMatrixCodesAreReadWithTheirCorners() throws {
        try skipUnlessInstalled(MatrixCodeReader.unavailabilityReason)
        let report = try XCTUnwrap(try objects(of: [.aztec, .dataMatrix, .pdf417], in: "matrix-codes.png").first)
        let codes = report.compactMap { $0 as? AVMetadataMachineReadableCodeObject }
        XCTAssertEqual(
            Dictionary(codes.map { ($0.type, $0.stringValue ?? "") }) { first, _ in first },
            [.aztec: "Aztec: Obscura", .dataMatrix: "Data Matrix: Obscura", .pdf417: "PDF417: Obscura"])
        let matrix = try XCTUnwrap(codes.first { $0.type == .dataMatrix })
        // The code covers the columns 300 … 498 and the rows 61 … 259 of 960x360 pixels.
        XCTAssertEqual(matrix.corners[0].x, 300.0 / 960, accuracy: 0.01)
        XCTAssertEqual(matrix.corners[0].y, 61.0 / 360, accuracy: 0.02)
        XCTAssertEqual(matrix.corners[2].x, 498.0 / 960, accuracy: 0.01)
        XCTAssertEqual(matrix.corners[2].y, 259.0 / 360, accuracy: 0.02)
    }

    func testTypesThatNeedDetectorsAreAvailableIfTheyAreInstalled() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureMetadataOutput() }
        let session = try fixture.makeSession(microphone: nil, [output])
        let types = output.availableMetadataObjectTypes
        XCTAssertEqual(types.contains(.face), FaceDetector.unavailabilityReason == nil)
        XCTAssertEqual(types.contains(.aztec), MatrixCodeReader.unavailabilityReason == nil)
        XCTAssertTrue(types.contains(.qr))
        XCTAssertEqual(session.outputs.count, 1)
    }
}
