import CaptureHAL
import Foundation
import MediaTypes
import StrictYAML

/// The names of the events of a log: the first words of their lines, after the time.
enum EventName {
    /// The events of the session, the devices, the outputs and the files.
    static let all =
        notifications.map(\.event) + [
            "recording did start", "recording did finish", "recording did pause", "recording did resume", "frame",
            "frame dropped", "frame without pixels", "sound", "photo", "photo will begin", "photo will capture",
            "photo failed", "photo did finish", "photo without data", "photo cannot be kept", "live photo",
            "live photo did record", "live photo failed", "misuse", "refused:",
            "cannot add", "cannot use", "cannot lock", "cannot set", "cannot set the preset", "there is no", "metadata",
            "depth", "depth dropped", "authorization", "subject area did change", "cannot detect", "the output",
            "the session has no input of", "file", "asset created", "asset photo", "asset movie", "assets",
            "cannot create the asset",
            "library did change", systemPressure, LogEntry.appFailure,
        ]

    /// The event of a change of the system pressure on a camera.
    static let systemPressure = "system pressure"

    /// The events of Apple's notifications by the names of the notifications in scenario files: in kebab case, without
    /// a prefix such as `AVCapture` and without the suffix `Notification`.
    static let notifications: [(name: String, event: String)] = [
        ("session-did-start-running", "session did start running"),
        ("session-did-stop-running", "session did stop running"),
        ("session-was-interrupted", "session was interrupted"),
        ("session-interruption-ended", "session interruption ended"),
        ("session-runtime-error", "session runtime error"),
        ("device-was-connected", "device connected"),
        ("device-was-disconnected", "device disconnected"),
        ("audio-session-interruption", "audio session interruption"),
        ("audio-session-route-change", "audio session route change"),
        ("audio-session-media-services-were-lost", "audio session media services were lost"),
        ("audio-session-media-services-were-reset", "audio session media services were reset"),
        ("application-will-resign-active", "application will resign active"),
        ("application-did-enter-background", "application did enter background"),
        ("application-will-enter-foreground", "application will enter foreground"),
        ("application-did-become-active", "application did become active"),
    ]

    /// Returns the longest name that an event begins with; nil for an unknown event.
    static func name(of event: String) -> String? {
        all.filter { starts(event, with: $0) }.max { $0.count < $1.count }
    }

    /// Returns whether a text is equal to some words, or begins with them and continues with a space, comma or colon.
    static func starts(_ text: String, with words: String) -> Bool {
        text == words || (text.hasPrefix(words) && text.dropFirst(words.count).first.map { " ,:".contains($0) } ?? true)
    }

    /// Reads the first words of an event.
    ///
    /// - Parameter names: The names of files and cameras in the scenario.
    /// - Throws: An error with a suggestion if no event begins with these words, since such an event never occurs.
    static func read(_ value: YAMLValue, names: Scenario.DeclaredNames) throws(YAMLError) -> String {
        let text = try value.string()
        if text.hasPrefix("> ") {
            let action = text.dropFirst(2).split(separator: " ").first.map(String.init) ?? ""
            guard ActionDeclaration.names.contains(action) else {
                throw value.error(
                    "\"\(action)\" is not an action of a timeline",
                    suggestion(for: action, among: ActionDeclaration.names, listedBy: "obscura scenario schema"))
            }
            return text
        }
        if all.contains(where: { starts($0, with: text) }) { return text }
        if let name = name(of: text) {
            try check(String(text.dropFirst(name.count).drop { " :".contains($0) }), of: name, text, value, names)
            return text
        }
        // The name of an event is followed by details, so the suggestion compares only as many words as the nearest
        // name has.
        let nearest = all.max { $0.commonPrefix(with: text).count < $1.commonPrefix(with: text).count } ?? ""
        let start = text.split(separator: " ").prefix(nearest.split(separator: " ").count).joined(separator: " ")
        throw value.error(
            "no event of a log begins with \"\(text)\"",
            suggestion(for: start, among: all) + " (the name of an action begins with >)")
    }

    /// Checks the words after the name of an event. They begin with the name of a file, a reason or an ID.
    private static func check(
        _ details: String, of name: String, _ text: String, _ value: YAMLValue, _ declared: Scenario.DeclaredNames
    ) throws(YAMLError) {
        let detail = details.split(whereSeparator: { " :".contains($0) }).first.map(String.init) ?? ""
        // `frame droped` is a misspelled event, not a frame with details.
        let longer = all.filter { $0 != name && starts($0, with: name) }
        let accepted: [String]
        switch name {
        case "frame":
            guard detail.first.map({ $0.isNumber || $0 == "?" }) != true else { return }
            // This is the ID of a device. The checker verifies that it exists after the scenario was played.
            if declared.drivesApp, detail.contains(".") { return }
            accepted = declared.cameras
        case "assets": return
        case "audio session interruption": accepted = ["began", "ended"]
        case "audio session route change": accepted = Scenario.AudioSessionCall.routeChangeReasons.map(\.name)
        case "asset created", "cannot create the asset", "photo", "live photo", "recording did start",
            "recording did finish",
            "recording did pause", "recording did resume":
            accepted = declared.files
        case "session was interrupted": accepted = InterruptionReason.scenarioNames.map(\.name)
        case systemPressure: accepted = SystemPressure.Level.allCases.map { "\($0)" }
        case "authorization": accepted = ProtectedResource.allCases.map(\.scenarioName)
        case "session did start running", "session did stop running", "session interruption ended",
            "frame without pixels", "photo will begin", "photo will capture", "photo without data",
            "live photo did record":
            accepted = []
        default: return
        }
        // The events of sessions other than the first unnamed session end with a name or number.
        if name.hasPrefix("session"), text.range(of: LogEntry.sessionWords) != nil { return }
        guard !accepted.contains(where: { starts(details, with: $0) }) else { return }
        let names = longer + accepted.map { "\(name) \($0)" }
        throw value.error(
            "no event of a log begins with \"\(name) \(detail)\"",
            names.isEmpty ? "write \"\(name)\"" : suggestion(for: "\(name) \(detail)", among: names))
    }
}
