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

    private static func phones() throws -> [DeviceProfile] {
        try DeviceProfile.builtInNames.map { try DeviceProfile.builtIn($0) }.filter { $0.processing.opening > .zero }
    }

    private func launch(_ phone: DeviceProfile, defers: Bool, _ use: (SimulatedSystem, App) -> Void) throws {
        let simulated = try SimulatedSystem(profile: phone.name, scene: .grey)
        let app = try simulated.run { try App(simulated, defers: defers) }
        simulated.run { app.session.startRunning() }
        use(simulated, app)
        simulated.run { app.session.stopRunning() }
        XCTAssertEqual(simulated.misuses, [], phone.name)
    }

    func testDeferredStartShowsThePreviewEarlier() throws {
        let phones = try Self.phones()
        XCTAssertGreaterThan(phones.count, 5)
        for phone in phones {
            let times = phone.processing
            func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }
            let base = milliseconds(times.starting + times.opening)
            let output = milliseconds(times.output)
            try launch(phone, defers: false) { simulated, app in
                simulated.advance(by: .seconds(1))
                XCTAssertEqual(app.log["frame"] ?? 0, base + 3 * output, accuracy: 35, phone.name)
            }
            try launch(phone, defers: true) { simulated, app in
                simulated.advance(by: .seconds(1))
                let frame = app.log["frame"] ?? 0
                XCTAssertEqual(frame, base + output, accuracy: 35, phone.name)
                XCTAssertEqual(app.log["will"] ?? 0, frame, accuracy: 1, phone.name)
                XCTAssertEqual(app.log["did"] ?? 0, frame + 2 * output, accuracy: 1, phone.name)
            }
        }
    }

    func testAPhotoThatIsTakenAtOnceDoesNotWaitForDeferredStart() throws {
        for phone in try Self.phones() {
            try launch(phone, defers: true) { simulated, app in
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
