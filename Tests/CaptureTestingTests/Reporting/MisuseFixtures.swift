import CaptureCore
import CaptureSimulation
import CaptureTesting
import Foundation
import MediaTypes
import Testing
import XCTest

/// Runs test fixtures of this bundle in a separate process. Most of them fail intentionally.
enum TestFixtures {
    private static let key = "OBSCURA_TEST_FIXTURES"

    /// Whether this process runs fixtures.
    static var areEnabled: Bool { ProcessInfo.processInfo.environment[key] != nil }

    struct Result {
        let status: Int32
        let output: String
    }

    /// Runs the test bundle with arguments and with fixtures enabled.
    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Result {
        // A temporary folder, since `OBSCURA_REPORTS` may be the folder for the reports of the enclosing run.
        let reports = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-fixture-reports-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: reports) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["OBSCURA_REPORTS": reports.path, key: "1"]) { $1 }.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
    }

    /// Runs a method of a class of XCTest fixtures.
    static func runXCTest(_ name: String, environment: [String: String] = [:]) throws -> Result {
        try run(["CaptureTestingTests.\(name)"], environment: environment)
    }

    /// Runs the Swift Testing tests that match a pattern.
    static func runSwiftTesting(_ pattern: String, environment: [String: String] = [:]) throws -> Result {
        // The messages are compared without the escape codes of colors.
        try run(
            ["--testing-library", "swift-testing", "--filter", pattern],
            environment: environment.merging(["NO_COLOR": "1"]) { given, _ in given })
    }
}

/// App code that raises an exception on Apple's systems: it starts the session inside a configuration.
struct MisusingApp {
    let session = AVCaptureSession()

    func start() {
        session.beginConfiguration()
        session.startRunning()
        session.commitConfiguration()
    }

    /// The line of the misuse.
    static let line = #line - 5
    static let file = #filePath

    func startOnAnotherThread() {
        let app = TransferredApp(app: self)
        onAnotherThread { app.app.start() }
    }
}

/// Runs `body` on a thread outside of the simulated world, and waits for it in real time.
///
/// It waits for a condition, since the scheduler reports a wait for a semaphore that no work of the world signals.
private func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
    let condition = NSCondition()
    let isDone = Lock(false)
    Thread {
        body()
        condition.lock()
        isDone.withLock { $0 = true }
        condition.signal()
        condition.unlock()
    }.start()
    condition.lock()
    while !isDone.withLock({ $0 }) { condition.wait() }
    condition.unlock()
}

/// SAFETY: passed to one thread, while the sender waits.
private struct TransferredApp: @unchecked Sendable {
    let app: MisusingApp
}

/// XCTest tests that are run by `MisuseReportTests` in a separate process.
final class MisuseFixtures: XCTestCase {
    override func invokeTest() {
        if TestFixtures.areEnabled { super.invokeTest() }
    }

    private var explorations = 0
    private var appOfTearDown: MisusingApp?

    override func tearDown() { appOfTearDown?.start() }

    func testUnclaimedMisuse() throws {
        let simulated = try SimulatedSystem()
        let app = simulated.run { MisusingApp() }
        app.start()
        app.start()
    }

    func testMisuseOnAnotherThread() throws {
        let simulated = try SimulatedSystem()
        simulated.run { MisusingApp() }.startOnAnotherThread()
    }

    func testMisuseOfAReleasedSystem() throws {
        try SimulatedSystem().run { MisusingApp() }.start()
        _ = try SimulatedSystem()
    }

    func testMisuseInTearDown() throws {
        appOfTearDown = try SimulatedSystem().run { MisusingApp() }
    }

    func testClaimedMisuse() throws {
        let simulated = try SimulatedSystem()
        let app = MisusingApp()
        app.start()
        XCTAssertEqual(simulated.misuses.count, 1)
        app.start()
        XCTAssertEqual(simulated.dequeueMisuses().count, 2)
        XCTAssertMisuse(.generic, containing: "beginConfiguration") { app.start() }
        XCTAssertMisuse(.generic, containing: "beginConfiguration", in: simulated) { app.start() }
    }

    func testAnExpectationThatFails() throws {
        let simulated = try SimulatedSystem()
        XCTAssertMisuse(.range, in: simulated) { MisusingApp().start() }
        XCTAssertMisuse(.generic) {}
    }

    func testAnExplorationWithAnAssertionThatFails() throws {
        try SimulatedSystem.explore(seeds: 1...5) { _ in
            explorations += 1
            XCTAssertLessThan(explorations, 3)
        }
    }

    func testWorkOfAThreadOutsideOfTheWorld() throws {
        let simulated = try SimulatedSystem()
        let queue = DispatchQueue(label: "client")
        queue.async {}
        for _ in 1...2 { onAnotherThread { queue.async {} } }
        simulated.advance(by: .zero)
    }

    func testTheSystemIsClosedAtTheEnd() throws {
        let simulated = try SimulatedSystem()
        XCTAssertTrue(SimulatedSystem.active === simulated)
        Self.folder = simulated.folder
    }

    nonisolated(unsafe) private static var folder: URL?  // SAFETY: XCTest runs tests on the main thread.

    override class func tearDown() {
        guard let folder else { return }
        print("closed: \(!FileManager.default.fileExists(atPath: folder.path) && SimulatedSystem.active == nil)")
    }
}

/// Swift Testing tests that are run by `MisuseReportTests` in a separate process.
@Suite(.enabled(if: TestFixtures.areEnabled)) struct SwiftTestingFixtures {
    @Test(.simulated()) func unclaimedMisuse() { MisusingApp().start() }

    @Test func unclaimedMisuseWithoutTheTrait() throws {
        let simulated = try SimulatedSystem()
        simulated.run { MisusingApp() }.start()
    }

    @Test(.simulated()) func claimedMisuse() async throws {
        let app = MisusingApp()
        app.start()
        let simulated = try SimulatedSystem.current
        #expect(simulated.misuses.count == 1)
        expectMisuse(.generic, containing: "beginConfiguration") { app.start() }
        await expectMisuse(.generic, in: simulated) {
            await Task.yield()
            app.start()
        }
    }

    @Test func claimedMisuseWithoutTheTrait() throws {
        let simulated = try SimulatedSystem()
        simulated.run { MisusingApp() }.start()
        #expect(simulated.misuses.count == 1)
    }

    @Test(.simulated()) func anExpectationThatFails() {
        expectMisuse(.generic) {}
        XCTAssertMisuse(.range) { MisusingApp().start() }
    }

    /// Two tests that are open at the same time.
    @Suite struct Overlap {
        @Test(arguments: [1, 2]) func overlapping(_ number: Int) async throws {
            let simulated = try SimulatedSystem()
            await Self.barrier.wait()
            simulated.advance(by: .zero)
        }

        private static let barrier = Barrier()
    }
}

/// A barrier for two tasks: both continue when both have called `wait()`.
private actor Barrier {
    private var first: CheckedContinuation<Void, Never>?

    func wait() async {
        if let first { return first.resume() }
        await withCheckedContinuation { first = $0 }
    }
}
