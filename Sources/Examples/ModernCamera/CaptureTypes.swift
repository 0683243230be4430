import AVFoundation

/// The settings of the camera that the app chooses.
public struct CaptureSettings: Sendable {
    public var preset: AVCaptureSession.Preset
    /// The folder of movies until they are in the photo library.
    public var movieFolder: URL
    /// The time after which focus and exposure adjust by themselves again.
    public var focusLockDuration = 3
    /// The self-timers that the user can select, in seconds; 0 is off.
    public var selfTimers = [0, 3, 10]

    public init(
        preset: AVCaptureSession.Preset = .high, movieFolder: URL = FileManager.default.temporaryDirectory
    ) {
        (self.preset, self.movieFolder) = (preset, movieFolder)
    }
}

/// What the capture service reports while it runs.
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

/// Why the app cannot capture.
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
}

/// A recorded movie.
struct Movie: Sendable {
    let url: URL
    let duration: CMTime
    /// Why the recording ended, if not by the user.
    let endReason: AVError?
}
