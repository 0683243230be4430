import AVFoundation

/// The settings of the camera that the app chooses.
struct CaptureSettings: Sendable {
    var preset = AVCaptureSession.Preset.high
    /// The folder of movies until they are in the photo library.
    var movieFolder = FileManager.default.temporaryDirectory
    /// The time after which focus and exposure adjust by themselves again.
    var focusLockDuration = 3
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
