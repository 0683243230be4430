import CaptureHAL
import MediaTypes
import SimDevices
import StrictYAML

/// The declaration of an action of the timeline.
///
/// The reader, its error messages, the JSON Schema and the tables in the documentation use the declarations.
struct ActionDeclaration: Sendable {
    /// A group of actions. The documentation has a table for each group.
    enum Group: CaseIterable {
        case session, outputs, library, audioSession, environment, devices, camera, faults, app

        /// The groups of actions that an app performs. Actions of the other groups change its environment.
        static let performedByApp: [Group] = [.session, .outputs, .library, .audioSession, .camera, .app]
    }

    /// The name in scenario files and logs.
    let name: String
    let group: Group
    /// The keys in addition to `at` and `do`.
    let keys: [SchemaKey]
    /// A description of the effect, for the documentation.
    let summary: String
    /// Whether the action applies to one camera. In a session with several cameras, it then has the key `camera`.
    var concernsCamera: Bool {
        group == .outputs || group == .camera || keys.contains { $0.name == "output" }
    }
    /// The keys in addition to `at` and `do`, including `camera` if the action applies to one camera.
    var allKeys: [SchemaKey] { keys + (concernsCamera ? [Field.camera.optional()] : []) }
    /// Reads the values of the keys.
    let read: @Sendable (YAMLMapping) throws(YAMLError) -> Scenario.Action

    init(
        _ name: String, _ group: Group, _ keys: [SchemaKey] = [], _ summary: String,
        read: @escaping @Sendable (YAMLMapping) throws(YAMLError) -> Scenario.Action
    ) {
        (self.name, self.group, self.keys, self.summary, self.read) = (name, group, keys, summary, read)
    }

    /// Creates the declaration of an action without keys.
    init(_ name: String, _ group: Group, _ summary: String, action: Scenario.Action) {
        self.init(name, group, [], summary) { (_) throws(YAMLError) in action }
    }

    /// All actions. `disconnect` is listed twice: as an action, and as a fault with the key `in-frame`.
    static let all =
        session + connections + outputs + library + audioSession + environment + devices + camera + cameraFormats
        + faults
        + app

    /// The names of all actions.
    static let names = all.reduce(into: [String]()) { if !$0.contains($1.name) { $0.append($1.name) } }

    /// The keys of all actions.
    static let keyNames = all.flatMap(\.allKeys).map(\.name).reduce(into: [String]()) {
        if !$0.contains($1) { $0.append($1) }
    }

    /// Reads an action: the key `do`, and the keys of the action.
    static func read(_ map: YAMLMapping) throws(YAMLError) -> Scenario.Action {
        let nameValue = try map.required("do")
        let name = try nameValue.choice(names.map { ($0, $0) }, listedBy: "obscura scenario schema")
        // The keys of an unknown action cannot be checked.
        guard !nameValue.isReported else { throw nameValue.error("this is not an action", "") }
        let candidates = all.filter { $0.name == name }
        let isFault = candidates.count > 1 && map["in-frame"] != nil
        guard let declaration = candidates.first(where: { !isFault || $0.group == .faults }) else {
            throw nameValue.error(
                "\"\(name)\" is not an action",
                suggestion(for: name, among: names, listedBy: "obscura scenario schema"))
        }
        let keys = declaration.allKeys.map(\.name)
        for key in keyNames where !keys.contains(key) {
            guard let extra = map[key] else { continue }
            let list = keys.isEmpty ? "nothing" : keys.joined(separator: ", ")
            throw extra.error("\"\(name)\" does not accept \"\(key)\"", "it accepts \(list)")
        }
        return try declaration.read(map)
    }

    private static let appAction = Field.text("action", "the name of the action in the test")
    private static let appValue = Field.text("value", "a text for the action")

    /// Custom actions of an app.
    static let app = [
        ActionDeclaration(
            "app", .app, [appAction.required, appValue.optional("default none")],
            "The app performs a custom action."
        ) { (map) throws(YAMLError) in
            .app(action: try map.required(appAction), value: try map[appValue])
        }
    ]

    /// The faults of devices, which `docs/faults.md` documents.
    static let faults = SimFault.Verb.allCases.map { verb in
        let keys = verb.keys.map { SchemaKey($0, faultSchemas[$0] ?? ["$ref": "#/$defs/text"]) }
        return ActionDeclaration(
            verb.rawValue, .faults, [Field.device.required] + keys, verb.summary
        ) { (map) throws(YAMLError) in
            .fault(try SimFault(verb, map), device: try map.required(Field.device))
        }
    }

    /// The schemas of the keys of faults. The value of a control can have any type.
    private static let faultSchemas: [String: JSONValue] = [
        "count": ["type": "integer", "minimum": 1], "for": ["$ref": "#/$defs/time"],
        "by": ["anyOf": [["$ref": "#/$defs/time"], .quantity(YAMLUnit(names: [("ppm", 1)]), in: -1e5...1e5)]],
        "code": .choice(DeviceError.Code.allCases.map(\.rawValue.hyphenated)), "in-frame": ["$ref": "#/$defs/flag"],
        "control": .choice(DeviceControl.allCases.filter { !$0.isReadOnly }.map(\.rawValue.hyphenated)),
        "value": [:], "level": .choice(SystemPressure.Level.allCases.map { "\($0)" }),
    ]
}
