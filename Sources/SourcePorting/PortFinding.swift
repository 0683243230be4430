/// A place in an app's sources that must change, or may have to, before they compile on Linux with this package.
public struct PortFinding: Hashable, Sendable, Codable {
    /// The kind of a finding.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Code that is not compiled on Linux, because of a condition such as `#if os(iOS)`.
        case excludedCode = "excluded-code"
        /// Syntax that needs the Objective-C runtime.
        case objectiveC = "objective-c"
        /// A module that does not exist on Linux.
        case missingModule = "missing-module"
        /// A name of Apple's that this package does not have.
        case missingName = "missing-name"
    }

    public let kind: Kind
    /// The file, as it was given, or below the folder that was given.
    public let file: String
    /// From 1.
    public let line: Int
    /// The code in question.
    public let code: String
    /// What to write instead.
    public let advice: String

    init(_ kind: Kind, _ file: String, _ line: Int, _ code: String, _ advice: String) {
        (self.kind, self.file, self.line, self.code, self.advice) = (kind, file, line, code, advice)
    }
}
