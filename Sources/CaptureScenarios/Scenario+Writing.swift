import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import StrictYAML

extension Scenario {
    /// The scenario as a YAML document. Reading it creates an equal scenario, except for the line numbers of its parts.
    package var yaml: String {
        var lines = [
            "scenario: \(Self.version)",
            "name: \(quoted(name))",
            "seed: \(seed)",
            "devices:",
        ]
        lines += devices.fields.map { "  \($0.key): \($0.yaml)" }
        if !devices.faults.isEmpty { lines.append("  faults:") }
        for entry in devices.faults {
            lines.append("    - " + flowMapping([KeyedValue("device", text: entry.device)] + entry.fault.fields))
        }
        // A scenario without a session drives an app.
        if !session.outputs.isEmpty || !session.cameras.isEmpty {
            lines.append("session:")
            lines += session.fields.map { "  \($0.key): \($0.yaml)" }
        }
        lines.append(timeline.isEmpty ? "timeline: []" : "timeline:")
        for step in timeline {
            let fields = [KeyedValue("at", step.time), KeyedValue("do", step.action.fields.name)] + step.values
            lines.append("  - " + flowMapping(fields))
        }
        lines.append("end: \(yamlTime(end))")
        if !expectations.isEmpty { lines.append("expect:") }
        lines += expectations.map { "  - " + flowMapping($0.fields) }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Scenario.Devices {
    /// The keys and values in a scenario file, without faults.
    fileprivate var fields: [KeyedValue] {
        var fields = [KeyedValue("profile", text: profile), KeyedValue("scene", text: scene)]
        if let light {
            fields.append(KeyedValue("light", "{illuminance: \(light.lux) lx, temperature: \(light.kelvin) K}"))
        }
        if let shake { fields.append(KeyedValue("shake", "\(shake.milliradians) mrad")) }
        if orientation != .portrait { fields.append(KeyedValue("orientation", orientation.scenarioName)) }
        if hasMarker { fields.append(KeyedValue("marker", true)) }
        if sound != .scene { fields.append(KeyedValue("sound", sound.rawValue)) }
        if let freeByteCount { fields.append(KeyedValue("free", "\(freeByteCount) B")) }
        let states = ProtectedResource.allCases.compactMap { resource in
            authorization[resource].map {
                KeyedValue(resource.scenarioName, $0, in: AuthorizationState.scenarioNames)
            }
        }
        if !states.isEmpty { fields.append(KeyedValue("authorization", flowMapping(states))) }
        let answers = ProtectedResource.allCases.compactMap { resource in
            self.answers[resource].map { answer in
                KeyedValue(
                    resource.scenarioName,
                    flowMapping([
                        KeyedValue("answer", answer.state, in: AuthorizationState.answerNames),
                        KeyedValue("after", CMTime(value: answer.delay.nanoseconds, timescale: 1_000_000_000)),
                    ]))
            }
        }
        if !answers.isEmpty { fields.append(KeyedValue("answers", flowMapping(answers))) }
        if let library { fields.append(KeyedValue("library", flowMapping(library.fields))) }
        return fields
    }
}

extension Scenario.Session {
    /// The keys and values in a scenario file.
    fileprivate var fields: [KeyedValue] {
        var fields = cameras.isEmpty ? [KeyedValue("preset", Self.presetName(preset))] : []
        if let camera { fields.append(KeyedValue("camera", text: camera)) }
        if !cameras.isEmpty {
            fields.append(KeyedValue("cameras", "[\(cameras.map { flowMapping($0.fields) }.joined(separator: ", "))]"))
        }
        fields.append(KeyedValue("microphone", hasMicrophone))
        if !outputs.isEmpty { fields.append(KeyedValue("outputs", outputs)) }
        if let metadataObjectTypes {
            fields.append(KeyedValue("metadata-object-types", "[\(metadataObjectTypes.joined(separator: ", "))]"))
        }
        return fields
    }
}

extension Scenario.Session.Camera {
    /// The keys and values in a scenario file.
    fileprivate var fields: [KeyedValue] {
        [KeyedValue("device", text: device)] + (size.map { [KeyedValue("size", "\($0[0])x\($0[1])")] } ?? [])
            + (frameRate.map { [KeyedValue("frame-rate", $0)] } ?? []) + [KeyedValue("outputs", outputs)]
    }
}

extension KeyedValue {
    /// Creates a keyed value with a list of outputs.
    fileprivate init(_ key: String, _ outputs: [Scenario.Session.Output]) {
        self.init(key, "[\(outputs.map(\.rawValue).joined(separator: ", "))]")
    }
}

/// Returns a time as a YAML quantity in seconds, rounded to microseconds.
func yamlTime(_ time: CMTime) -> String {
    let nanoseconds = time.nanoseconds
    return seconds((nanoseconds + (nanoseconds < 0 ? -500 : 500)) / 1000)
}

/// Returns text as a double-quoted YAML scalar on one line.
///
/// Line breaks and the characters that a YAML stream cannot contain are escaped (YAML 1.1, 5.1, 5.4 and 5.6).
func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\\", "\"": result += "\\\(scalar)"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        case "\u{20}"..."\u{7e}", "\u{a0}"..."\u{2027}", "\u{202a}"..."\u{fefe}", "\u{ff00}"..."\u{fffd}",
            "\u{10000}"..."\u{10ffff}":
            result.unicodeScalars.append(scalar)
        default:
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
    return result + "\""
}

/// Returns keys and values as a YAML flow mapping on one line.
func flowMapping(_ fields: [KeyedValue]) -> String {
    "{" + fields.map { "\($0.key): \($0.yaml)" }.joined(separator: ", ") + "}"
}
