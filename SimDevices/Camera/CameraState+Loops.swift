import CaptureHAL
import MediaTypes
import ThreeA

/// Updates of the state by measured frames.
extension CameraState {
    /// Every `meteringInterval`-th frame is measured: every frame while a loop is converging, fewer when all are
    /// stable.
    var meteringInterval: UInt64 { isAdjustingExposure || isAdjustingBalance || isAdjustingFocus ? 1 : 3 }

    /// Returns the frame interval for the `requested` one. A manual exposure longer than that extends it.
    func spacing(for requested: CMTime) -> (value: Int64, timescale: Int64) {
        guard exposureMode == .custom || exposureMode == .locked, exposure.nanoseconds > requested.nanoseconds else {
            return (requested.value, Int64(requested.timescale))
        }
        return (exposure.nanoseconds, 1_000_000_000)
    }

    /// Returns the state that the next frame is rendered with. An armed flash fires once.
    mutating func takeSnapshot() -> CameraState {
        defer { isFlashArmed = false }
        return self
    }

    /// Runs one step of the automatic loops with the statistics of a frame that was rendered with `snapshot`.
    ///
    /// - Parameter isImmediate: Whether to converge without damping, as before the first frame.
    /// - Returns: The controls whose values changed.
    mutating func adjust(
        after snapshot: CameraState, _ statistics: FrameStatistics, frameSeconds: Double, isImmediate: Bool = false
    ) -> [DeviceControl] {
        guard !snapshot.isFlashArmed else { return [] }
        let wasBoosting = isBoosting
        self.frameSeconds = frameSeconds
        var exposing = adjustExposure(after: snapshot, statistics, frameSeconds: frameSeconds, isImmediate)
        if isBoosting != wasBoosting { exposing.append(.lowLightBoostActive) }
        let balancing = adjustBalance(after: snapshot, statistics, isImmediate)
        guard !isImmediate else { return exposing + balancing }
        return exposing + adjustHDR(after: snapshot, statistics) + balancing
            + adjustFocus(after: snapshot, statistics)
    }

    private mutating func adjustExposure(
        after snapshot: CameraState, _ statistics: FrameStatistics, frameSeconds: Double, _ isImmediate: Bool
    ) -> [DeviceControl] {
        // Highlight compression must not influence the exposure.
        let light = statistics.light(
            at: point,
            codes: snapshot.headroom > 1 ? HighlightCurve.binLights(headroom: snapshot.headroom) : nil)
        guard isMetering else {
            exposureLoop.measure(light, bias: bias)
            return updateExposureOffset()
        }
        let (before, wasAdjusting) = (exposure, isAdjustingExposure)
        exposure = exposureLoop.step(
            after: snapshot.exposure, current: before, light: light, bias: bias,
            longest: min(frameSeconds, exposureLimit ?? defaultExposureLimit),
            isImmediate: isImmediate)
        var changed = updateExposureOffset()
        if exposure.nanoseconds != before.nanoseconds { changed.append(.exposureDuration) }
        if exposure.iso != before.iso { changed.append(.iso) }
        if exposureMode == .auto, !exposureLoop.isAdjusting {
            exposureMode = .locked
            changed.append(.exposureMode)
        }
        if isAdjustingExposure != wasAdjusting { changed.append(.exposureAdjusting) }
        return changed
    }

    /// Updates the reported difference from the target exposure.
    private mutating func updateExposureOffset() -> [DeviceControl] {
        let offset = exposureLoop.offset
        // Ignore changes caused by noise.
        guard abs(offset - exposureOffset) > 0.075 else { return [] }
        exposureOffset = (offset * 10).rounded() / 10
        return [.exposureOffset]
    }

    /// Enables highlight preservation (HDR) when part of the frame is clipped, and disables it when hardly any would
    /// be.
    private mutating func adjustHDR(
        after snapshot: CameraState, _ statistics: FrameStatistics
    ) -> [DeviceControl] {
        guard isHDRAutomatic, formatSupportsHDR, profile.highlightHeadroom > 1, !isAdjustingExposure,
            snapshot.isHDREnabled == isHDREnabled
        else {
            hdrToggleCount = 0
            return []
        }
        // With highlight compression, white has the signal 0.845.
        let isWanted =
            isHDREnabled ? statistics.share(fromCode: 216) > 0.01 : statistics.clippedShare > 0.03
        hdrToggleCount = isWanted == isHDREnabled ? 0 : hdrToggleCount + 1
        guard hdrToggleCount >= 3 else { return [] }
        (isHDREnabled, hdrToggleCount) = (isWanted, 0)
        return [.videoHDR]
    }

    private mutating func adjustFocus(after snapshot: CameraState, _ statistics: FrameStatistics) -> [DeviceControl] {
        guard isFocusing, snapshot.isFocusing, let contrast = statistics.contrast else { return [] }
        let (before, wasAdjusting) = (lensPosition, isAdjustingFocus)
        let frame = AutoFocus.Frame(
            contrast: contrast, zones: statistics.zones, position: snapshot.lensPosition,
            isExposureSteady: !isAdjustingExposure)
        lensPosition = focusLoop.step(frame, current: before, isContinuous: focusMode == .continuousAuto)
        var changed: [DeviceControl] = []
        if lensPosition != before { changed.append(.lensPosition) }
        if focusMode == .auto, !focusLoop.isAdjusting {
            focusMode = .locked
            changed.append(.focusMode)
        }
        if isAdjustingFocus != wasAdjusting { changed.append(.focusAdjusting) }
        return changed
    }

    private mutating func adjustBalance(
        after snapshot: CameraState, _ statistics: FrameStatistics, _ isImmediate: Bool
    ) -> [DeviceControl] {
        guard isBalancing else { return [] }
        let (before, wasAdjusting) = (gains, isAdjustingBalance)
        gains = balanceLoop.step(
            after: snapshot.gains, current: before, color: statistics.color.map { beforeMatrix($0, snapshot.gains) },
            isImmediate: isImmediate)
        var changed: [DeviceControl] = []
        if gains != before {
            kelvin = temperature(of: gains).rounded()
            changed += [.redGain, .greenGain, .blueGain, .whiteBalanceTemperature]
        }
        if balanceMode == .auto, !balanceLoop.isAdjusting {
            balanceMode = .locked
            changed.append(.whiteBalanceMode)
        }
        if isAdjustingBalance != wasAdjusting { changed.append(.whiteBalanceAdjusting) }
        return changed
    }

    /// Reverts the color matrix, because white balance gains are applied before it.
    private func beforeMatrix(_ color: ColorMeans, _ gains: ColorGains) -> ColorMeans {
        let mixed = profile.sensor.crosstalk(kelvin: temperature(of: gains)).applied(
            to: (color.red, color.green, color.blue))
        return ColorMeans(red: mixed.red, green: mixed.green, blue: mixed.blue, share: color.share)
    }

    /// The settings reported with a frame.
    var settings: FrameSettings {
        FrameSettings(
            exposureDuration: CMTime(nanoseconds: exposure.nanoseconds),
            iso: min(exposure.iso, profile.isoRange.upperBound),
            aperture: profile.lens.aperture, lensPosition: profile.hasFocus ? lensPosition : nil, zoomFactor: zoom,
            flashFired: isFlashArmed,
            whiteBalanceKelvin: kelvin)
    }
}
