import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore
@testable import CapturePreview
@testable import MediaAssets

/// Tests that images are upright in each orientation of the device if the app uses the angles of the rotation
/// coordinator.
///
/// The scene is an upright board with four colored quarters.
final class DeviceOrientationTests: XCTestCase {
    private static let orientations: [DeviceOrientation] = [
        .portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight,
    ]
    /// The quarters of the scene's board in the order upper left, upper right, lower left, lower right.
    private static let upright = "red green blue white"
    private static let mirrored = "green red white blue"

    /// Returns a system with a phone in front of a board with four colored quarters.
    private func makeFixture(_ orientation: DeviceOrientation, profile: String = "phone") throws -> CaptureFixture {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("board-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // An error is ignored, because the operating system cleans up temporary files.
        defer { try? FileManager.default.removeItem(at: folder) }
        let board = try XCTUnwrap(CVPixelBuffer(width: 64, height: 64, pixelFormat: kCVPixelFormatType_32BGRA))
        let colors: [UInt32] = [0xffc0_3030, 0xff30_a030, 0xff30_30c0, 0xffd0_d0d0]
        board.withPlane(0) { plane in
            for y in 0..<64 {
                for x in 0..<64 {
                    (plane.baseAddress + y * plane.bytesPerRow).storeBytes(
                        of: colors[y / 32 * 2 + x / 32], toByteOffset: 4 * x, as: UInt32.self)
                }
            }
        }
        try PNGCodec().encode(board).write(to: folder.appendingPathComponent("board.png"))
        let file = try SceneFile(
            yaml: "scene: 1\nname: board\nlayers: [{picture: board.png, depth: 1 m, width: 60 cm}]\n",
            file: folder.appendingPathComponent("board.yaml").path)
        return try CaptureFixture(profile: profile, scene: .file(file), orientation: orientation)
    }

    /// Rotates an image with a shorter side of 480 pixels, and returns the names of the colors of the board's quarters.
    private func quarters(_ image: CVPixelBuffer, rotated rotation: PixelRotation = .none) throws -> String {
        let size = PixelTransform(rotation: rotation).naturalSize(width: image.width, height: image.height)
        let pixels = try XCTUnwrap(
            CVPixelBuffer(width: size.width, height: size.height, pixelFormat: kCVPixelFormatType_32BGRA))
        try PixelConverter().convert(image, to: pixels, PixelTransform(rotation: rotation))
        func color(_ x: Int, _ y: Int) -> String {
            var sums = [0, 0, 0]
            pixels.withPlane(0) { plane in
                for row in y - 8..<y + 8 {
                    for column in x - 8..<x + 8 {
                        for channel in 0..<3 {
                            let offset = row * plane.bytesPerRow + 4 * column + channel
                            sums[channel] += Int(plane.baseAddress.load(fromByteOffset: offset, as: UInt8.self))
                        }
                    }
                }
            }
            let (least, most) = (sums.min() ?? 0, sums.max() ?? 0)
            if least * 10 > most * 7 { return "white" }
            return ["blue", "green", "red"][sums.firstIndex(of: most) ?? 0]
        }
        let (x, y) = (size.width / 2, size.height / 2)
        // The points 55 pixels from the center, horizontally and vertically, are inside the quarters.
        return [color(x - 55, y - 55), color(x + 55, y - 55), color(x - 55, y + 55), color(x + 55, y + 55)]
            .joined(separator: " ")
    }

    func testImagesAreUprightInEachOrientation() throws {
        for camera in ["phone.back-wide", "phone.front"] {
            for orientation in Self.orientations {
                let name = "\(camera) \(orientation)"
                let capture = try makeFixture(orientation)
                let (frames, photos) = (RecordingFrames(keepsSamples: true), RecordingPhotos())
                let (data, photo) = capture.inSystem { (AVCaptureVideoDataOutput(), AVCapturePhotoOutput()) }
                data.setSampleBufferDelegate(frames, queue: frames.queue)
                let fixture = try MovieRecordingFixture(
                    capture, camera: camera, microphone: nil, preset: .vga640x480, otherOutputs: [data, photo])
                let layer = AVCaptureVideoPreviewLayer(session: fixture.session)
                let coordinator = AVCaptureDevice.RotationCoordinator(
                    device: try capture.device(camera), previewLayer: layer)
                let angle = coordinator.videoRotationAngleForHorizonLevelCapture
                for output in [fixture.movie, data, photo] {
                    output.connection(with: .video)?.videoRotationAngle = angle
                }
                XCTAssertEqual(layer.connection?.videoRotationAngle, 90, "before the app sets it; \(name)")
                layer.connection?.videoRotationAngle = coordinator.videoRotationAngleForHorizonLevelPreview
                let isPortrait = orientation == .portrait || orientation == .portraitUpsideDown
                let size = isPortrait ? CGSize(width: 480, height: 640) : CGSize(width: 640, height: 480)
                layer.frame = CGRect(origin: .zero, size: size)
                fixture.start()
                fixture.record()
                photo.capturePhoto(with: AVCapturePhotoSettings(), delegate: photos)
                fixture.advance(milliseconds: 300)
                fixture.stopRecording()

                let frame = try XCTUnwrap(frames.samples.last?.imageBuffer, name)
                XCTAssertEqual(CGSize(width: frame.width, height: frame.height), size, name)
                XCTAssertEqual(try quarters(frame), Self.upright, "data output, \(name)")
                let file = try XCTUnwrap(photos.photos.first?.fileDataRepresentation(), name)
                let degrees = try XCTUnwrap(
                    [1: 0, 3: 180, 6: 90, 8: 270][JPEGSegments(file).exif()?.orientation?.rawValue ?? 0], name)
                XCTAssertEqual(
                    try quarters(JPEGCodec().decode(file).pixels, rotated: XCTUnwrap(PixelRotation(degrees: degrees))),
                    Self.upright, "photo, \(name)")
                let generator = AVAssetImageGenerator(asset: AVURLAsset(url: capture.url("a.mov")))
                generator.appliesPreferredTrackTransform = true
                let image = try generator.copyCGImage(at: CMTime(value: 1, timescale: 5), actualTime: nil)
                XCTAssertEqual(try quarters(image.pixelBuffer), Self.upright, "movie, \(name)")
                let preview = try XCTUnwrap(layer.renderedImage(scale: 1), name)
                XCTAssertEqual(
                    try quarters(preview.pixelBuffer), camera == "phone.front" ? Self.mirrored : Self.upright,
                    "preview, \(name)")
                fixture.session.stopRunning()
                capture.assertNoMisuse()
            }
        }
    }

    func testAPreviewIsUprightWithoutSettingsWhenThePhoneIsHeldUpright() throws {
        for (camera, expected) in [("phone.back-wide", Self.upright), ("phone.front", Self.mirrored)] {
            let capture = try makeFixture(.portrait)
            let session = try capture.makeSession(camera: camera, microphone: nil, preset: .vga640x480, [])
            let layer = AVCaptureVideoPreviewLayer(session: session)
            layer.frame = CGRect(x: 0, y: 0, width: 480, height: 640)
            session.startRunning()
            capture.advance(milliseconds: 100)
            let preview = try XCTUnwrap(layer.renderedImage(scale: 1))
            XCTAssertEqual(try quarters(preview.pixelBuffer), expected, camera)
            session.stopRunning()
        }
    }

    func testFramesStayUprightWhileTheDeviceIsRotated() throws {
        let capture = try makeFixture(.portrait)
        let frames = RecordingFrames(keepsSamples: true)
        let data = capture.inSystem { AVCaptureVideoDataOutput() }
        data.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try capture.makeSession(
            camera: "phone.back-wide", microphone: nil, preset: .vga640x480, [data])
        let connection = try XCTUnwrap(data.connection(with: .video))
        let coordinator = AVCaptureDevice.RotationCoordinator(
            device: try capture.device("phone.back-wide"), previewLayer: nil)
        let observation = coordinator.observe(
            \.videoRotationAngleForHorizonLevelCapture, options: [.initial, .new]
        ) { [weak connection] _, change in
            if let angle = change.newValue { connection?.videoRotationAngle = angle }
        }
        session.startRunning()
        for orientation in Self.orientations + [.faceUp, .portrait] {
            capture.system.orientation.rotate(to: orientation)
            frames.clear()
            capture.advance(milliseconds: 70)
            XCTAssertFalse(frames.samples.isEmpty)
            for sample in frames.samples {
                XCTAssertEqual(try quarters(XCTUnwrap(sample.imageBuffer)), Self.upright, "\(orientation)")
            }
        }
        session.stopRunning()
        observation.invalidate()
        capture.assertNoMisuse()
    }

    func testAWebcamDoesNotMoveWithTheDevice() throws {
        let capture = try makeFixture(.portrait, profile: "webcam")
        XCTAssertNil(try capture.host.orientation)
        XCTAssertEqual(capture.system.orientation.current, .unknown)
        let frames = RecordingFrames()
        let data = capture.inSystem { AVCaptureVideoDataOutput() }
        data.setSampleBufferDelegate(frames, queue: frames.queue)
        let session = try capture.makeSession(microphone: nil, [data])
        let layer = AVCaptureVideoPreviewLayer(session: session)
        XCTAssertEqual(layer.connection?.videoRotationAngle, 0)
        session.startRunning()
        for orientation in Self.orientations {
            capture.system.orientation.rotate(to: orientation)
            frames.clear()
            capture.advance(milliseconds: 70)
            XCTAssertEqual(Set(frames.frames.map(\.width)), [320])
        }
        session.stopRunning()
    }
}
