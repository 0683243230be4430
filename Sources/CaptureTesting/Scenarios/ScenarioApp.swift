#if Everything || Scenarios
public import CaptureCore
import CaptureScenarios
public import Foundation

/// The app under test in a scenario: the code that performs each action of the timeline.
///
/// A test sets the actions in a closure. The closure runs in the simulated system of the scenario, so that the capture
/// objects of the app belong to that system:
/// ```swift
/// XCTAssertScenario("phone-call.yaml") { app in
///     let camera = CameraController()
///     app.on("start") { camera.start() }
///     app.on("record") { step in try await camera.record(to: step.url()) }
/// }
/// ```
/// The scenario itself performs the actions of the environment, such as `interrupt` and `disconnect`.
@MainActor
public final class ScenarioApp {
    /// A step of the timeline that the app performs.
    public struct Step: Sendable {
        /// The name of the action, such as `record`, or the name of a custom action.
        public let action: String
        /// The values in the file by their keys, such as `to`. The value of a custom action has the key `value`.
        public let values: [String: String]
        /// The time since the start of the scenario in seconds.
        public let time: TimeInterval
        /// The line in the scenario file, from 1.
        public let line: Int
        fileprivate let folder: URL

        /// The value of a key; nil if the file does not have it.
        public subscript(key: String) -> String? { values[key] }

        /// Returns the URL of the file that the step names, as in `to: call.mov`, in the folder of the scenario.
        /// Without `to`, the file has the name of the action and the extension `mov`.
        ///
        /// The app can write files with other names: recordings and photos are matched to the steps by their order.
        public func url() -> URL { folder.appendingPathComponent(values["to"] ?? "\(action).mov") }
    }

    /// A condition that must hold at all times.
    struct Invariant {
        let name: String
        /// The virtual time for which the condition may be false.
        let tolerance: Duration
        let isTrue: @MainActor () -> Bool
    }

    private var actions: [String: @MainActor (Step) async throws -> Void] = [:]
    private var conditions: [String: @MainActor () -> Bool] = [:]
    /// The conditions that hold at all times, by name, in the order in which they were added.
    private(set) var invariants: [Invariant] = []
    /// Returns a short description of the app's state; nil if the app does not describe it.
    private(set) var describeState: (@MainActor () -> String)?
    /// Returns whether the app can be used; nil if the app does not set it.
    private(set) var isUsable: (@MainActor () -> Bool)?
    private let nameSession: @Sendable (String, AVCaptureSession) -> Void

    /// Creates an app without actions.
    ///
    /// - Parameter nameSession: Sets the name of a session in the log.
    init(nameSession: @escaping @Sendable (String, AVCaptureSession) -> Void) { self.nameSession = nameSession }

    /// Sets the name of a session, for an app with several sessions.
    ///
    /// The events of the session in the log end with `of session NAME`, and the expectation `session` selects it with
    /// `of: NAME`. Without names, sessions are numbered in the order of their first events.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - session: A session of the app.
    public func setName(_ name: String, of session: AVCaptureSession) { nameSession(name, session) }

    /// Sets the code that performs an action: a standard one, such as `record`, or a custom one
    /// (`do: app, action: NAME`).
    ///
    /// - Parameters:
    ///   - action: The name of the action.
    ///   - perform: Runs on the main actor at the time of the step. Virtual time advances while it is suspended. An
    ///     error that it throws is logged as `app failed ACTION`, and is a failure unless the scenario expects it.
    public func on(_ action: String, perform: @escaping @MainActor (Step) async throws -> Void) {
        actions[action] = perform
    }

    /// Sets the code that performs an action and does not use the step.
    public func on(_ action: String, perform: @escaping @MainActor () async throws -> Void) {
        actions[action] = { _ in try await perform() }
    }

    /// Sets the code that performs an action which is not always possible, such as one with a button that can be disabled
    /// or hidden. A step is skipped if the action is not possible at its time.
    ///
    /// - Parameters:
    ///   - action: The name of the action.
    ///   - isPossible: Returns whether a person can perform the action now.
    ///   - perform: Runs on the main actor at the time of the step.
    public func on(
        _ action: String, when isPossible: @escaping @MainActor () -> Bool,
        perform: @escaping @MainActor (Step) async throws -> Void
    ) {
        actions[action] = perform
        conditions[action] = isPossible
    }

    /// Sets the code that performs an action which is not always possible, and does not use the step.
    public func on(
        _ action: String, when isPossible: @escaping @MainActor () -> Bool,
        perform: @escaping @MainActor () async throws -> Void
    ) {
        on(action, when: isPossible) { _ in try await perform() }
    }

    /// Adds a condition that must hold at all times, for `XCTAssertInvariants` and `expectInvariants`. It is evaluated
    /// when no work is ready: before and after each step, and every 100 ms at the end.
    ///
    /// - Parameters:
    ///   - name: The condition as a phrase, such as `the torch is on only during a recording`.
    ///   - tolerance: The virtual time for which the condition may be false, such as while work on a queue is pending.
    ///   - isTrue: Returns whether the condition holds.
    public func invariant(
        _ name: String, within tolerance: Duration = .zero, _ isTrue: @escaping @MainActor () -> Bool
    ) {
        invariants.append(Invariant(name: name, tolerance: tolerance, isTrue: isTrue))
    }

    /// Sets the function that describes the app's state in a few words, such as `recording`. Generated scenarios prefer
    /// events that have not occurred in the present state. By default, the state is that of the session.
    public func state(_ describe: @escaping @MainActor () -> String) { describeState = describe }

    /// Sets the condition that must hold when the environment is normal again, such as that the session runs if its
    /// screen is open; see `StandardInvariants.recovers`.
    public func usable(when isUsable: @escaping @MainActor () -> Bool) { self.isUsable = isUsable }

    /// The error of a step of a scenario file that a person cannot perform at its time.
    nonisolated static let notPossible = "a person cannot perform this action now"

    /// Returns whether a person can perform a step now.
    func canPerform(_ step: Scenario.Step) -> Bool { conditions[step.appAction.name]?() ?? true }

    /// The names of the actions that a person can perform now, sorted.
    var possibleNames: [String] { names.filter { conditions[$0]?() ?? true } }

    /// The names of the actions, sorted.
    var names: [String] { actions.keys.sorted() }

    /// Returns the code that performs a step; nil if it is not set.
    func action(for step: Scenario.Step) -> (@MainActor (Step) async throws -> Void)? { actions[step.appAction.name] }
}

extension ScenarioApp.Step {
    init(_ step: Scenario.Step, folder: URL) {
        let (name, values) = step.appAction
        self.init(
            action: name, values: values, time: step.time.seconds, line: step.line, folder: folder)
    }
}
#endif
