import AVFoundation

/// An output that takes photos.
public protocol StillCamera: AnyObject {
    var output: AVCaptureOutput { get }

    /// Returns the flash mode of the next photo.
    func flashMode(of camera: AVCaptureDevice) -> AVCaptureDevice.FlashMode
    /// Sets the flash mode to one that the camera supports.
    func setFlashMode(_ mode: AVCaptureDevice.FlashMode, of camera: AVCaptureDevice) throws

    /// Takes a photo; the completion handler receives the data of a JPEG file, on any thread.
    func takePhoto(completion: @escaping @Sendable (Result<Data, any Error>) -> Void)
}

/// Takes photos with the still image output, as in the book on AVFoundation that docs/tutorials.md names. The flash mode
/// is a setting of the camera.
public final class StillImageCamera: StillCamera {
    private let imageOutput = AVCaptureStillImageOutput()

    public init() {
        imageOutput.outputSettings = [AVVideoCodecKey: AVVideoCodecJPEG]
    }

    public var output: AVCaptureOutput { imageOutput }

    /// Returns the flash mode of the camera.
    public func flashMode(of camera: AVCaptureDevice) -> AVCaptureDevice.FlashMode { camera.flashMode }

    public func setFlashMode(_ mode: AVCaptureDevice.FlashMode, of camera: AVCaptureDevice) throws {
        guard camera.isFlashModeSupported(mode) else { return }
        try camera.lockForConfiguration()
        camera.flashMode = mode
        camera.unlockForConfiguration()
    }

    public func takePhoto(completion: @escaping @Sendable (Result<Data, any Error>) -> Void) {
        guard let connection = imageOutput.connection(with: .video) else {
            return completion(.failure(AVError(.unknown)))
        }
        imageOutput.captureStillImageAsynchronously(from: connection) { sampleBuffer, error in
            if let sampleBuffer,
                let file = AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(sampleBuffer)
            {
                completion(.success(file))
            } else {
                completion(.failure(error ?? AVError(.unknown)))
            }
        }
    }
}

/// Takes photos with the photo output. The flash mode is a setting of each photo.
public final class PhotoCamera: NSObject, StillCamera, @unchecked Sendable {
    // SAFETY: `flashMode` and `processors` are used on the main thread only.
    private let photoOutput = AVCapturePhotoOutput()
    private var flashMode = AVCaptureDevice.FlashMode.off
    /// The delegates of photos in flight, by the unique ID of the settings. On Apple's systems the output does not
    /// retain them.
    private var processors: [Int64: PhotoProcessor] = [:]

    public var output: AVCaptureOutput { photoOutput }

    /// Returns the flash mode that was set; it applies to all cameras.
    public func flashMode(of camera: AVCaptureDevice) -> AVCaptureDevice.FlashMode { flashMode }

    public func setFlashMode(_ mode: AVCaptureDevice.FlashMode, of camera: AVCaptureDevice) { flashMode = mode }

    public func takePhoto(completion: @escaping @Sendable (Result<Data, any Error>) -> Void) {
        // JPEG also where the camera has HEVC, as in apps that send photos to other systems.
        let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
        if photoOutput.supportedFlashModes.contains(flashMode) { settings.flashMode = flashMode }
        let id = settings.uniqueID
        let processor = PhotoProcessor { [weak self] result in
            completion(result)
            DispatchQueue.main.async { self?.processors[id] = nil }
        }
        processors[id] = processor
        photoOutput.capturePhoto(with: settings, delegate: processor)
    }
}

/// Receives one photo.
private final class PhotoProcessor: NSObject, AVCapturePhotoCaptureDelegate {
    private let completion: @Sendable (Result<Data, any Error>) -> Void

    init(completion: @escaping @Sendable (Result<Data, any Error>) -> Void) { self.completion = completion }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) {
        if error == nil, let file = photo.fileDataRepresentation() {
            completion(.success(file))
        } else {
            completion(.failure(error ?? AVError(.unknown)))
        }
    }
}
