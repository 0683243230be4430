import CaptureHAL
import MediaTypes
import ThreeA

/// What the frames do to the state.
extension CameraState {
    /// Every how many frames are measured: all while a loop moves, fewer while all rest.
    var meteringInterval: UInt64 { isAdjustingExposure || isAdjustingBalance || isAdjustingFocus ? 1 : 3 }

    /// The spacing of frames where the client asked for `wish`: an exposure that it set may lengthen it.
    func spacing(for wish: CMTime) -> (value: Int64, timescale: Int64) {
        guard exposureMode == .custom || exposureMode == .locked, exposure.nanoseconds > wish.nanoseconds else {
            return (wish.value, Int64(wish.timescale))
        }
        return (exposure.nanoseconds, 1_000_000_000)
    }

    /// What forms the next frame; the flash fires once.
    mutating func takeSnapshot() -> CameraState {
        defer { isFlashArmed = false }
        return self
    }

    /// Answers a frame that `snapshot` formed; returns the controls that changed.
    ///
    /// - Parameter isImmediate: Whether to go the whole way at once, as before the first frame.
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
        return exposing + adjustHighlights(after: snapshot, statistics) + balancing
            + adjustFocus(after: snapshot, statistics)
    }

    private mutating func adjustExposure(
        after snapshot: CameraState, _ statistics: FrameStatistics, frameSeconds: Double, _ isImmediate: Bool
    ) -> [DeviceControl] {
        // With the highlights kept, the picture is exposed as without.
        let light = statistics.light(
            at: point,
            codes: snapshot.headroom > 1 ? HighlightCurve.binLights(headroom: snapshot.headroom) : nil)
        guard isMetering else {
            exposureLoop.measure(light, bias: bias)
            return noteOffset()
        }
        let (before, wasAdjusting) = (exposure, isAdjustingExposure)
        exposure = exposureLoop.step(
            after: snapshot.exposure, current: before, light: light, bias: bias,
            longest: min(frameSeconds, exposureLimit ?? usualExposureLimit),
            isImmediate: isImmediate)
        var changed = noteOffset()
        if exposure.nanoseconds != before.nanoseconds { changed.append(.exposureDuration) }
        if exposure.iso != before.iso { changed.append(.iso) }
        if exposureMode == .auto, !exposureLoop.isAdjusting {
            exposureMode = .locked
            changed.append(.exposureMode)
        }
        if isAdjustingExposure != wasAdjusting { changed.append(.exposureAdjusting) }
        return changed
    }

    /// Notes how far the picture is from the exposure's aim, as far as eight bits tell.
    private mutating func noteOffset() -> [DeviceControl] {
        let offset = exposureLoop.offset
        // Noise does not move it.
        guard abs(offset - exposureOffset) > 0.075 else { return [] }
        exposureOffset = (offset * 10).rounded() / 10
        return [.exposureOffset]
    }

    /// Keeps the highlights where some of the picture is clipped, until hardly any would be.
    private mutating func adjustHighlights(
        after snapshot: CameraState, _ statistics: FrameStatistics
    ) -> [DeviceControl] {
        guard decidesOnHighlights, formatKeepsHighlights, profile.highlightHeadroom > 1, !isAdjustingExposure,
            snapshot.keepsHighlights == keepsHighlights
        else {
            highlightCount = 0
            return []
        }
        // White comes to 0.845 where highlights are pressed together above it.
        let isWanted =
            keepsHighlights ? statistics.share(fromCode: 216) > 0.01 : statistics.clippedShare > 0.03
        highlightCount = isWanted == keepsHighlights ? 0 : highlightCount + 1
        guard highlightCount >= 3 else { return [] }
        (keepsHighlights, highlightCount) = (isWanted, 0)
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

    /// The means as they were before the colour matrix, where gains work on them.
    private func beforeMatrix(_ color: ColorMeans, _ gains: ColorGains) -> ColorMeans {
        let mixed = profile.sensor.crosstalk(kelvin: temperature(of: gains)).applied(
            to: (color.red, color.green, color.blue))
        return ColorMeans(red: mixed.red, green: mixed.green, blue: mixed.blue, share: color.share)
    }

    /// The settings that a frame tells.
    var settings: FrameSettings {
        FrameSettings(
            exposureDuration: CMTime(nanoseconds: exposure.nanoseconds),
            iso: min(exposure.iso, profile.isoRange.upperBound),
            aperture: profile.lens.aperture, lensPosition: profile.hasFocus ? lensPosition : nil, zoomFactor: zoom,
            flashFired: isFlashArmed,
            whiteBalanceKelvin: kelvin)
    }
}
