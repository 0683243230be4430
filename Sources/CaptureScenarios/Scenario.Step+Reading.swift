import StrictYAML

extension Scenario.Step {
    /// Parses a step: `at`, `do` and the keys of the action.
    ///
    /// - Parameter session: The session of the scenario; nil if the scenario drives an app.
    init(_ value: YAMLValue, _ session: Scenario.Session?) throws(YAMLError) {
        let map = try value.mapping(
            keys: ["at", "do"] + ActionDeclaration.keyNames, listedBy: "obscura scenario schema")
        line = value.line
        time = try map.required("at").time()
        action = try ActionDeclaration.read(map)
        camera = try Self.camera(map, action, of: session)
    }

    /// Reads the camera of an action. If the session has several cameras, an action that applies to one camera must
    /// name it.
    private static func camera(
        _ map: YAMLMapping, _ action: Scenario.Action, of session: Scenario.Session?
    ) throws(YAMLError) -> String? {
        let value = map["camera"]
        guard let session else { return try value?.string() }
        let ids = session.cameras.map(\.device)
        guard !ids.isEmpty else {
            guard let value else { return nil }
            throw value.error("the session has one camera", "remove \"camera\", or list several in session.cameras")
        }
        if case .switchCamera = action {
            throw map.value.error(
                "a session with several cameras has none to replace", "write \"remove-input\" and \"add-input\"")
        }
        if let output = map["output"], try output.string() == Scenario.Session.Output.audio.rawValue {
            guard let value else { return nil }
            throw value.error("the audio output belongs to no camera", "remove \"camera\"")
        }
        guard action.concernsCamera else { return nil }
        guard let value else {
            throw map.value.error("the session has several cameras", "add \"camera: \(ids[0])\"")
        }
        return try value.choice(ids.map { ($0, $0) })
    }
}
