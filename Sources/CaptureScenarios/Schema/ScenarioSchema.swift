import AssetTypes
import CaptureHAL
public import Foundation
import MediaMeasurements
import SimDevices
import StrictYAML

/// The JSON Schema of scenario files, for editors and other programs that read or write them.
///
/// The schema and the reader use the same declarations of keys and actions.
public enum ScenarioSchema {
    /// The schema as a JSON document (JSON Schema, draft 2020-12).
    public static func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(document) + Data("\n".utf8)
    }

    static let document: JSONValue = {
        var document = object(Scenario.keys)
        guard case .object(var members) = document else { return document }
        members["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        members["title"] = "Scenario"
        members["$defs"] = .object(definitions)
        document = .object(members)
        return document
    }()

    /// Returns the schema of a mapping. The keys of a scenario file are not required, since included files may contain
    /// them.
    static func object(_ keys: [SchemaKey]) -> JSONValue {
        var members: [String: JSONValue] = [
            "type": "object", "additionalProperties": false,
            "properties": .object(Dictionary(keys.map { ($0.name, $0.schema) }) { first, _ in first }),
        ]
        let required = keys.filter(\.isRequired).map(\.name)
        if !required.isEmpty { members["required"] = .array(required.map { .string($0) }) }
        return .object(members)
    }

    private static let definitions: [String: JSONValue] = [
        "variable": ["type": "string", "pattern": "\\$\\{[^{}]+\\}"],
        "text": ["type": ["string", "number", "boolean"]],
        "flag": ["anyOf": [["type": "boolean"], ["$ref": "#/$defs/variable"]]],
        "file-name": ["type": "string", "pattern": "^[^./][^/]*$"],
        "time": .quantity(.seconds, in: -86_400...86_400),
        "bytes": .quantity(.bytes, in: 0...1e15),
        "size": ["type": "string", "pattern": "^[0-9]+x[0-9]+$|\\$\\{[^{}]+\\}"],
        "point": .list(.quantity(.none, in: 0...1), count: 2),
        "step": [
            "anyOf": .array(
                ActionDeclaration.all.map { declaration in
                    object(
                        [
                            SchemaKey("at", ["$ref": "#/$defs/time"], isRequired: true),
                            SchemaKey("do", ["const": .string(declaration.name)], isRequired: true),
                        ] + declaration.allKeys)
                })
        ],
        "fault": [
            "anyOf": .array(
                ActionDeclaration.faults.map { declaration in
                    object(
                        [
                            SchemaKey("at", ["$ref": "#/$defs/time"]),
                            SchemaKey("frame", ["type": "integer", "minimum": 0]),
                            SchemaKey("rate", .quantity(.none, in: 0...1)),
                            SchemaKey("do", ["const": .string(declaration.name)], isRequired: true),
                        ] + declaration.keys)
                })
        ],
        "expectation": ["anyOf": .array(Scenario.Expectation.subjects.map { expectation($0.key, $0.others) })],
    ]

    private static func expectation(_ subject: String, _ others: [String]) -> JSONValue {
        var keys = [SchemaKey(subject, subjectSchemas[subject] ?? ["$ref": "#/$defs/text"], isRequired: true)]
        for key in others {
            let isState = subject == "device" && key == "is"
            let schema = isState ? .choice(StateHistory.states(of: subject)) : expectationSchemas[key]
            keys.append(SchemaKey(key, schema ?? ["$ref": "#/$defs/text"], isRequired: key == "is" || key == "time"))
        }
        return object(keys)
    }

    /// The schemas of the keys for the subject of an expectation. Subjects that are not listed are texts.
    private static let subjectSchemas: [String: JSONValue] = [
        "events": [
            "type": "array", "minItems": 1,
            "items": [
                "anyOf": [
                    ["type": "string"],
                    object([SchemaKey("event", ["type": "string"], isRequired: true)] + window),
                ]
            ],
        ],
        "error": .choice(AVError.Code.scenarioNames.map(\.name) + ["none"]),
        "notification": .choice(EventName.notifications.map(\.name)),
        "session": .choice(StateHistory.states(of: "session")),
        "recording": .choice(StateHistory.states(of: "recording")),
        "library": .choice(Scenario.LibraryExpectation.Kind.allCases.map(\.rawValue)),
        "log": ["const": "golden"],
    ]

    private static let window = ["at", "from", "until"].map { SchemaKey($0, ["$ref": "#/$defs/time"]) }

    /// The schemas of the other keys of expectations.
    static let expectationSchemas: [String: JSONValue] = {
        let flag: JSONValue = ["$ref": "#/$defs/flag"]
        let text: JSONValue = ["$ref": "#/$defs/text"]
        let time: JSONValue = ["$ref": "#/$defs/time"]
        let fraction: JSONValue = .quantity(.none, in: 0...1)
        var schemas: [String: JSONValue] = [
            "at": time, "from": time, "until": time, "time": time, "is": .bounds(.none, in: 0...1e9), "of": text,
            "camera": text, "album": text, "added": flag, "favorite": flag, "hidden": flag,
            "reason": .choice(
                InterruptionReason.scenarioNames.map(\.name)
                    + Scenario.AudioSessionCall.routeChangeReasons.map(\.name)),
            "lasts": .bounds(.seconds, in: 0...1e6), "exists": flag, "duration": .bounds(.seconds, in: 0...1e9),
            "frames": .bounds(.none, in: 0...1e9), "longest-gap": .bounds(.seconds, in: 0...1e9),
            "size": ["$ref": "#/$defs/size"], "rotation": ["enum": [0, 90, 180, 270]],
            "tracks": [
                "type": "array", "items": ["enum": ["video", "audio", "metadata", "timecode", "other"]],
            ],
            "playable": flag, "region": .list(fraction, count: 4), "brightness": .bounds(.none, in: 0...1e6),
            "sharpness": .bounds(.none, in: 0...1e6), "mean-color": .list(fraction, count: 3),
            "color-tolerance": fraction, "neutral": fraction, "codes": ["type": "array", "items": text],
            "faces": .bounds(.none, in: 0...1e6), "golden": text,
            "psnr": .quantity(.relativeDecibels, in: 1...100), "ssim": fraction, "make": text, "model": text,
            "flash-fired": flag, "live-movie": text,
        ]
        for tag in NumericTag.allCases { schemas[tag.rawValue] = .bounds(tag.unit, in: -1e6...1e6) }
        return schemas
    }()
}

extension SchemaKey {
    /// Creates a key that is not part of the tables of actions in the documentation.
    init(_ name: String, _ schema: JSONValue, isRequired: Bool = false) {
        self.init(name: name, values: "", schema: schema, isRequired: isRequired)
    }
}

extension JSONValue {
    /// Returns the schema of a list with a number of elements.
    static func list(_ element: JSONValue, count: Int) -> JSONValue {
        ["type": "array", "items": element, "minItems": .integer(count), "maxItems": .integer(count)]
    }

    /// Returns the schema of a value, or of a list of the lowest and the highest one.
    static func bounds(_ unit: YAMLUnit, in range: ClosedRange<Double>) -> JSONValue {
        ["anyOf": [quantity(unit, in: range), list(quantity(unit, in: range), count: 2)]]
    }
}
