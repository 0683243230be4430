import Foundation
import StrictYAML
import XCTest

@testable import CaptureScenarios

/// Tests the JSON Schema of scenario files.
final class ScenarioSchemaTests: XCTestCase {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    func testThePublishedSchemaIsCurrent() throws {
        let url = Self.root.appendingPathComponent("docs/scenario.schema.json")
        let published = try? Data(contentsOf: url)
        XCTAssertEqual(
            published.map { String(decoding: $0, as: UTF8.self) },
            String(decoding: try ScenarioSchema.json(), as: UTF8.self),
            "write it with 'obscura scenario schema > docs/scenario.schema.json'")
    }

    func testThePageDocumentsEachKey() throws {
        let page = try String(
            contentsOf: Self.root.appendingPathComponent("docs/scenarios.md"), encoding: .utf8)
        let keys =
            Scenario.keys.map(\.name).filter { $0 != "devices" && $0 != "session" }
            + Scenario.Devices.keys.map { "devices.\($0.name)" } + Scenario.Session.keys.map { "session.\($0.name)" }
        for key in keys { XCTAssertTrue(page.contains("\n| `\(key)` | "), "docs/scenarios.md has no row for \(key)") }
    }

    func testEachKeyOfAnExpectationHasASchema() {
        let others = Set(Scenario.Expectation.subjects.flatMap(\.others))
        XCTAssertEqual(others.subtracting(ScenarioSchema.expectationSchemas.keys), [])
    }

    func testTheLibraryOfScenariosIsValid() throws {
        for file in try ActionDeclarationTests.fixtures() {
            let value = try YAMLValue.parseWithVariables(String(contentsOf: file, encoding: .utf8), file: file.path)
            XCTAssertNil(problem(value), file.lastPathComponent)
        }
    }

    func testTheSchemaRejectsMistakes() throws {
        let lines = [
            "scenario: 1", "name: A test", "matrix: {reason: [background]}",
            "devices: {profile: phone, free: 5 MB, faults: [{device: a, rate: 0.5, do: stall, for: 1 s}]}",
            "session: {preset: 640x480, outputs: [movie, photo]}", "timeline:", "  - {at: 0 s, do: start}",
            "  - {at: 1 s, do: interrupt, reason: \"${reason}\"}",
            "  - {at: 1 s, do: zoom, factor: 2, over: 1/2 s}", "end: 2 s",
            "expect: [{movie: a.mov, duration: [1 s, 2 s]}, {error: disk-full, of: a.mov}]",
        ]
        func value(_ replacing: String = "", _ with: String = "") throws -> YAMLValue {
            let text = lines.joined(separator: "\n")
            XCTAssertTrue(replacing.isEmpty || text.contains(replacing), replacing)
            return try YAMLValue.parse(
                replacing.isEmpty ? text : text.replacingOccurrences(of: replacing, with: with), file: "t.yaml")
        }
        XCTAssertNil(problem(try value()))
        for (old, new) in [
            ("scenario: 1", "scenario: 2"), ("name:", "nmae:"), ("preset: 640x480", "preset: 640x481"),
            ("[movie, photo]", "[movie, fotos]"), ("do: start", "do: strat"), ("do: start", "do: start, to: a.mov"),
            ("factor: 2", "factor: 0.5"), ("factor: 2", "factor: two"), ("factor: 2, ", ""), ("1/2 s", "1/2"),
            ("reason: \"${reason}\"", "reason: lunch"), ("5 MB", "5 MiB"), ("rate: 0.5", "rate: 5"),
            ("for: 1 s", "fro: 1 s"), ("[1 s, 2 s]", "[1 s, 2 s, 3 s]"), ("disk-full", "disk-ful"),
            ("of: a.mov", "off: a.mov"), ("[background]", "background"), ("end: 2 s", "end: 2"),
        ] {
            XCTAssertNotNil(problem(try value(old, new)), new)
        }
    }

    // MARK: A validator of the keywords of JSON Schema that the schema uses

    /// Returns a description of the first violation in a document; nil if it is valid.
    private func problem(_ value: YAMLValue) -> String? { problem(value, ScenarioSchema.document) }

    private func problem(_ value: YAMLValue, _ schema: JSONValue) -> String? {
        guard case .object(let members) = schema else { return "not a schema: \(schema)" }
        let known: Set<String> = [
            "$ref", "$schema", "$defs", "title", "type", "enum", "const", "pattern", "anyOf", "required", "properties",
            "additionalProperties", "items", "minItems", "maxItems", "minimum", "maximum",
        ]
        if let unknown = members.keys.first(where: { !known.contains($0) }) { return "unknown keyword \(unknown)" }
        for check in [reference, alternatives, scalar, list, mapping] {
            if let problem = check(value, members) { return "\(value.path):\(value.line): \(problem)" }
        }
        return nil
    }

    private func reference(_ value: YAMLValue, _ members: [String: JSONValue]) -> String? {
        guard case .string(let reference)? = members["$ref"] else { return nil }
        guard case .object(let document) = ScenarioSchema.document, case .object(let definitions)? = document["$defs"],
            let schema = definitions[reference.replacing("#/$defs/", with: "")]
        else { return "there is no \(reference)" }
        return problem(value, schema)
    }

    private func alternatives(_ value: YAMLValue, _ members: [String: JSONValue]) -> String? {
        guard case .array(let schemas)? = members["anyOf"] else { return nil }
        let problems = schemas.map { problem(value, $0) }
        return problems.contains(nil) ? nil : "no alternative fits: \(problems.compactMap { $0 }.last ?? "")"
    }

    private func scalar(_ value: YAMLValue, _ members: [String: JSONValue]) -> String? {
        // In parsed values, private-use characters represent the braces of variables.
        let text = (try? value.string())?.replacing("\u{E000}", with: "{").replacing("\u{E001}", with: "}")
        let number = text.flatMap(Double.init)
        var types: Set<String> = []
        if let text {
            types.insert(text == "true" || text == "false" ? "boolean" : number == nil ? "string" : "number")
            if text == number.map({ "\(Int($0))" }) { types.insert("integer") }
        } else if (try? value.list(minimumCount: 0)) != nil {
            types = ["array"]
        } else {
            types = ["object"]
        }
        switch members["type"] {
        case .string(let type)? where !types.contains(type): return "not of type \(type)"
        case .array(let list)? where !list.contains(where: { types.contains("\($0.string)") }): return "not \(list)"
        default: break
        }
        if let allowed = members["const"], allowed.string != text { return "not \(allowed.string)" }
        if case .array(let options)? = members["enum"], !options.contains(where: { $0.string == text }) {
            return "\(text ?? "") is none of \(options.map(\.string))"
        }
        if case .string(let pattern)? = members["pattern"], let text {
            if text.range(of: pattern, options: .regularExpression) == nil {
                return "\(text) does not match \(pattern)"
            }
        }
        if let number, let minimum = members["minimum"].flatMap({ Double($0.string) }), number < minimum {
            return "\(number) is less than \(minimum)"
        }
        if let number, let maximum = members["maximum"].flatMap({ Double($0.string) }), number > maximum {
            return "\(number) is more than \(maximum)"
        }
        return nil
    }

    private func list(_ value: YAMLValue, _ members: [String: JSONValue]) -> String? {
        guard let elements = try? value.list(minimumCount: 0) else { return nil }
        if case .integer(let count)? = members["minItems"], elements.count < count { return "too short" }
        if case .integer(let count)? = members["maxItems"], elements.count > count { return "too long" }
        guard let items = members["items"] else { return nil }
        return elements.lazy.compactMap { self.problem($0, items) }.first
    }

    private func mapping(_ value: YAMLValue, _ members: [String: JSONValue]) -> String? {
        guard let entries = try? value.entries() else { return nil }
        if case .array(let required)? = members["required"] {
            for key in required where !entries.contains(where: { $0.key == key.string }) {
                return "the key \(key.string) is missing"
            }
        }
        var properties: [String: JSONValue] = [:]
        if case .object(let declared)? = members["properties"] { properties = declared }
        for (key, value) in entries {
            if let schema = properties[key] {
                if let problem = problem(value, schema) { return problem }
            } else if members["additionalProperties"] == .bool(false) {
                return "the key \(key) is not valid"
            } else if let schema = members["additionalProperties"], let problem = problem(value, schema) {
                return problem
            }
        }
        return nil
    }
}

extension JSONValue {
    /// The scalar as text.
    fileprivate var string: String {
        switch self {
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): value
        case .array, .object: ""
        }
    }
}
