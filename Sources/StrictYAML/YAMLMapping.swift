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
}
