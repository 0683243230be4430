import CaptureHAL
import MediaMeasurements
import MediaTypes
import SimDevices

extension Scenario {
    /// A description of the simulated system, the session, each step of the timeline and each expectation.
    public var explanation: String {
        var lines = [name, "", devices.summary, session.summary, "", "Timeline:"]
        let times = timeline.map { "\(number($0.time.seconds)) s" } + ["\(number(end.seconds)) s"]
        let width = times.map(\.count).max() ?? 0
        func line(_ time: String, _ text: String) -> String {
            "  \(String(repeating: " ", count: width - time.count))\(time)  \(text)"
        }
        lines += zip(times, timeline).map { line($0, $1.summary) }
        lines.append(line(times.last ?? "", "The scenario ends."))
        lines += ["", expectations.isEmpty ? "Expected: the golden log." : "Expected:"]
        lines += expectations.map { "  " + $0.sentence }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Scenario.Devices {
    /// A description of the simulated system.
    fileprivate var summary: String {
        var sentences = ["The devices are those of the profile \(profile), in front of the scene \(scene)."]
        if orientation != .portrait { sentences.append("The orientation is \(orientation.scenarioName).") }
        if let shake { sentences.append("The camera shake is \(number(shake.milliradians)) mrad.") }
        if hasMarker { sentences.append("Each frame has a code with its counter.") }
        if sound != .scene { sentences.append("The microphones capture the sound \(sound.rawValue).") }
        if let freeByteCount { sentences.append("The disk has \(freeByteCount) bytes of free space.") }
        sentences += ProtectedResource.allCases.compactMap { resource in
            AuthorizationState.scenarioNames.first { $0.value == authorization[resource] }.map {
                "The authorization of \(resource.scenarioName) is \($0.name)."
            }
        }
        if let library {
            let count = library.assets.reduce(0) { $0 + $1.count }
            sentences.append(
                "The photo library contains \(count) assets and \(library.allAlbums.count) albums at the beginning.")
        }
        sentences += faults.map { fault in
            let (name, values) = fault.fault.fault.fields
            let details = ["device: \(fault.device)"] + values.map { "\($0.key): \($0.log)" }
            let summary = effect(of: name, isFault: true, details)
            return fault.fault.trigger.summary + ": " + summary.prefix(1).lowercased() + summary.dropFirst()
        }
        return sentences.joined(separator: " ")
    }
}

extension SimFault.Trigger {
    /// A description of the time when the fault occurs.
    fileprivate var summary: String {
        switch self {
        case .time(let time): "At \(number(time.seconds)) s"
        case .frame(let index): "At frame \(index)"
        case .rate(let rate): "With a probability of \(number(rate))"
        }
    }
}

extension Scenario.Session {
    /// A description of the session.
    fileprivate var summary: String {
        // A session has an output; a scenario without a session drives an app.
        guard !outputs.isEmpty || !cameras.isEmpty else { return "The app creates the session." }
        let lists = cameras.map { camera in
            let size = camera.size.map { " in \($0[0])x\($0[1])" } ?? ""
            return "\(camera.device)\(size) with \(Self.summary(camera.outputs))"
        }
        guard lists.isEmpty else {
            return "The session has the cameras " + enumeration(lists) + (hasMicrophone ? ", and a microphone" : "")
                + (outputs.isEmpty ? "." : " with \(Self.summary(outputs)).")
        }
        let sources =
            (camera.map { "the camera \($0)" } ?? "the default camera") + (hasMicrophone ? ", a microphone" : "")
        return "The session has \(sources), the preset \(Self.presetName(preset)), and \(Self.summary(outputs))."
    }

    private static func summary(_ outputs: [Output]) -> String {
        "the output" + (outputs.count == 1 ? " " : "s ") + enumeration(outputs.map(\.rawValue))
    }
}

/// Returns a list such as `a, b and c`.
func enumeration(_ names: [String]) -> String {
    (names.dropLast(2) + [names.suffix(2).joined(separator: " and ")]).joined(separator: ", ")
}

extension Scenario.Expectation {
    /// The expectation as a sentence.
    fileprivate var sentence: String {
        if case .events(let events) = kind, events.count > 1 { return "In this order: \(summary)." }
        return summary.prefix(1).uppercased() + summary.dropFirst() + "."
    }
}

extension Scenario.Step {
    /// A sentence with the values of the action if its documented summary describes several values; otherwise this
    /// summary, with the values of the keys in parentheses.
    fileprivate var summary: String {
        if let sentence = action.sentence { return sentence + (camera.map { " (camera: \($0))." } ?? ".") }
        let isFault = if case .fault = action { true } else { false }
        return effect(of: action.fields.name, isFault: isFault, values.map { "\($0.key): \($0.log)" })
    }
}

/// Returns the documented summary of an action or a fault, followed by details in parentheses.
///
/// - Parameter details: The keys and values, such as `device: phone.back`.
private func effect(of name: String, isFault: Bool, _ details: [String]) -> String {
    let declaration = ActionDeclaration.all.first { $0.name == name && ($0.group == .faults) == isFault }
    let summary = declaration?.summary ?? name
    guard !details.isEmpty else { return summary }
    return "\(summary.hasSuffix(".") ? String(summary.dropLast()) : summary) (\(details.joined(separator: ", ")))."
}
