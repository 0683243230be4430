import CaptureHAL
import MediaTypes
import ThreeA

/// The automatic exposure, white balance, focus and HDR.
extension CameraState {
    /// The number of frames from one metered frame to the next: 1 while a loop is converging, 3 when all loops have
    /// converged.
    var meteringInterval: UInt64 {
        exposureControl.isAdjusting || whiteBalance.isAdjusting || focus.isAdjusting ? 1 : 3
    }

    /// The weight of the faces in the metering, relative to that of the complete frame. It is less than 9, the weight
    /// of the region at an exposure point, so that the rest of the frame still affects the exposure.
    private static let faceWeight = 3

    /// Returns the frame interval, as a fraction of a second: the requested one, or the exposure time if the exposure
    /// mode is custom or locked and the exposure takes longer.
    func interval(for requested: CMTime) -> (value: Int64, timescale: Int64) {
        guard exposureControl.mode == .custom || exposureControl.mode == .locked,
            exposure.nanoseconds > requested.nanoseconds
        else {
            return (requested.value, Int64(requested.timescale))
        }
        return (exposure.nanoseconds, 1_000_000_000)
    }

    /// Returns the state for rendering the next frame, and disarms the flash.
    mutating func takeSnapshot() -> CameraState {
        defer { lamps.isFlashArmed = false }
        return self
    }

    /// Runs one step of the automatic loops.
    ///
    /// - Parameters:
    ///   - snapshot: The state with which the metered frame was rendered.
    ///   - statistics: The statistics of that frame.
    ///   - faces: The regions of the faces in it, the largest first.
    ///   - frameSeconds: The frame interval of the stream, in seconds.
    ///   - isImmediate: Whether to converge without damping, as before the first frame.
    /// - Returns: The changed controls.
    mutating func adjust(
        after snapshot: CameraState, _ statistics: FrameStatistics, faces: [MeteringRegion], frameSeconds: Double,
        isImmediate: Bool = false
    ) -> [DeviceControl] {
        // The loops do not respond to the flash.
        guard !snapshot.lamps.isFlashArmed else { return [] }
        let wasLowLightBoostActive = isLowLightBoostActive
        exposureControl.frameSeconds = frameSeconds
        updateFocusWindow(faces)
        var exposureChanges = adjustExposure(
            after: snapshot, statistics, faces, frameSeconds: frameSeconds, isImmediate)
        if isLowLightBoostActive != wasLowLightBoostActive { exposureChanges.append(.lowLightBoostActive) }
        let whiteBalanceChanges = adjustWhiteBalance(after: snapshot, statistics, isImmediate)
        guard !isImmediate else { return exposureChanges + whiteBalanceChanges }
        return exposureChanges + adjustHDR(after: snapshot, statistics) + whiteBalanceChanges
            + adjustFocus(after: snapshot, statistics)
    }

    private mutating func adjustExposure(
        after snapshot: CameraState, _ statistics: FrameStatistics, _ faces: [MeteringRegion], frameSeconds: Double,
        _ isImmediate: Bool
    ) -> [DeviceControl] {
        // Invert the transfer function or the highlight compression, so that it does not affect the metering.
        let binLights: [Double]? =
            if snapshot.colorSpace == .hlgBT2020 {
                HighlightCurve.hlgBinLights
            } else if snapshot.headroom > 1 {
                HighlightCurve.binLights(headroom: snapshot.headroom)
            } else {
                nil
            }
        let metersFaces = exposureControl.isFaceDriven && exposureControl.point == .center && !faces.isEmpty
        let light =
            metersFaces
            ? statistics.light(in: faces, weight: Self.faceWeight, binLights: binLights)
            : statistics.light(at: exposureControl.point, binLights: binLights)
        guard exposureControl.isAutomatic else {
            exposureControl.loop.measure(light, bias: exposureControl.bias)
            return updateExposureOffset()
        }
        let (before, wasAdjusting) = (exposure, exposureControl.isAdjusting)
        let longest = min(frameSeconds, exposureControl.limit ?? defaultExposureLimit)
        let program = exposureControl.loop.program
        exposureControl.loop.program = limited(program, longest: longest, isImmediate: isImmediate)
        exposure = exposureControl.loop.step(
            after: snapshot.exposure, current: before, light: light, bias: exposureControl.bias, longest: longest,
            isImmediate: isImmediate)
        moveAperture(longest: longest)
        exposureControl.loop.program = program
        // The program rounds times to whole nanoseconds.
        if isFixed(.duration) { exposure.nanoseconds = min(before.nanoseconds, Int64(longest * 1e9)) }
        var changed = updateExposureOffset()
        if exposure.apertureArea != before.apertureArea { changed.append(.lensAperture) }
        if exposure.nanoseconds != before.nanoseconds { changed.append(.exposureDuration) }
        if exposure.iso != before.iso { changed.append(.iso) }
        if exposureControl.mode == .auto, !exposureControl.loop.isAdjusting {
            exposureControl.mode = .locked
            changed.append(.exposureMode)
        }
        if exposureControl.isAdjusting != wasAdjusting { changed.append(.exposureAdjusting) }
        return changed
    }

    /// Whether the client has fixed a setting, while automatic exposure changes others.
    private func isFixed(_ setting: ExposureSettings) -> Bool {
        exposureControl.mode == .custom && !exposureControl.automaticSettings.contains(setting)
    }

    /// The ratio of the areas of the aperture in consecutive frames if the client sets no limit: a quarter of a stop.
    private static let defaultApertureRateLimit = 1.189

    /// Returns a program with the settings that the client has fixed, and the areas of the aperture that the next frame
    /// can have.
    private func limited(_ program: ExposureProgram, longest: Double, isImmediate: Bool) -> ExposureProgram {
        var program = program
        if isFixed(.duration) {
            let seconds = min(exposure.seconds, longest)
            program.durations = seconds...seconds
        }
        if isFixed(.iso) { program.isos = exposure.iso...exposure.iso }
        if isFixed(.aperture) { program.apertureAreas = exposure.apertureArea...exposure.apertureArea }
        guard !isImmediate, program.apertureAreas.lowerBound < program.apertureAreas.upperBound else { return program }
        let limit =
            exposureControl.apertureRateLimit == 0
            ? Self.defaultApertureRateLimit : exposureControl.apertureRateLimit
        program.apertureAreas = program.apertureAreas.clamped(
            to: exposure.apertureArea / limit...exposure.apertureArea * limit)
        return program
    }

    /// Moves the aperture toward that of the program after the exposure has converged, without changing the brightness:
    /// the blades are slower than the sensor.
    private mutating func moveAperture(longest: Double) {
        let program = exposureControl.loop.program
        guard !exposureControl.loop.isAdjusting, program.apertureAreas.lowerBound < program.apertureAreas.upperBound
        else { return }
        let next = program.exposure(product: exposure.product, longest: longest)
        // Rounding of time and sensitivity must not move the blades forever.
        guard abs(next.apertureArea / exposure.apertureArea - 1) > 0.01,
            program.distance(next, exposure.product) <= 0.05
        else { return }
        exposure = next
    }

    /// Updates the reported difference from the target exposure, rounded to tenths of an EV; positive if the frame is
    /// brighter than the target.
    ///
    /// - Returns: The changed controls.
    private mutating func updateExposureOffset() -> [DeviceControl] {
        let offset = exposureControl.loop.offset
        // The threshold is more than half a step of 0.1, so that noise does not alternate between two values.
        guard abs(offset - exposureControl.offset) > 0.075 else { return [] }
        exposureControl.offset = (offset * 10).rounded() / 10
        return [.exposureOffset]
    }

    /// Toggles HDR after three consecutive metered frames that require it.
    ///
    /// HDR is enabled if more than 3 % of the samples are clipped, and disabled if at most 1 % would be clipped without
    /// it.
    private mutating func adjustHDR(
        after snapshot: CameraState, _ statistics: FrameStatistics
    ) -> [DeviceControl] {
        guard hdr.isAutomatic, hdr.isSupportedByFormat, profile.highlightHeadroom > 1, !exposureControl.isAdjusting,
            snapshot.hdr.isEnabled == hdr.isEnabled, snapshot.colorSpace != .hlgBT2020
        else {
            hdr.toggleCount = 0
            return []
        }
        // HDR compresses highlights. Samples above the code of white would be clipped without HDR.
        let white = HighlightCurve.whiteCode(headroom: profile.highlightHeadroom)
        let needsHDR = hdr.isEnabled ? statistics.share(fromCode: white) > 0.01 : statistics.clippedShare > 0.03
        hdr.toggleCount = needsHDR == hdr.isEnabled ? 0 : hdr.toggleCount + 1
        guard hdr.toggleCount >= 3 else { return [] }
        (hdr.isEnabled, hdr.toggleCount) = (needsHDR, 0)
        return [.videoHDR]
    }

    /// Moves the focus window to the largest face. The window does not change during a scan, because the scan compares
    /// contrasts in one window.
    private mutating func updateFocusWindow(_ faces: [MeteringRegion]) {
        guard !focus.loop.isScanning else { return }
        if focus.isFaceDriven, focus.point == .center, let face = faces.first {
            focus.window = face
        } else {
            focus.window = .focusWindow(at: focus.point)
        }
    }

    private mutating func adjustFocus(after snapshot: CameraState, _ statistics: FrameStatistics) -> [DeviceControl] {
        guard focus.isAutomatic, snapshot.focus.isAutomatic, let contrast = statistics.contrast,
            let gradient = statistics.gradient
        else { return [] }
        let (before, wasAdjusting) = (lensPosition, focus.isAdjusting)
        let frame = AutoFocus.Frame(
            contrast: contrast, gradient: gradient, zones: statistics.zones, position: snapshot.lensPosition,
            isExposureSteady: !exposureControl.isAdjusting)
        lensPosition = focus.loop.step(frame, current: before, isContinuous: focus.mode == .continuousAuto)
        var changed: [DeviceControl] = []
        if lensPosition != before { changed.append(.lensPosition) }
        if focus.mode == .auto, !focus.loop.isAdjusting {
            focus.mode = .locked
            changed.append(.focusMode)
        }
        if focus.isAdjusting != wasAdjusting { changed.append(.focusAdjusting) }
        return changed
    }

    private mutating func adjustWhiteBalance(
        after snapshot: CameraState, _ statistics: FrameStatistics, _ isImmediate: Bool
    ) -> [DeviceControl] {
        guard whiteBalance.isAutomatic else { return [] }
        let (before, wasAdjusting) = (gains, whiteBalance.isAdjusting)
        gains = whiteBalance.loop.step(
            after: snapshot.gains, current: before,
            color: statistics.color.map {
                projectingOntoBlackBodies(invertingColorMatrix($0, snapshot), snapshot.gains)
            },
            isImmediate: isImmediate)
        var changed: [DeviceControl] = []
        if gains != before {
            whiteBalance.kelvin = temperature(of: gains).rounded()
            changed += [.redGain, .greenGain, .blueGain, .whiteBalanceTemperature]
        }
        if whiteBalance.mode == .auto, !whiteBalance.loop.isAdjusting {
            whiteBalance.mode = .locked
            changed.append(.whiteBalanceMode)
        }
        if whiteBalance.isAdjusting != wasAdjusting { changed.append(.whiteBalanceAdjusting) }
        return changed
    }

    /// Converts means of a frame to the colors of the sensor after white balance, by the inverse of the color matrix:
    /// from P3 to BT.709, then the sensor's crosstalk. Means of HLG are converted as those of BT.709.
    private func invertingColorMatrix(_ color: ColorMeans, _ snapshot: CameraState) -> ColorMeans {
        var matrix = profile.sensor.crosstalk(kelvin: temperature(of: snapshot.gains))
        if snapshot.colorSpace == .p3D65 { matrix = matrix.multiplied(by: ColorMatrix.p3D65.inverse) }
        let means = matrix.applied(to: (color.red, color.green, color.blue))
        return ColorMeans(red: means.red, green: means.green, blue: means.blue, share: color.share)
    }

    /// Returns the color of a gray surface under the black body with the temperature nearest to the measured one.
    ///
    /// The temperature is limited to those that the camera's gains can balance.
    ///
    /// White balance then follows the curve of lamps and daylight (the Planckian locus). An error that remains in dim
    /// light is warm or cool, not green or magenta.
    private func projectingOntoBlackBodies(_ color: ColorMeans, _ gains: ColorGains) -> ColorMeans {
        guard color.red > 0, color.green > 0, color.blue > 0 else { return color }
        let measured = temperature(
            of: ColorGains(
                red: gains.red * color.green / color.red, green: gains.green,
                blue: gains.blue * color.green / color.blue))
        let kelvin = Self.nearestReachableKelvin(measured, profile)
        let light = Chromaticity(blackBody: kelvin).linearRGB
        var nearest = color
        // `linearRGB` is scaled to a green of 1.
        nearest.red = color.green * gains.red / gains.green * light.red * profile.sensor.redResponse
        nearest.blue = color.green * gains.blue / gains.green * light.blue * profile.sensor.blueResponse
        return nearest
    }

    /// The settings of a frame that is rendered with this state.
    var settings: FrameSettings {
        FrameSettings(
            exposureDuration: CMTime(nanoseconds: exposure.nanoseconds),
            iso: min(exposure.iso, profile.isoRange.upperBound),
            aperture: aperture, lensPosition: profile.hasFocus ? lensPosition : nil, zoomFactor: zoom,
            flashFired: lamps.isFlashArmed,
            whiteBalanceKelvin: whiteBalance.kelvin, exposureMode: exposureControl.mode,
            exposureBias: exposureControl.mode == .custom && !exposureControl.isAutomatic ? 0 : exposureControl.bias,
            meteringPoint: FrameSettings.Point(x: exposureControl.point.x, y: exposureControl.point.y),
            whiteBalanceMode: whiteBalance.mode)
    }
}
