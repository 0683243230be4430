import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore
@testable import CapturePreview

final class AVCaptureVideoPreviewLayerTests: XCTestCase {
    /// The pixels of a BGRA image. Values are in the order B, G, R, A.
    private struct Pixels {
        let width: Int
        let height: Int
        private var values: [SIMD4<Int>] = []

        init(_ buffer: CVPixelBuffer) {
            (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
            values = buffer.withPlane(0) { plane in
                (0..<plane.height).flatMap { y in
                    (0..<plane.width).map { x in
                        let pixel = plane.baseAddress + y * plane.bytesPerRow + 4 * x
                        let bytes = UnsafeRawBufferPointer(start: pixel, count: 4)
                        return SIMD4(Int(bytes[0]), Int(bytes[1]), Int(bytes[2]), Int(bytes[3]))
                    }
                }
            }
        }

        subscript(x: Int, y: Int) -> SIMD4<Int> { values[y * width + x] }

        /// Returns the mean of the nine by nine pixels around a point; nil if they are not all inside the image.
        func mean(at point: CGPoint) -> SIMD4<Double>? {
            let (x, y) = (Int(point.x.rounded(.down)), Int(point.y.rounded(.down)))
            guard (4..<width - 4).contains(x), (4..<height - 4).contains(y) else { return nil }
            var sum = SIMD4<Double>()
            for row in y - 4...y + 4 { for column in x - 4...x + 4 { sum += SIMD4<Double>(self[column, row]) } }
            return sum / 81
        }
    }

    private func makeRunningLayer(
        _ fixture: CaptureFixture, camera: String = CaptureFixture.camera,
        size: CGSize = CGSize(width: 300, height: 260)
    ) throws -> AVCaptureVideoPreviewLayer {
        let session = try fixture.makeSession(camera: camera, microphone: nil, [])
        let layer = AVCaptureVideoPreviewLayer(session: session)
        layer.frame = CGRect(origin: .zero, size: size)
        session.startRunning()
        fixture.advance(milliseconds: 10)
        return layer
    }

    func testTheLayerConnectsToTheSessionsCamera() throws {
        let fixture = try CaptureFixture()
        let session = try fixture.makeSession([])
        let layer = fixture.inSystem { AVCaptureVideoPreviewLayer() }
        XCTAssertNil(layer.connection)
        XCTAssertNil(layer.session)
        layer.session = session
        let connection = try XCTUnwrap(layer.connection)
        XCTAssertTrue(connection.videoPreviewLayer === layer)
        XCTAssertNil(connection.output)
        XCTAssertEqual(connection.inputPorts.map(\.mediaType), [.video])
        XCTAssertTrue(connection.isActive)
        XCTAssertEqual(session.connections, [connection])
        XCTAssertEqual(session.outputs, [])
        layer.session = session
        XCTAssertTrue(layer.connection === connection)
        layer.session = nil
        XCTAssertNil(layer.connection)
        XCTAssertEqual(session.connections, [])
        XCTAssertFalse(connection.isActive)
        fixture.assertNoMisuse()
    }

    func testAConnectionCanBeCreatedManually() throws {
        let fixture = try CaptureFixture()
        let session = try fixture.makeSession([])
        let layer = AVCaptureVideoPreviewLayer(sessionWithNoConnection: session)
        XCTAssertNil(layer.connection)
        XCTAssertTrue(layer.session === session)
        let port = try XCTUnwrap(session.inputs.first?.ports.first)
        let connection = AVCaptureConnection(inputPort: port, videoPreviewLayer: layer)
        XCTAssertTrue(session.canAddConnection(connection))
        session.addConnection(connection)
        XCTAssertTrue(layer.connection === connection)
        XCTAssertFalse(session.canAddConnection(AVCaptureConnection(inputPort: port, videoPreviewLayer: layer)))
        session.removeConnection(connection)
        XCTAssertNil(layer.connection)
        layer.session = nil
        XCTAssertFalse(session.canAddConnection(connection))
        layer.setSessionWithNoConnection(session)
        XCTAssertNil(layer.connection)
        fixture.assertNoMisuse()
    }

    func testTheLayerConnectsToCamerasThatAreAddedLater() throws {
        let fixture = try CaptureFixture(profile: "phone")
        let session = fixture.inSystem { AVCaptureSession() }
        let layer = AVCaptureVideoPreviewLayer(session: session)
        XCTAssertNil(layer.connection)
        let (back, front) = (try fixture.input("phone.back-wide"), try fixture.input("phone.front"))
        session.addInput(back)
        let first = try XCTUnwrap(layer.connection)
        XCTAssertFalse(first.isVideoMirrored)
        session.beginConfiguration()
        session.removeInput(back)
        session.addInput(front)
        session.commitConfiguration()
        let second = try XCTUnwrap(layer.connection)
        XCTAssertFalse(second === first)
        XCTAssertTrue(second.isVideoMirrored)
        second.automaticallyAdjustsVideoMirroring = false
        second.isVideoMirrored = false
        XCTAssertFalse(second.isVideoMirrored)
        second.automaticallyAdjustsVideoMirroring = true
        XCTAssertTrue(second.isVideoMirrored)
        let dataOutput = fixture.inSystem { AVCaptureVideoDataOutput() }
        session.addOutput(dataOutput)
        XCTAssertEqual(dataOutput.connection(with: .video)?.isVideoMirrored, false)
        fixture.assertNoMisuse()
    }

    func testTheLayerRetainsTheSessionButNotViceVersa() throws {
        let fixture = try CaptureFixture()
        var session: AVCaptureSession? = try fixture.makeSession([])
        weak let observed = session
        var layer: AVCaptureVideoPreviewLayer? = session.map { AVCaptureVideoPreviewLayer(session: $0) }
        session?.startRunning()
        session = nil
        fixture.advance(milliseconds: 50)
        XCTAssertEqual(observed?.isRunning, true)
        XCTAssertEqual(observed?.connections.count, 1)
        session = observed
        layer = nil
        XCTAssertNil(layer)
        XCTAssertEqual(session?.connections.count, 0)
        session?.stopRunning()
        session = nil
        XCTAssertNil(observed)
    }

    /// Checks that the pixel at a layer point has the color of the chart at the converted device point.
    func testTheConversionsMatchTheRenderedPixels() throws {
        let fixture = try CaptureFixture(scene: .chart)
        let frames = RecordingFrames(keepsSamples: true)
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        output.videoSettings = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try fixture.makeSession(microphone: nil, [output])
        let layers = [CGSize(width: 300, height: 260), CGSize(width: 180, height: 400)].flatMap { size in
            [AVLayerVideoGravity.resize, .resizeAspect, .resizeAspectFill].flatMap { gravity in
                (0..<8).map { index in
                    let layer = AVCaptureVideoPreviewLayer(session: session)
                    layer.frame = CGRect(origin: CGPoint(x: 30, y: 40), size: size)
                    layer.videoGravity = gravity
                    layer.connection?.videoRotationAngle = CGFloat(index % 4 * 90)
                    layer.connection?.automaticallyAdjustsVideoMirroring = false
                    layer.connection?.isVideoMirrored = index >= 4
                    return layer
                }
            }
        }
        session.startRunning()
        fixture.advance(milliseconds: 10)
        let frame = Pixels(try XCTUnwrap(frames.samples.first?.imageBuffer))
        for layer in layers {
            let image = try XCTUnwrap(layer.renderedImage())
            XCTAssertEqual(CGSize(width: image.width, height: image.height), layer.bounds.size)
            let rendered = Pixels(image.pixelBuffer)
            let geometry = layer.geometry
            var (compared, sum, mirroredSum) = (0, 0.0, 0.0)
            for y in 0..<12 {
                for x in 0..<12 {
                    let device = CGPoint(x: (Double(x) + 0.5) / 12, y: (Double(y) + 0.5) / 12)
                    let point = layer.layerPointConverted(fromCaptureDevicePoint: device)
                    let convertedBack = layer.captureDevicePointConverted(fromLayerPoint: point)
                    XCTAssertEqual(convertedBack.x, device.x, accuracy: 1e-9)
                    XCTAssertEqual(convertedBack.y, device.y, accuracy: 1e-9)
                    let source = CGPoint(x: device.x * 320, y: device.y * 240)
                    guard let expected = frame.mean(at: source), let found = rendered.mean(at: point),
                        let mirrored = frame.mean(at: CGPoint(x: 320 - source.x, y: source.y))
                    else { continue }
                    compared += 1
                    let difference = expected - found
                    sum += (difference * difference).sum().squareRoot()
                    let other = mirrored - found
                    mirroredSum += (other * other).sum().squareRoot()
                }
            }
            XCTAssertGreaterThan(compared, geometry.gravity == .resizeAspectFill ? 30 : 100)
            // Scaling changes only edges; the opposite side of the chart differs everywhere.
            XCTAssertLessThan(sum / Double(compared), 25, "\(geometry)")
            XCTAssertGreaterThan(mirroredSum, 3 * sum, "\(geometry)")
            // Letterbox bars are black.
            if geometry.gravity == .resizeAspect {
                let bar = geometry.frameRect.minX > 1 ? CGPoint(x: 0, y: 100) : CGPoint(x: 100, y: 0)
                XCTAssertEqual(rendered[Int(bar.x), Int(bar.y)], SIMD4(0, 0, 0, 255), "\(geometry)")
            }
        }
        session.stopRunning()
        fixture.assertNoMisuse()
    }

    func testRectanglesConvertInBothDirections() throws {
        let fixture = try CaptureFixture()
        let layer = try makeRunningLayer(fixture, size: CGSize(width: 320, height: 320))
        let all = CGRect(x: 0, y: 0, width: 1, height: 1)
        XCTAssertEqual(
            layer.layerRectConverted(fromMetadataOutputRect: all), CGRect(x: 0, y: 40, width: 320, height: 240))
        XCTAssertEqual(
            layer.metadataOutputRectConverted(fromLayerRect: CGRect(x: 160, y: 40, width: 160, height: 120)),
            CGRect(x: 0.5, y: 0, width: 0.5, height: 0.5))
        layer.connection?.videoRotationAngle = 90
        XCTAssertEqual(
            layer.metadataOutputRectConverted(fromLayerRect: CGRect(x: 40, y: 0, width: 240, height: 160)),
            CGRect(x: 0, y: 0, width: 0.5, height: 1))
        layer.bounds = .zero
        XCTAssertEqual(layer.captureDevicePointConverted(fromLayerPoint: CGPoint(x: 3, y: 4)), .zero)
        layer.session?.stopRunning()
    }

    func testTheLastFrameStaysUntilTheSessionIsRemoved() throws {
        let fixture = try CaptureFixture(scene: .chart)
        let session = try fixture.makeSession(microphone: nil, [])
        let layer = AVCaptureVideoPreviewLayer(session: session)
        session.startRunning()
        fixture.advance(milliseconds: 40)
        XCTAssertNil(layer.renderedImage(), "without bounds there are no pixels")
        layer.bounds.size = CGSize(width: 320, height: 240)
        func counter() -> UInt32? {
            layer.renderedImage(scale: 2).flatMap { FrameMarker.read(from: $0.pixelBuffer)?.counter }
        }
        XCTAssertEqual(counter(), 1)
        fixture.advance(milliseconds: 100)
        XCTAssertEqual(counter(), 4)
        session.stopRunning()
        XCTAssertEqual(counter(), 4)
        layer.isHidden = true
        XCTAssertNil(layer.renderedImage())
        layer.isHidden = false
        layer.session = nil
        XCTAssertNil(layer.renderedImage())
    }

    func testIsPreviewingIsReportedWhenFramesStartAndStop() throws {
        let fixture = try CaptureFixture()
        let session = try fixture.makeSession(microphone: nil, [])
        let layer = AVCaptureVideoPreviewLayer(session: session)
        let reported = Lock<[Bool]>([])
        let observation = layer.observe(\.isPreviewing, options: .new) { _, change in
            reported.withLock { $0.append(change.newValue ?? false) }
        }
        session.startRunning()
        XCTAssertFalse(layer.isPreviewing)
        fixture.advance(milliseconds: 50)
        XCTAssertTrue(layer.isPreviewing)
        layer.connection?.isEnabled = false
        XCTAssertFalse(layer.isPreviewing)
        fixture.advance(milliseconds: 50)
        layer.connection?.isEnabled = true
        fixture.advance(milliseconds: 50)
        session.stopRunning()
        fixture.advance(milliseconds: 0)
        XCTAssertEqual(reported.withLock { $0 }, [true, false, true, false])
        observation.invalidate()
    }

    func testAHandlerReceivesEachFrameExceptWhileBusy() throws {
        let fixture = try CaptureFixture(scene: .chart)
        let clock = fixture.clock
        let layer = try makeRunningLayer(fixture, size: CGSize(width: 160, height: 240))
        layer.videoGravity = .resizeAspectFill
        let (all, slow) = (Lock<[CMTime]>([]), Lock<[CMTime]>([]))
        let formats = Lock<Set<OSType>>([])
        let queue = DispatchQueue(label: "test.preview")
        layer.setFrameHandler(on: queue, scale: 2, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange) {
            sample in
            dispatchPrecondition(condition: .onQueue(queue))
            all.withLock { $0.append(sample.presentationTimeStamp) }
            guard let pixels = sample.imageBuffer else { return XCTFail("no image buffer") }
            XCTAssertEqual(CVPixelBufferGetWidth(pixels), 320)
            XCTAssertEqual(CVPixelBufferGetHeight(pixels), 480)
            formats.withLock { _ = $0.insert(CVPixelBufferGetPixelFormatType(pixels)) }
        }
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(all.withLock { $0.count }, 30)
        XCTAssertEqual(all.withLock { $0 }, all.withLock { $0.sorted() })
        XCTAssertEqual(formats.withLock { $0 }, [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange])
        layer.setFrameHandler(on: queue) { sample in
            slow.withLock { $0.append(sample.presentationTimeStamp) }
            clock.spend(.milliseconds(90))
        }
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(slow.withLock { $0.count }, 10)
        layer.setFrameHandler(on: queue, nil)
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(slow.withLock { $0.count }, 10)
        layer.session?.stopRunning()
    }

    func testOnlyObjectsOfTheLayersCameraAreTransformed() throws {
        let fixture = try CaptureFixture()
        let layer = try makeRunningLayer(fixture, size: CGSize(width: 320, height: 240))
        let port = try XCTUnwrap(layer.connection?.inputPorts.first)
        let bounds = CGRect(x: 0.25, y: 0.5, width: 0.25, height: 0.25)
        func face(_ port: AVCaptureInput.Port?) -> AVMetadataFaceObject {
            AVMetadataFaceObject(
                faceID: 7, roll: 270, yaw: 30, .init(time: .zero, bounds: bounds, port: port),
                misuse: fixture.system.misuse)
        }
        let transformed = try XCTUnwrap(layer.transformedMetadataObject(for: face(port)) as? AVMetadataFaceObject)
        XCTAssertEqual(transformed.bounds, CGRect(x: 80, y: 120, width: 80, height: 60))
        XCTAssertEqual(transformed.faceID, 7)
        XCTAssertNil(layer.transformedMetadataObject(for: face(nil)))
        let other = try fixture.input(CaptureFixture.camera)
        XCTAssertNil(layer.transformedMetadataObject(for: face(other.ports.first)))
        layer.session?.stopRunning()
    }
}
