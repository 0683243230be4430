// swift-format-ignore-file: OnlyOneTrailingClosureArgument
// An action has its condition and its code as closures.

import CaptureCore
import CaptureScenarios
import CaptureSimulation
import Foundation
import MediaTypes
import Testing
import XCTest

@testable import CaptureTesting

/// Tests the exploration of apps with generated scenarios.
final class ExplorationTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("explored-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    private func options(_ count: Int = 30, _ invariants: StandardInvariants = .all) -> ExplorationOptions {
        ExplorationOptions(scenarioCount: count, invariants: invariants, folder: folder.path)
    }

    /// An app with two switches, which must not be on at the same time during a call.
    @MainActor private final class Switches {
        var isFirstOn = false
        var isSecondOn = false
        var isCalled = false
        var observer: (any NSObjectProtocol)?

        init() {
            // The interruption of a session is the only sign of a call.
            observer = NotificationCenter.default.addObserver(
                forName: .AVCaptureSessionWasInterrupted, object: nil, queue: .main
            ) { [weak self] _ in MainActor.assumeIsolated { self?.isCalled = true } }
        }

        isolated deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }
    }

    @MainActor private static func buildSwitches(_ app: ScenarioApp) {
        let switches = Switches()
        app.on("first", when: { !switches.isFirstOn }) { switches.isFirstOn = true }
        app.on("second", when: { switches.isFirstOn && !switches.isSecondOn }) { switches.isSecondOn = true }
        app.on("off", when: { switches.isFirstOn }) { (switches.isFirstOn, switches.isSecondOn) = (false, false) }
        app.state { "\(switches.isFirstOn ? "first" : "none")\(switches.isSecondOn ? " and second" : "")" }
        app.invariant("at most one switch is on") { !(switches.isFirstOn && switches.isSecondOn) }
    }

    /// Occupies the processors while the body runs.
    private func underLoad<Result>(_ body: () throws -> Result) rethrows -> Result {
        let isEnding = Lock(false)
        let ended = DispatchGroup()
        for _ in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
            ended.enter()
            Thread.detachNewThread {
                while !isEnding.withLock({ $0 }) {}
                ended.leave()
            }
        }
        defer {
            isEnding.withLock { $0 = true }
            ended.wait()
        }
        return try body()
    }

    func testTheSameSeedFindsTheSameShortScenarioUnderLoad() throws {
        func explore(_ name: String) throws -> ExplorationResult {
            var options = options()
            options.folder = folder.appendingPathComponent(name).path
            return try exploreApp(options, app: Self.buildSwitches)
        }
        let (idle, loaded) = (try explore("idle"), try underLoad { try explore("loaded") })
        XCTAssertNotNil(idle.scenario)
        XCTAssertEqual(idle.scenario, loaded.scenario)
        XCTAssertEqual(idle.scenarioCount, loaded.scenarioCount)
        XCTAssertEqual(idle.sentence, loaded.sentence)
        XCTAssertEqual("\(idle.coverage)", "\(loaded.coverage)")
    }

    func testTheSameSeedFindsTheSameShortScenario() throws {
        var results: [ExplorationResult] = []
        for name in ["a", "b"] {
            var options = options()
            options.folder = folder.appendingPathComponent(name).path
            results.append(try exploreApp(options, app: Self.buildSwitches))
        }
        XCTAssertEqual(results[0].invariant, "at most one switch is on")
        XCTAssertEqual(results[0].stepCount, 2)
        XCTAssertEqual(results[0].scenario, results[1].scenario)
        XCTAssertEqual(results[0].scenarioCount, results[1].scenarioCount)
        XCTAssertEqual(results[0].sentence, results[1].sentence)
        let sentence = try XCTUnwrap(results[0].sentence)
        XCTAssertTrue(
            sentence.hasPrefix(
                "\"at most one switch is on\" is violated if the app performs \"first\", then the app performs "
                    + "\"second\""), sentence)
        let failure = try XCTUnwrap(results[0].failure)
        XCTAssertTrue(failure.contains("XCTAssertInvariants(\n"), failure)
        XCTAssertTrue(failure.contains("{at: 0.1 s, do: app, action: \"first\"}"), failure)
        let saved = folder.appendingPathComponent("a")
        let pages = try FileManager.default.contentsOfDirectory(atPath: saved.path).filter { $0.hasSuffix(".html") }
        XCTAssertEqual(pages.count, 1)
        let page = try String(contentsOf: saved.appendingPathComponent(XCTUnwrap(pages.first)), encoding: .utf8)
        XCTAssertTrue(page.contains("at most one switch is on: it does not hold at"), page)
        XCTAssertTrue(page.contains("&gt; app action &quot;first&quot;") || page.contains("&gt; app first"), page)
    }

    func testASavedScenarioIsPlayedFirstAndPassesInTheRepairedApp() throws {
        let found = try exploreApp(options(), app: Self.buildSwitches)
        XCTAssertGreaterThan(found.scenarioCount, 0)
        let repeated = try exploreApp(options(), app: Self.buildSwitches)
        XCTAssertEqual(repeated.scenarioCount, 0)
        XCTAssertEqual(repeated.scenario, found.scenario)
        let repaired = try exploreApp(options(3)) { app in
            app.on("first") {}
            app.on("second") {}
        }
        XCTAssertNil(repaired.failure)
        XCTAssertEqual(repaired.scenarioCount, 3)
    }

    func testOtherSeedsGenerateOtherScenariosAndAllCoverPairs() throws {
        var coverages: [String] = []
        for seed in [UInt64(1), 2] {
            var options = options(10, .all)
            options.seed = seed
            let result = try exploreApp(options) { app in
                app.on("tap") {}
                app.state { "ready" }
            }
            XCTAssertNil(result.failure)
            XCTAssertGreaterThan(result.coverage.coveredCount, 3)
            coverages.append("\(result.coverage)")
        }
        XCTAssertNotEqual(coverages[0], coverages[1])
    }

    func testAnInvariantCanBeSwitchedOff() throws {
        func explore(_ invariants: StandardInvariants) throws -> ExplorationResult {
            try exploreApp(options(3, invariants)) { app in
                let session = AVCaptureSession()
                app.on("start") {
                    session.beginConfiguration()
                    session.startRunning()
                    session.commitConfiguration()
                }
            }
        }
        let result = try explore(.all)
        XCTAssertEqual(result.invariant, "no misuse")
        // The message names the line of the app.
        XCTAssertTrue(result.sentence?.contains("called by") ?? false, result.sentence ?? "")
        try FileManager.default.removeItem(at: folder)
        XCTAssertNil(try explore(.all.subtracting([.noMisuse])).failure)
    }

    func testAnActionThatDoesNotReturnIsFound() throws {
        let result = try exploreApp(options(2)) { app in
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            app.on("wait") {
                for await _ in stream {}
                continuation.finish()
            }
        }
        XCTAssertEqual(result.invariant, "no endless waits")
        XCTAssertEqual(result.stepCount, 1)
    }

    func testAnAppThatDoesNotRecoverFromACallIsFound() throws {
        var options = options()
        options.events = [.calls, .light]
        let result = try exploreApp(options) { app in
            let session = AVCaptureSession()
            if let camera = AVCaptureDevice.default(for: .video), let microphone = AVCaptureDevice.default(for: .audio)
            {
                session.addInput(try AVCaptureDeviceInput(device: camera))
                session.addInput(try AVCaptureDeviceInput(device: microphone))
            }
            var token: (any NSObjectProtocol)?
            token = NotificationCenter.default.addObserver(
                forName: .AVCaptureSessionWasInterrupted, object: session, queue: nil
            ) { [weak session] notification in
                let reason = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
                guard reason == AVCaptureSession.InterruptionReason.audioDeviceInUseByAnotherClient.rawValue else {
                    return
                }
                DispatchQueue.main.async { session?.stopRunning() }
            }
            var isStarted = false
            app.on("start") {
                isStarted = true
                session.startRunning()
            }
            app.usable { [token] in
                _ = token
                return !isStarted || session.isRunning
            }
        }
        XCTAssertEqual(result.invariant, "the app recovers", result.sentence ?? "")
        XCTAssertEqual(result.stepCount, 2, result.sentence ?? "")
        XCTAssertTrue(result.sentence?.contains("a call begins") ?? false, result.sentence ?? "")
    }

    func testFramesAfterAStopAndInTheBackgroundAreFound() throws {
        func violation(_ lines: [String]) throws -> String? {
            try LogInvariants(.all, folder: folder).violation(LogEntry.parse(lines), LibraryContents())?.invariant
        }
        let start = "0.100000 session did start running"
        XCTAssertNil(
            try violation([start, "0.200000 frame", "0.300000 session did stop running", "0.400000 frame"]))
        XCTAssertEqual(
            try violation([start, "0.300000 session did stop running", "0.600000 frame"]), "nothing after a stop")
        XCTAssertEqual(
            try violation([start, "0.300000 application did enter background", "1.400000 sound"]),
            "no frames in the background")
    }

    func testTheTableShowsCoveredAndUncoveredPairs() {
        var coverage = ExplorationCoverage()
        coverage.addPossible(["open", "call begins"], in: "closed")
        coverage.add("closed", "open")
        coverage.add("closed", "open")
        coverage.addPossible(["close", "call begins"], in: "open")
        coverage.add("open", "call begins")
        XCTAssertEqual(
            coverage.description,
            """
            2 pairs of a state and an event occurred, 2 did not. The states are:
              1  closed
              2  open
                        1   2
            call begins -   1
            close           -
            open        2
            """)
        XCTAssertEqual(coverage.uncovered.map(\.event), ["call begins", "close"])
    }

    func testAStepThatIsNotPossibleFailsAScenario() throws {
        let failures = try AppScenarioFixture.failures(
            "  - {at: 0.1 s, do: start}", expect: "  - {session: stopped, at: 1 s}"
        ) { app in app.on("start", when: { false }) {} }
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(failures.first?.contains("a person cannot perform this action now") ?? false, "\(failures)")
    }

    func testAnExplorationInSwiftTestingFailsWithTheSentence() throws {
        let result = try TestFixtures.runSwiftTesting(
            "ExplorationFixtures/explores", environment: ["OBSCURA_EXPLORED": folder.path])
        XCTAssertNotEqual(result.status, 0, result.output)
        XCTAssertTrue(result.output.contains("\"at most one tap\" is violated if"), result.output)
    }
}

/// Tests that are run by `ExplorationTests` in a separate process.
@Suite(.enabled(if: TestFixtures.areEnabled), .simulated()) struct ExplorationFixtures {
    @Test func explores() {
        let folder = ProcessInfo.processInfo.environment["OBSCURA_EXPLORED"]
        expectInvariants(ExplorationOptions(scenarioCount: 10, folder: folder)) { app in
            var tapCount = 0
            app.on("tap") { tapCount += 1 }
            app.invariant("at most one tap") { tapCount <= 1 }
        }
    }
}
