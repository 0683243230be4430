import AVFoundation

/// What the camera screen does with a camera.
public protocol CameraControls: AnyObject {
    var session: AVCaptureSession { get }
    func setupSession() throws
    func startSession()
    func stopSession()

    var canSwitchCameras: Bool { get }
    /// Switches to the other camera; returns false if that is not possible.
    @discardableResult
    func switchCameras() -> Bool

    var cameraSupportsTapToFocus: Bool { get }
    var cameraSupportsTapToExpose: Bool { get }
    func focus(at point: CGPoint)
    func expose(at point: CGPoint)
    func resetFocusAndExposureModes()

    var cameraHasFlash: Bool { get }
    var cameraHasTorch: Bool { get }
    var flashMode: AVCaptureDevice.FlashMode { get set }
    var torchMode: AVCaptureDevice.TorchMode { get set }

    func captureStillImage()
    func startRecording()
    func stopRecording()
    var isRecording: Bool { get }
    var recordedDuration: CMTime { get }
}
