import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes
import TestSupport

@testable import CaptureScenarios

/// Plays a pair of the matrix, which is an event in a state of the session.
///
/// Checks the invariants of each session, that movies can be played, that the session can be used again, and that all
/// objects are released.
struct MatrixPlayer {
    private let pair: MatrixPair
    private let invariants: SessionInvariants
    private let gate = CallGate()

    /// The objects that must be released with the session.
    private struct TrackedObjects {
        /// A weak reference to an object that `lifetimes` does not contain.
        struct TrackedObject {
            let name: String
            weak var object: AnyObject?
        }
        /// The session, its inputs, outputs and delegates, and the system.
        var lifetimes: ObjectLifetimes?
        var objects: [TrackedObject] = []

        mutating func add(_ name: String, _ object: AnyObject?) {
            objects.append(TrackedObject(name: name, object: object))
        }
        var leaks: [String] {
            // Number 0 is the first object of the system.
            let names = objects.filter { $0.object != nil }.map(\.name) + (lifetimes?.existing(from: 0) ?? [])
            return Set(names).sorted().map { "\($0) is not released" }
        }
    }

    /// Plays a pair and returns the problems.
    ///
    /// - Parameters:
    ///   - profiles: The folder to which the path of the profile is relative.
    ///   - beforeEvent: Called with the session before the event, for example to cause a problem that must be found.
    static func problems(
        in pair: MatrixPair, profiles: URL, beforeEvent: (ScenarioSession) -> Void = { _ in }
    ) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-scenario-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Files that cannot be removed stay until the system removes old temporary files.
        defer { try? FileManager.default.removeItem(at: folder) }
        var tracked = TrackedObjects()
        let problems = try MatrixPlayer(pair: pair).play(folder: folder, profiles: profiles, &tracked, beforeEvent)
        return problems + ObjectLifetimes.leaks { tracked.leaks }
    }

    private init(pair: MatrixPair) {
        self.pair = pair
        invariants = SessionInvariants(checksClock: !pair.event.changesTimes)
    }

    private func play(
        folder: URL, profiles: URL, _ tracked: inout TrackedObjects, _ beforeEvent: (ScenarioSession) -> Void
    ) throws -> [String] {
        var scenario = try Scenario(yaml: pair.yaml, file: "\(pair.name).yaml")
        // For an event inside a call: its steps, which are removed from the timeline and performed inside the call, and
        // the step before them, which performs the call.
        var event: [Scenario.Step] = []
        var call: Scenario.Step?
        if case .inside = pair.state.moment {
            event = Array(scenario.timeline[pair.eventIndices])
            scenario.timeline.removeSubrange(pair.eventIndices)
            call = scenario.timeline[pair.eventIndices.lowerBound - 1]
        }
        // The indices of the pair count all steps; those of an event inside a call have been removed.
        let recovery = scenario.timeline[pair.recoveryIndex - event.count]
        // The first step of the event; nil for an event inside a call.
        let firstEventStep = event.isEmpty ? scenario.timeline[pair.eventIndices.lowerBound] : nil
        let player = try ScenarioPlayer(
            scenario, folder: folder, profiles: profiles, storage: GatedStorage(gate)
        ) { GatedHost($0, gate) }
        player.observer = invariants
        var lineCount = 0
        var counts: [Scenario.Session.Output: Int] = [:]
        var trackedByPlayer = TrackedObjects()
        _ = try player.play { session, system, stage in
            switch stage {
            case .ready:
                invariants.begin(session, system)
                trackedByPlayer.add("the scenario's session", session)
            case .before(let step):
                if step == firstEventStep {
                    beforeEvent(session)
                    checkState(session)
                }
                // From this step on, the session must deliver samples again.
                if step == recovery { counts = invariants.countsOfOutputs }
                if step == call, case .inside(let point) = pair.state.moment {
                    arm(point, event, player, session, system, beforeEvent)
                }
            case .returned(let step):
                if step == call, !gate.join() {
                    invariants.addProblem("the session does not reach the state \(pair.state.name)")
                }
            case .after(let step):
                let new = Array(player.log.lines.dropFirst(lineCount))
                for action in [step.action] + (step == call ? event.map(\.action) : []) {
                    invariants.record(action, new)
                }
                lineCount = player.log.lines.count
            case .closed: invariants.finish()
            }
        }
        trackedByPlayer.lifetimes = player.lifetimes
        tracked = trackedByPlayer
        checkMovies(folder)
        checkUse(since: counts)
        for sample in invariants.samples { tracked.add("a sample", sample.object) }
        return invariants.problems
    }

    /// Arms the gate, so that the event happens inside the next call.
    private func arm(
        _ point: CallGate.Point, _ event: [Scenario.Step], _ player: ScenarioPlayer, _ session: ScenarioSession,
        _ system: CaptureSystem, _ beforeEvent: (ScenarioSession) -> Void
    ) {
        beforeEvent(session)
        let context = Context(player: player, session: session)
        gate.arm(point) { [self] in
            checkState(context.session)
            system.run {
                for step in event { context.player.perform(step, on: context.session) }
            }
        }
    }

    /// The objects that an event inside a call uses.
    private struct Context: @unchecked Sendable {
        // SAFETY: the thread that plays the scenario is inside the call, and waits in `CallGate.join()` for the event
        // before it uses them again.
        let player: ScenarioPlayer
        let session: ScenarioSession
    }

    private func checkState(_ session: ScenarioSession) {
        if !pair.state.isReached(session, invariants) {
            invariants.addProblem("the session does not reach the state \(pair.state.name)")
        }
    }

    /// Checks that finished movies can be played.
    private func checkMovies(_ folder: URL) {
        for (name, recording) in invariants.recordings.sorted(by: { $0.key < $1.key }) where recording.isPlayable {
            do {
                let movie = try DecodedMovie(folder.appendingPathComponent(name))
                if movie.frames.isEmpty && movie.audioSamples.isEmpty { invariants.addProblem("\(name) is empty") }
                let times = movie.frames.map(\.time)
                if zip(times, times.dropFirst()).contains(where: { $0 >= $1 }) {
                    invariants.addProblem("the frame times of \(name) do not increase")
                }
            } catch {
                invariants.addProblem("\(name) cannot be played: \(error)")
            }
        }
    }

    /// Checks that after the recovery the session delivered at least five samples at each data output, completed a
    /// recording without an error, and began to capture a photo.
    ///
    /// - Parameter counts: The number of samples of each output before the recovery.
    private func checkUse(since counts: [Scenario.Session.Output: Int]) {
        for output in [Scenario.Session.Output.video, .audio]
        where invariants.countsOfOutputs[output, default: 0] < counts[output, default: 0] + 5 {
            invariants.addProblem("the session cannot be used again: fewer than five samples at the \(output) output")
        }
        let recording = invariants.recordings["again.mov"]
        if recording?.events != ["start", "finish"] || recording?.error != nil {
            invariants.addProblem(
                "the session cannot be used again: the recording did not start and finish without an error: "
                    + (recording.map { "\($0)" } ?? "no callbacks"))
        }
        if invariants.photos["again.jpg"]?.events.contains("will capture") != true {
            invariants.addProblem("the session cannot be used again: the photo capture did not begin")
        }
    }
}
