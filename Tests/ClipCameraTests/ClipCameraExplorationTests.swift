// swift-format-ignore-file: OnlyOneTrailingClosureArgument
// An action has its condition and its code as closures.

import CaptureTesting
import ClipCamera
import Foundation
import XCTest

/// Tests that generated scenarios find each of the faults of an example app, and none without faults.
final class ClipCameraExplorationTests: XCTestCase {
    /// The invariants of the app, by their names.
    private static let torchInvariant = "the torch is on only during a recording"
    private static let screenInvariant = "the camera runs only while its screen is open"
    private static let movieInvariant = "the photo library accepts each movie"

    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("explored-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    /// Returns a function that creates an app with faults and sets its actions.
    static func app(_ faults: Set<ClipCameraFault>) -> @MainActor (ScenarioApp) throws -> Void {
        { app in
            let camera = ClipCamera(faults: faults)
            app.on("open", when: { !camera.isOpen }) { await camera.open() }
            app.on("close", when: { camera.isOpen }) { camera.close() }
            app.on("switch-camera", when: { camera.canSwitchCamera }) { camera.switchCamera() }
            app.on("record", when: { camera.canRecord }) { step in camera.record(to: step.url()) }
            app.on("stop-recording", when: { camera.isRecording }) { camera.stopRecording() }
            app.on("photo", when: { camera.canTakePhoto }) { camera.takePhoto() }
            app.usable { !camera.isOpen || camera.isWaitingForAccess || camera.isRunning && camera.isSessionRunning }
            app.invariant(torchInvariant) { !camera.isTorchOn || camera.isRecording }
            app.invariant(movieInvariant) { !camera.hasInvalidMovie }
            app.invariant(screenInvariant, within: .milliseconds(200)) { camera.isOpen || !camera.isSessionRunning }
        }
    }

    /// Explores an app with a fault, and checks that a short scenario is found with one of three seeds, and that it passes
    /// without the fault.
    private func check(
        _ fault: ClipCameraFault, violates invariant: String, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        var result = try exploreApp(ExplorationOptions(folder: folder.path), app: Self.app([fault]))
        for seed in [UInt64(2), 3] where result.invariant == nil {
            result = try exploreApp(ExplorationOptions(seed: seed, folder: folder.path), app: Self.app([fault]))
        }
        XCTAssertEqual(result.invariant, invariant, result.sentence ?? "nothing was found", file: file, line: line)
        XCTAssertLessThanOrEqual(result.stepCount, 4, result.sentence ?? "", file: file, line: line)
        guard let scenario = result.scenario else { return }
        XCTAssertInvariants(scenario: scenario, file: file, line: line, app: Self.app([]))
        // The saved scenario is played first, and violates the same invariant.
        let repeated = try exploreApp(ExplorationOptions(folder: folder.path), app: Self.app([fault]))
        XCTAssertEqual(repeated.invariant, invariant, file: file, line: line)
        XCTAssertEqual(repeated.scenarioCount, 0, file: file, line: line)
    }

    func testAStartDuringConfigurationIsFound() throws {
        try check(.startsDuringConfiguration, violates: "no misuse")
    }

    func testAMissingRestartIsFound() throws {
        try check(.staysStoppedAfterInterruption, violates: "the app recovers")
    }

    func testALostPhotoIsFound() throws { try check(.losesFirstOfTwoPhotos, violates: "no warnings") }

    func testAStartAfterTheScreenIsClosedIsFound() throws {
        try check(.startsAfterScreenIsClosed, violates: Self.screenInvariant)
    }

    func testATorchThatStaysOnIsFound() throws { try check(.leavesTorchOn, violates: Self.torchInvariant) }

    func testAnUnfinishedMovieInTheLibraryIsFound() throws {
        try check(.savesUnfinishedMovie, violates: Self.movieInvariant)
    }

    func testADeadlockIsFound() throws { try check(.deadlocksWhenClosed, violates: "the main thread responds") }

    func testARetainedObserverIsFound() throws { try check(.leavesObserver, violates: "no leaks") }

    /// `OBSCURA_EXPLORED_SCENARIOS` is the number of scenarios.
    func testNothingIsFoundInAnAppWithoutFaults() {
        let count = ProcessInfo.processInfo.environment["OBSCURA_EXPLORED_SCENARIOS"].flatMap { Int($0) } ?? 100
        let result = XCTAssertInvariants(
            ExplorationOptions(scenarioCount: count, folder: folder.path), app: Self.app([]))
        XCTAssertEqual(result.scenarioCount, count)
        XCTAssertGreaterThan(result.coverage.coveredCount, 20)
    }
}
