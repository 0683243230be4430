/// A mapping whose keys are known ones, each at most once.
package struct YAMLMapping {
    /// Where the mapping is, for errors about the whole of it.
    package let place: YAMLValue
    private let values: [String: YAMLValue]

    init(place: YAMLValue, values: [String: YAMLValue]) {
        self.place = place
        self.values = values
    }

    package subscript(key: String) -> YAMLValue? { values[key] }

    /// The value of a key that must be there.
    package func required(_ key: String) throws(YAMLError) -> YAMLValue {
        guard let value = values[key] else { throw place.error("the key \"\(key)\" is missing", "add \"\(key): …\"") }
        return value
    }

    /// Checks the key that gives the file's schema version.
    package func checkVersion(_ key: String, supported: Int) throws(YAMLError) {
        let value = try required(key)
        let text = try value.string()
        guard text == String(supported) else {
            throw value.error("version \(text) of this kind of file is not known", "write \(supported)")
        }
    }
}
