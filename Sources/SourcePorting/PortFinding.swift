/// A location in an app's sources that must or may have to change before they compile on Linux with this package.
public struct PortFinding: Hashable, Sendable, Codable {
    /// The kind of a finding.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Code that is not compiled on Linux, because of a condition such as `#if os(iOS)`.
        case excludedCode = "excluded-code"
        /// Syntax that needs the Objective-C runtime.
        case objectiveC = "objective-c"
        /// Syntax that compiles, but has no effect without the Objective-C runtime.
        case noEffect = "no-effect"
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

    /// Whether the file does not compile before this is changed.
    public var mustChange: Bool {
        switch kind {
        case .excludedCode, .noEffect: false
        case .objectiveC, .missingModule, .missingName: true
        }
    }

    /// The number of names in the advice for excluded code.
    private static let listedChangeCount = 3

    /// Creates the finding for a branch that is not compiled on Linux.
    ///
    /// - Parameter changes: The findings in the branch.
    init(_ excluded: ConditionalCode.Exclusion, _ file: String, changes: [PortFinding]) {
        let code = "\(excluded.keyword.text) \(excluded.condition)"
        let lines = excluded.lines
        var advice =
            lines.count == 1 ? "line \(lines.lowerBound) is" : "lines \(lines.lowerBound)–\(lines.upperBound) are"
        advice += " not compiled on Linux; if the app needs them there, write `\(code) || os(Linux)`"
        let groups = PortSummary.groups(of: changes.filter(\.mustChange))
        if !groups.isEmpty {
            advice +=
                " and change " + groups.prefix(Self.listedChangeCount).map { "`\($0.code)`" }.joined(separator: ", ")
            let others = groups.count - Self.listedChangeCount
            if others > 0 { advice += others == 1 ? " and 1 other name" : " and \(others) other names" }
        }
        self.init(.excludedCode, file, excluded.keyword.line, code, advice)
    }

    init(_ kind: Kind, _ file: String, _ line: Int, _ code: String, _ advice: String) {
        (self.kind, self.file, self.line, self.code, self.advice) = (kind, file, line, code, advice)
    }
}
