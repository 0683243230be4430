// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The assertions follow the naming of XCTest.

public import CaptureHAL
public import CaptureSimulation

/// Asserts that `body` makes exactly one call that raises an exception in Apple's frameworks.
///
/// - Parameters:
///   - exception: The expected exception.
///   - text: Text that the message of the misuse must contain.
///   - simulated: The system in which `body` runs; nil for the active system.
///   - file: The file at which failures are reported.
///   - line: The line at which failures are reported.
///   - body: The code that misuses the API.
/// - Throws: The errors of `body`.
public func XCTAssertMisuse(
    _ exception: Misuse.Exception, containing text: String = "", in simulated: SimulatedSystem? = nil,
    file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Void
) rethrows {
    let expectation = MisuseExpectation(exception, containing: text, in: simulated) {
        TestFailure.record($0, fileID: "XCTest/XCTAssertMisuse", file: file, line: line)
    }
    guard let expectation else { return }
    defer { expectation.end() }
    try expectation.system.run(body)
    expectation.check()
}

/// Expects that `body` makes exactly one call that raises an exception in Apple's frameworks.
///
/// For Swift Testing.
///
/// - Parameters:
///   - exception: The expected exception.
///   - text: Text that the message of the misuse must contain.
///   - simulated: The system in which `body` runs; nil for the active system.
///   - fileID: The module and the name of the file at which failures are reported.
///   - filePath: The path of the file at which failures are reported.
///   - line: The line at which failures are reported.
///   - column: The column at which failures are reported.
///   - body: The code that misuses the API.
/// - Throws: The errors of `body`.
public func expectMisuse(
    _ exception: Misuse.Exception, containing text: String = "", in simulated: SimulatedSystem? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: () throws -> Void
) rethrows {
    let expectation = MisuseExpectation(exception, containing: text, in: simulated) {
        TestFailure.record($0, fileID: fileID, file: filePath, line: line, column: column)
    }
    guard let expectation else { return }
    defer { expectation.end() }
    try expectation.system.run(body)
    expectation.check()
}

/// Expects that an asynchronous `body` makes exactly one call that raises an exception in Apple's frameworks.
///
/// For Swift Testing.
///
/// - Parameters:
///   - exception: The expected exception.
///   - text: Text that the message of the misuse must contain.
///   - simulated: The system in which `body` runs; nil for the active system.
///   - isolation: The actor that runs `body`.
///   - fileID: The module and the name of the file at which failures are reported.
///   - filePath: The path of the file at which failures are reported.
///   - line: The line at which failures are reported.
///   - column: The column at which failures are reported.
///   - body: The code that misuses the API.
/// - Throws: The errors of `body`.
public func expectMisuse(
    _ exception: Misuse.Exception, containing text: String = "", in simulated: SimulatedSystem? = nil,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: () async throws -> Void
) async rethrows {
    let expectation = MisuseExpectation(exception, containing: text, in: simulated) {
        TestFailure.record($0, fileID: fileID, file: filePath, line: line, column: column)
    }
    guard let expectation else { return }
    defer { expectation.end() }
    try await expectation.system.run(isolation: isolation, body)
    expectation.check()
}

/// The expectation that code misuses the API exactly once.
private struct MisuseExpectation {
    let system: SimulatedSystem
    private let exception: Misuse.Exception
    private let text: String
    private let fail: (String) -> Void

    /// Begins the expectation. If there is no system, reports a failure and returns nil.
    init?(
        _ exception: Misuse.Exception, containing text: String, in system: SimulatedSystem?,
        fail: @escaping (String) -> Void
    ) {
        guard let system = system ?? .active else {
            fail("there is no simulated system; create one before, or pass one")
            return nil
        }
        self.system = system
        self.exception = exception
        self.text = text
        self.fail = fail
        let before = system.record.dequeueUnclaimed().map(\.misuse)
        _ = system.dequeueMisuses()
        if !before.isEmpty { fail("unclaimed misuse before the assertion: \(before)") }
        system.record.beginExpectation()
    }

    /// Ends the expectation.
    func end() { system.record.endExpectation() }

    /// Claims the misuse of the code, so that it is not reported as unexpected, and compares it with the expectation.
    func check() {
        let misuses = system.dequeueMisuses()
        guard misuses.count == 1, let misuse = misuses.first else {
            return fail("expected one \(exception.rawValue), got \(misuses)")
        }
        if misuse.exception != exception { fail("expected \(exception.rawValue), got \(misuse)") }
        if !text.isEmpty, !misuse.message.contains(text) { fail("\(misuse.message) does not contain: \(text)") }
    }
}
