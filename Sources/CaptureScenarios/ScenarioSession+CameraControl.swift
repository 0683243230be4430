import CaptureCore
import Foundation
import MediaTypes

extension ScenarioSession {
    /// Changes a setting of the session's camera as an app does: locks it, changes the setting, unlocks it.
    ///
    /// A setting that the camera does not support is misuse, which the log contains.
    func set(_ control: Scenario.CameraControl) {
        guard let camera else { return log.note("the session has no camera") }
        do {
            try camera.lockForConfiguration()
        } catch {
            return log.note("cannot lock \(camera.uniqueID): \(describe(error))")
        }
        defer { camera.unlockForConfiguration() }
        do {
            try apply(control, to: camera)
        } catch {
            log.note("cannot set \(Scenario.Action.camera(control)): \(describe(error))")
        }
    }

    private func apply(_ control: Scenario.CameraControl, to camera: AVCaptureDevice) throws {
        switch control {
        case .focusAt(let x, let y, let mode):
            camera.focusPointOfInterest = CGPoint(x: x, y: y)
            camera.focusMode = mode
        case .exposeAt(let x, let y, let mode):
            camera.exposurePointOfInterest = CGPoint(x: x, y: y)
            camera.exposureMode = mode
        case .focusMode(let mode): camera.focusMode = mode
        case .exposureMode(let mode): camera.exposureMode = mode
        case .whiteBalanceMode(let mode): camera.whiteBalanceMode = mode
        case .lensPosition(let position): camera.setFocusModeLocked(lensPosition: Float(position))
        case .exposureBias(let bias): camera.setExposureTargetBias(Float(bias))
        case .customExposure(let duration, let iso):
            camera.setExposureModeCustom(
                duration: duration ?? AVCaptureDevice.currentExposureDuration,
                iso: iso.map { Float($0) } ?? AVCaptureDevice.currentISO)
        case .whiteBalance(let temperature, let tint):
            camera.setWhiteBalanceModeLocked(
                with: AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(
                    temperature: Float(temperature), tint: Float(tint)))
        case .zoom(let factor, let duration): zoom(camera, to: factor, over: duration)
        case .torchMode(let mode): camera.torchMode = mode
        case .torchLevel(let level): try camera.setTorchModeOn(level: Float(level))
        }
    }

    private func zoom(_ camera: AVCaptureDevice, to factor: Double, over duration: CMTime?) {
        let powers = abs(log2(factor / Double(camera.videoZoomFactor)))
        // A rate of 0 would leave a ramp that is running without its end.
        guard let duration, powers > 0 else {
            camera.videoZoomFactor = CGFloat(factor)
            return
        }
        camera.ramp(toVideoZoomFactor: CGFloat(factor), withRate: Float(powers / duration.seconds))
    }
}
