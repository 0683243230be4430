@testable import CaptureScenarios

/// An event in a state of the session, as a scenario.
struct MatrixPair: Sendable {
    let event: MatrixEvent
    let state: MatrixState

    /// The name in messages: `disconnect slow.back while running`.
    var name: String { "\(event.name) while \(state.name)" }

    /// The time of the steps that make the session usable again.
    private var recoveryMilliseconds: Int { state.milliseconds + 150 }

    /// The steps before the event, of the event, and after it.
    private var sections: (before: [MatrixState.Step], event: [MatrixState.Step], after: [MatrixState.Step]) {
        let event = self.event.steps.map { MatrixState.Step(state.milliseconds, $0) }
        let undo = (self.event.undo + Self.undo).map { MatrixState.Step(recoveryMilliseconds, $0) }
        let use = Self.use.map { MatrixState.Step(recoveryMilliseconds + $0.milliseconds, $0.text) }
        return (self.event.preparation.map { MatrixState.Step(0, $0) } + state.steps, event, state.end + undo + use)
    }

    /// The indices of the steps of the event in the timeline.
    var eventIndices: Range<Int> {
        let start = sections.before.count
        return start..<(start + event.steps.count)
    }

    /// The index of the first step that uses the session again.
    var recoveryIndex: Int { eventIndices.upperBound + state.end.count + event.undo.count + Self.undo.count }

    /// The scenario as a file in `Fixtures/Scenarios`.
    ///
    /// An event inside a call is written as a step after the call, because a scenario file cannot express it.
    var yaml: String {
        let sections = sections
        func lines(_ steps: [MatrixState.Step]) -> [String] {
            steps.map { "  - {at: \($0.milliseconds) ms, \($0.text)}" }
        }
        let comment: [String] =
            switch state.moment {
            case .at: []
            case .inside(let point): ["  # Inside the call of the previous step: \(point.rawValue)."]
            }
        return
            ([
                "scenario: 1",
                "name: \"\(name)\"",
                "devices: {profile: ../Profiles/slow-cameras.yaml, scene: grey}",
                "session: {preset: high, camera: slow.back, outputs: [video, audio, movie, photo]}",
                "timeline:",
            ] + lines(sections.before) + comment + lines(sections.event) + lines(sections.after) + [
                "end: \(recoveryMilliseconds + 500) ms"
            ])
            .joined(separator: "\n") + "\n"
    }

    /// The steps that make a session usable again, whatever happened before.
    private static let undo: [String] =
        [
            "do: end-interruption, reason: background", "do: stop", "do: remove-input, device: slow.back",
            "do: remove-input, device: slow.front", "do: add-input, device: slow.back",
            "do: remove-input, device: slow.microphone", "do: add-input, device: slow.microphone",
            "do: preset, preset: low",
        ]
        + ["video", "audio", "movie", "photo"].flatMap {
            ["do: add-output, output: \($0)", "do: enable, output: \($0)"]
        }

    /// The steps that use the session after `undo`, with times relative to `recoveryMilliseconds`. A fault that has not
    /// occurred yet can fail or end the first run.
    private static let use = [
        MatrixState.Step(10, "do: start"), MatrixState.Step(110, "do: stop"),
        MatrixState.Step(110, "do: remove-input, device: slow.back"),
        MatrixState.Step(110, "do: reconnect, device: slow.back"),
        MatrixState.Step(110, "do: add-input, device: slow.back"), MatrixState.Step(120, "do: start"),
        MatrixState.Step(250, "do: record, to: again.mov"), MatrixState.Step(250, "do: photo, to: again.jpg"),
        MatrixState.Step(400, "do: stop-recording"),
    ]

    /// The pairs that are tested, event by event.
    static let all = MatrixEvent.all.flatMap { event in
        MatrixState.all.filter { exclusion(of: event, in: $0) == nil }.map { MatrixPair(event: event, state: $0) }
    }

    /// Pairs that are not tested.
    struct Exclusion: Sendable {
        /// The names of the events.
        let events: [String]
        /// The names of the states.
        let states: [String]
        let reason: String
    }

    /// Returns the exclusion of an event in a state; nil if the pair is tested.
    static func exclusion(of event: MatrixEvent, in state: MatrixState) -> Exclusion? {
        exclusions.first { $0.events.contains(event.name) && $0.states.contains(state.name) }
    }

    private static let recordings = ["recording", "paused", "finishing", "writing", "stopping"]

    /// The excluded pairs: the event cannot happen in the state.
    static let exclusions: [Exclusion] = [
        Exclusion(
            events: MatrixEvent.all.map(\.name).filter { $0.hasPrefix("end-interruption") } + [
                "return-device slow.back", "return-device slow.microphone", "pressure slow.back nominal",
            ],
            states: MatrixState.all.map(\.name).filter { !["idle", "interrupted"].contains($0) },
            reason: "The session is interrupted before the event and cannot reach the state."),
        Exclusion(
            events: ["reconnect slow.back", "add-input slow.back", "enable photo", "add-output photo"],
            states: ["photo in flight"], reason: "No photo can be captured before the event."),
        Exclusion(
            events: ["free 1 GB", "enable movie", "add-output movie"], states: recordings,
            reason: "No recording can start before the event."),
        Exclusion(
            events: ["reconnect slow.back", "add-input slow.back"], states: ["finishing"],
            reason: "A recording of audio only does not wait for frames."),
        Exclusion(
            events: ["add-input slow.back"], states: ["interrupted"],
            reason: "A session without a camera is not interrupted in the background."),
        Exclusion(
            events: ["reconnect slow.front", "return-device slow.front", "authorize video authorized"],
            states: ["switching", "switched"], reason: "The session cannot switch to the camera before the event."),
    ]
}
