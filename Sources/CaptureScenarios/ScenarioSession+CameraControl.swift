import CaptureCore
import Foundation
import MediaTypes

extension ScenarioSession {
    /// Locks a camera of the session for configuration, changes a setting, and unlocks the camera.
    ///
    /// Setting a value that the camera does not support is a programming error, which is logged.
    ///
    /// - Parameter id: The ID of the camera in a session with several cameras; nil for the session's only camera.
    func set(_ control: Scenario.CameraControl, of id: String?) {
        guard let camera = id.map({ input(of: $0)?.device }) ?? camera else {
            return log.note("the session has no " + (id.map { "input of \($0)" } ?? "camera"))
        }
        set(control, on: camera)
    }

    /// Locks a camera for configuration, changes a setting, and unlocks the camera. Errors are logged.
    func set(_ control: Scenario.CameraControl, on camera: AVCaptureDevice) {
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
        case .format(let width, let height, let frameRate):
            try setFormat(of: camera, width: width, height: height, frameRate: frameRate)
        case .frameRate(let rate): setFrameRate(of: camera, to: rate)
        case .subjectAreaChangeMonitoring(let isEnabled): camera.isSubjectAreaChangeMonitoringEnabled = isEnabled
        case .lowLightBoost(let isEnabled): camera.automaticallyEnablesLowLightBoostWhenAvailable = isEnabled
        case .videoHDR(let isEnabled):
            camera.automaticallyAdjustsVideoHDREnabled = isEnabled == nil
            if let isEnabled { camera.isVideoHDREnabled = isEnabled }
        case .smoothAutoFocus(let isEnabled): camera.isSmoothAutoFocusEnabled = isEnabled
        case .autoFocusRangeRestriction(let range): camera.autoFocusRangeRestriction = range
        case .faceDrivenAutoFocus(let isEnabled):
            camera.automaticallyAdjustsFaceDrivenAutoFocusEnabled = isEnabled == nil
            if let isEnabled { camera.isFaceDrivenAutoFocusEnabled = isEnabled }
        case .faceDrivenAutoExposure(let isEnabled):
            camera.automaticallyAdjustsFaceDrivenAutoExposureEnabled = isEnabled == nil
            if let isEnabled { camera.isFaceDrivenAutoExposureEnabled = isEnabled }
        }
    }

    /// Selects the first format with a size in pixels that supports a frame rate in frames per second.
    private func setFormat(of camera: AVCaptureDevice, width: Int, height: Int, frameRate: Double?) throws {
        let candidates = camera.formats.filter {
            let dimensions = $0.formatDescription.dimensions
            return (Int(dimensions.width), Int(dimensions.height)) == (width, height)
        }
        // The maximum rate is the reciprocal of a frame duration, which may be rounded. Hence the tolerance of 0.01.
        let format = candidates.first { format in
            frameRate.map { rate in
                format.videoSupportedFrameRateRanges.contains { ($0.minFrameRate...$0.maxFrameRate + 0.01) ~= rate }
            } ?? true
        }
        guard let format else {
            throw SetUpError(description: "\(camera.uniqueID) has no such format")
        }
        camera.activeFormat = format
        if let frameRate { setFrameRate(of: camera, to: frameRate) }
    }

    private func setFrameRate(of camera: AVCaptureDevice, to rate: Double) {
        let duration = CMTime(value: 1000, timescale: CMTimeScale((rate * 1000).rounded()))
        camera.activeVideoMinFrameDuration = duration
        camera.activeVideoMaxFrameDuration = duration
    }

    private func zoom(_ camera: AVCaptureDevice, to factor: Double, over duration: CMTime?) {
        let powers = abs(log2(factor / Double(camera.videoZoomFactor)))
        // A ramp with a rate of 0 would never end.
        guard let duration, powers > 0 else {
            camera.videoZoomFactor = CGFloat(factor)
            return
        }
        camera.ramp(toVideoZoomFactor: CGFloat(factor), withRate: Float(powers / duration.seconds))
    }
}
