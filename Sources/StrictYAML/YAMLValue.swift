import Foundation
import MediaTypes

/// A value in a YAML document.
///
/// Each accessor either succeeds or throws an error with line and column.
package struct YAMLValue {
    let node: YAMLNode
    package let file: String
    /// The key path in the document, for example `devices[0].lens`.
    package let path: String
    /// The values that this value overrides. For a key that this value does not contain, the first of them that
    /// contains the key applies.
    package private(set) var overridden: [YAMLValue] = []
    /// The text that, as the value of a key, removes the key from the overridden mappings; nil if no text does.
    private var removalText: String?

    init(node: YAMLNode, file: String, path: String, overridden: [YAMLValue] = []) {
        self.node = node
        self.file = file
        self.path = path
        self.overridden = overridden
    }

    /// Returns the value with defaults: at each level, keys that are missing in a mapping are taken from the other
    /// mappings. Values that are not mappings do not change.
    ///
    /// - Parameters:
    ///   - others: The overridden values.
    ///   - text: The text that, as the value of a key, removes the key from the other mappings; nil if no text does.
    package func overriding(_ others: [YAMLValue], removingBy text: String? = nil) -> YAMLValue {
        var value = YAMLValue(node: node, file: file, path: path, overridden: overridden + others)
        value.removalText = text
        return value
    }

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - text: The contents of the file.
    ///   - file: The file name for errors.
    package static func parse(_ text: String, file: String) throws(YAMLError) -> YAMLValue {
        guard let node = try YAMLNode.parse(text, file: file) else {
            throw YAMLError(
                file: file, line: 1, column: 1, key: "", problem: "the file is empty",
                remedy: "write a mapping of keys to values")
        }
        return YAMLValue(node: node, file: file, path: "")
    }

    /// Creates the value of a document that was parsed before.
    ///
    /// - Parameter file: The file name for errors.
    package init(document: YAMLNode, file: String) { self.init(node: document, file: file, path: "") }

    /// The document, or the part of it, that the value contains. Values that it overrides are not part of it.
    package var document: YAMLNode { node }

    /// The line on which the value starts, from 1.
    package var line: Int { node.line }

    /// Creates an error at the value's location.
    package func error(_ problem: String, _ remedy: String) -> YAMLError {
        YAMLError(
            file: file, line: line, column: node.column, key: path, problem: problem,
            remedy: remedy)
    }

    /// Returns the value as a mapping.
    ///
    /// - Parameters:
    ///   - keys: All valid keys; any other is an error that suggests the nearest.
    ///   - command: A command that prints all keys, for lists that can be long.
    package func mapping(keys: [String], listedBy command: String? = nil) throws(YAMLError) -> YAMLMapping {
        if isReported {
            let values = keys.map { ($0, YAMLValue(node: node, file: file, path: path)) }
            return YAMLMapping(value: self, values: Dictionary(values) { first, _ in first })
        }
        guard case .mapping(let pairs) = node.content else {
            throw error("this is \(kind), not a mapping", "write keys and values: \(keys.joined(separator: ", "))")
        }
        var values: [String: YAMLValue] = [:]
        for pair in pairs {
            let keyValue = YAMLValue(node: pair.key, file: file, path: path)
            guard let key = pair.key.text else {
                throw keyValue.error(
                    "a key must be a single value, not \(keyValue.kind)", "use one of \(keys.joined(separator: ", "))")
            }
            let inner = path.isEmpty ? key : "\(path).\(key)"
            guard keys.contains(key) else {
                throw YAMLValue(node: pair.key, file: file, path: inner)
                    .error("the key \"\(key)\" is not valid here", suggestion(for: key, among: keys, listedBy: command))
            }
            guard values[key] == nil else {
                throw YAMLValue(node: pair.key, file: file, path: inner)
                    .error("the key \"\(key)\" appears twice", "keep one of them")
            }
            values[key] = YAMLValue(node: pair.value, file: file, path: inner)
        }
        for other in overridden {
            for (key, value) in try other.mapping(keys: keys).values {
                values[key] = values[key]?.overriding([value], removingBy: removalText) ?? value
            }
        }
        if let removalText {
            values = values.filter { $0.value.overridden.isEmpty || $0.value.node.text != removalText }
        }
        return YAMLMapping(value: self, values: values)
    }

    /// Returns the keys and values of a mapping in the order of the file; any key is valid, but only once.
    package func entries() throws(YAMLError) -> [(key: String, value: YAMLValue)] {
        if isReported { return [] }
        guard case .mapping(let pairs) = node.content else {
            throw error("this is \(kind), not a mapping", "write names and values, as {name: value}")
        }
        var names: [String] = []
        for pair in pairs {
            names.append(try YAMLValue(node: pair.key, file: file, path: path).string())
        }
        for other in overridden { names += try other.entries().map(\.key) }
        let values = try self.mapping(keys: names)
        var result: [(key: String, value: YAMLValue)] = []
        for name in names where !result.contains(where: { $0.key == name }) {
            if let value = values[name] { result.append((name, value)) }
        }
        return result
    }

    /// Checks the key with the file's schema version and ignores all other keys.
    ///
    /// A key with a similar name is reported as misspelled. Call this before `mapping(keys:)`, because a file of a
    /// later version can contain unknown keys.
    package func checkVersion(_ key: String, supported: Int) throws(YAMLError) {
        guard case .mapping(let pairs) = node.content else { return }
        for pair in pairs {
            guard pair.key.text == key else { continue }
            let value = YAMLValue(node: pair.value, file: file, path: key)
            let text = try value.string()
            guard text == String(supported) else {
                throw value.error("version \(text) of this file format is not supported", "write \(supported)")
            }
            return
        }
        for pair in pairs {
            guard let other = pair.key.text,
                editDistance(other.lowercased(), key) <= max(1, key.count / 4)
            else { continue }
            throw YAMLValue(node: pair.key, file: file, path: other)
                .error("the key \"\(other)\" is not valid here", "did you mean \"\(key)\"?")
        }
        throw error("the key \"\(key)\" is missing", "add \"\(key): \(supported)\"")
    }

    /// Returns the elements of a list.
    ///
    /// - Parameter minimumCount: The minimum number of elements.
    package func list(minimumCount: Int = 1) throws(YAMLError) -> [YAMLValue] {
        if isReported { return Array(repeating: self, count: minimumCount) }
        guard case .sequence(let nodes) = node.content else {
            throw error("this is \(kind), not a list", "write [a, b] or one \"- value\" per line")
        }
        guard nodes.count >= minimumCount else {
            throw error("the list has \(nodes.count) entries", "write at least \(minimumCount)")
        }
        return nodes.enumerated().filter { !Self.isRemoved($0.element) }.map {
            YAMLValue(node: $0.element, file: file, path: "\(path)[\($0.offset)]")
        }
    }

    /// Returns the text of a scalar.
    package func string() throws(YAMLError) -> String {
        guard let text = node.text else {
            throw error("this is \(kind), not a single value", "write one value")
        }
        guard !text.isEmpty else { throw error("the value is empty", "write a value") }
        return text
    }

    /// Returns a Boolean, written as `true` or `false`.
    package func flag() throws(YAMLError) -> Bool {
        if isReported { return false }
        switch try string() {
        case "true": return true
        case "false": return false
        case let text: throw error("\"\(text)\" is not a Boolean", "write true or false")
        }
    }

    /// Returns an integer in a range.
    package func integer(in range: ClosedRange<Int>) throws(YAMLError) -> Int {
        if isReported { return range.lowerBound }
        let text = try string()
        guard let value = Int(text) else { throw integerError(text, expectation(range)) }
        guard range.contains(value) else { throw error("\(value) is out of range", expectation(range)) }
        return value
    }

    /// Returns an integer from 0 to 2^64 − 1, for example a seed.
    package func unsignedInteger() throws(YAMLError) -> UInt64 {
        if isReported { return 0 }
        let text = try string()
        guard let value = UInt64(text) else {
            throw integerError(text, "write an integer from 0 to \(UInt64.max)")
        }
        return value
    }

    /// Returns the error for a text that is not an integer, or that is out of range.
    private func integerError(_ text: String, _ remedy: String) -> YAMLError {
        let digits = text.drop { "+-".contains($0) }
        let isNumber = text.count - digits.count <= 1 && !digits.isEmpty && digits.allSatisfy("0123456789".contains)
        return isNumber ? error("\(text) is out of range", remedy) : error("\"\(text)\" is not an integer", remedy)
    }

    /// Returns the value of one of several names.
    ///
    /// - Parameters:
    ///   - otherNames: Other valid names, to be included in the suggestion.
    ///   - command: A command that prints all names, for lists that can be long.
    package func choice<Value>(
        _ options: [(name: String, value: Value)], otherNames: [String] = [], listedBy command: String? = nil
    ) throws(YAMLError) -> Value {
        let text = try string()
        if isReported, let option = options.first { return option.value }
        if let option = options.first(where: { $0.name == text }) { return option.value }
        throw error(
            "\"\(text)\" is not a valid value here",
            suggestion(for: text, among: options.map(\.name) + otherNames, listedBy: command))
    }

    /// A description of the node's type, for messages.
    var kind: String {
        switch node.content {
        case .scalar(let text): text.isEmpty ? "empty" : "the value \"\(text)\""
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .alias: "an alias"
        }
    }

    private func expectation(_ range: ClosedRange<Int>) -> String {
        "write an integer from \(range.lowerBound) to \(range.upperBound)"
    }
}
