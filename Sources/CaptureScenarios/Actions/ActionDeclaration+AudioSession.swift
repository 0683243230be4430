import StrictYAML

extension ActionDeclaration {
    /// Returns options with their names as values. A scenario stores the settings of the audio session by name.
    private static func names<Value>(_ list: [(name: String, value: Value)]) -> [(name: String, value: String)] {
        list.map { ($0.name, $0.name) }
    }

    private static let category = Field.choice("category", names(Scenario.AudioSessionCall.categories))
    private static let mode = Field.choice("mode", names(Scenario.AudioSessionCall.modes))
    private static let options = Field<[String]>(
        "options", "a list of " + Scenario.AudioSessionCall.options.map { "`\($0.name)`" }.joined(separator: ", "),
        ["type": "array", "items": .choice(Scenario.AudioSessionCall.options.map(\.name))]
    ) { (value) throws(YAMLError) in
        try value.list(minimumCount: 0).map { (value) throws(YAMLError) in
            try value.choice(names(Scenario.AudioSessionCall.options))
        }
    }
    private static let active = Field.flag("active")

    /// Calls of the app's audio session.
    static let audioSession: [ActionDeclaration] = [
        ActionDeclaration(
            "audio-session-category", .audioSession,
            [category.required, mode.optional("default `default`"), options.optional("default none")],
            "The category of the audio session is set."
        ) { (map) throws(YAMLError) in
            .audioSession(
                .setCategory(try map.required(category), mode: try map[mode], options: try map[options] ?? []))
        },
        ActionDeclaration(
            "audio-session-active", .audioSession, [active.required],
            "The audio session is activated or deactivated. Only an active one is interrupted."
        ) { (map) throws(YAMLError) in .audioSession(.setActive(try map.required(active))) },
    ]
}
