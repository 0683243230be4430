/// A location in an app's sources that must or may have to change before they compile on Linux with this package.
public struct PortFinding: Hashable, Sendable, Codable {
    /// The kind of a finding.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Code that is not compiled on Linux, because of a condition such as `#if os(iOS)`.
        case excludedCode = "excluded-code"
        /// Syntax that needs the Objective-C runtime.
        case objectiveC = "objective-c"
        /// A module that does not exist on Linux.
        case missingModule = "missing-module"
        /// An Apple name that this package does not have.
        case missingName = "missing-name"
    }

    public let kind: Kind
    /// The path of the file: the argument itself, or a path inside the folder that was the argument.
    public let file: String
    /// From 1.
    public let line: Int
    /// The code that must change.
    public let code: String
    /// The suggested replacement.
    public let advice: String

    init(_ kind: Kind, _ file: String, _ line: Int, _ code: String, _ advice: String) {
        (self.kind, self.file, self.line, self.code, self.advice) = (kind, file, line, code, advice)
    }
}
