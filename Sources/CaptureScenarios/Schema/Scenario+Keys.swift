import CaptureHAL
import SimDevices
import StrictYAML

extension Scenario {
    /// The values of a variable of the matrix.
    private static let list: JSONValue = ["type": "array", "minItems": 1, "items": ["$ref": "#/$defs/text"]]

    /// The keys of a scenario file and of the files that it includes.
    static let keys: [SchemaKey] = [
        SchemaKey("scenario", ["enum": [.integer(version), .string("\(version)")]]),
        SchemaKey("name", ["$ref": "#/$defs/text"]),
        SchemaKey(
            "include",
            ["anyOf": [["type": "string"], ["type": "array", "minItems": 1, "items": ["type": "string"]]]]),
        SchemaKey("variables", ["type": "object", "additionalProperties": ["$ref": "#/$defs/text"]]),
        SchemaKey(
            "matrix",
            [
                "type": "object",
                "properties": ["phones": ["anyOf": [["$ref": "#/$defs/text"], list]]],
                "additionalProperties": list,
            ]),
        SchemaKey(
            "seed",
            [
                "anyOf": [
                    ["type": "integer", "minimum": 0], ["type": "string", "pattern": "^[0-9]+$|\\$\\{[^{}]+\\}"],
                ]
            ]),
        SchemaKey("devices", ScenarioSchema.object(Devices.keys)),
        SchemaKey("session", ScenarioSchema.object(Session.keys)),
        SchemaKey("timeline", ["type": "array", "items": ["$ref": "#/$defs/step"]]),
        SchemaKey("end", ["$ref": "#/$defs/time"]),
        SchemaKey("expect", ["type": "array", "minItems": 1, "items": ["$ref": "#/$defs/expectation"]]),
    ]
}

extension Scenario.Devices {
    /// The keys of the section `devices`.
    static let keys: [SchemaKey] = [
        SchemaKey("profile", ["$ref": "#/$defs/text"]),
        SchemaKey("scene", ["$ref": "#/$defs/text"]),
        SchemaKey("light", ScenarioSchema.object(lightKeys)),
        SchemaKey("shake", ["$ref": "#/$defs/text"]),
        SchemaKey("orientation", .choice(DeviceOrientation.scenarioNames.map(\.name))),
        SchemaKey("marker", ["$ref": "#/$defs/flag"]),
        SchemaKey("sound", .choice(SimSound.allCases.map(\.rawValue))),
        SchemaKey("free", ["$ref": "#/$defs/bytes"]),
        SchemaKey("authorization", resources(.choice(AuthorizationState.scenarioNames.map(\.name)))),
        SchemaKey(
            "answers",
            resources([
                "anyOf": [
                    answer,
                    ScenarioSchema.object([
                        SchemaKey("answer", answer, isRequired: true), SchemaKey("after", ["$ref": "#/$defs/time"]),
                    ]),
                ]
            ])),
        SchemaKey("library", ScenarioSchema.object(Scenario.Library.keys)),
        SchemaKey("faults", ["type": "array", "items": ["$ref": "#/$defs/fault"]]),
    ]

    /// The keys of the mapping `light`.
    static let lightKeys: [SchemaKey] = [
        SchemaKey("illuminance", .quantity(.lux, in: 0...200_000), isRequired: true),
        SchemaKey("temperature", .quantity(.kelvin, in: 1000...40_000), isRequired: true),
    ]

    private static let answer = JSONValue.choice(AuthorizationState.answerNames.map(\.name))

    private static func resources(_ schema: JSONValue) -> JSONValue {
        ScenarioSchema.object(ProtectedResource.allCases.map { SchemaKey($0.scenarioName, schema) })
    }
}

extension Scenario.Session {
    /// The keys of the section `session`.
    static let keys: [SchemaKey] = [
        SchemaKey("preset", .choice(presets.map(\.name))),
        SchemaKey("camera", ["$ref": "#/$defs/text"]),
        SchemaKey("microphone", ["$ref": "#/$defs/flag"]),
        SchemaKey(
            "outputs",
            ["type": "array", "minItems": 1, "items": .choice(Output.allCases.map(\.rawValue))]),
        SchemaKey(
            "metadata-object-types",
            ["type": "array", "minItems": 1, "items": .choice(LoggingMetadataDelegate.types.map(\.name))]),
        SchemaKey("cameras", ["type": "array", "minItems": 2, "items": ScenarioSchema.object(cameraKeys)]),
    ]

    /// The keys of a camera in a session with several cameras.
    static let cameraKeys: [SchemaKey] = [
        SchemaKey("device", ["$ref": "#/$defs/text"], isRequired: true),
        SchemaKey("size", ["$ref": "#/$defs/size"]),
        SchemaKey("frame-rate", .quantity(.none, in: 0.1...1000)),
        SchemaKey(
            "outputs", ["type": "array", "minItems": 1, "items": .choice(cameraOutputs.map(\.rawValue))],
            isRequired: true),
    ]
}
