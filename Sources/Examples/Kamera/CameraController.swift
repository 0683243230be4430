import AVFoundation
import UIKit

/// Receives the errors of a camera controller, on the main thread.
public protocol CameraControllerDelegate: AnyObject {
    /// A camera could not be used or changed.
    func deviceConfigurationFailed(with error: any Error)
    /// A recording ended with an error; the movie is saved if it is playable.
    func mediaCaptureFailed(with error: any Error)
    /// A photo or movie was not saved.
    func assetLibraryWriteFailed(with error: any Error)
}

extension Notification.Name {
    /// A photo or movie was saved; the object is its thumbnail, a `UIImage`. Posted on the main thread.
    public static let thumbnailCreated = Notification.Name("ThumbnailCreated")
}

/// Takes photos and movies with the cameras of a phone, and saves them in the library.
///
/// Use it on the main thread.
public final class CameraController: NSObject, @unchecked Sendable {
    // SAFETY: the constants are thread-safe, everything else is used on the main thread only.
    public weak var delegate: (any CameraControllerDelegate)?
    public let session = AVCaptureSession()
    let stillCamera: any StillCamera
    let library: any MediaLibrary
    let movieOutput = AVCaptureMovieFileOutput()
    /// The queue on which the session is started and stopped, because these calls block.
    private let videoQueue = DispatchQueue(label: "kamera.video")
    /// The input of the active camera.
    var activeVideoInput: AVCaptureDeviceInput?
    /// Observes the camera until the exposure for a tapped point is adjusted.
    var exposureObservation: NSKeyValueObservation?
    /// The file of the movie that is being recorded; nil if there is none.
    public internal(set) var outputURL: URL?
    let log: (String) -> Void

    /// Creates a controller as in the book on AVFoundation that this app follows (docs/tutorials.md): with the still
    /// image output and the assets library.
    public static func classic(log: @escaping (String) -> Void = { NSLog("%@", $0) }) -> CameraController {
        CameraController(stillCamera: StillImageCamera(), library: AssetsMediaLibrary(), log: log)
    }

    /// Creates a controller with the successors of these classes: photo output and photo library.
    public static func modern(log: @escaping (String) -> Void = { NSLog("%@", $0) }) -> CameraController {
        CameraController(stillCamera: PhotoCamera(), library: PhotosMediaLibrary(), log: log)
    }

    /// Creates a controller.
    public init(
        stillCamera: any StillCamera, library: any MediaLibrary,
        log: @escaping (String) -> Void = { NSLog("%@", $0) }
    ) {
        (self.stillCamera, self.library, self.log) = (stillCamera, library, log)
    }

    // MARK: Session

    /// Adds the default camera and microphone, and the outputs for photos and movies.
    ///
    /// - Throws: The error of an input that cannot be created, for example because the user has denied access.
    public func setupSession() throws {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.sessionPreset = .high

        // On a phone, the back camera.
        guard let camera = AVCaptureDevice.default(for: .video) else { throw CameraError.noCamera }
        let videoInput = try AVCaptureDeviceInput(device: camera)
        if session.canAddInput(videoInput) {
            session.addInput(videoInput)
            activeVideoInput = videoInput
        }
        guard let microphone = AVCaptureDevice.default(for: .audio) else { throw CameraError.noMicrophone }
        let audioInput = try AVCaptureDeviceInput(device: microphone)
        if session.canAddInput(audioInput) { session.addInput(audioInput) }

        for output in [stillCamera.output, movieOutput] where session.canAddOutput(output) {
            session.addOutput(output)
        }
    }

    public func startSession() {
        videoQueue.async { [session] in
            if !session.isRunning { session.startRunning() }
        }
    }

    public func stopSession() {
        videoQueue.async { [session] in
            if session.isRunning { session.stopRunning() }
        }
    }

    /// Locks a camera, changes it and unlocks it; reports the error if it cannot be locked.
    func configure(_ camera: AVCaptureDevice, _ body: (AVCaptureDevice) -> Void) {
        do {
            try camera.lockForConfiguration()
            body(camera)
            camera.unlockForConfiguration()
        } catch {
            delegate?.deviceConfigurationFailed(with: error)
        }
    }

    /// The video orientation that is upright in the current orientation of the device; landscape right while that is
    /// unknown. The landscape orientations of device and video have opposite names.
    var currentVideoOrientation: AVCaptureVideoOrientation {
        switch UIDevice.current.orientation {
        case .portrait: .portrait
        case .portraitUpsideDown: .portraitUpsideDown
        case .landscapeRight: .landscapeLeft
        default: .landscapeRight
        }
    }

    /// Posts the thumbnail of a photo or movie.
    func post(_ thumbnail: UIImage) {
        NotificationCenter.default.post(name: .thumbnailCreated, object: thumbnail)
    }
}

/// A device that the machine lacks.
public enum CameraError: Error, LocalizedError {
    case noCamera
    case noMicrophone

    public var errorDescription: String? { self == .noCamera ? "There is no camera." : "There is no microphone." }
}
