public import CaptureHAL
public import CaptureSimulation
import MediaTypes
public import SimDevices
public import Testing

/// Gives each test of Swift Testing its own simulated system, which is closed when the test ends.
///
/// ```swift
/// @Test(.simulated(profile: "webcam"))
/// func recordingStops() async throws {
///     let recorder = try Recorder()
///     try SimulatedSystem.current.host.disconnect(uniqueID: "webcam.camera")
///     …
/// }
/// ```
/// Tests with the trait run one after another, since a process has one active system at a time. A suite with the trait
/// gives a system to each of its tests; a trait of an inner suite or of a test replaces it.
public struct SimulatedSystemTrait: TestTrait, SuiteTrait, TestScoping {
    /// Identifies the trait among the traits of a test.
    private final class Identity: Sendable {}

    private let identity = Identity()
    private let makeSystem: @Sendable () throws -> SimulatedSystem

    init(_ makeSystem: @escaping @Sendable () throws -> SimulatedSystem) { self.makeSystem = makeSystem }

    /// Always true: each test of a suite has its own system.
    public var isRecursive: Bool { true }

    /// Returns the trait for each case of a test, if it is the innermost of its kind.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> SimulatedSystemTrait? {
        guard testCase != nil else { return nil }
        let innermost = test.traits.lazy.compactMap { $0 as? SimulatedSystemTrait }.last
        return innermost.map { $0.identity === identity } ?? true ? self : nil
    }

    private static let gate = TestGate()

    /// Creates the system, runs the test, fails it for misuse that it has not claimed, and closes the system.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The case of the test.
    ///   - function: Runs the test.
    /// - Throws: The errors of the test, or an error if the system cannot be created.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.gate.enter()
        defer { Self.gate.leave() }
        let run = TestRun(name: RunningTests.name(test, testCase)) { SwiftTestingFailure.record($0) }
        RunningTests.shared.begin(run)
        defer {
            run.end()
            RunningTests.shared.end(run)
        }
        let check = test.traits.contains { $0 is LeakCheckTrait } ? LeakCheck() : nil
        defer { check?.cancel() }
        _ = try makeSystem()
        let nameReport = IssueHandlingTrait.compactMapIssues { issue in
            guard issue.isFailure else { return issue }
            run.noteFailure()
            // Swift Testing also calls this on other threads, where the misuse would belong to no test.
            if Test.current != nil { run.reportMisuseBeforeFailure() }
            var issue = issue
            if let report = run.pendingReport { issue.comments.append(Comment(rawValue: report.message)) }
            return issue
        }
        try await nameReport.provideScope(for: test, testCase: testCase) {
            defer { run.reportUnclaimed(isLast: true) }
            do {
                try await function()
                for leak in await check?.leaks(isolation: nil) ?? [] {
                    Issue.record(Comment(rawValue: leak), sourceLocation: test.sourceLocation)
                }
            } catch {
                run.noteThrown(error, by: test)
                throw error
            }
        }
    }
}

extension Trait where Self == SimulatedSystemTrait {
    /// Gives each test a simulated system, with the parameters of `SimulatedSystem.init`.
    ///
    /// - Parameters:
    ///   - profile: The name of a device profile, or a YAML file.
    ///   - scene: The scene in front of the cameras.
    ///   - shake: The shake of the hand that holds the cameras; nil for the shake of the scene.
    ///   - hasMarker: Whether frames contain the code that `FrameMarker` reads: frame counter and time.
    ///   - sound: The sound that the microphones capture.
    ///   - seed: The seed of the random number generators.
    ///   - orientation: The initial orientation of a machine with built-in cameras.
    ///   - authorization: The initial authorization; a missing resource is authorized.
    ///   - answers: The answers of authorization prompts; a missing resource is granted.
    ///   - freeByteCount: The free storage in bytes; nil for the free storage of the machine.
    ///   - interleaving: The order of work that is ready at the same time.
    ///   - realTimeLimit: The real time after which the test fails if it waits for a condition or for other work.
    public static func simulated(
        profile: String = "phone", scene: SimScene = .street, shake: HandShake? = nil, hasMarker: Bool = false,
        sound: SimSound = .scene, seed: UInt64 = 1, orientation: DeviceOrientation = .portrait,
        authorization: [ProtectedResource: AuthorizationState] = [:],
        answers: [ProtectedResource: PromptAnswer] = [:], freeByteCount: Int64? = nil,
        interleaving: SimulatedSystem.Interleaving = .submissionOrder,
        realTimeLimit: Duration = SimulatedSystem.defaultRealTimeLimit
    ) -> Self {
        SimulatedSystemTrait {
            try SimulatedSystem(
                profile: profile, scene: scene, shake: shake, hasMarker: hasMarker, sound: sound, seed: seed,
                orientation: orientation, authorization: authorization, answers: answers,
                freeByteCount: freeByteCount, interleaving: interleaving, realTimeLimit: realTimeLimit)
        }
    }

    /// Gives each test the simulated system that a function creates.
    public static func simulated(_ makeSystem: @escaping @Sendable () throws -> SimulatedSystem) -> Self {
        SimulatedSystemTrait(makeSystem)
    }
}

extension SimulatedSystem {
    /// There is no simulated system, because the test neither has the trait `simulated` nor created one.
    public struct MissingError: Error, CustomStringConvertible {
        public var description: String {
            "There is no simulated system: add the trait .simulated() to the test or its suite, or create one."
        }
    }

    /// The system of the running test: the active one.
    ///
    /// - Throws: `MissingError` if there is none.
    public static var current: SimulatedSystem {
        get throws {
            guard let active else { throw MissingError() }
            return active
        }
    }
}

/// Runs one test at a time, in the order of their calls of `enter()`.
private final class TestGate: Sendable {
    private struct State {
        var isOccupied = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    /// Suspends the test until all tests that entered before have left.
    func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                defer { state.isOccupied = true }
                if state.isOccupied { state.waiting.append(continuation) }
                return !state.isOccupied
            }
            if isFree { continuation.resume() }
        }
    }

    /// Resumes the next waiting test, if any.
    func leave() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isOccupied = false
                return nil as CheckedContinuation<Void, Never>?
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
