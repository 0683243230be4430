import CaptureHAL
import MediaTypes
import SimDevices
import StrictYAML

/// A key of a mapping in scenario files, with a function that reads its value.
struct Field<Value: Sendable>: Sendable {
    let name: String
    /// The description of the values in the documentation.
    let values: String
    /// The JSON Schema of the values.
    let schema: JSONValue
    let read: @Sendable (YAMLValue) throws(YAMLError) -> Value

    init(
        _ name: String, _ values: String, _ schema: JSONValue,
        read: @escaping @Sendable (YAMLValue) throws(YAMLError) -> Value
    ) {
        (self.name, self.values, self.schema, self.read) = (name, values, schema, read)
    }

    /// The key in an action that requires it.
    var required: SchemaKey { SchemaKey(name: name, values: values, schema: schema, isRequired: true) }

    /// The key in an action that does not require it.
    ///
    /// - Parameter note: The default, as described in the documentation, such as ``default `off` ``.
    func optional(_ note: String? = nil) -> SchemaKey {
        SchemaKey(
            name: name, values: values + (note.map { "; \($0)" } ?? ""), schema: schema, isRequired: false)
    }
}

/// A key that an action accepts.
struct SchemaKey: Sendable, Hashable {
    let name: String
    /// The description of the values in the documentation.
    let values: String
    /// The JSON Schema of the values.
    let schema: JSONValue
    let isRequired: Bool
}

extension YAMLMapping {
    /// Reads the value of a required key.
    func required<Value>(_ field: Field<Value>) throws(YAMLError) -> Value { try field.read(try required(field.name)) }

    /// Reads the value of an optional key.
    subscript<Value>(field: Field<Value>) -> Value? {
        get throws(YAMLError) {
            guard let value = self[field.name] else { return nil }
            return try field.read(value)
        }
    }
}

extension Field where Value == String {
    /// A string.
    static func text(_ name: String, _ values: String) -> Field {
        Field(name, values, ["$ref": "#/$defs/text"]) { (value) throws(YAMLError) in try value.string() }
    }

    /// The ID of a device.
    static let device = text("device", "the ID of a device")

    /// The ID of a camera of a session with several cameras.
    static let camera = text("camera", "the ID of a camera")

    /// The name of a file in the folder of the scenario.
    static func fileName(_ name: String, _ values: String) -> Field {
        Field(name, values, ["$ref": "#/$defs/file-name"]) { (value) throws(YAMLError) in
            let text = try value.string()
            guard !text.contains("/"), !text.hasPrefix(".") else {
                throw value.error(
                    "\"\(text)\" is not a plain file name", "write a name without folders, such as clip.mov")
            }
            return text
        }
    }
}

extension Field where Value == Bool {
    /// `true` or `false`.
    static func flag(_ name: String) -> Field {
        Field(name, "`true` or `false`", ["$ref": "#/$defs/flag"]) { (value) throws(YAMLError) in try value.flag() }
    }
}

extension Field where Value == Int {
    /// An integer without a unit.
    static func integer(_ name: String, _ values: String, in range: ClosedRange<Int>) -> Field {
        let schema: JSONValue = [
            "anyOf": [
                [
                    "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
                ], ["$ref": "#/$defs/variable"],
            ]
        ]
        return Field(name, values, schema) { (value) throws(YAMLError) in try value.integer(in: range) }
    }
}

extension Field where Value == CMTime {
    /// A duration with a unit.
    static func time(_ name: String, _ values: String, from minimumSeconds: Double = 0) -> Field {
        Field(name, values, ["$ref": "#/$defs/time"]) { (value) throws(YAMLError) in
            try value.time(from: minimumSeconds)
        }
    }
}

extension Field where Value == Int64 {
    /// A byte count with a decimal unit.
    static func byteCount(_ name: String, _ values: String) -> Field {
        Field(name, values, ["$ref": "#/$defs/bytes"]) { (value) throws(YAMLError) in try value.byteCount() }
    }
}

extension Field where Value == Double {
    /// A number with or without a unit.
    static func number(
        _ name: String, _ values: String, _ unit: YAMLUnit = .none, in range: ClosedRange<Double>
    ) -> Field {
        Field(name, values, .quantity(unit, in: range)) { (value) throws(YAMLError) in
            try value.quantity(unit, in: range)
        }
    }
}

extension Field {
    /// One of several names.
    static func choice(_ name: String, _ options: [(name: String, value: Value)]) -> Field {
        Field(name, options.map { "`\($0.name)`" }.joined(separator: ", "), .choice(options.map(\.name))) {
            (value) throws(YAMLError) in try value.choice(options)
        }
    }
}

extension Field where Value == Point {
    /// Two coordinates from 0 to 1.
    static func point(_ name: String) -> Field {
        Field(
            name, "`[x, y]`, each 0 to 1, from the top left of the unrotated frame", ["$ref": "#/$defs/point"]
        ) { (value) throws(YAMLError) in
            let coordinates = try value.list(minimumCount: 2)
            guard coordinates.count == 2 else {
                throw value.error(
                    "a point has two coordinates, not \(coordinates.count)", "write [x, y], for example [0.3, 0.7]")
            }
            return Point(
                x: try coordinates[0].quantity(.none, in: 0...1), y: try coordinates[1].quantity(.none, in: 0...1))
        }
    }
}

/// A point of the unrotated frame, from (0,0) at the top left to (1,1) at the bottom right.
struct Point: Sendable, Hashable {
    var x: Double
    var y: Double
}

extension JSONValue {
    /// Returns the schema of one of several names.
    static func choice(_ names: [String]) -> JSONValue {
        ["anyOf": [["enum": .array(names.map { .string($0) })], ["$ref": "#/$defs/variable"]]]
    }

    /// Returns the schema of a number with a unit; without a unit, JSON and YAML numbers are also valid.
    static func quantity(_ unit: YAMLUnit, in range: ClosedRange<Double>) -> JSONValue {
        let number = "[-+]?[0-9.]+([eE][-+]?[0-9]+)?"
        let fraction = "\(number)(/\(number))?"
        guard unit.names.isEmpty else {
            let units = unit.names.map { $0.name.replacing("*", with: "\\*") }.joined(separator: "|")
            return [
                "anyOf": [
                    ["type": "string", "pattern": .string("^\(fraction) *(\(units))$")],
                    ["$ref": "#/$defs/variable"],
                ]
            ]
        }
        return [
            "anyOf": [
                ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)],
                ["type": "string", "pattern": .string("^\(number)/\(number)$")],
                ["$ref": "#/$defs/variable"],
            ]
        ]
    }
}

extension YAMLValue {
    /// Parses a byte count with a decimal unit, such as `5 MB`.
    func byteCount() throws(YAMLError) -> Int64 { Int64(try quantity(.bytes, in: 0...1e15)) }
}

extension YAMLUnit {
    static let bytes = YAMLUnit(names: [("B", 1), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9)])
}
