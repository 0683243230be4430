import CaptureCore
import CaptureHAL
public import Foundation
import MediaStorage
import MediaTypes
import SimDevices

/// Plays a scenario in its own capture system and logs the events.
///
/// The same scenario results in the same log and the same files, on any machine and under any load.
public final class ScenarioPlayer {
    /// The result of a scenario.
    public struct Outcome: Sendable {
        /// The event log.
        public var log: [String]
        /// The files that the scenario left in its folder, by name.
        public var files: [String]
    }

    private let scenario: Scenario
    private let folder: URL
    private let system: CaptureSystem
    let host: SimHost
    private let clock: SimClock
    private let storage: SimStorage
    /// The events so far.
    let log: EventLog
    /// Receives the events instead of the log.
    var observer: (any ScenarioObserver)?
    /// Called with the played fraction of the scenario, 0 … 1, after each event.
    var reportProgress: ((Double) -> Void)?

    /// Called when the call of a step has returned, before the callbacks run that it submitted.
    var callDidReturn: ((Scenario.Step) -> Void)?

    /// Creates a player with a new capture system.
    ///
    /// - Parameters:
    ///   - folder: An existing folder for the files of the scenario. It must not contain files with the same names.
    ///   - profiles: The folder of profile and scene files with relative paths.
    /// - Throws: `ProfileError` if the profile is unknown or invalid, `DeviceError` if the scene is unknown.
    public convenience init(_ scenario: Scenario, folder: URL, profiles: URL? = nil) throws {
        try self.init(scenario, folder: folder, profiles: profiles, storage: DiskStorage()) { $0 }
    }

    /// Creates a player whose session uses the simulated devices and the storage through objects that wrap them.
    ///
    /// - Parameters:
    ///   - base: Stores the files, below the simulated storage.
    ///   - wrap: Returns the host of the session's devices for the simulated host, which performs the events.
    init(
        _ scenario: Scenario, folder: URL, profiles: URL?, storage base: any CaptureStorage,
        wrapping wrap: (SimHost) -> any HardwareHost
    ) throws {
        self.scenario = scenario
        self.folder = folder
        clock = SimClock()
        log = EventLog(clock: clock)
        storage = SimStorage(over: base, freeByteCount: scenario.devices.freeByteCount)
        host = try SimHost(
            profile: Self.path(scenario.devices.profile, in: profiles),
            scene: .named(Self.path(scenario.devices.scene, in: profiles)),
            shake: scenario.devices.shake, hasMarker: scenario.devices.hasMarker,
            sound: scenario.devices.sound, seed: scenario.seed, orientation: scenario.devices.orientation,
            clock: clock)
        let log = log
        system = CaptureSystem(
            hosts: [wrap(host)], clock: clock,
            authorization: Authorization(clock: clock, states: scenario.devices.authorization), storage: storage,
            notificationCenter: NotificationCenter(),
            misuse: MisuseHandler { log.note("misuse \($0.exception.rawValue) \($0.message)") },
            photoLibraryURL: folder.appendingPathComponent("library"), seed: scenario.seed)
    }

    /// Returns the path of a profile or scene file, or the unchanged name of a built-in one.
    private static func path(_ name: String, in folder: URL?) -> String {
        let isFile = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
        guard isFile, !name.hasPrefix("/"), let folder else { return name }
        return folder.appendingPathComponent(name).path
    }

    /// Plays the scenario to its end.
    public func play() throws -> Outcome { try play { _, _, _ in } }

    /// A stage of the scenario.
    enum Moment {
        /// The session is configured.
        case ready
        case before(Scenario.Step)
        case after(Scenario.Step)
        /// The session is stopped.
        case closed
    }

    /// Plays the scenario to its end.
    ///
    /// - Parameter watch: Called when the session is configured, before and after each step, and when it is stopped.
    func play(watch: (ScenarioSession, CaptureSystem, Moment) -> Void) throws -> Outcome {
        for entry in scenario.devices.faults {
            try host.schedule(entry.fault.fault, uniqueID: entry.device, at: entry.fault.trigger)
        }
        let session = try system.run {
            try ScenarioSession(
                scenario, system: system, folder: folder, log: log, readsMarkers: host.drawsMarkers, observer: observer)
        }
        clock.settle()
        watch(session, system, .ready)
        for step in scenario.timeline {
            advance(to: step.time)
            watch(session, system, .before(step))
            system.run { perform(step.action, on: session) }
            callDidReturn?(step)
            clock.settle()
            watch(session, system, .after(step))
        }
        advance(to: scenario.end)
        system.run { session.close() }
        clock.settle()
        watch(session, system, .closed)
        let files = try session.noteFiles()
        return Outcome(log: log.lines, files: files)
    }

    /// Advances the clock and reports the progress.
    private func advance(to time: CMTime) {
        if let reportProgress {
            let total = scenario.end.seconds
            clock.run(
                until: {
                    reportProgress(total > 0 ? clock.now.seconds / total : 1)
                    return false
                }, limit: .nanoseconds((time - clock.now).nanoseconds))
        }
        clock.advance(to: time)
    }

    /// Performs a call that the host can refuse, such as disconnecting an unknown device, and logs the refusal.
    private func attempt(_ body: () throws(DeviceError) -> Void) {
        do throws(DeviceError) {
            try body()
        } catch {
            log.note("refused: \(error.message)")
        }
    }

    /// Performs an action in the current capture system.
    func perform(_ action: Scenario.Action, on session: ScenarioSession) {
        log.note("> \(action)")
        switch action {
        case .start: session.session.startRunning()
        case .stop: session.session.stopRunning()
        case .record(let name, let fragmentInterval, let maximumDuration):
            session.record(to: name, fragmentInterval: fragmentInterval, maximumDuration: maximumDuration)
        case .stopRecording: session.movie?.stopRecording()
        case .pauseRecording: session.movie?.pauseRecording()
        case .resumeRecording: session.movie?.resumeRecording()
        case .photo(let name): session.takePhoto(to: name)
        case .interrupt(let reason): system.interruptions.begin(reason)
        case .endInterruption(let reason): system.interruptions.end(reason)
        case .disconnect(let id): attempt { () throws(DeviceError) in try host.disconnect(uniqueID: id) }
        case .reconnect(let id): attempt { () throws(DeviceError) in try host.reconnect(uniqueID: id) }
        case .switchCamera(let id): session.switchCamera(to: id)
        case .setFreeSpace(let byteCount): storage.freeByteCount = byteCount
        case .rotate(let orientation): system.orientation.rotate(to: orientation)
        case .setAuthorization(let resource, let state): system.authorization.set(state, for: resource)
        case .fault(let fault, let id):
            let now = clock.now
            attempt { () throws(DeviceError) in try host.schedule(fault, uniqueID: id, at: .time(now)) }
        case .change(let change): perform(change, on: session)
        case .camera(let control): session.set(control)
        }
    }

    private func perform(_ change: Scenario.Change, on session: ScenarioSession) {
        switch change {
        case .beginConfiguration: session.beginConfiguration()
        case .commitConfiguration: session.commitConfiguration()
        case .addInput(let id): session.addInput(id)
        case .removeInput(let id): session.removeInput(id)
        case .addOutput(let output): session.addOutput(output)
        case .removeOutput(let output): session.removeOutput(output)
        case .setPreset(let preset): session.setPreset(preset)
        case .setEnabled(let output, let isEnabled): session.setEnabled(output, isEnabled)
        case .setInUse(let id, let isInUse):
            attempt { () throws(DeviceError) in try host.setInUse(isInUse, uniqueID: id) }
        case .setSuspended(let id, let isClosed):
            attempt { () throws(DeviceError) in try host.setSuspended(isClosed, uniqueID: id) }
        case .resetMediaServices: system.interruptions.resetMediaServices()
        }
    }
}

extension Scenario.Action: CustomStringConvertible {
    /// The action as in the log.
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
        case .setFreeSpace(let byteCount): "free \(byteCount) B"
        case .rotate(let orientation): "rotate \(orientation.scenarioName)"
        case .setAuthorization(let resource, let state): "authorize \(resource.scenarioName) \(state)"
        case .fault(let fault, let id): "\(fault) on \(id)"
        case .change(let change): change.description
        case .camera(let control): control.description
        }
    }
}
