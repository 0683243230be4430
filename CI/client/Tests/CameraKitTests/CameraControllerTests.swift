import AVFoundation
import CameraKit
import XCTest

/// Tests of a camera app, which import only AVFoundation and XCTest.
final class CameraControllerTests: XCTestCase {
    private let controller = CameraController()
    private var folder = URL(fileURLWithPath: NSTemporaryDirectory())

    override func setUpWithError() throws {
        folder = folder.appendingPathComponent("camera-client-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let started = expectation(description: "the session runs")
        controller.start { error in
            XCTAssertNil(error)
            started.fulfill()
        }
        wait(for: [started], timeout: 30)
        XCTAssertTrue(controller.session.isRunning)
    }

    override func tearDownWithError() throws {
        let stopped = expectation(description: "the session has stopped")
        controller.stop { stopped.fulfill() }
        wait(for: [stopped], timeout: 30)
        XCTAssertFalse(controller.session.isRunning)
        try FileManager.default.removeItem(at: folder)
    }

    func testAPhotoIsAJPEG() throws {
        let taken = expectation(description: "the photo is taken")
        var photo = Data()
        controller.takePhoto { result in
            do { photo = try result.get() } catch { XCTFail("\(error)") }
            taken.fulfill()
        }
        wait(for: [taken], timeout: 30)
        XCTAssertEqual(Array(photo.prefix(2)), [0xFF, 0xD8])
        XCTAssertEqual(Array(photo.suffix(2)), [0xFF, 0xD9])
    }

    func testTheViewShowsThePreviewAndConvertsTouches() {
        let view = CALayer()
        view.bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
        controller.previewLayer.frame = view.bounds
        view.insertSublayer(controller.previewLayer, at: 0)
        let shown = expectation(description: "the preview shows frames")
        shown.assertForOverFulfill = false
        let observation = controller.previewLayer.observe(\.isPreviewing, options: [.initial, .new]) { layer, _ in
            if layer.isPreviewing { shown.fulfill() }
        }
        wait(for: [shown], timeout: 30)
        observation.invalidate()

        let focused = expectation(description: "the camera was configured")
        controller.focus(at: CGPoint(x: 195, y: 422)) { point in
            XCTAssertEqual(point.x, 0.5, accuracy: 1e-6)
            XCTAssertEqual(point.y, 0.5, accuracy: 1e-6)
            focused.fulfill()
        }
        wait(for: [focused], timeout: 30)
    }

    func testARecordingIsAMovieWithVideoAndAudio() throws {
        let url = folder.appendingPathComponent("clip.mov")
        let finished = expectation(description: "the recording is finished")
        controller.startRecording(to: url) { result in
            if case .failure(let error) = result { XCTFail("\(error)") }
            finished.fulfill()
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { self.controller.stopRecording() }
        wait(for: [finished], timeout: 30)

        let movie = try Data(contentsOf: url)
        XCTAssertEqual(movie.prefix(8).suffix(4), Data("ftyp".utf8))
        for box in ["moov", "vide", "soun", "avc1", "mp4a"] {
            XCTAssertNotNil(movie.range(of: Data(box.utf8)), "no \(box) in the movie")
        }
    }
}
