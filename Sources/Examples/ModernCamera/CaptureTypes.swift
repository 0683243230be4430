import AVFoundation

/// The app's settings of the capture service.
public struct CaptureSettings: Sendable {
    public var preset: AVCaptureSession.Preset
    /// The folder in which movies are recorded, before they are moved to the photo library.
    public var movieFolder: URL
    /// The time in seconds after which focus and exposure are automatic again.
    public var focusLockDuration = 3
    /// The self-timer delays that the user can select, in seconds; 0 is off.
    public var selfTimers = [0, 3, 10]
    /// Whether photos have the maximum size of the camera; otherwise the size of its frames.
    public var takesLargestPhotos: Bool
    /// Whether photos are Live Photos, if the camera supports that. The app then records no movies, because a movie file
    /// output prevents Live Photos.
    public var takesLivePhotos = false

    public init(
        preset: AVCaptureSession.Preset = .high, movieFolder: URL = FileManager.default.temporaryDirectory,
        takesLargestPhotos: Bool = true
    ) {
        (self.preset, self.movieFolder, self.takesLargestPhotos) = (preset, movieFolder, takesLargestPhotos)
    }
}

/// An event that the capture service reports.
enum CaptureEvent: Sendable {
    case interrupted(AVCaptureSession.InterruptionReason)
    case interruptionEnded
    case failed(AVError.Code)
    case restarted
    case cameraChanged(String)
    case cameraDisconnected
    case focusLocked
    case focusReleased
    case recordedTime(Duration)
    case zoomed(CGFloat)
    case exposureBiased(Float)
    case selfTimerSelected(Int)
    case controlsCoverScreen(Bool)
}

/// The reason why the app cannot capture.
enum CaptureError: Error {
    case noCamera
    case notRunning
    case alreadyRecording
    case cannotAddInput
    case cannotAddOutput
    case noPhotoData
    case libraryNotAuthorized
}

/// A captured photo.
struct Photo: Sendable {
    let data: Data
    /// The movie of a Live Photo; nil for other photos.
    var movie: URL?
}

/// A recorded movie.
struct Movie: Sendable {
    let url: URL
    let duration: CMTime
    /// The reason why the recording ended; nil if the user stopped it.
    let endReason: AVError?
}
