import AVFoundation
import UIKit

/// The screen of the camera: the preview, and the controls over it.
public final class CameraViewController: UIViewController {
    public let previewView = PreviewView()
    public let overlayView = OverlayView()
    /// Shows the library; called when the user taps the thumbnail.
    public var showLibrary: (() -> Void)?
    private let camera: any CameraControls
    private var observers: [any NSObjectProtocol] = []
    private var timer: Timer?

    /// Creates the screen of a camera. The screen sets up the session when its view is loaded.
    public init(camera: any CameraControls) {
        self.camera = camera
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) { fatalError("The screen needs a camera.") }

    public override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .black
        for subview in [previewView, overlayView] { view.addSubview(subview) }
        previewView.delegate = self
        addActions()
        do {
            try camera.setupSession()
            previewView.session = camera.session
        } catch {
            show(error)
        }
        cameraChanged()
    }

    public override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        observe(UIDevice.orientationDidChangeNotification) { screen, _ in screen.view.setNeedsLayout() }
        observe(.thumbnailCreated) { $0.overlayView.thumbnail = $1 as? UIImage }
        UIDevice.current.beginGeneratingDeviceOrientationNotifications()
        camera.startSession()
    }

    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        camera.stopSession()
        UIDevice.current.endGeneratingDeviceOrientationNotifications()
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        observers = []
    }

    public override func viewWillLayoutSubviews() {
        super.viewWillLayoutSubviews()
        previewView.frame = view.bounds
        overlayView.frame = view.bounds
        rotatePreview()
    }

    private func observe(_ name: Notification.Name, _ body: @escaping @MainActor (CameraViewController, Any?) -> Void) {
        observers.append(
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { [weak self] in
                // SAFETY: the queue is the main queue.
                nonisolated(unsafe) let object = $0.object
                MainActor.assumeIsolated {
                    if let self { body(self, object) }
                }
            })
    }

    // MARK: Controls

    private func addActions() {
        let overlay = overlayView
        overlay.shutterButton.addAction(UIAction { [weak self] _ in self?.shutterPressed() }, for: .touchUpInside)
        overlay.switchButton.addAction(UIAction { [weak self] _ in self?.switchCameras() }, for: .touchUpInside)
        overlay.thumbnailButton.addAction(UIAction { [weak self] _ in self?.showLibrary?() }, for: .touchUpInside)
        overlay.lightControl.addAction(UIAction { [weak self] _ in self?.setLight() }, for: .valueChanged)
        overlay.modeControl.addAction(UIAction { [weak self] _ in self?.modeChanged() }, for: .valueChanged)
    }

    private func shutterPressed() {
        switch overlayView.modeControl.mode {
        case .photo: camera.captureStillImage()
        case .video where camera.isRecording: stopRecording()
        case .video: startRecording()
        }
    }

    private func startRecording() {
        camera.startRecording()
        overlayView.isRecording = true
        overlayView.elapsedTime = 0
        timer = Timer.scheduledTimer(withTimeInterval: 0.5, repeats: true) { [weak self] _ in
            MainActor.assumeIsolated { self?.showElapsedTime() }
        }
    }

    private func stopRecording() {
        timer?.invalidate()
        timer = nil
        showElapsedTime()
        camera.stopRecording()
        overlayView.isRecording = false
    }

    private func showElapsedTime() { overlayView.elapsedTime = camera.recordedDuration.seconds }

    private func switchCameras() {
        guard camera.switchCameras() else { return }
        cameraChanged()
    }

    /// Enables the controls that the active camera supports.
    private func cameraChanged() {
        previewView.isTapToFocusEnabled = camera.cameraSupportsTapToFocus
        previewView.isTapToExposeEnabled = camera.cameraSupportsTapToExpose
        overlayView.switchButton.isEnabled = camera.canSwitchCameras
        modeChanged()
        rotatePreview()
    }

    /// Shows the light control if the camera has the light of the mode: the flash for photos, the torch for movies.
    private func modeChanged() {
        let isPhoto = overlayView.modeControl.mode == .photo
        overlayView.lightControl.isHidden = !(isPhoto ? camera.cameraHasFlash : camera.cameraHasTorch)
        setLight()
    }

    private func setLight() {
        let mode = overlayView.lightControl.mode
        if overlayView.modeControl.mode == .photo {
            camera.torchMode = .off
            camera.flashMode = AVCaptureDevice.FlashMode(rawValue: mode.rawValue) ?? .auto
        } else {
            camera.torchMode = AVCaptureDevice.TorchMode(rawValue: mode.rawValue) ?? .auto
        }
    }

    /// Shows an error of the camera.
    public func show(_ error: any Error) {
        let alert = UIAlertController(title: "Camera", message: error.localizedDescription, preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .cancel))
        present(alert, animated: true)
    }

    // MARK: Orientation

    /// Rotates the preview to the orientation of the user interface.
    private func rotatePreview() {
        guard let connection = previewView.previewLayer?.connection, connection.isVideoOrientationSupported,
            let orientation = AVCaptureVideoOrientation(rawValue: UIApplication.shared.statusBarOrientation.rawValue)
        else { return }
        connection.videoOrientation = orientation
    }
}

extension CameraViewController: PreviewViewDelegate {
    /// Focuses at the tapped point.
    public func previewView(_ view: PreviewView, didTapToFocusAt point: CGPoint) { camera.focus(at: point) }

    /// Exposes for the double-tapped point.
    public func previewView(_ view: PreviewView, didTapToExposeAt point: CGPoint) { camera.expose(at: point) }

    /// Returns to continuous focus and exposure.
    public func previewViewDidTapToReset(_ view: PreviewView) { camera.resetFocusAndExposureModes() }
}
