import AVFoundation
import UIKit

/// A camera for an app: shows a preview, delivers frames, sound, faces and depth, takes photos and records movies.
///
/// Set the properties, then call `startRunning()`. All methods return immediately, and their work is done in the order
/// of the calls. The session is used on one queue, movies are written on a second one, and the delegate receives sample
/// buffers on a third one, so that a slow delegate affects neither the movie nor the preview. The names of the public
/// interface are those of the tutorial that this service follows (docs/tutorials.md).
/// ```swift
/// let service = CaptureService()
/// service.delegate = self
/// service.startRunning()
/// ```
/// - Important: Call the methods and set the properties on the main thread.
public final class CaptureService: NSObject, @unchecked Sendable {
    // SAFETY: the settings are changed on the main thread before the start; the session, its inputs and connections are
    // used on `sessionQueue`, the writer on `writingQueue`; state that several queues use is in `shared`, which `lock`
    // protects.

    public weak var delegate: (any CaptureServiceDelegate)?
    /// Provides the layer of the preview; without it, the service creates one.
    public weak var previewSource: (any CaptureServicePreviewSource)?

    // MARK: Settings, changed before the start

    /// Whether movies have sound.
    public var shouldRecordAudio = false
    /// Whether the delegate receives the faces that the camera detects.
    public var openNativeFaceDetect = false
    /// Whether the delegate receives depth data. Requires `depthSupported` and the preset photo, 1280x720 or 640x480.
    public var openDepth = false
    public var sessionPreset = AVCaptureSession.Preset.hd1280x720
    /// Frames per second; limited to the range of the camera.
    public var frameRate = 30
    /// The video settings of movies; nil for H.264 in the size of the frames.
    public var videoSettings: [String: Any]?
    /// The audio settings of movies.
    public var audioSettings: [String: Any]? = [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVNumberOfChannelsKey: 1, AVSampleRateKey: 44_100,
        AVEncoderBitRateKey: 64_000,
    ]
    /// Receives a line for each event that is not a failure.
    public var log: @Sendable (String) -> Void = { print($0) }

    // MARK: State

    /// The position of the camera; `switchCamera()` changes it while the session runs.
    public var devicePosition: AVCaptureDevice.Position {
        get { lock.withLock { shared.position } }
        set { lock.withLock { shared.position = newValue } }
    }

    /// Whether the service is started; also true while the session is interrupted.
    public var isRunning: Bool { lock.withLock { shared.isRunning } }

    /// The last movie. It is temporary: move it before `stopRunning()` deletes it.
    public var recordURL: URL? { lock.withLock { shared.recordURL } }

    /// Whether the user has allowed the camera.
    public class var videoGranted: Bool { AVCaptureDevice.authorizationStatus(for: .video) == .authorized }

    /// Whether the user has allowed the microphone.
    public class var audioGranted: Bool { AVCaptureDevice.authorizationStatus(for: .audio) == .authorized }

    /// The state that several queues use.
    struct Shared {
        var position = AVCaptureDevice.Position.front
        var isRunning = false
        var isFirstStart = false
        var startsOnEnteringForeground = false
        var cameraInput: AVCaptureDeviceInput?
        var flashMode = AVCaptureDevice.FlashMode.off
        var recordURL: URL?
        var isWriting = false
        /// Whether the delegate is processing a frame.
        var isDeliveringVideo = false
    }

    let lock = NSLock()
    var shared = Shared()

    let sessionQueue = DispatchQueue(label: "com.caixindong.captureservice.session")
    let writingQueue = DispatchQueue(label: "com.caixindong.captureservice.writting")
    let outputQueue = DispatchQueue(label: "com.caixindong.captureservice.output")
    /// The queue on which the data outputs deliver.
    let dataQueue = DispatchQueue(label: "com.caixindong.captureservice.video")

    // On the session queue.
    let session = AVCaptureSession()
    let videoOutput = AVCaptureVideoDataOutput()
    let audioOutput = AVCaptureAudioDataOutput()
    let photoOutput = AVCapturePhotoOutput()
    let metadataOutput = AVCaptureMetadataOutput()
    let depthOutput = AVCaptureDepthDataOutput()
    var usesDepth = false
    var hasMicrophone = false
    /// The connection of the frames; each camera has its own.
    var videoConnection: AVCaptureConnection?

    // On the writing queue.
    var writer: VideoWriter?
    /// The folder of the movies.
    var folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("CaptureService-\(UUID().uuidString)", isDirectory: true)

    // On the main thread.
    var ownPreviewLayer: AVCaptureVideoPreviewLayer?
    var observations: [any NSObjectProtocol] = []

    public override init() {
        super.init()
        observeSession()
    }

    // MARK: Running

    /// Sets up the session and starts it; `captureServiceDidStart(_:)` reports the start.
    public func startRunning() {
        let isNew = lock.withLock {
            defer { (shared.isRunning, shared.isFirstStart) = (true, true) }
            return !shared.isRunning
        }
        guard isNew else { return }
        showPreview()
        sessionQueue.async {
            do {
                try self.setUpSession()
                self.session.startRunning()
            } catch {
                self.lock.withLock { self.shared.isRunning = false }
                self.fail(error)
            }
        }
    }

    /// Stops the session and deletes the movies; a movie that is being recorded is cancelled.
    public func stopRunning() {
        lock.withLock {
            (shared.isRunning, shared.startsOnEnteringForeground) = (false, false)
        }
        performInOrder {
            self.cancelMovie()
            self.deleteMovies()
        }
        sessionQueue.async { self.session.stopRunning() }
    }

    // MARK: Reporting

    /// Reports an error of the service to the delegate.
    func fail(_ error: any Error) {
        report { $0.captureService(self, didFailWith: error) }
    }

    /// Calls the delegate on the main thread.
    func report(_ call: @escaping @Sendable (any CaptureServiceDelegate) -> Void) {
        DispatchQueue.main.async { self.delegate.map(call) }
    }

    deinit { observations.forEach(NotificationCenter.default.removeObserver) }
}
