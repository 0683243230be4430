import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes

/// The rows of a chart: each sets one control from end to end.
struct ChartRows {
    private let options: SystemOptions
    private let studio: ChartStudio

    /// In lux: dark enough for a torch to be seen.
    private static let eveningLux = 8.0
    /// Less than the sensitivity can make up for.
    private static let nightLux = 0.5

    init(options: SystemOptions) throws {
        self.options = options
        studio = try ChartStudio(options: options)
    }

    var cameraID: String { studio.camera.uniqueID }

    /// Makes all rows for which the camera has the controls.
    ///
    /// - Parameter leftOut: Is told of each row that showed nothing, and why.
    func all(leftOut: (String) -> Void) throws -> [PictureSheet.Row] {
        var rows: [PictureSheet.Row] = []
        // Each row changes one thing: the camera does not decide on the highlights meanwhile.
        _ = try studio.shoot(after: 0.1) { $0.automaticallyAdjustsVideoHDREnabled = false }
        let made = [
            try focus(), try exposure(), try highlights(), try sensitivity(), try whiteBalance(), try torch(),
            try darkness(leftOut), try zoom(),
        ]
        for row in made {
            if let row { rows.append(row) }
        }
        guard !rows.isEmpty else { throw CommandFailure("\(studio.camera.localizedName) has nothing to be set") }
        return rows
    }

    private func focus() throws -> PictureSheet.Row? {
        guard studio.camera.isLockingFocusWithCustomLensPositionSupported else { return nil }
        var cells: [PictureSheet.Cell] = []
        for position in [0, 0.25, 0.5, 0.75, 1] as [Float] {
            let picture = try studio.shoot(after: 0.3) { camera in
                camera.setFocusModeLocked(lensPosition: position)
            }
            cells.append(PictureSheet.Cell(label: "LENS \(plainNumber(Double(position)))", picture: picture))
        }
        if studio.camera.isFocusModeSupported(.continuousAutoFocus) {
            let picture = try studio.shoot(after: 3) { $0.focusMode = .continuousAutoFocus }
            let position = plainNumber(Double(studio.camera.lensPosition))
            cells.append(PictureSheet.Cell(label: "AUTO: \(position)", picture: picture))
        }
        return PictureSheet.Row(title: "FOCUS", cells: cells)
    }

    private func exposure() throws -> PictureSheet.Row? {
        let camera = studio.camera
        let (low, high) = (camera.minExposureTargetBias, camera.maxExposureTargetBias)
        guard high > low else { return nil }
        var cells: [PictureSheet.Cell] = []
        for bias in [-4, -2, -1, 0, 1, 2] as [Float] where (low...high).contains(bias) {
            let picture = try studio.shoot(after: 1.5) { $0.setExposureTargetBias(bias) }
            cells.append(PictureSheet.Cell(label: "EV \(plainNumber(Double(bias))) \(settings)", picture: picture))
        }
        _ = try studio.shoot(after: 1.5) { $0.setExposureTargetBias(0) }
        return PictureSheet.Row(title: "EXPOSURE", cells: cells)
    }

    /// Overexposed, with the highlights cut off and kept.
    private func highlights() throws -> PictureSheet.Row? {
        let camera = studio.camera
        guard camera.activeFormat.isVideoHDRSupported, camera.maxExposureTargetBias >= 2 else { return nil }
        var cells: [PictureSheet.Cell] = []
        for isOn in [false, true] {
            let picture = try studio.shoot(after: 1.5) { camera in
                camera.setExposureTargetBias(2)
                camera.isVideoHDREnabled = isOn
            }
            cells.append(PictureSheet.Cell(label: "\(isOn ? "HDR" : "PLAIN") \(settings)", picture: picture))
        }
        _ = try studio.shoot(after: 1.5) { camera in
            camera.isVideoHDREnabled = false
            camera.setExposureTargetBias(0)
        }
        return PictureSheet.Row(title: "HIGHLIGHTS, EV 2", cells: cells)
    }

    /// Almost without light, as it is and with pixels read by fours.
    private func darkness(_ leftOut: (String) -> Void) throws -> PictureSheet.Row? {
        guard studio.camera.isLowLightBoostSupported else { return nil }
        let night = try ChartStudio(options: options, lux: Self.nightLux)
        var cells: [PictureSheet.Cell] = []
        for isOn in [false, true] {
            let picture = try night.shoot(after: 2) { $0.automaticallyEnablesLowLightBoostWhenAvailable = isOn }
            cells.append(PictureSheet.Cell(label: isOn ? "BOOST" : "PLAIN", picture: picture))
        }
        // Of a virtual camera another constituent may have it than the one that delivers.
        guard night.camera.isLowLightBoostEnabled else {
            leftOut("LOW LIGHT: what delivers for \(night.camera.localizedName) at this zoom has no boost")
            return nil
        }
        return PictureSheet.Row(title: "LOW LIGHT, AT \(plainNumber(Self.nightLux)) LX", cells: cells)
    }

    /// Close-ups at one brightness: what longer time or stronger amplification makes of the noise.
    private func sensitivity() throws -> PictureSheet.Row? {
        let camera = studio.camera
        guard camera.isExposureModeSupported(.custom) else { return nil }
        let format = camera.activeFormat
        let product = camera.exposureDuration.seconds * Double(camera.iso)
        var cells: [PictureSheet.Cell] = []
        var iso = Double(format.minISO)
        while iso <= Double(format.maxISO), cells.count < 6 {
            let seconds = product / iso
            if (format.minExposureDuration.seconds...min(format.maxExposureDuration.seconds, 1.0 / 30)).contains(
                seconds)
            {
                let picture = try studio.shoot(after: 0.2) { camera in
                    camera.setExposureModeCustom(
                        duration: CMTime(seconds: seconds, preferredTimescale: 1_000_000_000), iso: Float(iso))
                }
                cells.append(PictureSheet.Cell(label: settings, picture: picture, isCloseUp: true))
            }
            iso *= 4
        }
        _ = try studio.shoot(after: 1) { $0.exposureMode = .continuousAutoExposure }
        return cells.isEmpty ? nil : PictureSheet.Row(title: "ISO, CLOSE UP", cells: cells)
    }

    private func whiteBalance() throws -> PictureSheet.Row? {
        guard studio.camera.isLockingWhiteBalanceWithCustomDeviceGainsSupported else { return nil }
        var cells: [PictureSheet.Cell] = []
        let usual = studio.camera.deviceWhiteBalanceGains
        for kelvin in [2800, 4000, 5000, 6500, 8000] as [Float] {
            let picture = try studio.shoot(after: 0.2) { camera in
                let wanted = AVCaptureDevice.WhiteBalanceTemperatureAndTintValues(temperature: kelvin, tint: 0)
                var gains = camera.deviceWhiteBalanceGains(for: wanted)
                let most = camera.maxWhiteBalanceGain
                gains.redGain = min(max(1, gains.redGain), most)
                gains.greenGain = min(max(1, gains.greenGain), most)
                gains.blueGain = min(max(1, gains.blueGain), most)
                camera.setWhiteBalanceModeLocked(with: gains)
            }
            cells.append(PictureSheet.Cell(label: "\(plainNumber(Double(kelvin))) K", picture: picture))
        }
        if studio.camera.isWhiteBalanceModeSupported(.continuousAutoWhiteBalance) {
            let picture = try studio.shoot(after: 3) { $0.whiteBalanceMode = .continuousAutoWhiteBalance }
            cells.append(PictureSheet.Cell(label: "AUTO", picture: picture))
        }
        // The automatic mode would answer what the other rows do.
        _ = try studio.shoot(after: 0.1) { $0.setWhiteBalanceModeLocked(with: usual) }
        return PictureSheet.Row(title: "WHITE BALANCE", cells: cells)
    }

    /// In the evening, exposed for the brightest torch.
    private func torch() throws -> PictureSheet.Row? {
        guard studio.camera.hasTorch else { return nil }
        let evening = try ChartStudio(options: options, lux: Self.eveningLux)
        _ = try evening.shoot(after: 1.5) { try $0.setTorchModeOn(level: 1) }
        _ = try evening.shoot(after: 0.1) { $0.exposureMode = .locked }
        var cells: [PictureSheet.Cell] = []
        for level in [0, 0.1, 0.25, 0.5, 1] as [Float] {
            let picture = try evening.shoot(after: 0.2) { camera in
                if level > 0 { try camera.setTorchModeOn(level: level) } else { camera.torchMode = .off }
            }
            cells.append(PictureSheet.Cell(label: "TORCH \(plainNumber(Double(level)))", picture: picture))
        }
        return PictureSheet.Row(title: "TORCH, AT \(plainNumber(Self.eveningLux)) LX", cells: cells)
    }

    private func zoom() throws -> PictureSheet.Row? {
        let most = Double(studio.camera.activeFormat.videoMaxZoomFactor)
        guard most > 1 else { return nil }
        var cells: [PictureSheet.Cell] = []
        for factor in [1, 1.5, 2, 4, 8, 16] where factor <= most {
            let picture = try studio.shoot(after: 0.5) { $0.videoZoomFactor = CGFloat(factor) }
            cells.append(PictureSheet.Cell(label: "ZOOM \(plainNumber(factor))", picture: picture))
        }
        _ = try studio.shoot(after: 0.1) { $0.videoZoomFactor = 1 }
        return PictureSheet.Row(title: "ZOOM", cells: cells)
    }

    /// Time and ISO now: `1/120 S ISO 200`.
    private var settings: String {
        let seconds = studio.camera.exposureDuration.seconds
        let time = seconds > 0 && seconds < 0.5 ? "1/\(Int((1 / seconds).rounded()))" : plainNumber(seconds)
        return "\(time) S ISO \(Int(studio.camera.iso.rounded()))"
    }
}
