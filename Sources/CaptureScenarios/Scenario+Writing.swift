import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import StrictYAML

extension Scenario {
    /// The scenario as a YAML document. Reading it creates an equal scenario, except for the line numbers of its parts.
    var yaml: String {
        var lines = [
            "scenario: \(Self.version)",
            "name: \(quoted(name))",
            "seed: \(seed)",
            "devices:",
        ]
        lines += devices.fields.map { "  \($0.key): \($0.yaml)" }
        if !devices.faults.isEmpty { lines.append("  faults:") }
        for entry in devices.faults {
            lines.append("    - " + mapping([ActionField("device", text: entry.device)] + entry.fault.fields))
        }
        // A scenario without a session drives an app.
        if !session.outputs.isEmpty || !session.cameras.isEmpty {
            lines.append("session:")
            lines += session.fields.map { "  \($0.key): \($0.yaml)" }
        }
        lines.append(timeline.isEmpty ? "timeline: []" : "timeline:")
        for step in timeline {
            let fields = [ActionField("at", step.time), ActionField("do", step.action.fields.name)] + step.values
            lines.append("  - " + mapping(fields))
        }
        lines.append("end: \(microseconds(end))")
        if !expectations.isEmpty { lines.append("expect:") }
        lines += expectations.map { "  - " + mapping($0.fields) }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Scenario.Devices {
    /// The keys and values in a scenario file, without faults.
    fileprivate var fields: [ActionField] {
        var fields = [ActionField("profile", text: profile), ActionField("scene", text: scene)]
        if let light {
            fields.append(ActionField("light", "{illuminance: \(light.lux) lx, temperature: \(light.kelvin) K}"))
        }
        if let shake { fields.append(ActionField("shake", "\(shake.milliradians) mrad")) }
        if orientation != .portrait { fields.append(ActionField("orientation", orientation.scenarioName)) }
        if hasMarker { fields.append(ActionField("marker", true)) }
        if sound != .scene { fields.append(ActionField("sound", sound.rawValue)) }
        if let freeByteCount { fields.append(ActionField("free", "\(freeByteCount) B")) }
        let states = ProtectedResource.allCases.compactMap { resource in
            authorization[resource].map {
                ActionField(resource.scenarioName, $0, in: AuthorizationState.scenarioNames)
            }
        }
        if !states.isEmpty { fields.append(ActionField("authorization", mapping(states))) }
        let answers = ProtectedResource.allCases.compactMap { resource in
            self.answers[resource].map { answer in
                ActionField(
                    resource.scenarioName,
                    mapping([
                        ActionField("answer", answer.state, in: AuthorizationState.answerNames),
                        ActionField("after", CMTime(value: answer.delay.nanoseconds, timescale: 1_000_000_000)),
                    ]))
            }
        }
        if !answers.isEmpty { fields.append(ActionField("answers", mapping(answers))) }
        if let library { fields.append(ActionField("library", mapping(library.fields))) }
        return fields
    }
}

extension Scenario.Session {
    /// The keys and values in a scenario file.
    fileprivate var fields: [ActionField] {
        var fields = cameras.isEmpty ? [ActionField("preset", Self.presetName(preset))] : []
        if let camera { fields.append(ActionField("camera", text: camera)) }
        if !cameras.isEmpty {
            fields.append(ActionField("cameras", "[\(cameras.map { mapping($0.fields) }.joined(separator: ", "))]"))
        }
        fields.append(ActionField("microphone", hasMicrophone))
        if !outputs.isEmpty { fields.append(ActionField("outputs", outputs)) }
        if let metadataObjectTypes {
            fields.append(ActionField("metadata-object-types", "[\(metadataObjectTypes.joined(separator: ", "))]"))
        }
        return fields
    }
}

extension Scenario.Session.Camera {
    /// The keys and values in a scenario file.
    fileprivate var fields: [ActionField] {
        [ActionField("device", text: device)] + (size.map { [ActionField("size", "\($0[0])x\($0[1])")] } ?? [])
            + (frameRate.map { [ActionField("frame-rate", $0)] } ?? []) + [ActionField("outputs", outputs)]
    }
}

extension ActionField {
    /// Creates a field with a list of outputs.
    fileprivate init(_ key: String, _ outputs: [Scenario.Session.Output]) {
        self.init(key, "[\(outputs.map(\.rawValue).joined(separator: ", "))]")
    }
}

/// Returns a time as a YAML quantity in seconds, rounded to microseconds.
func microseconds(_ time: CMTime) -> String {
    let nanoseconds = time.nanoseconds
    return seconds((nanoseconds + (nanoseconds < 0 ? -500 : 500)) / 1000)
}

/// Returns text as a double-quoted YAML scalar.
func quoted(_ text: String) -> String {
    "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
}

/// Returns keys and values as a YAML flow mapping on one line.
func mapping(_ fields: [ActionField]) -> String {
    "{" + fields.map { "\($0.key): \($0.yaml)" }.joined(separator: ", ") + "}"
}
