import AVFoundation
import UIKit

/// The parts of the tutorial "photos and recording, step by step" that differ from the book (docs/tutorials.md).
extension CameraController {
    /// Adds the back camera, the microphone and the outputs, in 720p if the camera supports it.
    ///
    /// - Returns: False if there is no such camera or an input cannot be created. The reason is logged.
    public func setupSessionStepByStep() -> Bool {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        guard let camera = cameras.first(where: { $0.position == .back }) else {
            log("There is no camera at the back.")
            return false
        }
        guard let videoInput = addInput(camera) else { return false }
        activeVideoInput = videoInput
        // Which presets can be set depends on the camera.
        if session.canSetSessionPreset(.hd1280x720) { session.sessionPreset = .hd1280x720 }

        guard let microphone = AVCaptureDevice.default(for: .audio), addInput(microphone) != nil else { return false }
        for output in [stillCamera.output, movieOutput] where session.canAddOutput(output) {
            session.addOutput(output)
        }
        return true
    }

    private func addInput(_ device: AVCaptureDevice) -> AVCaptureDeviceInput? {
        do {
            let input = try AVCaptureDeviceInput(device: device)
            guard session.canAddInput(input) else {
                log("The session does not accept \(device.localizedName).")
                return nil
            }
            session.addInput(input)
            return input
        } catch {
            log("\(device.localizedName) cannot be used: \(error.localizedDescription)")
            return nil
        }
    }

    /// Shows the video of the camera in a view, cropped to fill it.
    ///
    /// - Returns: The layer, whose points `captureDevicePointConverted(fromLayerPoint:)` converts.
    @MainActor
    public func showPreview(in container: UIView) -> AVCaptureVideoPreviewLayer {
        let layer = AVCaptureVideoPreviewLayer(session: session)
        container.layer.masksToBounds = true
        layer.frame = container.bounds
        layer.videoGravity = .resizeAspectFill
        container.layer.addSublayer(layer)
        return layer
    }

    /// The exposure modes of the active camera.
    public var exposureModes: [AVCaptureDevice.ExposureMode] {
        let modes: [AVCaptureDevice.ExposureMode] = [.locked, .autoExpose, .continuousAutoExposure, .custom]
        return modes.filter { activeCamera?.isExposureModeSupported($0) ?? false }
    }

    /// Sets an exposure mode. An unsupported mode is ignored.
    ///
    /// With `.custom`, the exposure keeps its current values until `setExposureModeCustom(duration:iso:)` changes them.
    public func setExposureMode(_ mode: AVCaptureDevice.ExposureMode) {
        guard let camera = activeCamera, camera.isExposureModeSupported(mode) else { return }
        configure(camera) {
            if mode == .custom {
                $0.setExposureModeCustom(
                    duration: AVCaptureDevice.currentExposureDuration, iso: AVCaptureDevice.currentISO)
            } else {
                $0.exposureMode = mode
            }
        }
    }
}
