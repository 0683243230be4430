// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The assertions follow the naming of XCTest.

public import SimDevices
import XCTest

/// Runs code of a test on each selected phone. Failures of the code, and errors that it throws, are followed by a failure
/// that names the phone; the other phones run nevertheless.
///
/// ```swift
/// func testCodesAreRead() {
///     XCTAssertOnPhones(.without(.builtInUltraWideCamera)) { phone in
///         let simulated = try SimulatedSystem(profile: phone)
///         …
///     }
/// }
/// ```
/// In Swift Testing, the trait `phones` does the same.
///
/// - Parameters:
///   - phones: The phones. A selection without phones is a failure.
///   - file: The file in which failures are recorded.
///   - line: The line on which failures are recorded.
///   - body: The code, which receives the name of the phone's profile.
public func XCTAssertOnPhones(
    _ phones: PhoneSelection = .all, file: StaticString = #filePath, line: UInt = #line,
    _ body: (_ phone: String) throws -> Void
) {
    let check = PhoneCheck(phones, file, line)
    for phone in check.names {
        check.begin()
        do {
            try body(phone)
            check.end(phone, nil)
        } catch {
            check.end(phone, error)
        }
    }
}

/// Runs asynchronous code of a test on each selected phone. See the synchronous variant.
///
/// - Parameters:
///   - phones: The phones. A selection without phones is a failure.
///   - file: The file in which failures are recorded.
///   - line: The line on which failures are recorded.
///   - isolation: The actor that runs `body`.
///   - body: The code, which receives the name of the phone's profile.
public func XCTAssertOnPhones(
    _ phones: PhoneSelection = .all, file: StaticString = #filePath, line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation, _ body: (_ phone: String) async throws -> Void
) async {
    let check = PhoneCheck(phones, file, line)
    for phone in check.names {
        check.begin()
        do {
            try await body(phone)
            check.end(phone, nil)
        } catch {
            check.end(phone, error)
        }
    }
}

/// Names the phone of failures in a test of XCTest.
private final class PhoneCheck {
    let names: [String]
    private let file: StaticString
    private let line: UInt
    private var failureCount = 0

    init(_ phones: PhoneSelection, _ file: StaticString, _ line: UInt) {
        (names, self.file, self.line) = (phones.names, file, line)
        if names.isEmpty { XCTFail("no phone is in the selection \"\(phones)\"", file: file, line: line) }
    }

    func begin() { failureCount = RunningTests.shared.current?.failureCount ?? 0 }

    func end(_ phone: String, _ error: (any Error)?) {
        if let error { return XCTFail("on \(phone): threw the error \"\(error)\"", file: file, line: line) }
        let count = (RunningTests.shared.current?.failureCount ?? 0) - failureCount
        guard count > 0 else { return }
        XCTFail("on \(phone): \(count == 1 ? "the failure" : "the \(count) failures") above", file: file, line: line)
    }
}
