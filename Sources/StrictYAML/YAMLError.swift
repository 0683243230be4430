/// A problem in a YAML file, its location and its correction.
public struct YAMLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file name passed to the parser.
    public let file: String
    /// From 1.
    public let line: Int
    /// From 1, in Unicode scalars.
    public let column: Int
    /// The key path in the document, for example `devices[0].lens.aperture`; empty at its root.
    public let key: String
    /// The key that the mapping at `key` lacks; nil for other errors.
    public var missingKey: String? = nil
    /// The problem, without a period.
    public let problem: String
    /// The correction, without a period; may be empty.
    public let remedy: String

    /// Creates an error for a location in a file.
    public init(file: String, line: Int, column: Int, key: String, problem: String, remedy: String) {
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.problem = problem
        self.remedy = remedy
    }

    /// The file, line, column, key, problem and remedy in one line.
    public var description: String {
        let location = "\(file):\(line):\(column): "
        return location + (key.isEmpty ? "" : "\(key): ") + problem + (remedy.isEmpty ? "" : "; \(remedy)")
    }
}
