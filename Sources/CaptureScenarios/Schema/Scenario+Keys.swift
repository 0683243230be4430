import CaptureHAL
import SimDevices
import StrictYAML

extension Scenario {
    /// The keys of a scenario file and of the files that it includes.
    static let keys: [ActionKey] = [
        ActionKey("scenario", ["enum": [.integer(version), .string("\(version)")]]),
        ActionKey("name", ["$ref": "#/$defs/text"]),
        ActionKey(
            "include",
            ["anyOf": [["type": "string"], ["type": "array", "minItems": 1, "items": ["type": "string"]]]]),
        ActionKey("variables", ["type": "object", "additionalProperties": ["$ref": "#/$defs/text"]]),
        ActionKey(
            "matrix",
            [
                "type": "object",
                "additionalProperties": ["type": "array", "minItems": 1, "items": ["$ref": "#/$defs/text"]],
            ]),
        ActionKey(
            "seed",
            [
                "anyOf": [
                    ["type": "integer", "minimum": 0], ["type": "string", "pattern": "^[0-9]+$|\\$\\{[^{}]+\\}"],
                ]
            ]),
        ActionKey("devices", ScenarioSchema.object(Devices.keys)),
        ActionKey("session", ScenarioSchema.object(Session.keys)),
        ActionKey("timeline", ["type": "array", "items": ["$ref": "#/$defs/step"]]),
        ActionKey("end", ["$ref": "#/$defs/time"]),
        ActionKey("expect", ["type": "array", "minItems": 1, "items": ["$ref": "#/$defs/expectation"]]),
    ]
}

extension Scenario.Devices {
    /// The keys of the section `devices`.
    static let keys: [ActionKey] = [
        ActionKey("profile", ["$ref": "#/$defs/text"]),
        ActionKey("scene", ["$ref": "#/$defs/text"]),
        ActionKey("light", ScenarioSchema.object(lightKeys)),
        ActionKey("shake", ["$ref": "#/$defs/text"]),
        ActionKey("orientation", .choice(DeviceOrientation.scenarioNames.map(\.name))),
        ActionKey("marker", ["$ref": "#/$defs/flag"]),
        ActionKey("sound", .choice(SimSound.allCases.map(\.rawValue))),
        ActionKey("free", ["$ref": "#/$defs/bytes"]),
        ActionKey("authorization", resources(.choice(AuthorizationState.scenarioNames.map(\.name)))),
        ActionKey(
            "answers",
            resources([
                "anyOf": [
                    answer,
                    ScenarioSchema.object([
                        ActionKey("answer", answer, isRequired: true), ActionKey("after", ["$ref": "#/$defs/time"]),
                    ]),
                ]
            ])),
        ActionKey("library", ScenarioSchema.object(Scenario.Library.keys)),
        ActionKey("faults", ["type": "array", "items": ["$ref": "#/$defs/fault"]]),
    ]

    /// The keys of the mapping `light`.
    static let lightKeys: [ActionKey] = [
        ActionKey("illuminance", .quantity(.lux, in: 0...200_000), isRequired: true),
        ActionKey("temperature", .quantity(.kelvin, in: 1000...40_000), isRequired: true),
    ]

    private static let answer = JSONValue.choice(AuthorizationState.answerNames.map(\.name))

    private static func resources(_ schema: JSONValue) -> JSONValue {
        ScenarioSchema.object(ProtectedResource.allCases.map { ActionKey($0.scenarioName, schema) })
    }
}

extension Scenario.Session {
    /// The keys of the section `session`.
    static let keys: [ActionKey] = [
        ActionKey("preset", .choice(presets.map(\.name))),
        ActionKey("camera", ["$ref": "#/$defs/text"]),
        ActionKey("microphone", ["$ref": "#/$defs/flag"]),
        ActionKey(
            "outputs",
            ["type": "array", "minItems": 1, "items": .choice(Output.allCases.map(\.rawValue))]),
        ActionKey(
            "metadata-object-types",
            ["type": "array", "minItems": 1, "items": .choice(LoggingMetadataDelegate.types.map(\.name))]),
        ActionKey("cameras", ["type": "array", "minItems": 2, "items": ScenarioSchema.object(cameraKeys)]),
    ]

    /// The keys of a camera in a session with several cameras.
    static let cameraKeys: [ActionKey] = [
        ActionKey("device", ["$ref": "#/$defs/text"], isRequired: true),
        ActionKey("size", ["$ref": "#/$defs/size"]),
        ActionKey("frame-rate", .quantity(.none, in: 0.1...1000)),
        ActionKey(
            "outputs", ["type": "array", "minItems": 1, "items": .choice(cameraOutputs.map(\.rawValue))],
            isRequired: true),
    ]
}
