import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore
@testable import CapturePreview

/// Tests that using objects of two systems together is misuse, and that the message names both systems.
final class JoiningSystemsTests: XCTestCase {
    private func assertNamesBothSystems(_ message: String, file: StaticString = #filePath, line: UInt = #line) {
        for name in ["belongs to capture system with devices from sim", "belongs to the other system"] {
            XCTAssertTrue(message.contains(name), message, file: file, line: line)
        }
    }

    private func makeFixtures() throws -> (CaptureFixture, CaptureFixture) {
        (try CaptureFixture(), try CaptureFixture(name: "the other system"))
    }

    func testASessionAcceptsNoInputOfAnotherSystem() throws {
        let (fixture, other) = try makeFixtures()
        let session = fixture.inSystem { AVCaptureSession() }
        let input = try other.input(CaptureFixture.camera)
        XCTAssertFalse(session.canAddInput(input))
        assertNamesBothSystems(fixture.assertMisuse(.invalidArgument) { session.addInput(input) })
        assertNamesBothSystems(fixture.assertMisuse(.invalidArgument) { session.addInputWithNoConnections(input) })
        XCTAssertEqual(session.inputs, [])
        other.assertNoMisuse()
    }

    func testAnInputBelongsToTheSystemOfItsDevice() throws {
        let (fixture, other) = try makeFixtures()
        let device = try fixture.device(CaptureFixture.camera)
        let input = try other.inSystem { try AVCaptureDeviceInput(device: device) }
        let session = fixture.inSystem { AVCaptureSession() }
        session.addInput(input)
        XCTAssertEqual(session.inputs, [input])
        fixture.assertNoMisuse()
    }

    func testASessionAcceptsNoOutputOfAnotherSystem() throws {
        let (fixture, other) = try makeFixtures()
        let session = fixture.inSystem { AVCaptureSession() }
        let outputs: [AVCaptureOutput] = other.inSystem {
            [AVCaptureVideoDataOutput(), AVCapturePhotoOutput(), AVCaptureMovieFileOutput()]
        }
        for output in outputs {
            XCTAssertFalse(session.canAddOutput(output))
            assertNamesBothSystems(fixture.assertMisuse(.invalidArgument) { session.addOutput(output) })
        }
        XCTAssertEqual(session.outputs, [])
    }

    func testASessionAcceptsNoConnectionWithAnotherSystem() throws {
        let (fixture, other) = try makeFixtures()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession(microphone: nil, [])
        session.addOutputWithNoConnections(output)
        let ports = try other.input(CaptureFixture.camera).ports.filter { $0.mediaType == .video }
        let connection = AVCaptureConnection(inputPorts: ports, output: output)
        XCTAssertFalse(session.canAddConnection(connection))
        assertNamesBothSystems(fixture.assertMisuse(.invalidArgument) { session.addConnection(connection) })
        let layer = other.inSystem { AVCaptureVideoPreviewLayer() }
        let port = try XCTUnwrap(session.inputs.first?.ports.first { $0.mediaType == .video })
        let preview = AVCaptureConnection(inputPort: port, videoPreviewLayer: layer)
        assertNamesBothSystems(fixture.assertMisuse(.invalidArgument) { session.addConnection(preview) })
    }

    func testAPreviewLayerAcceptsNoSessionOfAnotherSystem() throws {
        let (fixture, other) = try makeFixtures()
        let layer = fixture.inSystem { AVCaptureVideoPreviewLayer() }
        let session = try other.makeSession([])
        assertNamesBothSystems(fixture.assertMisuse(.invalidArgument) { layer.session = session })
        assertNamesBothSystems(fixture.assertMisuse(.invalidArgument) { layer.setSessionWithNoConnection(session) })
        XCTAssertNil(layer.session)
        XCTAssertNotNil(fixture.inSystem { AVCaptureVideoPreviewLayer(session: session) }.connection)
        fixture.assertNoMisuse()
    }

    func testARotationCoordinatorUsesNoLayerOfAnotherSystem() throws {
        let (fixture, other) = try makeFixtures()
        let device = try fixture.device(CaptureFixture.camera)
        let layer = other.inSystem { AVCaptureVideoPreviewLayer() }
        assertNamesBothSystems(
            fixture.assertMisuse(.invalidArgument) {
                XCTAssertNil(AVCaptureDevice.RotationCoordinator(device: device, previewLayer: layer).previewLayer)
            })
    }

    func testASynchronizerUsesTheOutputsOfOneSystem() throws {
        let (fixture, other) = try makeFixtures()
        let (video, audio) = (
            fixture.inSystem { AVCaptureVideoDataOutput() }, other.inSystem { AVCaptureAudioDataOutput() }
        )
        var outputs: [AVCaptureOutput] = []
        assertNamesBothSystems(
            fixture.assertMisuse(.invalidArgument) {
                outputs = AVCaptureDataOutputSynchronizer(dataOutputs: [video, audio]).dataOutputs
            })
        XCTAssertEqual(outputs, [video])
    }

    func testEachSystemCountsItsOwnPhotoSettings() throws {
        let (fixture, other) = try makeFixtures()
        for current in [fixture, other] {
            XCTAssertEqual(current.inSystem { AVCapturePhotoSettings().uniqueID }, 1)
            XCTAssertEqual(current.inSystem { AVCapturePhotoSettings(from: AVCapturePhotoSettings()).uniqueID }, 3)
        }
    }

    func testThePreferredCameraIsOneOfTheCallersSystem() throws {
        let (fixture, other) = try makeFixtures()
        let camera = try other.device(CaptureFixture.camera)
        assertNamesBothSystems(
            fixture.assertMisuse(.invalidArgument) { AVCaptureDevice.userPreferredCamera = camera })
    }
}
