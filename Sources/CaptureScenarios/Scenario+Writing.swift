import CaptureHAL
import Foundation
import MediaTypes
import SimDevices

extension Scenario {
    /// The scenario as a YAML document that `Scenario` can read.
    ///
    /// Nil if it has scheduled faults, or a timeline with faults other than pressure: writing these is not supported.
    var yaml: String? {
        guard devices.faults.isEmpty else { return nil }
        var lines = [
            "scenario: \(Self.version)",
            "name: \(quoted(name))",
            "seed: \(seed)",
            "devices:",
            "  profile: \(quoted(devices.profile))",
            "  scene: \(quoted(devices.scene))",
        ]
        if let shake = devices.shake { lines.append("  shake: \(shake.milliradians) mrad") }
        if devices.orientation != .portrait { lines.append("  orientation: \(devices.orientation.scenarioName)") }
        if devices.hasMarker { lines.append("  marker: true") }
        if devices.sound != .scene { lines.append("  sound: \(devices.sound.rawValue)") }
        if let free = devices.freeByteCount { lines.append("  free: \(free) B") }
        let authorization = ProtectedResource.allCases.compactMap { resource in
            devices.authorization[resource].map { "\(resource.scenarioName): \($0.scenarioName)" }
        }
        if !authorization.isEmpty { lines.append("  authorization: {\(authorization.joined(separator: ", "))}") }
        lines += ["session:", "  preset: \(Session.presetName(session.preset))"]
        if let camera = session.camera { lines.append("  camera: \(quoted(camera))") }
        lines += [
            "  microphone: \(session.hasMicrophone)",
            "  outputs: [\(session.outputs.map(\.rawValue).joined(separator: ", "))]",
            timeline.isEmpty ? "timeline: []" : "timeline:",
        ]
        for step in timeline {
            guard let (verb, values) = step.action.fields else { return nil }
            let entries = [("at", microseconds(step.time)), ("do", verb)] + values
            lines.append("  - {\(entries.map { "\($0.0): \($0.1)" }.joined(separator: ", "))}")
        }
        lines.append("end: \(microseconds(end))")
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Returns a time as a YAML quantity, rounded to microseconds.
func microseconds(_ time: CMTime) -> String { "\((time.nanoseconds + 500) / 1000) us" }

/// Returns text as a double-quoted YAML scalar.
private func quoted(_ text: String) -> String {
    "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
}

extension AuthorizationState {
    /// The name in scenario files.
    var scenarioName: String { Self.scenarioNames.first { $0.value == self }?.name ?? "\(self)" }
}

extension Scenario.Action {
    /// The verb, keys and values in a scenario file; nil if writing the action is not supported.
    fileprivate var fields: (verb: String, values: [(String, String)])? {
        switch self {
        case .start: return ("start", [])
        case .stop: return ("stop", [])
        case .record(let name, let interval, let duration):
            let optional = [
                interval.map { ("fragment-interval", microseconds($0)) },
                duration.map { ("maximum-duration", microseconds($0)) },
            ]
            return ("record", [("to", quoted(name))] + optional.compactMap { $0 })
        case .stopRecording: return ("stop-recording", [])
        case .pauseRecording: return ("pause-recording", [])
        case .resumeRecording: return ("resume-recording", [])
        case .photo(let name): return ("photo", [("to", quoted(name))])
        case .interrupt(let reason): return ("interrupt", [("reason", reason.scenarioName)])
        case .endInterruption(let reason): return ("end-interruption", [("reason", reason.scenarioName)])
        case .disconnect(let id): return ("disconnect", [("device", quoted(id))])
        case .reconnect(let id): return ("reconnect", [("device", quoted(id))])
        case .switchCamera(let id): return ("switch-camera", [("device", quoted(id))])
        case .setFreeSpace(let byteCount): return ("free", [("bytes", "\(byteCount) B")])
        case .rotate(let orientation): return ("rotate", [("orientation", orientation.scenarioName)])
        case .setAuthorization(let resource, let state):
            return ("authorize", [("resource", resource.scenarioName), ("state", state.scenarioName)])
        case .fault(.pressure(let level), let id):
            return ("pressure", [("device", quoted(id)), ("level", "\(level)")])
        case .fault: return nil
        case .change(let change):
            let (verb, values) = change.fields
            return (verb.rawValue, values.map { ($0.key, quoted($0.value)) })
        case .camera(let control):
            let (name, values) = control.fields
            return (name, values.map { ($0.key, $0.value) })
        }
    }
}
