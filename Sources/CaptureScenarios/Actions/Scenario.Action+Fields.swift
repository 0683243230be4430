import CaptureHAL
import MediaTypes
import SimDevices
import StrictYAML

/// A key with its value, in the formats of scenario files and of the log.
struct KeyedValue: Sendable {
    let key: String
    /// The value in a scenario file.
    let yaml: String
    /// The value in the log.
    let log: String

    /// Creates a keyed value with the same text in files and logs.
    init(_ key: String, _ value: String) { (self.key, yaml, log) = (key, value, value) }

    init(_ key: String, _ value: Double) { self.init(key, "\(value)") }

    init(_ key: String, _ value: Bool) { self.init(key, "\(value)") }

    /// Creates a keyed value with free text, which is quoted in files.
    init(_ key: String, text: String) { (self.key, yaml, log) = (key, quoted(text), text) }

    /// Creates a keyed value with a duration.
    init(_ key: String, _ time: CMTime) { (self.key, yaml, log) = (key, yamlTime(time), "\(time.seconds) s") }

    /// Creates a keyed value with the name that a list contains for a value.
    init<Value: Equatable>(_ key: String, _ value: Value, in names: [(name: String, value: Value)]) {
        self.init(key, names.first { $0.value == value }?.name ?? "\(value)")
    }
}

extension Scenario.Action {
    /// The name, keys and values in a scenario file.
    var fields: (name: String, values: [KeyedValue]) {
        switch self {
        case .start: return ("start", [])
        case .stop: return ("stop", [])
        case .record(let name, let interval, let duration):
            let optional = [
                interval.map { KeyedValue("fragment-interval", $0) },
                duration.map { KeyedValue("maximum-duration", $0) },
            ]
            return ("record", [KeyedValue("to", text: name)] + optional.compactMap { $0 })
        case .stopRecording: return ("stop-recording", [])
        case .pauseRecording: return ("pause-recording", [])
        case .resumeRecording: return ("resume-recording", [])
        case .photo(let name, let settings): return ("photo", [KeyedValue("to", text: name)] + settings.fields)
        case .interrupt(let reason): return ("interrupt", [KeyedValue("reason", reason.scenarioName)])
        case .endInterruption(let reason, let shouldResume):
            return (
                "end-interruption",
                [KeyedValue("reason", reason.scenarioName)]
                    + (shouldResume.map { [KeyedValue("should-resume", $0)] } ?? [])
            )
        case .setInBackground(let isInBackground):
            return (isInBackground ? "enter-background" : "enter-foreground", [])
        case .setSystemPressure(let pressure):
            let names = SystemPressure.Factors.scenarioNames.filter { pressure.factors.contains($0.value) }.map(\.name)
            return (
                "system-pressure",
                [KeyedValue("level", "\(pressure.level)")]
                    + (names.isEmpty ? [] : [KeyedValue("factors", "[\(names.joined(separator: ", "))]")])
            )
        case .audioSession(let call): return call.fields
        case .disconnect(let id): return ("disconnect", [KeyedValue("device", text: id)])
        case .reconnect(let id): return ("reconnect", [KeyedValue("device", text: id)])
        case .switchCamera(let id): return ("switch-camera", [KeyedValue("device", text: id)])
        case .setFreeSpace(let byteCount): return ("free", [KeyedValue("bytes", "\(byteCount) B")])
        case .rotate(let orientation): return ("rotate", [KeyedValue("orientation", orientation.scenarioName)])
        case .setAuthorization(let resource, let state):
            return (
                "authorize",
                [
                    KeyedValue("resource", resource.scenarioName),
                    KeyedValue("state", state, in: AuthorizationState.scenarioNames),
                ]
            )
        case .fault(let fault, let id):
            return (fault.fields.name, [KeyedValue("device", text: id)] + fault.fields.values)
        case .change(let change): return change.fields
        case .camera(let control): return control.fields
        case .connection(let setting): return setting.fields
        case .setCallbackDuration(let duration): return ("callback-duration", [KeyedValue("duration", duration)])
        case .requestAuthorization(let resource):
            return ("request-authorization", [KeyedValue("resource", resource.scenarioName)])
        case .setAnswer(let resource, let answer, let delay):
            return (
                "answer",
                [
                    KeyedValue("resource", resource.scenarioName),
                    KeyedValue("answer", answer, in: AuthorizationState.answerNames),
                ] + (delay.map { [KeyedValue("after", $0)] } ?? [])
            )
        case .setLight(let lux, let temperature, let duration):
            return (
                "light",
                [
                    lux.map { KeyedValue("illuminance", "\($0) lx") },
                    temperature.map { KeyedValue("temperature", "\($0) K") },
                ]
                .compactMap { $0 } + (duration.map { [KeyedValue("over", $0)] } ?? [])
            )
        case .setScene(let name): return ("scene", [KeyedValue("scene", text: name)])
        case .changeSceneObject(let change): return ("scene-object", change.fields)
        case .createAsset(let file, let album):
            return (
                "create-asset",
                [KeyedValue("file", text: file)] + (album.map { [KeyedValue("album", text: $0)] } ?? [])
            )
        case .fetchAssets: return ("fetch-assets", [])
        case .setLibraryAvailable(let isAvailable):
            return ("photo-library", [KeyedValue("available", isAvailable)])
        case .pickPhotos(let picker, let count, let delay):
            return (
                "pick-photos",
                [KeyedValue("picker", picker, in: PhotoPicker.scenarioNames)]
                    + (count.map { [KeyedValue("newest", "\($0)")] } ?? [])
                    + (delay.map { [KeyedValue("after", $0)] } ?? [])
            )
        case .app(let action, let value):
            return (
                "app", [KeyedValue("action", text: action)] + (value.map { [KeyedValue("value", text: $0)] } ?? [])
            )
        }
    }
}

extension Scenario.Action {
    /// Whether the action applies to one camera. In a session with several cameras, the step then has the key
    /// `camera`.
    var concernsCamera: Bool {
        let name = fields.name
        return ActionDeclaration.all.contains { $0.name == name && $0.concernsCamera }
    }
}

extension Scenario.Step {
    /// The keys and values in a scenario file, without the time and the name of the action.
    var values: [KeyedValue] {
        action.fields.values + (camera.map { [KeyedValue("camera", text: $0)] } ?? [])
    }

    /// The action and its camera in the format of the log.
    var logText: String { "\(action)" + (camera.map { " on \($0)" } ?? "") }
}

extension Scenario.Action: CustomStringConvertible {
    /// The action in the format of the log: its name and values. Words such as `over` precede values that would
    /// otherwise be ambiguous.
    public var description: String {
        switch self {
        case .record(let name, let fragmentInterval, let maximumDuration):
            "record \(name)" + (fragmentInterval.map { " fragments \($0.seconds) s" } ?? "")
                + (maximumDuration.map { " at most \($0.seconds) s" } ?? "")
        case .fault(let fault, let id): "\(fault) on \(id)"
        case .camera(.customExposure(let duration, let iso)):
            "custom-exposure" + (duration.map { " \($0.seconds) s" } ?? "") + (iso.map { " ISO \($0)" } ?? "")
        case .camera(.zoom(let factor, let duration)):
            "zoom \(factor)" + (duration.map { " over \($0.seconds) s" } ?? "")
        case .photo(let name, let settings):
            "photo \(name)" + settings.fields.map { " \($0.key) \($0.log)" }.joined()
        case .endInterruption(let reason, let shouldResume?):
            "end-interruption \(reason.scenarioName) \(shouldResume ? "should-resume" : "without should-resume")"
        case .createAsset(let file, let album?): "create-asset \(file) in \(album)"
        case .setLibraryAvailable(let isAvailable): "photo-library \(isAvailable ? "available" : "unavailable")"
        case .pickPhotos(let picker, let count, let delay):
            "pick-photos \(picker.scenarioName) " + (count.map { "newest \($0)" } ?? "cancel")
                + (delay.map { " after \($0.seconds) s" } ?? "")
        case .setAnswer(_, _, let delay?): values(of: fields, without: "after") + " after \(delay.seconds) s"
        case .changeSceneObject(let change): "scene-object \(change.name)\(change.summary)"
        case .setLight(_, _, let duration?): values(of: fields, without: "over") + " over \(duration.seconds) s"
        default: ([fields.name] + fields.values.map(\.log)).joined(separator: " ")
        }
    }
}

/// Returns the name and values of an action in the format of the log, without the value of a key.
private func values(of fields: (name: String, values: [KeyedValue]), without key: String) -> String {
    ([fields.name] + fields.values.filter { $0.key != key }.map(\.log)).joined(separator: " ")
}

extension Scenario.Change: CustomStringConvertible {
    /// The change in the format of the log.
    public var description: String { "\(Scenario.Action.change(self))" }
}

extension Scenario.CameraControl: CustomStringConvertible {
    /// The action in the format of the log.
    public var description: String { "\(Scenario.Action.camera(self))" }
}

extension Scenario.Change {
    /// The name, keys and values in a scenario file.
    fileprivate var fields: (name: String, values: [KeyedValue]) {
        switch self {
        case .beginConfiguration: ("begin-configuration", [])
        case .commitConfiguration: ("commit-configuration", [])
        case .addInput(let id): ("add-input", [KeyedValue("device", text: id)])
        case .removeInput(let id): ("remove-input", [KeyedValue("device", text: id)])
        case .addOutput(let output): ("add-output", [KeyedValue("output", output.rawValue)])
        case .removeOutput(let output): ("remove-output", [KeyedValue("output", output.rawValue)])
        case .setPreset(let preset): ("preset", [KeyedValue("preset", Scenario.Session.presetName(preset))])
        case .setEnabled(let output, let isEnabled):
            (isEnabled ? "enable" : "disable", [KeyedValue("output", output.rawValue)])
        case .setInUse(let id, let isInUse):
            (isInUse ? "take-device" : "return-device", [KeyedValue("device", text: id)])
        case .setSuspended(let id, let isClosed):
            (isClosed ? "close-shutter" : "open-shutter", [KeyedValue("device", text: id)])
        case .resetMediaServices: ("reset-media-services", [])
        }
    }
}

extension Scenario.CameraControl {
    /// The name, keys and values in a scenario file.
    fileprivate var fields: (name: String, values: [KeyedValue]) {
        switch self {
        case .focusAt(let x, let y, let mode):
            ("focus-at", [KeyedValue("point", "[\(x), \(y)]"), KeyedValue("mode", mode, in: Self.focusModes)])
        case .exposeAt(let x, let y, let mode):
            ("expose-at", [KeyedValue("point", "[\(x), \(y)]"), KeyedValue("mode", mode, in: Self.exposureModes)])
        case .focusMode(let mode): ("focus-mode", [KeyedValue("mode", mode, in: Self.focusModes)])
        case .exposureMode(let mode): ("exposure-mode", [KeyedValue("mode", mode, in: Self.exposureModes)])
        case .whiteBalanceMode(let mode):
            ("white-balance-mode", [KeyedValue("mode", mode, in: Self.whiteBalanceModes)])
        case .lensPosition(let position): ("lens-position", [KeyedValue("position", position)])
        case .exposureBias(let bias): ("exposure-bias", [KeyedValue("bias", bias)])
        case .customExposure(let duration, let iso):
            (
                "custom-exposure",
                [duration.map { KeyedValue("duration", $0) }, iso.map { KeyedValue("iso", $0) }].compactMap { $0 }
            )
        case .whiteBalance(let temperature, let tint):
            ("white-balance", [KeyedValue("temperature", "\(temperature) K"), KeyedValue("tint", tint)])
        case .zoom(let factor, let duration):
            ("zoom", [KeyedValue("factor", factor)] + (duration.map { [KeyedValue("over", $0)] } ?? []))
        case .torchMode(let mode): ("torch", [KeyedValue("mode", mode, in: Self.torchModes)])
        case .torchLevel(let level): ("torch", [KeyedValue("level", level)])
        case .format(let width, let height, let rate):
            (
                "format",
                [KeyedValue("size", "\(width)x\(height)")] + (rate.map { [KeyedValue("frame-rate", $0)] } ?? [])
            )
        case .frameRate(let rate): ("frame-rate", [KeyedValue("frame-rate", rate)])
        case .subjectAreaChangeMonitoring(let isEnabled):
            ("subject-area-change-monitoring", [KeyedValue("enabled", isEnabled)])
        case .lowLightBoost(let isEnabled): ("low-light-boost", [KeyedValue("enabled", isEnabled)])
        case .videoHDR(let isEnabled): ("video-hdr", [Self.mode(isEnabled)])
        case .smoothAutoFocus(let isEnabled): ("smooth-auto-focus", [KeyedValue("enabled", isEnabled)])
        case .autoFocusRangeRestriction(let range):
            ("auto-focus-range-restriction", [KeyedValue("range", range, in: Self.focusRanges)])
        case .faceDrivenAutoFocus(let isEnabled): ("face-driven-auto-focus", [Self.mode(isEnabled)])
        case .faceDrivenAutoExposure(let isEnabled): ("face-driven-auto-exposure", [Self.mode(isEnabled)])
        }
    }

    /// Returns the mode of a feature that is on, off, or chosen automatically.
    private static func mode(_ isEnabled: Bool?) -> KeyedValue {
        KeyedValue("mode", isEnabled.map { $0 ? "on" : "off" } ?? "auto")
    }
}
