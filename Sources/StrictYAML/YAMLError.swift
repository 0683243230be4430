/// What is wrong with a YAML file, where, and what would be right.
public struct YAMLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file's name as the reader was given it.
    public let file: String
    /// From 1.
    public let line: Int
    /// From 1, in Unicode scalars.
    public let column: Int
    /// Where in the document, as `devices[0].lens.aperture`; empty at its root.
    public let key: String
    /// What is wrong, without a full stop.
    public let problem: String
    /// What would be right, without a full stop.
    public let remedy: String

    public init(file: String, line: Int, column: Int, key: String, problem: String, remedy: String) {
        self.file = file
        self.line = line
        self.column = column
        self.key = key
        self.problem = problem
        self.remedy = remedy
    }

    public var description: String {
        let place = "\(file):\(line):\(column): "
        return place + (key.isEmpty ? "" : "\(key): ") + problem + (remedy.isEmpty ? "" : "; \(remedy)")
    }
}
