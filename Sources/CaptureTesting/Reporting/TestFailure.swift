import Foundation
import Testing
import XCTest

/// Records failures in the running test of either framework.
enum TestFailure {
    /// Fails the running test.
    ///
    /// - Parameters:
    ///   - message: The description of the failure.
    ///   - fileID: The module and the name of the file, as in `#fileID`.
    ///   - file: The path of the file.
    ///   - line: The line of the failure.
    ///   - column: The column of the failure.
    static func record(
        _ message: String, fileID: StaticString, file: StaticString, line: UInt, column: UInt = 1
    ) {
        guard Test.current != nil else { return XCTFail(message, file: file, line: line) }
        Issue.record(
            Comment(rawValue: message),
            sourceLocation: SourceLocation(
                fileID: "\(fileID)", filePath: "\(file)", line: Int(line), column: Int(column)))
    }

    /// Prints a failure that no test can receive any more.
    static func print(_ failure: TestRun.Failure) {
        let location = failure.line.map { "\($0.path):\($0.number): " } ?? ""
        FileHandle.standardError.write(Data("\(location)error: \(failure.message)\n".utf8))
    }
}

extension TestRun {
    /// Counts a failure of a Swift Testing test that has thrown an error, and records the location of the report. Swift
    /// Testing records the failure itself only after the end of the trait's scope.
    func noteThrown(_ error: any Error, by test: Test) {
        // The failure of a requirement is recorded already, and a cancelled test does not fail.
        guard !(error is ExpectationFailedError), !(error is CancellationError), !"\(type(of: error))".contains("Skip")
        else { return }
        noteFailure()
        if let report = pendingReport {
            Issue.recordWarning(Comment(rawValue: report.message), sourceLocation: test.sourceLocation)
        }
    }
}

/// Records failures in tests of Swift Testing.
enum SwiftTestingFailure {
    /// Fails the test of the current task. Without one, the failure belongs to the test run.
    static func record(_ failure: TestRun.Failure) {
        let location: SourceLocation
        if let line = failure.line {
            // The folder of a target has the name of its module, by default.
            let names = line.path.split(separator: "/").suffix(2)
            location = SourceLocation(
                fileID: names.count == 2 ? names.joined(separator: "/") : "unknown/\(line.path)",
                filePath: line.path, line: line.number, column: 1)
        } else if let test = Test.current {
            location = test.sourceLocation
        } else {
            return TestFailure.print(failure)
        }
        Issue.record(Comment(rawValue: failure.message), sourceLocation: location)
    }
}
