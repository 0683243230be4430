@testable import CaptureCore
@testable import CaptureScenarios

/// A state of a session, and the steps of a scenario that lead to it.
struct MatrixState: Sendable {
    /// A step of a scenario file without its time, and its time in milliseconds.
    struct Step: Sendable {
        let milliseconds: Int
        let text: String

        init(_ milliseconds: Int, _ text: String) {
            self.milliseconds = milliseconds
            self.text = text
        }
    }

    /// The moment of the event.
    enum Moment: Sendable {
        /// At a time, between two calls.
        case at(milliseconds: Int)
        /// On another thread, inside the call of the last step: while the session waits for a device or the storage.
        case inside(CallGate.Point)
    }

    /// The name in messages and in the documentation.
    let name: String
    /// When the event happens, as in the documentation.
    let summary: String
    /// The steps that lead to the state.
    let steps: [Step]
    let moment: Moment
    /// Steps after the event that end the state.
    var end: [Step] = []
    /// Whether the session is in the state at the moment of the event.
    let isReached: @Sendable (ScenarioSession, SessionInvariants) -> Bool

    /// The time of the event in milliseconds.
    var milliseconds: Int {
        switch moment {
        case .at(let milliseconds): milliseconds
        case .inside: steps.last?.milliseconds ?? 0
        }
    }

    private static let start = Step(0, "do: start")
    private static let record = Step(100, "do: record, to: state.mov")

    /// Whether the recording of `state.mov` has started and not finished.
    @Sendable private static func isRecording(_ invariants: SessionInvariants) -> Bool {
        invariants.recordings["state.mov"]?.events == ["start"]
    }

    /// All states.
    static let all: [MatrixState] = [
        MatrixState(
            name: "idle", summary: "Before the session is started.", steps: [], moment: .at(milliseconds: 0),
            isReached: { session, _ in !session.session.isRunning && !session.session.isInterrupted }),
        MatrixState(
            name: "starting", summary: "Inside `startRunning()`, while a device starts.", steps: [start],
            moment: .inside(.streamStart), isReached: { session, _ in !session.session.isRunning }),
        MatrixState(
            name: "started", summary: "Before the first frame arrives.", steps: [start], moment: .at(milliseconds: 30),
            isReached: { session, invariants in session.session.isRunning && invariants.counts.isEmpty }),
        MatrixState(
            name: "running", summary: "Between two frames.", steps: [start], moment: .at(milliseconds: 200),
            isReached: { session, invariants in session.session.isRunning && !invariants.counts.isEmpty }),
        MatrixState(
            name: "configuring", summary: "Between `beginConfiguration()` and `commitConfiguration()`.",
            steps: [start, Step(150, "do: begin-configuration")], moment: .at(milliseconds: 180),
            end: [Step(220, "do: commit-configuration")],
            isReached: { session, _ in session.session.state.withLock { $0.transaction.isOpen } }),
        MatrixState(
            name: "photo in flight", summary: "After `capturePhoto(with:delegate:)`, before the photo arrives.",
            steps: [start, Step(200, "do: photo, to: state.jpg")], moment: .at(milliseconds: 205),
            isReached: { _, invariants in
                invariants.photos["state.jpg"].map { $0.wasAccepted && !$0.events.contains("did finish") } ?? false
            }),
        MatrixState(
            name: "recording", summary: "After the recording has started.", steps: [start, record],
            moment: .at(milliseconds: 300),
            isReached: { session, invariants in
                isRecording(invariants) && session.movieOutput()?.isRecordingPaused == false
            }
        ),
        MatrixState(
            name: "paused", summary: "After `pauseRecording()`.",
            steps: [start, record, Step(220, "do: pause-recording")], moment: .at(milliseconds: 300),
            isReached: { session, invariants in
                isRecording(invariants) && session.movieOutput()?.isRecordingPaused == true
            }),
        MatrixState(
            name: "finishing", summary: "After `stopRecording()`, while the recording waits for its last frames.",
            steps: [start, record, Step(300, "do: stop-recording")], moment: .at(milliseconds: 305),
            isReached: { _, invariants in isRecording(invariants) }),
        MatrixState(
            name: "writing", summary: "Inside `stopRecording()`, while the file is completed.",
            steps: [start, record, Step(250, "do: pause-recording"), Step(300, "do: stop-recording")],
            moment: .inside(.storage), isReached: { _, invariants in isRecording(invariants) }),
        MatrixState(
            name: "switching", summary: "Inside `commitConfiguration()`, while the new camera starts.",
            steps: [start, Step(200, "do: switch-camera, device: slow.front")], moment: .inside(.streamStart),
            isReached: { session, _ in session.session.isRunning }),
        MatrixState(
            name: "switched", summary: "Before the first frame of the new camera arrives.",
            steps: [start, Step(200, "do: switch-camera, device: slow.front")], moment: .at(milliseconds: 230),
            isReached: { session, _ in session.session.isRunning && session.camera?.uniqueID == "slow.front" }),
        MatrixState(
            name: "interrupted", summary: "While the app is in the background.",
            steps: [start, Step(150, "do: interrupt, reason: background")], moment: .at(milliseconds: 200),
            isReached: { session, _ in session.session.isInterrupted && !session.session.isRunning }),
        MatrixState(
            name: "stopping", summary: "Inside `stopRunning()`, while a device stops and a recording ends.",
            steps: [start, record, Step(250, "do: stop")], moment: .inside(.streamStop),
            isReached: { session, invariants in session.session.isRunning && isRecording(invariants) }),
    ]
}
