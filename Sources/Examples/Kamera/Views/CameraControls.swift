import AVFoundation

/// The functions of a camera that the camera screen uses.
public protocol CameraControls: AnyObject {
    var session: AVCaptureSession { get }
    /// Adds the camera, the microphone and the outputs.
    func setupSession() throws
    /// Starts the session, without blocking the caller.
    func startSession()
    /// Stops the session, without blocking the caller.
    func stopSession()

    var canSwitchCameras: Bool { get }
    /// Switches to the camera on the other side; returns false if that is not possible.
    @discardableResult
    func switchCameras() -> Bool

    var cameraSupportsTapToFocus: Bool { get }
    var cameraSupportsTapToExpose: Bool { get }
    /// Focuses at a point in the coordinates of the camera, from (0, 0) to (1, 1).
    func focus(at point: CGPoint)
    /// Exposes for a point in the coordinates of the camera.
    func expose(at point: CGPoint)
    /// Focuses and exposes continuously for the center.
    func resetFocusAndExposureModes()

    var cameraHasFlash: Bool { get }
    var cameraHasTorch: Bool { get }
    var flashMode: AVCaptureDevice.FlashMode { get set }
    var torchMode: AVCaptureDevice.TorchMode { get set }

    /// Takes a photo and saves it.
    func captureStillImage()
    /// Starts recording a movie.
    func startRecording()
    /// Stops recording and saves the movie.
    func stopRecording()
    var isRecording: Bool { get }
    var recordedDuration: CMTime { get }
}
