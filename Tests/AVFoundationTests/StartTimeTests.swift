import AVFoundation
import CaptureTesting
import SimDevices
import XCTest

/// What the parts of a start cost on each phone, and what deferred start saves.
final class StartTimeTests: XCTestCase {
    /// An app that shows a preview, takes photos and records movies, as Apple's advice for launching combines them: the
    /// preview starts first, the outputs that the user needs later are prepared behind it.
    private final class App: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, AVCapturePhotoCaptureDelegate,
        AVCaptureSessionDeferredStartDelegate, @unchecked Sendable
    {
        // SAFETY: the lock protects the log; the session is thread-safe.
        let session = AVCaptureSession()
        let preview = AVCaptureVideoDataOutput()
        let photos = AVCapturePhotoOutput()
        private let movies = AVCaptureMovieFileOutput()
        private let simulated: SimulatedSystem
        private let queue = DispatchQueue(label: "app")
        private let times = Lock<[String: Double]>([:], order: .client)

        init(_ simulated: SimulatedSystem, defers: Bool) throws {
            self.simulated = simulated
            super.init()
            session.beginConfiguration()
            session.sessionPreset = .photo
            session.addInput(try AVCaptureDeviceInput(device: XCTUnwrap(AVCaptureDevice.default(for: .video))))
            for output in [preview, photos, movies] { session.addOutput(output) }
            preview.setSampleBufferDelegate(self, queue: queue)
            photos.isZeroShutterLagEnabled = photos.isZeroShutterLagSupported
            photos.isResponsiveCaptureEnabled = photos.isResponsiveCaptureSupported
            photos.isFastCapturePrioritizationEnabled = photos.isFastCapturePrioritizationSupported
            photos.isDeferredStartEnabled = defers
            movies.isDeferredStartEnabled = defers
            session.setDeferredStartDelegate(self, deferredStartDelegateCallbackQueue: queue)
            session.commitConfiguration()
        }

        /// Milliseconds of the first events by their names.
        var log: [String: Double] { times.withLock { $0 } }

        private func note(_ event: String) {
            let now = simulated.clock.now.seconds * 1000
            times.withLock { if $0[event] == nil { $0[event] = now } }
        }

        func takePhoto() { photos.capturePhoto(with: AVCapturePhotoSettings(), delegate: self) }

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) { note("frame") }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
        ) { note(error == nil ? "photo" : "failed photo") }

        func sessionWillRunDeferredStart(_ session: AVCaptureSession) { note("will") }
        func sessionDidRunDeferredStart(_ session: AVCaptureSession) { note("did") }
    }

    /// Profiles that are based on the built-in phones, with times of a start that differ. They are our choice: those of
    /// real phones are not public.
    private func phones() throws -> [(profile: DeviceProfile, path: String)] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        addTeardownBlock { try? FileManager.default.removeItem(at: folder) }
        let names = DeviceProfile.builtInNames.filter { $0.hasPrefix("phone") && $0 != "phone-as-webcam" }
        return try names.enumerated().map { index, name in
            let times = "{starting: 30 ms, opening: \(90 + 20 * index) ms, output: \(40 + 10 * index) ms}"
            let yaml = "profile: 1\nbasedOn: \(name)\nname: slow-\(name)\nprocessing: \(times)\n"
            let file = folder.appendingPathComponent("\(name).yaml")
            try Data(yaml.utf8).write(to: file)
            return (try DeviceProfile.load(file.path), file.path)
        }
    }

    private func launch(_ path: String, defers: Bool, _ use: (SimulatedSystem, App) -> Void) throws {
        let simulated = try SimulatedSystem(profile: path, scene: .grey)
        let app = try simulated.run { try App(simulated, defers: defers) }
        simulated.run { app.session.startRunning() }
        use(simulated, app)
        simulated.run { app.session.stopRunning() }
        XCTAssertEqual(simulated.misuses, [], path)
    }

    func testDeferredStartShowsThePreviewEarlier() throws {
        let phones = try phones()
        XCTAssertGreaterThan(phones.count, 5)
        for (phone, path) in phones {
            let times = phone.processing
            func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }
            let base = milliseconds(times.starting + times.opening)
            let output = milliseconds(times.output)
            try launch(path, defers: false) { simulated, app in
                simulated.advance(by: .seconds(1))
                XCTAssertEqual(app.log["frame"] ?? 0, base + 3 * output, accuracy: 35, phone.name)
            }
            try launch(path, defers: true) { simulated, app in
                simulated.advance(by: .seconds(1))
                let frame = app.log["frame"] ?? 0
                XCTAssertEqual(frame, base + output, accuracy: 35, phone.name)
                XCTAssertEqual(app.log["will"] ?? 0, frame, accuracy: 1, phone.name)
                XCTAssertEqual(app.log["did"] ?? 0, frame + 2 * output, accuracy: 1, phone.name)
            }
        }
    }

    func testAPhotoThatIsTakenAtOnceDoesNotWaitForDeferredStart() throws {
        for (phone, path) in try phones() {
            try launch(path, defers: true) { simulated, app in
                // The user presses the shutter when the preview appears.
                while app.log["frame"] == nil, simulated.clock.now.seconds < 2 {
                    simulated.advance(by: .milliseconds(5))
                }
                let frame = app.log["frame"] ?? 0
                simulated.run { app.takePhoto() }
                simulated.advance(by: .seconds(1))
                XCTAssertNil(app.log["failed photo"], phone.name)
                XCTAssertEqual(app.log["photo"] ?? 0, frame, accuracy: 150, phone.name)
                XCTAssertLessThanOrEqual(app.log["did"] ?? .infinity, app.log["photo"] ?? 0, phone.name)
            }
        }
    }
}
