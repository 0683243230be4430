public import CaptureHAL
public import CaptureSimulation
import Dispatch
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
    /// The phones on which a test runs, one after another; nil for one run.
    private let phones: PhoneSelection?
    /// Creates the system of a run from the name of the phone, or from nil.
    private let makeSystem: @Sendable (_ phone: String?) throws -> SimulatedSystem

    init(
        phones: PhoneSelection? = nil, _ makeSystem: @escaping @Sendable (_ phone: String?) throws -> SimulatedSystem
    ) {
        self.phones = phones
        self.makeSystem = makeSystem
    }

    /// Always true: each test of a suite has its own system.
    public var isRecursive: Bool { true }

    /// Returns the trait for each case of a test, if it is the innermost of its kind.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> SimulatedSystemTrait? {
        guard testCase != nil else { return nil }
        let innermost = test.traits.lazy.compactMap { $0 as? SimulatedSystemTrait }.last
        return innermost.map { $0.identity === identity } ?? true ? self : nil
    }

    private static let gate = TestGate()

    /// Runs a synchronous part of a test while no test with the trait runs. In a test with the trait, and in XCTest, none
    /// does.
    static func runAlone(_ body: () -> Void) {
        guard let test = Test.current, !test.traits.contains(where: { $0 is SimulatedSystemTrait }) else {
            return body()
        }
        gate.enterBlocking()
        defer { gate.leave() }
        body()
    }

    /// Creates the system, runs the test, fails it for misuse that it has not claimed, and closes the system; with
    /// phones, once for each of them.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The case of the test.
    ///   - function: Runs the test.
    /// - Throws: The errors of the test, or an error if the system cannot be created. With phones, errors are recorded
    ///   instead, with the name of the phone.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.gate.enter()
        defer { Self.gate.leave() }
        guard let phones else { return try await run(test, testCase, nil, function) }
        let names = phones.names
        if names.isEmpty {
            Issue.record("no phone is in the selection \"\(phones)\"", sourceLocation: test.sourceLocation)
        }
        for name in names { try await run(test, testCase, name, function) }
    }

    /// Runs the test once.
    private func run(
        _ test: Test, _ testCase: Test.Case?, _ phone: String?, _ function: @Sendable () async throws -> Void
    ) async throws {
        let run = TestRun(name: RunningTests.name(test, testCase)) { SwiftTestingFailure.record($0) }
        RunningTests.shared.begin(run)
        defer {
            run.end()
            RunningTests.shared.end(run)
        }
        let check = test.traits.contains { $0 is LeakCheckTrait } ? LeakCheck() : nil
        defer { check?.cancel() }
        _ = try makeSystem(phone)
        let nameReport = IssueHandlingTrait.compactMapIssues { issue in
            guard issue.failsTest else { return issue }
            run.noteFailure()
            // Swift Testing also calls this on other threads, where the misuse would belong to no test.
            if Test.current != nil { run.reportMisuseBeforeFailure() }
            var issue = issue
            if let phone { issue.comments.append(Comment(rawValue: "on \(phone)")) }
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
                guard phone != nil else { throw error }
                Issue.record(error, sourceLocation: test.sourceLocation)
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
        SimulatedSystemTrait { _ in
            try SimulatedSystem(
                profile: profile, scene: scene, shake: shake, hasMarker: hasMarker, sound: sound, seed: seed,
                orientation: orientation, authorization: authorization, answers: answers,
                freeByteCount: freeByteCount, interleaving: interleaving, realTimeLimit: realTimeLimit)
        }
    }

    /// Gives each test the simulated system that a function creates.
    public static func simulated(_ makeSystem: @escaping @Sendable () throws -> SimulatedSystem) -> Self {
        SimulatedSystemTrait { _ in try makeSystem() }
    }

    /// Runs each test on each of several phones, with a simulated system for each run. A failure names the phone.
    ///
    /// ```swift
    /// @Test(.phones(.nearestFocus(beyondMillimeters: 150)))
    /// func aCodeIsRead() async throws { … }
    /// ```
    /// The name of the phone is the first part of the IDs of its devices.
    ///
    /// - Parameters:
    ///   - phones: The phones. A selection without phones is a failure.
    ///   - scene: The scene in front of the cameras.
    ///   - shake: The shake of the hand that holds the cameras; nil for the shake of the scene.
    ///   - seed: The seed of the random number generators.
    ///   - orientation: The initial orientation of the phone.
    public static func phones(
        _ phones: PhoneSelection, scene: SimScene = .street, shake: HandShake? = nil, seed: UInt64 = 1,
        orientation: DeviceOrientation = .portrait
    ) -> Self {
        SimulatedSystemTrait(phones: phones) { phone in
            try SimulatedSystem(
                profile: phone ?? "phone", scene: scene, shake: shake, seed: seed, orientation: orientation)
        }
    }

    /// Runs each test on each of several phones, with the simulated system that a function creates from the name of the
    /// phone's profile.
    public static func phones(
        _ phones: PhoneSelection, _ makeSystem: @escaping @Sendable (_ phone: String) throws -> SimulatedSystem
    ) -> Self {
        SimulatedSystemTrait(phones: phones) { try makeSystem($0 ?? "phone") }
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
        /// The functions that continue the waiting tests.
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Lock(State())

    /// Suspends the test until all tests that entered before have left.
    func enter() async {
        await withCheckedContinuation { continuation in
            enter { continuation.resume() }
        }
    }

    /// Blocks the thread until all tests that entered before have left.
    func enterBlocking() {
        let hasEntered = DispatchSemaphore(value: 0)
        enter { hasEntered.signal() }
        hasEntered.wait()
    }

    private func enter(_ continueTest: @escaping @Sendable () -> Void) {
        let isFree = state.withLock { state in
            defer { state.isOccupied = true }
            if state.isOccupied { state.waiting.append(continueTest) }
            return !state.isOccupied
        }
        if isFree { continueTest() }
    }

    /// Resumes the next waiting test, if any.
    func leave() {
        let next = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.waiting.isEmpty else {
                state.isOccupied = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?()
    }
}
