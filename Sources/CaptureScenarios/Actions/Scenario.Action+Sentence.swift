import CaptureHAL
import MediaMeasurements
import MediaTypes
import SimDevices

extension Scenario.Action {
    /// A sentence without a period with the values of the action; nil if the summary in the documentation applies to
    /// all values.
    var sentence: String? {
        switch self {
        case .endInterruption(let reason, let shouldResume):
            return "The interruption \(reason.scenarioName) ends"
                + (shouldResume.map {
                    $0
                        ? ", and the audio session advises the app to resume"
                        : ", and the audio session does not advise the app to resume"
                } ?? "")
        case .setSystemPressure(let pressure):
            let names = SystemPressure.Factors.scenarioNames.filter { pressure.factors.contains($0.value) }.map(\.name)
            return "The system pressure on all cameras changes to \(pressure.level)"
                + (names.isEmpty ? "" : " because of \(enumeration(names))")
        case .setAnswer(let resource, let answer, let delay):
            guard let answer else { return "The user never answers later prompts for \(resource.scenarioName)" }
            let name = AuthorizationState.scenarioNames.first { $0.value == answer }?.name ?? "\(answer)"
            return "The user's answer to later prompts for \(resource.scenarioName) is \(name)"
                + (delay.map { ", after \(number($0.seconds)) s" } ?? "")
        case .setLibraryAvailable(let isAvailable):
            return isAvailable
                ? "The photo library is available again"
                : "The photo library is not available, as on a volume that is not mounted"
        case .pickPhotos(let picker, let count, let delay):
            let effect = count.map { "selects the newest \($0) assets in" } ?? "closes"
            return "The user \(effect) open and later pickers of the kind \(picker.scenarioName)"
                + (delay.map { ", after \(number($0.seconds)) s" } ?? "")
        case .setLight(let lux, let temperature, let duration):
            let values = [lux.map { "\(number($0)) lx" }, temperature.map { "\(number($0)) K" }].compactMap { $0 }
            return "The light of the scene changes to \(enumeration(values))" + Self.over(duration)
        case .changeSceneObject(let change):
            let position = [change.x.map { "x: \(number($0)) m" }, change.y.map { "y: \(number($0)) m" }]
                .compactMap { $0 }
            let effects = [
                position.isEmpty
                    ? nil
                    : "moves to \(position.joined(separator: ", "))"
                        + Self.over(change.duration > .zero ? change.duration : nil),
                change.isVisible.map { $0 ? "appears" : "disappears" },
            ]
            return "The object \(change.name) of the scene \(enumeration(effects.compactMap { $0 }))"
        case .connection(.videoMirrored(let output, let isMirrored)):
            return "The video connection of the output \(output.rawValue) "
                + (isMirrored ? "mirrors frames" : "does not mirror frames")
        case .camera(let control): return control.sentence
        case .start, .stop, .record, .stopRecording, .pauseRecording, .resumeRecording, .photo, .interrupt,
            .setInBackground, .audioSession, .disconnect, .reconnect, .switchCamera, .setFreeSpace, .rotate,
            .setAuthorization, .fault, .change, .connection, .setCallbackDuration, .requestAuthorization, .setScene,
            .createAsset, .fetchAssets, .app:
            return nil
        }
    }

    /// Returns the duration of a gradual change, with a leading space; an empty string for an immediate change.
    static func over(_ duration: CMTime?) -> String { duration.map { " over \(number($0.seconds)) s" } ?? "" }
}

extension Scenario.CameraControl {
    /// A sentence without a period with the values of the control; nil if the summary in the documentation applies to
    /// all values.
    fileprivate var sentence: String? {
        switch self {
        case .torchMode(let mode):
            let name = Self.torchModes.first { $0.value == mode }?.name ?? "\(mode)"
            return mode == .auto ? "The torch is controlled automatically" : "The torch is turned \(name)"
        case .torchLevel(let level): return "The torch is turned on at the level \(number(level))"
        case .zoom(let factor, let duration):
            return duration == nil
                ? "The zoom factor is set to \(number(factor))"
                : "The zoom factor changes to \(number(factor))" + Scenario.Action.over(duration)
        case .customExposure(let duration, let iso):
            let values = [
                duration.map { "the exposure duration \(number($0.seconds)) s" },
                iso.map { "the ISO sensitivity \(number($0))" },
            ]
            return "The exposure is locked with \(enumeration(values.compactMap { $0 }))"
        case .subjectAreaChangeMonitoring(let isEnabled):
            return "The monitoring of the subject area is " + (isEnabled ? "enabled" : "disabled")
        case .lowLightBoost(let isEnabled):
            return isEnabled ? "Low-light boost is activated in dark scenes" : "Low-light boost is not activated"
        case .videoHDR(let isEnabled):
            return isEnabled.map { "High dynamic range is \($0 ? "on" : "off")" }
                ?? "The camera chooses whether high dynamic range is on"
        case .smoothAutoFocus(let isEnabled):
            return "Focus scans are " + (isEnabled ? "slow and smooth" : "not slow and smooth")
        case .faceDrivenAutoFocus(let isEnabled): return Self.faces("Automatic focus", isEnabled)
        case .faceDrivenAutoExposure(let isEnabled): return Self.faces("Automatic exposure", isEnabled)
        case .focusAt, .exposeAt, .focusMode, .exposureMode, .whiteBalanceMode, .lensPosition, .exposureBias,
            .whiteBalance, .format, .frameRate, .autoFocusRangeRestriction:
            return nil
        }
    }

    private static func faces(_ function: String, _ isEnabled: Bool?) -> String {
        isEnabled.map { "\(function) \($0 ? "prefers" : "does not prefer") faces" }
            ?? "The system chooses whether \(function.lowercased()) prefers faces"
    }
}
