import AVFoundation

/// A camera with a torch button: buttons are handled on one queue, cameras are switched on another.
///
/// The racy version checks on the button queue whether the camera has a torch, and later turns on the torch of the
/// camera that is active then. If the cameras are switched in between, the active camera may have no torch, which is
/// misuse.
final class TorchController: @unchecked Sendable {
    // SAFETY: the session is used on `sessionQueue`; `lock` protects the input.
    private let isFixed: Bool
    private let session = AVCaptureSession()
    private let sessionQueue = DispatchQueue(label: "torch.session")
    private let buttonQueue = DispatchQueue(label: "torch.buttons")
    private let lock = NSLock()
    private var input: AVCaptureDeviceInput?

    init(isFixed: Bool) {
        self.isFixed = isFixed
    }

    /// The camera in use.
    var camera: AVCaptureDevice? { lock.withLock { input?.device } }

    func start() {
        sessionQueue.async {
            self.session.sessionPreset = .cif352x288
            self.use(.back)
            self.session.addOutput(AVCaptureVideoDataOutput())
            self.session.startRunning()
        }
    }

    func switchCamera() {
        sessionQueue.async { self.use(self.camera?.position == .back ? .front : .back) }
    }

    func turnOnTorch() {
        buttonQueue.async {
            if self.isFixed {
                self.sessionQueue.async {
                    if self.camera?.hasTorch == true { self.setTorchOn() }
                }
            } else if self.camera?.hasTorch == true {
                self.sessionQueue.async { self.setTorchOn() }
            }
        }
    }

    func stop() {
        sessionQueue.async { self.session.stopRunning() }
    }

    private func setTorchOn() {
        guard let camera, (try? camera.lockForConfiguration()) != nil else { return }
        camera.torchMode = .on
        camera.unlockForConfiguration()
    }

    private func use(_ position: AVCaptureDevice.Position) {
        guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position),
            let newInput = try? AVCaptureDeviceInput(device: device)
        else { return }
        session.beginConfiguration()
        if let previousInput = lock.withLock({ input }) { session.removeInput(previousInput) }
        session.addInput(newInput)
        session.commitConfiguration()
        lock.withLock { input = newInput }
    }
}
