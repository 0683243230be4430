import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes

/// The contact sheet of a camera's controls. Each row steps one control through its range.
struct ControlChart {
    private let options: SystemOptions
    private let camera: ChartCamera

    /// The illuminance of the torch row, low enough for the effect of the torch to be visible.
    private static let eveningLux = 8.0
    /// The illuminance of the low-light row, too low for the sensitivity range of the device.
    private static let nightLux = 0.5

    init(options: SystemOptions) throws {
        self.options = options
        camera = try ChartCamera(options: options)
    }

    var cameraID: String { camera.device.uniqueID }

    /// The rows of the chart.
    private enum Control: CaseIterable {
        case focus, exposure, highlights, sensitivity, whiteBalance, torch, darkness, zoom
    }

    /// Renders the rows of all controls that the camera has.
    ///
    /// - Parameters:
    ///   - reportOmission: Called with the reason for each row that was omitted because it would show no difference.
    ///   - reportProgress: Called with the completed fraction, 0 … 1, before each row.
    func rows(reportOmission: (String) -> Void, reportProgress: (Double) -> Void) throws -> [ImageGrid.Row] {
        var rows: [ImageGrid.Row] = []
        // Each row changes one control, but automatic HDR would change another.
        _ = try camera.capture(after: 0.1) { $0.automaticallyAdjustsVideoHDREnabled = false }
        for (index, control) in Control.allCases.enumerated() {
            reportProgress(Double(index) / Double(Control.allCases.count))
            if let row = try row(control, reportOmission) { rows.append(row) }
        }
        guard !rows.isEmpty else { throw CommandFailure("\(camera.device.localizedName) has no adjustable controls") }
        return rows
    }

    private func row(_ control: Control, _ reportOmission: (String) -> Void) throws -> ImageGrid.Row? {
        switch control {
        case .focus: try focus()
        case .exposure: try exposure()
        case .highlights: try highlights()
        case .sensitivity: try sensitivity()
        case .whiteBalance: try whiteBalance()
        case .torch: try torch()
        case .darkness: try darkness(reportOmission)
        case .zoom: try zoom()
        }
    }

    private func focus() throws -> ImageGrid.Row? {
        guard camera.device.isLockingFocusWithCustomLensPositionSupported else { return nil }
        var cells: [ImageGrid.Cell] = []
        for position in [0, 0.25, 0.5, 0.75, 1] as [Float] {
            let image = try camera.capture(after: 0.3) { device in
                device.setFocusModeLocked(lensPosition: position)
            }
            cells.append(ImageGrid.Cell(label: "Lens \(plainNumber(Double(position)))", image: image))
        }
        if camera.device.isFocusModeSupported(.continuousAutoFocus) {
            let image = try camera.capture(after: 3) { $0.focusMode = .continuousAutoFocus }
            let position = plainNumber(Double(camera.device.lensPosition))
            cells.append(ImageGrid.Cell(label: "Auto: \(position)", image: image))
        }
        return ImageGrid.Row(title: "Focus", cells: cells)
    }

    private func exposure() throws -> ImageGrid.Row? {
        let device = camera.device
        let (low, high) = (device.minExposureTargetBias, device.maxExposureTargetBias)
        guard high > low else { return nil }
        var cells: [ImageGrid.Cell] = []
        for bias in [-4, -2, -1, 0, 1, 2] as [Float] where (low...high).contains(bias) {
            let image = try camera.capture(after: 1.5) { $0.setExposureTargetBias(bias) }
            cells.append(ImageGrid.Cell(label: "EV \(plainNumber(Double(bias))) \(settings)", image: image))
        }
        _ = try camera.capture(after: 1.5) { $0.setExposureTargetBias(0) }
        return ImageGrid.Row(title: "Exposure", cells: cells)
    }

    /// Overexposed frames without and with HDR.
    private func highlights() throws -> ImageGrid.Row? {
        let device = camera.device
        guard device.activeFormat.isVideoHDRSupported, device.maxExposureTargetBias >= 2 else { return nil }
        var cells: [ImageGrid.Cell] = []
        for isOn in [false, true] {
            let image = try camera.capture(after: 1.5) { device in
                device.setExposureTargetBias(2)
                device.isVideoHDREnabled = isOn
            }
            cells.append(ImageGrid.Cell(label: "\(isOn ? "HDR" : "Plain") \(settings)", image: image))
        }
        _ = try camera.capture(after: 1.5) { device in
            device.isVideoHDREnabled = false
            device.setExposureTargetBias(0)
        }
        return ImageGrid.Row(title: "Highlights, EV 2", cells: cells)
    }

    /// Frames in very low light without and with low-light boost.
    private func darkness(_ reportOmission: (String) -> Void) throws -> ImageGrid.Row? {
        guard camera.device.isLowLightBoostSupported else { return nil }
        let night = try ChartCamera(options: options, lux: Self.nightLux)
        var cells: [ImageGrid.Cell] = []
        for isOn in [false, true] {
            let image = try night.capture(after: 2) { $0.automaticallyEnablesLowLightBoostWhenAvailable = isOn }
            cells.append(ImageGrid.Cell(label: isOn ? "Boost" : "Plain", image: image))
        }
        // A virtual camera can have a constituent with boost that is not the one in use.
        guard night.device.isLowLightBoostEnabled else {
            reportOmission(
                "Low light: the camera that \(night.device.localizedName) uses at this zoom factor has no low-light boost"
            )
            return nil
        }
        return ImageGrid.Row(title: "Low light, at \(plainNumber(Self.nightLux)) lx", cells: cells)
    }

    /// Close-ups of the noise at increasing ISO and decreasing exposure time, with constant brightness.
    private func sensitivity() throws -> ImageGrid.Row? {
        let device = camera.device
        guard device.isExposureModeSupported(.custom) else { return nil }
        let format = device.activeFormat
        let product = device.exposureDuration.seconds * Double(device.iso)
        var cells: [ImageGrid.Cell] = []
        var iso = Double(format.minISO)
        while iso <= Double(format.maxISO), cells.count < 6 {
            let seconds = product / iso
            if (format.minExposureDuration.seconds...min(format.maxExposureDuration.seconds, 1.0 / 30)).contains(
                seconds)
            {
                let image = try camera.capture(after: 0.2) { device in
                    device.setExposureModeCustom(
                        duration: CMTime(seconds: seconds, preferredTimescale: 1_000_000_000), iso: Float(iso))
                }
                cells.append(ImageGrid.Cell(label: settings, image: image, isCloseUp: true))
            }
            iso *= 4
        }
        _ = try camera.capture(after: 1) { $0.exposureMode = .continuousAutoExposure }
        return cells.isEmpty ? nil : ImageGrid.Row(title: "ISO, close up", cells: cells)
    }

    private func whiteBalance() throws -> ImageGrid.Row? {
        guard camera.device.isLockingWhiteBalanceWithCustomDeviceGainsSupported else { return nil }
        var cells: [ImageGrid.Cell] = []
        let initialGains = camera.device.deviceWhiteBalanceGains
        for kelvin in [2800, 4000, 5000, 6500, 8000] as [Float] {
            let image = try camera.capture(after: 0.2) { device in
                let wanted = AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(temperature: kelvin, tint: 0)
                var gains = device.deviceWhiteBalanceGains(for: wanted)
                let maximum = device.maxWhiteBalanceGain
                gains.redGain = min(max(1, gains.redGain), maximum)
                gains.greenGain = min(max(1, gains.greenGain), maximum)
                gains.blueGain = min(max(1, gains.blueGain), maximum)
                device.setWhiteBalanceModeLocked(with: gains)
            }
            cells.append(ImageGrid.Cell(label: "\(plainNumber(Double(kelvin))) K", image: image))
        }
        if camera.device.isWhiteBalanceModeSupported(.continuousAutoWhiteBalance) {
            let image = try camera.capture(after: 3) { $0.whiteBalanceMode = .continuousAutoWhiteBalance }
            cells.append(ImageGrid.Cell(label: "Auto", image: image))
        }
        // The automatic mode would compensate for the changes in the other rows.
        _ = try camera.capture(after: 0.1) { $0.setWhiteBalanceModeLocked(with: initialGains) }
        return ImageGrid.Row(title: "White balance", cells: cells)
    }

    /// Torch levels in low light, with the exposure locked for the brightest.
    private func torch() throws -> ImageGrid.Row? {
        guard camera.device.hasTorch else { return nil }
        let evening = try ChartCamera(options: options, lux: Self.eveningLux)
        _ = try evening.capture(after: 1.5) { try $0.setTorchModeOn(level: 1) }
        _ = try evening.capture(after: 0.1) { $0.exposureMode = .locked }
        var cells: [ImageGrid.Cell] = []
        for level in [0, 0.1, 0.25, 0.5, 1] as [Float] {
            let image = try evening.capture(after: 0.2) { device in
                if level > 0 { try device.setTorchModeOn(level: level) } else { device.torchMode = .off }
            }
            cells.append(ImageGrid.Cell(label: "Torch \(plainNumber(Double(level)))", image: image))
        }
        return ImageGrid.Row(title: "Torch, at \(plainNumber(Self.eveningLux)) lx", cells: cells)
    }

    private func zoom() throws -> ImageGrid.Row? {
        let maximum = Double(camera.device.activeFormat.videoMaxZoomFactor)
        guard maximum > 1 else { return nil }
        var cells: [ImageGrid.Cell] = []
        for factor in [1, 1.5, 2, 4, 8, 16] where factor <= maximum {
            let image = try camera.capture(after: 0.5) { $0.videoZoomFactor = CGFloat(factor) }
            cells.append(ImageGrid.Cell(label: "Zoom \(plainNumber(factor))", image: image))
        }
        _ = try camera.capture(after: 0.1) { $0.videoZoomFactor = 1 }
        return ImageGrid.Row(title: "Zoom", cells: cells)
    }

    /// The current exposure time and ISO: `1/120 s ISO 200`.
    private var settings: String {
        let seconds = camera.device.exposureDuration.seconds
        let time = seconds > 0 && seconds < 0.5 ? "1/\(Int((1 / seconds).rounded()))" : plainNumber(seconds)
        return "\(time) s ISO \(Int(camera.device.iso.rounded()))"
    }
}
