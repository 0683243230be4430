import Testing

// What Swift 6.3 added to Swift Testing, for Swift 6.2 too.

#if compiler(>=6.3)
extension Issue {
    /// Whether the test of the issue fails.
    var failsTest: Bool { isFailure }

    /// Records a warning for the current test, which does not fail for that.
    static func recordWarning(_ comment: Comment, sourceLocation: SourceLocation) {
        record(comment, severity: .warning, sourceLocation: sourceLocation)
    }
}

extension SourceLocation {
    /// The path of the source file.
    var path: String { filePath }
}
#else
extension Issue {
    /// Whether the test of the issue fails. Swift 6.2 has no warnings.
    var failsTest: Bool { !isKnown }

    /// Records a failure of the current test: Swift 6.2 has no warnings.
    static func recordWarning(_ comment: Comment, sourceLocation: SourceLocation) {
        record(comment, sourceLocation: sourceLocation)
    }
}

extension SourceLocation {
    /// The path of the source file.
    var path: String { _filePath }
}
#endif
