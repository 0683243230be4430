import ArgumentParser
import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes

/// The options that set the camera for a capture.
struct CameraOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: "The zoom factor, 1 or more. (default: 1)") var zoom: Double?
    @Option(parsing: .unconditional, help: "The torch level: 0 is off, 1 the brightest. (default: 0)") var torch:
        Double?
    @Option(
        parsing: .unconditional,
        help:
            "Focus once at x,y, from 0,0 (top left) to 1,1 (bottom right) of the unrotated frame. (default: continuous autofocus)",
        transform: NormalizedPoint.init(argument:))
    var focus: NormalizedPoint?
    @Option(
        parsing: .unconditional, help: "Lock the lens at a position: 0 is nearest, 1 farthest. (default: autofocus)")
    var lens: Double?
    @Option(
        parsing: .unconditional,
        help: "Expose for a point, in the form of --focus. (default: the camera's automatic metering)",
        transform: NormalizedPoint.init(argument:))
    var expose: NormalizedPoint?

    func validate() throws {
        if let zoom, !(zoom >= 1 && zoom.isFinite) { throw ValidationError("--zoom must be 1 or more") }
        if let lens {
            if !(0...1).contains(lens) { throw ValidationError("--lens must be 0 to 1") }
            if focus != nil { throw ValidationError("--lens and --focus exclude each other") }
        }
        if let torch, !(0...1).contains(torch) { throw ValidationError("--torch must be 0 to 1") }
    }

    /// Applies the options to the camera of a running session.
    ///
    /// Call it after `startRunning()`, because starting a session switches the torch off.
    func apply(to camera: AVCaptureDevice?) throws {
        guard zoom != nil || torch != nil || focus != nil || lens != nil || expose != nil else { return }
        guard let camera else { throw CommandFailure("there is no camera to set") }
        try camera.lockForConfiguration()
        defer { camera.unlockForConfiguration() }
        if let zoom { try setZoom(zoom, camera) }
        if let torch, torch > 0 {
            guard camera.hasTorch else { throw CommandFailure("\(camera.localizedName) has no torch") }
            try camera.setTorchModeOn(level: Float(torch))
            guard camera.hasApplied(torch, in: .torchLevel) else {
                throw refusal(camera, "--torch \(plainNumber(torch))", "its torch is at \(camera.torchLevel)")
            }
        }
        if let focus {
            guard camera.isFocusPointOfInterestSupported, camera.isFocusModeSupported(.autoFocus) else {
                throw CommandFailure("\(camera.localizedName) cannot focus at a point")
            }
            camera.focusPointOfInterest = CGPoint(x: focus.x, y: focus.y)
            camera.focusMode = .autoFocus
            // A scan can finish immediately and leave the lens locked.
            guard camera.focusMode != .continuousAutoFocus, focus.isNear(camera.focusPointOfInterest) else {
                throw refusal(
                    camera, "--focus \(focus)", "it focuses at \(NormalizedPoint(camera.focusPointOfInterest))")
            }
        }
        if let lens {
            guard camera.isLockingFocusWithCustomLensPositionSupported else {
                let parts = camera.constituentDevices.map(\.uniqueID).joined(separator: ", ")
                throw CommandFailure(
                    camera.isVirtualDevice
                        ? "\(camera.localizedName) controls the lenses of its cameras itself; select one of them: \(parts)"
                        : "\(camera.localizedName) has a fixed-focus lens")
            }
            camera.setFocusModeLocked(lensPosition: Float(lens))
            guard camera.focusMode == .locked, camera.hasApplied(lens, in: .lensPosition) else {
                throw refusal(camera, "--lens \(plainNumber(lens))", "its lens is at \(camera.lensPosition)")
            }
        }
        if let expose {
            guard camera.isExposurePointOfInterestSupported else {
                throw CommandFailure("\(camera.localizedName) cannot expose for a point")
            }
            camera.exposurePointOfInterest = CGPoint(x: expose.x, y: expose.y)
            camera.exposureMode = .continuousAutoExposure
            guard camera.exposureMode == .continuousAutoExposure, expose.isNear(camera.exposurePointOfInterest) else {
                throw refusal(
                    camera, "--expose \(expose)", "it exposes for \(NormalizedPoint(camera.exposurePointOfInterest))")
            }
        }
    }

    private func setZoom(_ zoom: Double, _ camera: AVCaptureDevice) throws(CommandFailure) {
        let maximum = Double(camera.activeFormat.videoMaxZoomFactor)
        guard zoom <= maximum else {
            throw CommandFailure(
                "\(camera.localizedName) zooms up to \(plainNumber(maximum)), not \(plainNumber(zoom))")
        }
        guard zoom > 1 || maximum > 1 else { return }
        camera.videoZoomFactor = CGFloat(zoom)
        guard camera.hasApplied(zoom, in: .zoomFactor) else {
            throw refusal(
                camera, "--zoom \(plainNumber(zoom))", "its zoom is \(plainNumber(Double(camera.videoZoomFactor)))")
        }
    }

    /// Returns the error for a value that the device did not accept.
    ///
    /// The setters throw nothing in this case, so the value is read back.
    private func refusal(_ camera: AVCaptureDevice, _ option: String, _ state: String) -> CommandFailure {
        CommandFailure("\(camera.localizedName) did not accept \(option): \(state)")
    }
}
