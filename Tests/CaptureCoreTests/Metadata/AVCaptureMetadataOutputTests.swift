import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import CaptureCore

final class AVCaptureMetadataOutputTests: XCTestCase {
    private final class Listener: AVCaptureMetadataOutputObjectsDelegate, Sendable {
        let queue = DispatchQueue(label: "test.metadata")
        let reported = Lock<[[AVMetadataObject]]>([])

        func metadataOutput(
            _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
            from connection: AVCaptureConnection
        ) {
            dispatchPrecondition(condition: .onQueue(queue))
            reported.withLock { $0.append(metadataObjects) }
        }

        var codes: [AVMetadataMachineReadableCodeObject] {
            reported.withLock { ($0.last ?? []).compactMap { $0 as? AVMetadataMachineReadableCodeObject } }
        }

        var faces: [AVMetadataFaceObject] {
            reported.withLock { ($0.last ?? []).compactMap { $0 as? AVMetadataFaceObject } }
        }

        var texts: [String: String] {
            Dictionary(codes.map { ($0.type.rawValue, $0.stringValue ?? "") }, uniquingKeysWith: { "\($0), \($1)" })
        }
    }

    /// A simulated clock with one worker, which does its work when the test runs it.
    private final class ManualWorkerClock: CaptureClock {
        final class Worker: ClockWorker {
            private let pending = Lock<[@Sendable () -> Void]>([])

            var pendingCount: Int { pending.withLock { $0.count } }

            func submit(_ work: @escaping @Sendable () -> Void) { pending.withLock { $0.append(work) } }

            func runPendingWork() {
                let works = pending.withLock { pending in
                    defer { pending = [] }
                    return pending
                }
                for work in works { work() }
            }
        }

        let base = SimClock()
        let worker = Worker()

        var now: CMTime { base.now }
        var isVirtual: Bool { base.isVirtual }

        func date(at time: CMTime) -> Date { base.date(at: time) }

        func schedule(at deadline: CMTime, _ action: @escaping @Sendable () -> Void) -> ClockTimer {
            base.schedule(at: deadline, action)
        }

        func deliver(
            on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void,
            finished: @escaping @Sendable () -> Void
        ) {
            base.deliver(on: queue, callback, finished: finished)
        }

        func spend(_ cost: Duration) { base.spend(cost) }

        func makeWorker(label: String) -> any ClockWorker { worker }
    }

    private func makeSession(
        scene: SimScene = .shelf, camera: String = "phone.back-wide",
        orientation: DeviceOrientation = .landscapeLeft, states: [ProtectedResource: AuthorizationState] = [:]
    ) throws -> (
        fixture: CaptureFixture, session: AVCaptureSession, output: AVCaptureMetadataOutput, listener: Listener
    ) {
        let fixture = try CaptureFixture(
            profile: "phone", scene: scene, orientation: orientation, states: states,
            answers: [.video: .never])
        let output = fixture.inSystem { AVCaptureMetadataOutput() }
        let session = try fixture.makeSession(camera: camera, microphone: nil, preset: .hd1280x720, [output])
        let listener = Listener()
        output.setMetadataObjectsDelegate(listener, queue: listener.queue)
        return (fixture, session, output, listener)
    }

    func testCodesAreDecodedWithTheirPositions() throws {
        let (fixture, session, output, listener) = try makeSession()
        XCTAssertTrue(output.metadataObjectsDelegate === listener)
        XCTAssertTrue(output.metadataObjectsCallbackQueue === listener.queue)
        XCTAssertEqual(output.metadataObjectTypes, [])
        output.metadataObjectTypes = [.qr, .ean13, .upce, .code128]
        session.startRunning()
        fixture.advance(milliseconds: 40)
        XCTAssertEqual(
            listener.texts,
            [
                "org.iso.QRCode": "https://example.org/obscura", "org.gs1.EAN-13": "4012345678901",
                "org.gs1.UPC-E": "01234565", "org.iso.Code128": "OBSCURA-2026",
            ])
        let qr = try XCTUnwrap(listener.codes.first { $0.type == .qr })
        // The code is at (-0.13 m, -0.11 m), at a distance of 0.5 m. With a 24 mm lens, the view at 1 m is 1.5 m wide.
        XCTAssertEqual(qr.bounds.midX, 0.5 - 0.13 / 0.5 / 1.5, accuracy: 0.01)
        XCTAssertEqual(qr.bounds.midY, 0.5 + 0.11 / 0.5 / (1.5 * 720 / 1280), accuracy: 0.02)
        // The corners are counterclockwise from the upper left.
        XCTAssertEqual(qr.corners.count, 4)
        XCTAssertLessThan(qr.corners[0].y, qr.corners[1].y)
        XCTAssertLessThan(qr.corners[1].x, qr.corners[2].x)
        XCTAssertLessThan(qr.corners[3].y, qr.corners[2].y)
        // The last reported codes are those of the second frame.
        XCTAssertEqual(qr.time.seconds, 1.0 / 30, accuracy: 1e-6)
        XCTAssertEqual(qr.duration.seconds, 1.0 / 30, accuracy: 1e-6)
        let connection = try XCTUnwrap(output.connections.first)
        let transformed = try XCTUnwrap(output.transformedMetadataObject(for: qr, connection: connection))
        XCTAssertEqual(transformed.bounds.width, qr.bounds.width * 1280, accuracy: 1e-6)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testTheConnectionUsesTheMetadataObjectPort() throws {
        let (fixture, session, output, listener) = try makeSession()
        XCTAssertNil(output.connection(with: .video))
        let connection = try XCTUnwrap(output.connection(with: .metadataObject))
        let port = try XCTUnwrap(connection.inputPorts.first)
        XCTAssertEqual(port.mediaType, .metadataObject)
        XCTAssertEqual(session.inputs[0].ports.map(\.mediaType), [.video, .metadataObject])
        XCTAssertNil(port.formatDescription)
        XCTAssertFalse(connection.isVideoOrientationSupported)
        output.metadataObjectTypes = [.qr]
        session.startRunning()
        fixture.advance(milliseconds: 40)
        XCTAssertEqual(listener.codes.map(\.type), [.qr])
        // The connection does not depend on the video port. It is inactive while its own port is disabled.
        session.inputs[0].ports[0].isEnabled = false
        listener.reported.withLock { $0 = [] }
        fixture.advance(milliseconds: 70)
        XCTAssertGreaterThan(listener.reported.withLock { $0.count }, 0)
        port.isEnabled = false
        fixture.advance(milliseconds: 70)
        listener.reported.withLock { $0 = [] }
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(listener.reported.withLock { $0.count }, 0)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testAMultiCamSessionCanConnectThePortManually() throws {
        let fixture = try CaptureFixture(profile: "phone", scene: .shelf)
        let session = fixture.inSystem { AVCaptureMultiCamSession() }
        let (input, output) = (try fixture.input("phone.back-wide"), fixture.inSystem { AVCaptureMetadataOutput() })
        session.addInputWithNoConnections(input)
        session.addOutputWithNoConnections(output)
        XCTAssertEqual(output.availableMetadataObjectTypes, [])
        let video = try XCTUnwrap(input.ports.first { $0.mediaType == .video })
        XCTAssertFalse(session.canAddConnection(AVCaptureConnection(inputPorts: [video], output: output)))
        let port = try XCTUnwrap(
            input.ports(
                for: .metadataObject, sourceDeviceType: input.device.deviceType, sourceDevicePosition: .back
            ).first)
        session.addConnection(AVCaptureConnection(inputPorts: [port], output: output))
        let listener = Listener()
        output.setMetadataObjectsDelegate(listener, queue: listener.queue)
        output.metadataObjectTypes = [.qr]
        session.startRunning()
        fixture.advance(milliseconds: 40)
        XCTAssertEqual(listener.codes.map(\.type), [.qr])
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testAvailableTypesCanBeObserved() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let (session, output) = fixture.inSystem { (AVCaptureSession(), AVCaptureMetadataOutput()) }
        let reported = Lock<[Bool]>([])
        let observation = output.observe(\.availableMetadataObjectTypes) { output, _ in
            let isAvailable = output.availableMetadataObjectTypes.contains(.qr)
            reported.withLock { $0.append(isAvailable) }
        }
        session.addOutput(output)
        session.beginConfiguration()
        session.addInput(try fixture.input("phone.back-wide"))
        // The types are available before the commit, because clients select types in the open configuration.
        XCTAssertEqual(reported.withLock { $0 }, [true])
        session.commitConfiguration()
        session.addOutput(fixture.inSystem { AVCaptureVideoDataOutput() })
        session.removeInput(session.inputs[0])
        XCTAssertEqual(reported.withLock { $0 }, [true, false])
        observation.invalidate()
        fixture.assertNoMisuse()
    }

    func testOnlyRequestedTypesAreReported() throws {
        let (fixture, session, output, listener) = try makeSession()
        session.startRunning()
        fixture.advance(milliseconds: 40)
        XCTAssertEqual(listener.reported.withLock { $0.count }, 0)
        output.metadataObjectTypes = [.ean13, .code128]
        fixture.advance(milliseconds: 34)
        XCTAssertEqual(Set(listener.texts.keys), ["org.gs1.EAN-13", "org.iso.Code128"])
        // Only codes in the upper half of the frame are reported.
        output.rectOfInterest = CGRect(x: 0, y: 0, width: 1, height: 0.5)
        fixture.advance(milliseconds: 34)
        XCTAssertEqual(Array(listener.texts.keys), ["org.iso.Code128"])
        XCTAssertLessThan(try XCTUnwrap(listener.codes.first).bounds.maxY, 0.5)
        output.metadataObjectTypes = []
        listener.reported.withLock { $0 = [] }
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(listener.reported.withLock { $0.map(\.count) }, [0], "their disappearance is reported once")
        session.stopRunning()
    }

    func testARectangleInOtherCoordinatesIsReportedAsAWarning() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureMetadataOutput() }
        let warnings = Lock<[String]>([], order: .client)
        let observation = fixture.system.warnings.observe { warning in warnings.withLock { $0.append(warning) } }
        let valid = [
            CGRect(x: 0, y: 0, width: 1, height: 1), CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5),
            // A layer with the gravity `resizeAspect` shows more than the frame.
            CGRect(x: -0.4, y: 0, width: 1.8, height: 1),
        ]
        for rect in valid { output.rectOfInterest = rect }
        XCTAssertEqual(warnings.withLock { $0 }, [])
        let wrong = [
            CGRect(x: 40, y: 120, width: 240, height: 240), CGRect(x: 0, y: 0, width: 375, height: 667),
            CGRect(x: 1, y: 0, width: 0.5, height: 1), CGRect.zero, CGRect.null,
        ]
        for rect in wrong {
            output.rectOfInterest = rect
            XCTAssertEqual(output.rectOfInterest, rect)
        }
        XCTAssertEqual(warnings.withLock { $0.count }, wrong.count)
        XCTAssertEqual(
            warnings.withLock { $0.first },
            "rectOfInterest of the metadata output is set to (40.0, 120.0, 240.0, 240.0), which is not in the "
                + "coordinates of the frame, (0, 0) to (1, 1); convert it with "
                + "metadataOutputRectConverted(fromLayerRect:) of the preview layer")
        observation.cancel()
        fixture.assertNoMisuse()
    }

    func testACodePartlyInsideTheRectOfInterestIsReported() throws {
        let (fixture, session, output, listener) = try makeSession()
        output.metadataObjectTypes = [.qr]
        session.startRunning()
        fixture.advance(milliseconds: 10)
        let bounds = try XCTUnwrap(listener.codes.first).bounds
        for (rect, count) in [
            (CGRect(x: 0, y: 0, width: bounds.midX, height: 1), 1),
            (CGRect(x: bounds.midX, y: bounds.midY, width: 0.01, height: 0.01), 1),
            (CGRect(x: 0, y: 0, width: bounds.minX - 0.01, height: 1), 0),
            (CGRect(x: 0, y: bounds.maxY + 0.01, width: 1, height: 0.1), 0),
            (CGRect(x: bounds.maxX - 0.01, y: bounds.minY - 0.1, width: 0.5, height: 0.11), 1),
            (CGRect(), 0),
        ] {
            output.rectOfInterest = rect
            listener.reported.withLock { $0 = [] }
            fixture.advance(milliseconds: 34)
            XCTAssertEqual(listener.codes.count, count, "\(rect)")
        }
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testObjectsThatAreDetectedAfterTheSessionHasStoppedAreNotReported() throws {
        let clock = ManualWorkerClock()
        let host = try SimHost(profile: "phone", scene: .shelf, orientation: .landscapeLeft, clock: clock)
        let system = CaptureSystem(hosts: [host], clock: clock, notificationCenter: NotificationCenter(), seed: 1)
        let (session, output) = system.run { (AVCaptureSession(), AVCaptureMetadataOutput()) }
        try system.run {
            let camera = try XCTUnwrap(AVCaptureDevice(uniqueID: "phone.back-wide"))
            session.addInput(try AVCaptureDeviceInput(device: camera))
            session.sessionPreset = .hd1280x720
            session.addOutput(output)
        }
        let listener = Listener()
        output.setMetadataObjectsDelegate(listener, queue: listener.queue)
        output.metadataObjectTypes = [.qr]
        session.startRunning()
        clock.base.advance(by: .milliseconds(10))
        XCTAssertEqual(clock.worker.pendingCount, 1)
        session.stopRunning()
        clock.worker.runPendingWork()
        clock.base.settle()
        XCTAssertEqual(listener.reported.withLock { $0.count }, 0)
        // Since no objects were reported, their disappearance is not reported either.
        output.metadataObjectTypes = []
        session.startRunning()
        clock.base.advance(by: .milliseconds(10))
        clock.worker.runPendingWork()
        clock.base.settle()
        XCTAssertEqual(listener.reported.withLock { $0.count }, 0)
        session.stopRunning()
    }

    func testASceneWithoutCodesReportsNothing() throws {
        let (fixture, session, output, listener) = try makeSession(scene: .grey)
        output.metadataObjectTypes = output.availableMetadataObjectTypes
        session.startRunning()
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(listener.reported.withLock { $0.count }, 0)
        session.stopRunning()
    }

    func testTypesAreAvailableWithACameraAndOthersAreMisuse() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let output = fixture.inSystem { AVCaptureMetadataOutput() }
        XCTAssertEqual(output.availableMetadataObjectTypes, [])
        fixture.assertMisuse(.invalidArgument) { output.metadataObjectTypes = [.qr] }
        fixture.assertMisuse(.invalidArgument) { output.setMetadataObjectsDelegate(Listener(), queue: nil) }
        output.setMetadataObjectsDelegate(nil, queue: nil)
        let session = try fixture.makeSession(camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [output])
        XCTAssertTrue(output.availableMetadataObjectTypes.contains(.qr))
        fixture.assertMisuse(.invalidArgument) { output.metadataObjectTypes = [.qr, .humanBody] }
        XCTAssertEqual(output.metadataObjectTypes, [])
        output.metadataObjectTypes = [.qr, .ean8]
        XCTAssertEqual(output.metadataObjectTypes, [.qr, .ean8])
        output.metadataObjectTypes = nil
        XCTAssertEqual(output.metadataObjectTypes, [])
        XCTAssertEqual(output.rectOfInterest, CGRect(x: 0, y: 0, width: 1, height: 1))
        withExtendedLifetime(session) {}
        fixture.assertNoMisuse()
    }

    // MARK: Faces

    func testFacesAreReportedWithTheirPositionsAndAngles() throws {
        let (fixture, session, output, listener) = try makeSession(scene: .portrait)
        XCTAssertTrue(output.availableMetadataObjectTypes.contains(.face))
        output.metadataObjectTypes = [.face]
        session.startRunning()
        fixture.advance(milliseconds: 40)
        let first = listener.faces
        XCTAssertEqual(first.count, 3)
        // The nearest person is 0.9 m away. With a 24 mm lens, the view at 1 m is 1.5 m wide.
        let face = try XCTUnwrap(first.first)
        XCTAssertEqual(face.type, .face)
        XCTAssertEqual(face.bounds.midX, 0.5 + 0.05 / 0.9 / 1.5, accuracy: 0.01)
        XCTAssertEqual(face.bounds.height, 0.22 / 0.9 / (1.5 * 720 / 1280), accuracy: 0.001)
        XCTAssertTrue(face.hasRollAngle)
        XCTAssertEqual(face.rollAngle, 0)
        XCTAssertTrue(face.hasYawAngle)
        XCTAssertEqual(face.yawAngle, 0)
        XCTAssertEqual(face.time.seconds, 1.0 / 30, accuracy: 1e-6)
        XCTAssertEqual(face.duration.seconds, 1.0 / 30, accuracy: 1e-6)
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(listener.faces.map(\.faceID), first.map(\.faceID))
        XCTAssertNotEqual(listener.faces.map(\.bounds), first.map(\.bounds), "the heads sway")
        // Only faces on the right are reported.
        output.rectOfInterest = CGRect(x: 0.6, y: 0, width: 0.4, height: 1)
        fixture.advance(milliseconds: 34)
        XCTAssertEqual(listener.faces.count, 1)
        output.metadataObjectTypes = [.qr]
        listener.reported.withLock { $0 = [] }
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(listener.reported.withLock { $0.map(\.count) }, [0])
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testFacesAreMirroredAndRotatedWithAConnection() throws {
        let (fixture, session, output, listener) = try makeSession(
            scene: .portrait, camera: "phone.front", orientation: .portrait)
        let video = fixture.inSystem { AVCaptureVideoDataOutput() }
        session.addOutput(video)
        output.metadataObjectTypes = [.face]
        session.startRunning()
        fixture.advance(milliseconds: 40)
        let face = try XCTUnwrap(listener.faces.first)
        // The sensor is mounted in landscape.
        XCTAssertEqual(face.rollAngle, 270)
        XCTAssertGreaterThan(face.bounds.width * 1280, face.bounds.height * 720)
        let connection = try XCTUnwrap(video.connection(with: .video))
        connection.videoRotationAngle = 90
        func transformedFace() throws -> AVMetadataFaceObject {
            let object =
                output.transformedMetadataObject(for: face, connection: connection)
                ?? video.transformedMetadataObject(for: face, connection: connection)
            return try XCTUnwrap(object as? AVMetadataFaceObject)
        }
        let upright = try transformedFace()
        XCTAssertEqual(upright.rollAngle, 0)
        XCTAssertEqual(upright.faceID, face.faceID)
        XCTAssertGreaterThan(upright.bounds.midX, 360, "the nearest person is to the right of the center")
        XCTAssertGreaterThan(upright.bounds.height, upright.bounds.width)
        connection.isVideoMirrored = true
        let mirrored = try transformedFace()
        XCTAssertEqual(mirrored.bounds.minX, 720 - upright.bounds.maxX, accuracy: 1e-6)
        XCTAssertEqual(mirrored.bounds.minY, upright.bounds.minY, accuracy: 1e-6)
        XCTAssertEqual(mirrored.bounds.size.width, upright.bounds.size.width, accuracy: 1e-6)
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testFacesAreNotReportedWithoutAuthorization() throws {
        let (fixture, session, output, listener) = try makeSession(scene: .portrait, states: [.video: .notDetermined])
        output.metadataObjectTypes = [.face]
        session.startRunning()
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(listener.reported.withLock { $0.count }, 0)
        session.stopRunning()
    }

    func testFacesOfACameraThatDoesNotDetectThemAreMisuse() throws {
        let fixture = try CaptureFixture(scene: .portrait)
        let output = fixture.inSystem { AVCaptureMetadataOutput() }
        let session = try fixture.makeSession(microphone: nil, [output])
        XCTAssertFalse(output.availableMetadataObjectTypes.contains(.face))
        fixture.assertMisuse(.invalidArgument) { output.metadataObjectTypes = [.face] }
        withExtendedLifetime(session) {}
    }
}
