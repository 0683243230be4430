import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import XCTest

@testable import CaptureCore

final class AVMetadataObjectTests: XCTestCase {
    /// Compares `docs/compatibility.md` with the types that the package can detect, with all detectors installed.
    func testTypesThatAreNeverAvailableAreDocumented() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        func text(_ path: String) throws -> String {
            try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        }
        let declarations = try text("Sources/CaptureCore/Metadata/AVMetadataObject.swift")
        let detected =
            [AVMetadataObject.ObjectType.face] + BarcodeReader.Kind.allCases.map(AVMetadataObject.ObjectType.init)
            + MatrixCodeReader.Kind.allCases.map(AVMetadataObject.ObjectType.init)
        var missing: [String] = []
        for match in declarations.matches(of: /static let (\w+) = ObjectType\(rawValue: "([^"]+)"\)/)
        where !detected.contains(AVMetadataObject.ObjectType(rawValue: String(match.2))) {
            missing.append(String(match.1))
        }
        XCTAssertEqual(missing.count, 13)
        let page = try text("docs/compatibility.md")
        let line = try XCTUnwrap(page.split(separator: "\n").first { $0.hasPrefix("- Metadata objects that") })
        for name in missing { XCTAssertTrue(line.contains("`\(name)`"), name) }
    }

    private func geometry(_ angle: Int, isMirrored: Bool) -> FrameGeometry {
        FrameGeometry(
            frameSize: CGSize(width: 200, height: 100), rotationAngle: angle, isMirrored: isMirrored,
            bounds: CGRect(x: 0, y: 0, width: 100, height: 100), gravity: .resize)
    }

    func testAFaceIsRotatedAndMirroredWithTheFrame() throws {
        let fixture = try CaptureFixture()
        let face = AVMetadataFaceObject(
            faceID: 1, roll: 280, yaw: 30, .init(time: .zero, bounds: .zero, port: nil), misuse: fixture.system.misuse)
        let rotated = try XCTUnwrap(face.transformed(by: geometry(90, isMirrored: false)) as? AVMetadataFaceObject)
        XCTAssertEqual(rotated.rollAngle, 10)
        XCTAssertEqual(rotated.yawAngle, 30)
        let mirrored = try XCTUnwrap(face.transformed(by: geometry(90, isMirrored: true)) as? AVMetadataFaceObject)
        XCTAssertEqual(mirrored.rollAngle, 350)
        XCTAssertEqual(mirrored.yawAngle, 330)
        XCTAssertEqual(mirrored.type, .face)
        fixture.assertNoMisuse()
    }

    func testReadingAnUnknownAngleIsMisuse() throws {
        let fixture = try CaptureFixture()
        let face = AVMetadataFaceObject(
            faceID: 1, roll: nil, yaw: nil, .init(time: .zero, bounds: .zero, port: nil), misuse: fixture.system.misuse)
        XCTAssertFalse(face.hasRollAngle)
        XCTAssertFalse(face.hasYawAngle)
        fixture.assertMisuse(.generic) { _ = face.rollAngle }
        fixture.assertMisuse(.generic) { _ = face.yawAngle }
    }

    func testTheCornersOfACodeAreTransformed() throws {
        let corners = [CGPoint(x: 0, y: 0), CGPoint(x: 0.5, y: 0), CGPoint(x: 0.5, y: 0.5), CGPoint(x: 0, y: 0.5)]
        let code = AVMetadataMachineReadableCodeObject(
            .qr, stringValue: "hello", corners: corners,
            .init(time: .zero, bounds: CGRect(x: 0, y: 0, width: 0.5, height: 0.5), port: nil))
        let rotated = try XCTUnwrap(
            code.transformed(by: geometry(90, isMirrored: false)) as? AVMetadataMachineReadableCodeObject)
        XCTAssertEqual(rotated.bounds, CGRect(x: 50, y: 0, width: 50, height: 50))
        XCTAssertEqual(
            rotated.corners,
            [CGPoint(x: 100, y: 0), CGPoint(x: 100, y: 50), CGPoint(x: 50, y: 50), CGPoint(x: 50, y: 0)])
        XCTAssertEqual(rotated.stringValue, "hello")
        XCTAssertEqual(rotated.type, .qr)
        XCTAssertNil(rotated.descriptor)
    }

    func testTransformedObjectsKeepTheirClassAndIdentifier() {
        let detection = AVMetadataObject.Detection(
            time: .zero, bounds: CGRect(x: 0, y: 0, width: 0.5, height: 0.5), port: nil)
        let objects: [AVMetadataObject] = [
            AVMetadataHumanBodyObject(.humanBody, bodyID: 1, detection),
            AVMetadataHumanFullBodyObject(.humanFullBody, bodyID: 2, detection),
            AVMetadataCatBodyObject(.catBody, bodyID: 3, detection),
            AVMetadataDogBodyObject(.dogBody, bodyID: 4, detection),
            AVMetadataCatHeadObject(objectID: 5, detection), AVMetadataDogHeadObject(objectID: 6, detection),
            AVMetadataSalientObject(objectID: 7, detection), AVMetadataObject(.qr, detection),
        ]
        for (index, object) in objects.enumerated() {
            let rotated = object.transformed(by: geometry(90, isMirrored: false))
            XCTAssertEqual(rotated.bounds, CGRect(x: 50, y: 0, width: 50, height: 50))
            XCTAssertTrue(Swift.type(of: rotated) == Swift.type(of: object))
            XCTAssertEqual(rotated.type, object.type)
            XCTAssertEqual(rotated.objectID, index < 7 ? index + 1 : -1)
            XCTAssertEqual((rotated as? AVMetadataBodyObject)?.bodyID, index < 4 ? index + 1 : nil)
            XCTAssertEqual(rotated.groupID, -1)
            XCTAssertEqual(rotated.cinematicVideoFocusMode, .none)
            XCTAssertFalse(rotated.isFixedFocus)
        }
    }

    func testAnOutputConvertsToPixelsOfItsFrames() throws {
        let fixture = try CaptureFixture()
        let (video, photo) = fixture.inSystem { (AVCaptureVideoDataOutput(), AVCapturePhotoOutput()) }
        let session = try fixture.makeSession(microphone: nil, [video, photo])
        let connection = try XCTUnwrap(video.connection(with: .video))
        let port = try XCTUnwrap(connection.inputPorts.first)
        let object = AVMetadataObject(
            .face, .init(time: .zero, bounds: CGRect(x: 0, y: 0, width: 0.25, height: 0.5), port: port))
        func transformedBounds(_ connection: AVCaptureConnection?, _ output: AVCaptureOutput) -> CGRect? {
            connection.flatMap { output.transformedMetadataObject(for: object, connection: $0) }?.bounds
        }
        XCTAssertEqual(transformedBounds(connection, video), CGRect(x: 0, y: 0, width: 80, height: 120))
        connection.videoRotationAngle = 90
        photo.connection(with: .video)?.videoRotationAngle = 90
        XCTAssertEqual(transformedBounds(connection, video), CGRect(x: 120, y: 0, width: 120, height: 80))
        XCTAssertEqual(
            transformedBounds(photo.connection(with: .video), photo), CGRect(x: 0, y: 0, width: 80, height: 120))
        XCTAssertNil(transformedBounds(connection, photo))
        video.videoSettings = [kCVPixelBufferWidthKey: 120, kCVPixelBufferHeightKey: 160]
        XCTAssertEqual(transformedBounds(connection, video), CGRect(x: 60, y: 0, width: 60, height: 40))
        let half = CGRect(x: 0, y: 0.5, width: 1, height: 0.5)
        XCTAssertEqual(
            video.outputRectConverted(fromMetadataOutputRect: half), CGRect(x: 0, y: 0, width: 60, height: 160))
        XCTAssertEqual(
            video.metadataOutputRectConverted(fromOutputRect: CGRect(x: 0, y: 0, width: 60, height: 160)), half)
        withExtendedLifetime(session) {}
        fixture.assertNoMisuse()
    }
}
