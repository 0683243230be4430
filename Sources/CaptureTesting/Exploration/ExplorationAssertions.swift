// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The assertions follow the naming of XCTest.

#if Everything || Scenarios
import CaptureHAL
import Foundation
public import Testing
import XCTest

/// Asserts that the invariants of an app hold in generated scenarios.
///
/// Each scenario is played with a new app in a simulated system. The app performs its actions, as a person would, and the
/// environment acts: prompts, calls, the background, failures and others. Afterwards the environment becomes normal, and
/// the app must be usable. The first violation is a failure, with the shortest scenario that was found: as a sentence,
/// as a scenario file, and as a test. The same seed finds the same scenario. It is saved, and played first when the test
/// runs again.
///
/// ```swift
/// func testNothingBreaksTheCamera() {
///     XCTAssertInvariants { app in
///         let camera = CameraController()
///         app.on("open", when: { !camera.isOpen }) { camera.open() }
///         app.on("record", when: { camera.canRecord }) { step in camera.record(to: step.url()) }
///         app.on("stop-recording", when: { camera.isRecording }) { camera.stopRecording() }
///         app.usable { !camera.isOpen || camera.session.isRunning }
///         app.invariant("the torch is on only during a recording") { camera.isRecording || !camera.isTorchOn }
///     }
/// }
/// ```
/// - Parameters:
///   - options: The seed, the number of scenarios, the events and the invariants.
///   - file: The file of a failure.
///   - line: The line of a failure.
///   - app: Creates the app and sets its actions and invariants, in the simulated system.
/// - Returns: The covered pairs of a state and an event, and the violation.
/// - Important: Must be called on the main thread, which runs the synchronous tests of XCTest.
@discardableResult
public func XCTAssertInvariants(
    _ options: ExplorationOptions = ExplorationOptions(), file: StaticString = #filePath, line: UInt = #line,
    app: @escaping @MainActor (ScenarioApp) throws -> Void
) -> ExplorationResult {
    assertInvariants(options, nil, app, file, line)
}

/// Asserts that the invariants of an app hold in one scenario.
///
/// Unlike `XCTAssertScenario(_:app:)`, the environment becomes normal after the last step, and the scenario needs no
/// expectations.
///
/// - Parameters:
///   - yaml: The text of the scenario file.
///   - options: The invariants and their limits. The scenario contains the seed and the devices.
///   - file: The file of a failure.
///   - line: The line of a failure.
///   - app: Creates the app and sets its actions and invariants, in the simulated system.
/// - Important: Must be called on the main thread, which runs the synchronous tests of XCTest.
@discardableResult
public func XCTAssertInvariants(
    scenario yaml: String, _ options: ExplorationOptions = ExplorationOptions(), file: StaticString = #filePath,
    line: UInt = #line, app: @escaping @MainActor (ScenarioApp) throws -> Void
) -> ExplorationResult {
    assertInvariants(options, yaml, app, file, line)
}

private func assertInvariants(
    _ options: ExplorationOptions, _ yaml: String?, _ app: @escaping @MainActor (ScenarioApp) throws -> Void,
    _ file: StaticString, _ line: UInt
) -> ExplorationResult {
    guard Thread.isMainThread else {
        XCTFail(
            "scenarios with an app are played on the main thread; the test must not be asynchronous", file: file,
            line: line)
        return ExplorationResult()
    }
    do {
        let result = try explore(options, yaml, app)
        if let failure = result.failure { XCTFail(failure, file: file, line: line) }
        return result
    } catch {
        XCTFail("\(error)", file: file, line: line)
        return ExplorationResult()
    }
}

/// Expects that the invariants of an app hold in generated scenarios, in a test of Swift Testing. This is the
/// counterpart of `XCTAssertInvariants(_:app:)`.
///
/// - Parameters:
///   - options: The seed, the number of scenarios, the events and the invariants.
///   - sourceLocation: The location of a failure.
///   - app: Creates the app and sets its actions and invariants, in the simulated system.
/// - Returns: The covered pairs of a state and an event, and the violation.
/// - Important: The test must have the trait `.simulated()`, and must not run on the main actor.
@discardableResult
public func expectInvariants(
    _ options: ExplorationOptions = ExplorationOptions(), sourceLocation: SourceLocation = #_sourceLocation,
    app: @escaping @MainActor (ScenarioApp) throws -> Void
) -> ExplorationResult {
    expectInvariants(options, nil, sourceLocation, app)
}

/// Expects that the invariants of an app hold in one scenario, in a test of Swift Testing. This is the counterpart of
/// `XCTAssertInvariants(scenario:_:app:)`.
///
/// - Parameters:
///   - yaml: The text of the scenario file.
///   - options: The invariants and their limits.
///   - sourceLocation: The location of a failure.
///   - app: Creates the app and sets its actions and invariants, in the simulated system.
/// - Important: The test must have the trait `.simulated()`, and must not run on the main actor.
@discardableResult
public func expectInvariants(
    scenario yaml: String, _ options: ExplorationOptions = ExplorationOptions(),
    sourceLocation: SourceLocation = #_sourceLocation, app: @escaping @MainActor (ScenarioApp) throws -> Void
) -> ExplorationResult {
    expectInvariants(options, yaml, sourceLocation, app)
}

private func expectInvariants(
    _ options: ExplorationOptions, _ yaml: String?, _ sourceLocation: SourceLocation,
    _ app: @escaping @MainActor (ScenarioApp) throws -> Void
) -> ExplorationResult {
    guard !MainQueue.isCurrent else {
        Issue.record(
            """
            the app's actions run on the main actor, which this test occupies while it plays scenarios; remove \
            @MainActor from the test
            """, sourceLocation: sourceLocation)
        return ExplorationResult()
    }
    do {
        let result = try explore(options, yaml, app)
        if let failure = result.failure { Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation) }
        return result
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
        return ExplorationResult()
    }
}

private func explore(
    _ options: ExplorationOptions, _ yaml: String?, _ app: @escaping @MainActor (ScenarioApp) throws -> Void
) throws -> ExplorationResult {
    let exploration = Exploration(options, app: app)
    return try yaml.map { try exploration.run(scenario: $0) } ?? exploration.run()
}

/// Explores an app with generated scenarios without failing the test, for tests that examine the result.
///
/// The thread requirements are those of `XCTAssertInvariants` and `expectInvariants`.
///
/// - Parameters:
///   - options: The seed, the number of scenarios, the events and the invariants.
///   - app: Creates the app and sets its actions and invariants, in the simulated system.
/// - Throws: The errors of `app`, and errors in creating a system or in writing the found scenario.
public func exploreApp(
    _ options: ExplorationOptions = ExplorationOptions(), app: @escaping @MainActor (ScenarioApp) throws -> Void
) throws -> ExplorationResult {
    try explore(options, nil, app)
}
#endif
