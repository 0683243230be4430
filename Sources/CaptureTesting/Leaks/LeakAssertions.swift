// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The assertions follow the naming of XCTest.

public import Testing
import XCTest

/// Asserts that code releases its resources: sessions, inputs, outputs, delegates, frames, files and threads.
///
/// ```swift
/// try XCTAssertNoLeaks {
///     let simulated = try SimulatedSystem()
///     let camera = CameraController()
///     camera.start()
///     simulated.advance(by: .seconds(1))
///     camera.stop()
///     simulated.advance(by: .seconds(1))
/// }
/// ```
/// When the code returns, one second of virtual time passes in the systems that it created, so that cancelled work can
/// end. Then the systems are closed. Code that creates no system runs in the active one. Each object, open file or
/// thread that still exists, and each pool with a frame that is not released, is a failure.
///
/// - Parameters:
///   - file: The file in which failures are recorded.
///   - line: The line on which failures are recorded.
///   - body: The code. The check does not run if it throws an error.
public func XCTAssertNoLeaks(
    file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Void
) rethrows {
    let check = LeakCheck()
    do {
        try body()
    } catch {
        check.cancel()
        throw error
    }
    for leak in check.leaks() { XCTFail(leak, file: file, line: line) }
}

/// Asserts that asynchronous code releases its resources. See the synchronous variant.
///
/// - Parameters:
///   - file: The file in which failures are recorded.
///   - line: The line on which failures are recorded.
///   - isolation: The actor that runs `body`.
///   - body: The code. The check does not run if it throws an error.
public func XCTAssertNoLeaks(
    file: StaticString = #filePath, line: UInt = #line, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Void
) async rethrows {
    let check = LeakCheck()
    do {
        try await body()
    } catch {
        check.cancel()
        throw error
    }
    for leak in await check.leaks(isolation: isolation) { XCTFail(leak, file: file, line: line) }
}

/// Expects that code releases its resources, in a test of Swift Testing. This is the counterpart of
/// `XCTAssertNoLeaks`.
///
/// Other tests may run at the same time, so threads, and files outside the systems' folders, are not checked.
///
/// - Parameters:
///   - sourceLocation: The location at which failures are recorded.
///   - isolation: The actor that runs `body`.
///   - body: The code. The check does not run if it throws an error.
public func expectNoLeaks(
    sourceLocation: SourceLocation = #_sourceLocation, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Void
) async rethrows {
    let check = LeakCheck()
    do {
        try await body()
    } catch {
        check.cancel()
        throw error
    }
    for leak in await check.leaks(isolation: isolation) {
        Issue.record(Comment(rawValue: leak), sourceLocation: sourceLocation)
    }
}
