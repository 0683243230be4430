import CaptureCore
import CaptureHAL
public import Foundation
import MediaStorage
import MediaTypes
import SimDevices

/// Plays a scenario in a capture system of its own and writes down what happens.
///
/// The same scenario gives the same log and the same files, on any machine and under any load.
public final class ScenarioPlayer {
    /// What came out.
    public struct Outcome: Sendable {
        public var log: [String]
        /// The files that the scenario left in its folder, by name.
        public var files: [String]
    }

    private let scenario: Scenario
    private let folder: URL
    private let system: CaptureSystem
    private let host: SimHost
    private let clock: SimClock
    private let storage: SimStorage
    let log: EventLog
    /// Listens in the log's place.
    var probe: (any ScenarioProbe)?

    /// - Parameters:
    ///   - folder: An existing folder for the files of the story; names in it must be free.
    ///   - profiles: Where a profile or a scene that is not built in is looked for.
    /// - Throws: `ProfileError` where there is no such profile or it cannot be read, `DeviceError` for an unknown
    ///   scene.
    public init(_ scenario: Scenario, folder: URL, profiles: URL? = nil) throws {
        self.scenario = scenario
        self.folder = folder
        clock = SimClock()
        log = EventLog(clock: clock)
        storage = SimStorage(freeByteCount: scenario.devices.freeByteCount)
        host = try SimHost(
            profile: Self.path(scenario.devices.profile, in: profiles),
            scene: .named(Self.path(scenario.devices.scene, in: profiles)),
            shake: scenario.devices.shake, seed: scenario.seed, clock: clock)
        let log = log
        system = CaptureSystem(
            hosts: [host], clock: clock,
            authorization: Authorization(clock: clock, states: scenario.devices.authorization), storage: storage,
            notificationCenter: NotificationCenter(),
            misuse: MisuseHandler { log.note("misuse \($0.exception.rawValue) \($0.message)") },
            photoLibraryURL: folder.appendingPathComponent("library"), seed: scenario.seed)
    }

    /// A name, or its path where it is a file beside the scenario.
    private static func path(_ name: String, in folder: URL?) -> String {
        let isFile = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
        guard isFile, !name.hasPrefix("/"), let folder else { return name }
        return folder.appendingPathComponent(name).path
    }

    /// Plays the story to its end.
    public func play() throws -> Outcome { try play { _, _, _ in } }

    /// Where a story stands.
    enum Moment {
        case set
        case before(Scenario.Step)
        case after(Scenario.Step)
        case closed
    }

    /// Plays the story to its end.
    ///
    /// - Parameter watch: Called when the stage is set, before and after each step, and when all has stopped.
    func play(watch: (ScenarioStage, CaptureSystem, Moment) -> Void) throws -> Outcome {
        for entry in scenario.devices.faults {
            try host.schedule(entry.fault.fault, uniqueID: entry.device, at: entry.fault.trigger)
        }
        let stage = try system.run {
            try ScenarioStage(scenario, system: system, folder: folder, log: log, probe: probe)
        }
        clock.settle()
        watch(stage, system, .set)
        for step in scenario.timeline {
            clock.advance(to: step.time)
            watch(stage, system, .before(step))
            system.run { perform(step.action, on: stage) }
            clock.settle()
            watch(stage, system, .after(step))
        }
        clock.advance(to: scenario.end)
        system.run { stage.close() }
        clock.settle()
        watch(stage, system, .closed)
        let files = try stage.noteFiles()
        return Outcome(log: log.lines, files: files)
    }

    /// Does what the host may refuse, as disconnecting a device that is not there.
    private func attempt(_ body: () throws(DeviceError) -> Void) {
        do throws(DeviceError) {
            try body()
        } catch {
            log.note("refused: \(error.message)")
        }
    }

    private func perform(_ action: Scenario.Action, on stage: ScenarioStage) {
        log.note("> \(action)")
        switch action {
        case .start: stage.session.startRunning()
        case .stop: stage.session.stopRunning()
        case .record(let name, let fragmentInterval, let maximumDuration):
            stage.record(to: name, fragmentInterval: fragmentInterval, maximumDuration: maximumDuration)
        case .stopRecording: stage.movie?.stopRecording()
        case .pauseRecording: stage.movie?.pauseRecording()
        case .resumeRecording: stage.movie?.resumeRecording()
        case .photo(let name): stage.takePhoto(to: name)
        case .interrupt(let reason): system.interruptions.begin(reason)
        case .endInterruption(let reason): system.interruptions.end(reason)
        case .disconnect(let id): attempt { () throws(DeviceError) in try host.disconnect(uniqueID: id) }
        case .reconnect(let id): attempt { () throws(DeviceError) in try host.reconnect(uniqueID: id) }
        case .switchCamera(let id): stage.switchCamera(to: id)
        case .free(let byteCount): storage.freeByteCount = byteCount
        case .setAuthorization(let resource, let state): system.authorization.set(state, for: resource)
        case .fault(let fault, let id):
            let now = clock.now
            attempt { () throws(DeviceError) in try host.schedule(fault, uniqueID: id, at: .time(now)) }
        case .change(let change): perform(change, on: stage)
        }
    }

    private func perform(_ change: Scenario.Change, on stage: ScenarioStage) {
        switch change {
        case .beginConfiguration: stage.beginConfiguration()
        case .commitConfiguration: stage.commitConfiguration()
        case .addInput(let id): stage.addInput(id)
        case .removeInput(let id): stage.removeInput(id)
        case .addOutput(let output): stage.addOutput(output)
        case .removeOutput(let output): stage.removeOutput(output)
        case .setPreset(let preset): stage.setPreset(preset)
        case .setEnabled(let output, let isEnabled): stage.setEnabled(output, isEnabled)
        case .setInUse(let id, let isInUse):
            attempt { () throws(DeviceError) in try host.setInUse(isInUse, uniqueID: id) }
        case .setSuspended(let id, let isClosed):
            attempt { () throws(DeviceError) in try host.setSuspended(isClosed, uniqueID: id) }
        case .resetMediaServices: system.interruptions.resetMediaServices()
        }
    }
}

extension Scenario.Action: CustomStringConvertible {
    /// The action as the log shows it.
    public var description: String {
        switch self {
        case .start: "start"
        case .stop: "stop"
        case .record(let name, let fragmentInterval, let maximumDuration):
            "record \(name)" + (fragmentInterval.map { " fragments \($0.seconds) s" } ?? "")
                + (maximumDuration.map { " at most \($0.seconds) s" } ?? "")
        case .stopRecording: "stop-recording"
        case .pauseRecording: "pause-recording"
        case .resumeRecording: "resume-recording"
        case .photo(let name): "photo \(name)"
        case .interrupt(let reason): "interrupt \(reason.scenarioName)"
        case .endInterruption(let reason): "end-interruption \(reason.scenarioName)"
        case .disconnect(let id): "disconnect \(id)"
        case .reconnect(let id): "reconnect \(id)"
        case .switchCamera(let id): "switch-camera \(id)"
        case .free(let byteCount): "free \(byteCount) B"
        case .setAuthorization(let resource, let state): "authorize \(resource.scenarioName) \(state)"
        case .fault(let fault, let id): "\(fault) on \(id)"
        case .change(let change): change.description
        }
    }
}
