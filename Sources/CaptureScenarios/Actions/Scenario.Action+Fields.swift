import CaptureHAL
import MediaTypes
import SimDevices
import StrictYAML

/// A key of an action with its value.
struct ActionField: Sendable {
    let key: String
    /// The value in a scenario file.
    let yaml: String
    /// The value in the log.
    let log: String

    /// Creates a field with a value that is the same in files and logs.
    init(_ key: String, _ value: String) { (self.key, yaml, log) = (key, value, value) }

    init(_ key: String, _ value: Double) { self.init(key, "\(value)") }

    init(_ key: String, _ value: Bool) { self.init(key, "\(value)") }

    /// Creates a field with free text, which is quoted in files.
    init(_ key: String, text: String) { (self.key, yaml, log) = (key, quoted(text), text) }

    /// Creates a field with a duration.
    init(_ key: String, _ time: CMTime) { (self.key, yaml, log) = (key, microseconds(time), "\(time.seconds) s") }

    /// Creates a field with the name of a value.
    init<Value: Equatable>(_ key: String, _ value: Value, in names: [(name: String, value: Value)]) {
        self.init(key, names.first { $0.value == value }?.name ?? "\(value)")
    }
}

extension Scenario.Action {
    /// The name, keys and values in a scenario file.
    var fields: (name: String, values: [ActionField]) {
        switch self {
        case .start: return ("start", [])
        case .stop: return ("stop", [])
        case .record(let name, let interval, let duration):
            let optional = [
                interval.map { ActionField("fragment-interval", $0) },
                duration.map { ActionField("maximum-duration", $0) },
            ]
            return ("record", [ActionField("to", text: name)] + optional.compactMap { $0 })
        case .stopRecording: return ("stop-recording", [])
        case .pauseRecording: return ("pause-recording", [])
        case .resumeRecording: return ("resume-recording", [])
        case .photo(let name, let settings): return ("photo", [ActionField("to", text: name)] + settings.fields)
        case .interrupt(let reason): return ("interrupt", [ActionField("reason", reason.scenarioName)])
        case .endInterruption(let reason, let resumes):
            return (
                "end-interruption",
                [ActionField("reason", reason.scenarioName)]
                    + (resumes.map { [ActionField("should-resume", $0)] } ?? [])
            )
        case .setInBackground(let isInBackground):
            return (isInBackground ? "enter-background" : "enter-foreground", [])
        case .setSystemPressure(let pressure):
            let names = SystemPressure.Factors.scenarioNames.filter { pressure.factors.contains($0.value) }.map(\.name)
            return (
                "system-pressure",
                [ActionField("level", "\(pressure.level)")]
                    + (names.isEmpty ? [] : [ActionField("factors", "[\(names.joined(separator: ", "))]")])
            )
        case .audioSession(let call): return call.fields
        case .disconnect(let id): return ("disconnect", [ActionField("device", text: id)])
        case .reconnect(let id): return ("reconnect", [ActionField("device", text: id)])
        case .switchCamera(let id): return ("switch-camera", [ActionField("device", text: id)])
        case .setFreeSpace(let byteCount): return ("free", [ActionField("bytes", "\(byteCount) B")])
        case .rotate(let orientation): return ("rotate", [ActionField("orientation", orientation.scenarioName)])
        case .setAuthorization(let resource, let state):
            return (
                "authorize",
                [
                    ActionField("resource", resource.scenarioName),
                    ActionField("state", state, in: AuthorizationState.scenarioNames),
                ]
            )
        case .fault(let fault, let id):
            return (fault.fields.name, [ActionField("device", text: id)] + fault.fields.values)
        case .change(let change): return change.fields
        case .camera(let control): return control.fields
        case .connection(let setting): return setting.fields
        case .setCallbackDuration(let duration): return ("callback-duration", [ActionField("duration", duration)])
        case .requestAuthorization(let resource):
            return ("request-authorization", [ActionField("resource", resource.scenarioName)])
        case .setAnswer(let resource, let answer, let delay):
            return (
                "answer",
                [
                    ActionField("resource", resource.scenarioName),
                    ActionField("answer", answer, in: AuthorizationState.answerNames),
                ] + (delay.map { [ActionField("after", $0)] } ?? [])
            )
        case .setLight(let lux, let temperature, let duration):
            return (
                "light",
                [
                    lux.map { ActionField("illuminance", "\($0) lx") },
                    temperature.map { ActionField("temperature", "\($0) K") },
                ]
                .compactMap { $0 } + (duration.map { [ActionField("over", $0)] } ?? [])
            )
        case .setScene(let name): return ("scene", [ActionField("scene", text: name)])
        case .changeSceneObject(let change): return ("scene-object", change.fields)
        case .createAsset(let file, let album):
            return (
                "create-asset",
                [ActionField("file", text: file)] + (album.map { [ActionField("album", text: $0)] } ?? [])
            )
        case .fetchAssets: return ("fetch-assets", [])
        case .setLibraryAvailable(let isAvailable):
            return ("photo-library", [ActionField("available", isAvailable)])
        case .app(let action, let value):
            return (
                "app", [ActionField("action", text: action)] + (value.map { [ActionField("value", text: $0)] } ?? [])
            )
        }
    }
}

extension Scenario.Action {
    /// Whether the action concerns one camera, which it names in a session with several cameras.
    var concernsCamera: Bool {
        let name = fields.name
        return ActionDeclaration.all.contains { $0.name == name && $0.concernsCamera }
    }
}

extension Scenario.Step {
    /// The keys and values in a scenario file, without the time and the name of the action.
    var values: [ActionField] {
        action.fields.values + (camera.map { [ActionField("camera", text: $0)] } ?? [])
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
        case .endInterruption(let reason, let resumes?):
            "end-interruption \(reason.scenarioName) \(resumes ? "should-resume" : "without should-resume")"
        case .createAsset(let file, let album?): "create-asset \(file) in \(album)"
        case .setLibraryAvailable(let isAvailable): "photo-library \(isAvailable ? "available" : "unavailable")"
        case .setAnswer(_, _, let delay?): values(of: fields, without: "after") + " after \(delay.seconds) s"
        case .changeSceneObject(let change): "scene-object \(change.name)\(change.summary)"
        case .setLight(_, _, let duration?): values(of: fields, without: "over") + " over \(duration.seconds) s"
        default: ([fields.name] + fields.values.map(\.log)).joined(separator: " ")
        }
    }
}

/// Returns the name and values of an action in the format of the log, without the value of a key.
private func values(of fields: (name: String, values: [ActionField]), without key: String) -> String {
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
    fileprivate var fields: (name: String, values: [ActionField]) {
        switch self {
        case .beginConfiguration: ("begin-configuration", [])
        case .commitConfiguration: ("commit-configuration", [])
        case .addInput(let id): ("add-input", [ActionField("device", text: id)])
        case .removeInput(let id): ("remove-input", [ActionField("device", text: id)])
        case .addOutput(let output): ("add-output", [ActionField("output", output.rawValue)])
        case .removeOutput(let output): ("remove-output", [ActionField("output", output.rawValue)])
        case .setPreset(let preset): ("preset", [ActionField("preset", Scenario.Session.presetName(preset))])
        case .setEnabled(let output, let isEnabled):
            (isEnabled ? "enable" : "disable", [ActionField("output", output.rawValue)])
        case .setInUse(let id, let isInUse):
            (isInUse ? "take-device" : "return-device", [ActionField("device", text: id)])
        case .setSuspended(let id, let isClosed):
            (isClosed ? "close-shutter" : "open-shutter", [ActionField("device", text: id)])
        case .resetMediaServices: ("reset-media-services", [])
        }
    }
}

extension Scenario.CameraControl {
    /// The name, keys and values in a scenario file.
    fileprivate var fields: (name: String, values: [ActionField]) {
        switch self {
        case .focusAt(let x, let y, let mode):
            ("focus-at", [ActionField("point", "[\(x), \(y)]"), ActionField("mode", mode, in: Self.focusModes)])
        case .exposeAt(let x, let y, let mode):
            ("expose-at", [ActionField("point", "[\(x), \(y)]"), ActionField("mode", mode, in: Self.exposureModes)])
        case .focusMode(let mode): ("focus-mode", [ActionField("mode", mode, in: Self.focusModes)])
        case .exposureMode(let mode): ("exposure-mode", [ActionField("mode", mode, in: Self.exposureModes)])
        case .whiteBalanceMode(let mode):
            ("white-balance-mode", [ActionField("mode", mode, in: Self.whiteBalanceModes)])
        case .lensPosition(let position): ("lens-position", [ActionField("position", position)])
        case .exposureBias(let bias): ("exposure-bias", [ActionField("bias", bias)])
        case .customExposure(let duration, let iso):
            (
                "custom-exposure",
                [duration.map { ActionField("duration", $0) }, iso.map { ActionField("iso", $0) }].compactMap { $0 }
            )
        case .whiteBalance(let temperature, let tint):
            ("white-balance", [ActionField("temperature", "\(temperature) K"), ActionField("tint", tint)])
        case .zoom(let factor, let duration):
            ("zoom", [ActionField("factor", factor)] + (duration.map { [ActionField("over", $0)] } ?? []))
        case .torchMode(let mode): ("torch", [ActionField("mode", mode, in: Self.torchModes)])
        case .torchLevel(let level): ("torch", [ActionField("level", level)])
        case .format(let width, let height, let rate):
            (
                "format",
                [ActionField("size", "\(width)x\(height)")] + (rate.map { [ActionField("frame-rate", $0)] } ?? [])
            )
        case .frameRate(let rate): ("frame-rate", [ActionField("frame-rate", rate)])
        case .subjectAreaChangeMonitoring(let isEnabled):
            ("subject-area-change-monitoring", [ActionField("enabled", isEnabled)])
        case .lowLightBoost(let isEnabled): ("low-light-boost", [ActionField("enabled", isEnabled)])
        case .videoHDR(let isEnabled): ("video-hdr", [Self.mode(isEnabled)])
        case .smoothAutoFocus(let isEnabled): ("smooth-auto-focus", [ActionField("enabled", isEnabled)])
        case .autoFocusRangeRestriction(let range):
            ("auto-focus-range-restriction", [ActionField("range", range, in: Self.focusRanges)])
        case .faceDrivenAutoFocus(let isEnabled): ("face-driven-auto-focus", [Self.mode(isEnabled)])
        case .faceDrivenAutoExposure(let isEnabled): ("face-driven-auto-exposure", [Self.mode(isEnabled)])
        }
    }

    /// Returns the mode of a feature that is on, off, or chosen automatically.
    private static func mode(_ isEnabled: Bool?) -> ActionField {
        ActionField("mode", isEnabled.map { $0 ? "on" : "off" } ?? "auto")
    }
}
