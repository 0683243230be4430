public import CaptureCore
import CaptureScenarios
public import Foundation

/// An app that a scenario drives: what it does for each action of the timeline.
///
/// A test describes it in a closure, which runs in the simulated system of the scenario, so that the capture objects of
/// the app belong to it:
/// ```swift
/// XCTAssertScenario("phone-call.yaml") { app in
///     let camera = CameraController()
///     app.on("start") { camera.start() }
///     app.on("record") { step in try await camera.record(to: step.url()) }
/// }
/// ```
/// The actions of the environment, such as `interrupt` and `disconnect`, are performed without the app.
@MainActor
public final class ScenarioApp {
    /// A step of the timeline for the app.
    public struct Step: Sendable {
        /// The action, as `record`, or the name of an action of the app's own.
        public let action: String
        /// The values in the file by their keys, as `to`; that of an action of the app's own has the key `value`.
        public let values: [String: String]
        /// The time since the start of the scenario in seconds.
        public let time: TimeInterval
        /// The line in the scenario file, from 1.
        public let line: Int
        fileprivate let folder: URL

        /// The value of a key; nil if the file does not have it.
        public subscript(key: String) -> String? { values[key] }

        /// The location of the file that the step names, in the folder of the scenario, as `to: call.mov`. Files with
        /// other names can be used as well: recordings and photos belong to the steps in their order.
        public func url() -> URL { folder.appendingPathComponent(values["to"] ?? "\(action).mov") }
    }

    private var actions: [String: @MainActor (Step) async throws -> Void] = [:]
    private let nameSession: @Sendable (String, AVCaptureSession) -> Void

    /// - Parameter nameSession: Gives a session a name in the log.
    init(nameSession: @escaping @Sendable (String, AVCaptureSession) -> Void) { self.nameSession = nameSession }

    /// Gives a session a name, for an app with several: its events in the log end with `of session NAME`, and the
    /// expectation `session` selects it with `of: NAME`. Without names, sessions are numbered in the order of their first
    /// events.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - session: A session of the app.
    public func setName(_ name: String, of session: AVCaptureSession) { nameSession(name, session) }

    /// Sets what the app does for an action: one of the timeline, as `record`, or an action of the app's own
    /// (`do: app, action: NAME`).
    ///
    /// - Parameters:
    ///   - action: The name of the action.
    ///   - perform: Runs on the main actor at the time of the step. Time goes on while it is suspended. An error is an
    ///     event of the log, `app failed ACTION`, which the scenario must expect.
    public func on(_ action: String, perform: @escaping @MainActor (Step) async throws -> Void) {
        actions[action] = perform
    }

    /// Sets what the app does for an action that needs nothing of the step.
    public func on(_ action: String, perform: @escaping @MainActor () async throws -> Void) {
        actions[action] = { _ in try await perform() }
    }

    /// The names of the actions, sorted.
    var names: [String] { actions.keys.sorted() }

    /// Returns the action for a step; nil if the app has none.
    func action(for step: Scenario.Step) -> (@MainActor (Step) async throws -> Void)? { actions[step.appAction.name] }
}

extension ScenarioApp.Step {
    init(_ step: Scenario.Step, folder: URL) {
        let (name, values) = step.appAction
        self.init(
            action: name, values: values, time: step.time.seconds, line: step.line, folder: folder)
    }
}
