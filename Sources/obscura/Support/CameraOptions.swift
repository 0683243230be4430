import ArgumentParser
import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes

/// How the camera is set for a capture.
struct CameraOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: "The zoom factor, from 1.") var zoom: Double?
    @Option(parsing: .unconditional, help: "The torch: 0 is off, 1 the brightest.") var torch: Double?
    @Option(
        parsing: .unconditional, help: "Focus at x,y, from 0,0 top left to 1,1 bottom right of the unrotated picture.",
        transform: PicturePoint.init(argument:))
    var focus: PicturePoint?
    @Option(parsing: .unconditional, help: "Lock the lens: 0 is nearest, 1 farthest.") var lens: Double?
    @Option(
        parsing: .unconditional, help: "Expose for x,y, as --focus.", transform: PicturePoint.init(argument:))
    var expose: PicturePoint?

    func validate() throws {
        if let zoom, !(zoom >= 1 && zoom.isFinite) { throw ValidationError("--zoom takes 1 or more") }
        if let lens {
            if !(0...1).contains(lens) { throw ValidationError("--lens takes 0 to 1") }
            if focus != nil { throw ValidationError("--lens and --focus exclude each other") }
        }
        if let torch, !(0...1).contains(torch) { throw ValidationError("--torch takes 0 to 1") }
    }

    /// Sets the camera of a running session: its torch goes off when a session starts or stops.
    func apply(to camera: AVCaptureDevice?) throws {
        guard zoom != nil || torch != nil || focus != nil || lens != nil || expose != nil else { return }
        guard let camera else { throw CommandFailure("there is no camera to set") }
        try camera.lockForConfiguration()
        defer { camera.unlockForConfiguration() }
        if let zoom { try setZoom(zoom, camera) }
        if let torch, torch > 0 {
            guard camera.hasTorch else { throw CommandFailure("\(camera.localizedName) has no torch") }
            try camera.setTorchModeOn(level: Float(torch))
            guard camera.hasTaken(torch, in: .torchLevel) else {
                throw refusal(camera, "--torch \(plainNumber(torch))", "its torch is at \(camera.torchLevel)")
            }
        }
        if let focus {
            guard camera.isFocusPointOfInterestSupported, camera.isFocusModeSupported(.autoFocus) else {
                throw CommandFailure("\(camera.localizedName) cannot focus at a point")
            }
            camera.focusPointOfInterest = CGPoint(x: focus.x, y: focus.y)
            camera.focusMode = .autoFocus
            // A scan may be over at once, and leaves the lens locked.
            guard camera.focusMode != .continuousAutoFocus, focus.isNear(camera.focusPointOfInterest) else {
                throw refusal(camera, "--focus \(focus)", "it focuses at \(PicturePoint(camera.focusPointOfInterest))")
            }
        }
        if let lens {
            guard camera.isLockingFocusWithCustomLensPositionSupported else {
                let parts = camera.constituentDevices.map(\.uniqueID).joined(separator: ", ")
                throw CommandFailure(
                    camera.isVirtualDevice
                        ? "\(camera.localizedName) moves the lenses of its cameras by itself; choose one of them: \(parts)"
                        : "\(camera.localizedName) has a fixed lens")
            }
            camera.setFocusModeLocked(lensPosition: Float(lens))
            guard camera.focusMode == .locked, camera.hasTaken(lens, in: .lensPosition) else {
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
                    camera, "--expose \(expose)", "it exposes for \(PicturePoint(camera.exposurePointOfInterest))")
            }
        }
    }

    private func setZoom(_ zoom: Double, _ camera: AVCaptureDevice) throws(CommandFailure) {
        let most = Double(camera.activeFormat.videoMaxZoomFactor)
        guard zoom <= most else {
            throw CommandFailure("\(camera.localizedName) zooms up to \(plainNumber(most)), not \(plainNumber(zoom))")
        }
        guard zoom > 1 || most > 1 else { return }
        camera.videoZoomFactor = CGFloat(zoom)
        guard camera.hasTaken(zoom, in: .zoomFactor) else {
            throw refusal(
                camera, "--zoom \(plainNumber(zoom))", "its zoom is \(plainNumber(Double(camera.videoZoomFactor)))")
        }
    }

    /// The setters throw nothing where a device does not take a value, so it is read back.
    private func refusal(_ camera: AVCaptureDevice, _ option: String, _ state: String) -> CommandFailure {
        CommandFailure("\(camera.localizedName) did not take \(option): \(state)")
    }
}

/// A place in a picture, from 0,0 top left to 1,1 bottom right.
struct PicturePoint: CustomStringConvertible {
    let x: Double
    let y: Double

    init(_ point: CGPoint) { (x, y) = (Double(point.x), Double(point.y)) }

    init(argument: String) throws {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard parts.count == 2, let x = parts[0], let y = parts[1], (0...1).contains(x), (0...1).contains(y) else {
            throw ValidationError("\"\(argument)\" is no point; write x,y, each from 0 to 1, as 0.5,0.3")
        }
        (self.x, self.y) = (x, y)
    }

    var description: String { "\(plainNumber(x)),\(plainNumber(y))" }

    /// Whether a device that rounds has taken the point.
    func isNear(_ point: CGPoint) -> Bool { abs(Double(point.x) - x) <= 0.02 && abs(Double(point.y) - y) <= 0.02 }
}
