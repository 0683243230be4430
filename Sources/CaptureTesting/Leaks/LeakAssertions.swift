// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The assertions follow the naming of XCTest.

public import Testing
import XCTest

/// Asserts that code releases what it uses: sessions, inputs, outputs, delegates, frames, files and threads.
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
/// When the code returns, a second of virtual time passes in the systems that it created, in which work ends that it has
/// cancelled; then they are closed. Without one, the code belongs to the active system. Each object that then exists,
/// each open file, each thread and each pool with a frame that is not released is a failure.
///
/// - Parameters:
///   - file: The file of a failure.
///   - line: The line of a failure.
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

/// Asserts that asynchronous code releases what it uses; otherwise as the synchronous form.
///
/// - Parameters:
///   - file: The file of a failure.
///   - line: The line of a failure.
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

/// Expects that code releases what it uses, in a test of Swift Testing; otherwise as `XCTAssertNoLeaks`.
///
/// Other tests may run at the same time, so that threads, and files outside of the folders of the systems, do not count.
/// - Parameters:
///   - sourceLocation: The location of a failure.
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
