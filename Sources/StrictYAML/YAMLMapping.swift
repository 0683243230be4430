/// A mapping with only known keys, each at most once.
package struct YAMLMapping {
    /// The value that contains the mapping, for errors about the whole mapping.
    package let value: YAMLValue
    let values: [String: YAMLValue]

    /// Returns the value of an optional key.
    package subscript(key: String) -> YAMLValue? { values[key] }

    /// Returns the value of a required key.
    package func required(_ key: String) throws(YAMLError) -> YAMLValue {
        guard let result = values[key] else {
            var error = value.error("the key \"\(key)\" is missing", "add \"\(key): …\"")
            error.missingKey = key
            throw error
        }
        return result
    }
}
