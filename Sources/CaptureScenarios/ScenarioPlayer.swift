import CaptureCore
package import CaptureHAL
import CaptureSimulation
public import Foundation
import MediaStorage
import MediaTypes
package import SimDevices

/// Plays a scenario in its own capture system and logs the events.
///
/// The same scenario produces the same log and the same files, on any machine and under any load. A scenario plays in a
/// simulated world, as an app does in a test: the world is open while `play` runs.
/// - Important: Use it on the main thread. A process plays one scenario at a time.
public final class ScenarioPlayer {
    /// The result of a scenario.
    public struct Outcome: Sendable {
        /// The event log.
        public var log: [String]
        /// The names of the files in the scenario's folder at the end.
        public var files: [String]
        /// The contents of the photo library.
        var library: LibraryContents
        /// The work that ran; empty without pictures of events.
        var work: [WorkPeriod]
    }

    private let scenario: Scenario
    private let folder: URL
    private let system: CaptureSystem
    package let host: SimHost
    private let clock: SimClock
    private let storage: SimStorage
    private let library: any ScenarioLibrary
    /// The folder that contains profile and scene files with relative paths; nil for the working directory.
    private let profiles: URL?
    /// The log of the events so far.
    let log: EventLog
    /// If set, receives the events of the session instead of the log.
    var observer: (any ScenarioObserver)?
    /// Called with the played fraction of the scenario, 0 … 1, after each event.
    var reportProgress: ((Double) -> Void)?
    /// Called before each advance of the clock with the new time, at most `paceInterval` after the current time. The
    /// function blocks until another clock reaches the new time, so that the scenario plays at the rate of that clock. It
    /// runs in the world of the scenario, in which system calls that sleep advance the virtual time.
    /// If it is nil, the scenario plays as fast as possible.
    var pace: ((CMTime) -> Void)?
    /// A time at which the scenario stops, and a function that receives a description of the state at this time: the
    /// session, the devices and the work that has not ended. The scenario continues when the function returns.
    var stop: (time: CMTime, handle: (String) -> Void)?
    /// Describes the state; nil before the session is configured.
    private var describeState: (() -> String)?
    /// The longest advance of the clock between two calls of `pace`.
    private static let paceInterval = CMTime(value: 1, timescale: 100)

    /// Creates a player with a new capture system.
    ///
    /// - Parameters:
    ///   - folder: An existing folder for the files of the scenario. It must not contain files with the same names.
    ///   - profiles: The folder that contains profile and scene files with relative paths; nil for the working
    ///     directory.
    /// - Throws: `ProfileError` if the profile or the scene is unknown or invalid.
    public convenience init(_ scenario: Scenario, folder: URL, profiles: URL? = nil) throws {
        try self.init(scenario, folder: folder, profiles: profiles, pictures: nil)
    }

    /// Creates a player with a wrapper around the simulated host, and with an underlying storage.
    ///
    /// - Parameters:
    ///   - folder: An existing folder for the files of the scenario. It must not contain files with the same names.
    ///   - profiles: The folder that contains profile and scene files with relative paths; nil for the working
    ///     directory.
    ///   - pictures: Creates pictures of events from the frames of the video output; nil to create none.
    ///   - base: The storage to which the simulated storage forwards its calls.
    ///   - wrap: Returns the host that the session uses. Its argument is the simulated host, which performs the steps
    ///     of the timeline.
    /// - Throws: `ProfileError` if the profile or the scene is unknown or invalid.
    init(
        _ scenario: Scenario, folder: URL, profiles: URL? = nil, pictures: EventPictures? = nil,
        storage base: any CaptureStorage = DiskStorage(), wrapping wrap: (SimHost) -> any HardwareHost = { $0 }
    ) throws {
        self.scenario = scenario
        (self.folder, self.profiles) = (folder, profiles)
        clock = SimClock()
        log = EventLog(clock: clock, pictures: pictures)
        storage = SimStorage(over: base, freeByteCount: scenario.devices.freeByteCount)
        let scene = try SimScene.named(Self.path(scenario.devices.scene, in: profiles))
        host = try SimHost(
            profile: Self.path(scenario.devices.profile, in: profiles), scene: scene, light: scenario.light(of: scene),
            shake: scenario.devices.shake, hasMarker: scenario.devices.hasMarker,
            sound: scenario.devices.sound, seed: scenario.seed, orientation: scenario.devices.orientation,
            clock: clock)
        let log = log
        system = CaptureSystem(
            hosts: [wrap(host)], clock: clock,
            authorization: Authorization(
                clock: clock, states: scenario.devices.authorization, answers: scenario.devices.answers),
            storage: storage,
            notificationCenter: NotificationCenter(),
            misuse: MisuseHandler { log.note("misuse \($0.exception.rawValue) \($0.message)") },
            photoLibraryURL: folder.appendingPathComponent("library"), seed: scenario.seed)
        library = ScenarioLibraries.library(of: system, log: log)
        lifetimes.startRecording()
        lifetimes.add(system, "the system")
    }

    /// The objects of the capture system that still exist. All are released with the player.
    package var lifetimes: ObjectLifetimes { system.reference.lifetimes }

    /// Returns the path of a profile or scene file, or the unchanged name of a built-in one.
    package static func path(_ name: String, in folder: URL?) -> String {
        let isFile = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
        guard isFile, !name.hasPrefix("/"), let folder else { return name }
        return folder.appendingPathComponent(name).path
    }

    private var environment: ScenarioEnvironment {
        ScenarioEnvironment(system: system, host: host, clock: clock, storage: storage, log: log, library: library)
    }

    /// Plays the scenario to its end.
    ///
    /// - Throws: An error if the session cannot be created, or if a file cannot be read or written.
    public func play() throws -> Outcome { try play { _, _, _ in } }

    /// A stage of the scenario.
    enum Stage {
        /// The session is configured.
        case ready
        case before(Scenario.Step)
        /// The API call of the step has returned; the callbacks that the call submitted have not run.
        case returned(Scenario.Step)
        /// All work of the step has ended.
        case after(Scenario.Step)
        /// The session is stopped.
        case closed
    }

    /// Plays the scenario to its end.
    ///
    /// - Parameter watch: Called when the session is configured, before and after each step, and when it is stopped.
    /// - Throws: An error if the session cannot be created, or if a file cannot be read or written.
    func play(watch: (ScenarioSession, CaptureSystem, Stage) -> Void) throws -> Outcome {
        let environment = environment
        let world = SimulatedWorld(clock: clock)
        if let pictures = log.pictures {
            pictures.observe(host, clock: clock)
            world.recordWork()
        }
        world.open()
        defer { world.close() }
        try environment.prepare(scenario, filesIn: profiles)
        let log = log
        let calls =
            observer == nil
            ? DelegateCalls.of(system).observe { call in
                // The delegates of the session log all other events.
                if case .didChangeSystemPressure(let camera, let pressure) = call {
                    log.noteSystemPressure(pressure, of: camera)
                }
            } : nil
        defer { calls?.cancel() }
        let session = try system.run {
            try ScenarioSession(
                scenario, system: system, folder: folder, log: log, readsMarkers: host.drawsMarkers, observer: observer)
        }
        clock.settle()
        describeState = { [host, clock] in "\(ScenarioState(session, host, world, at: clock.now))" }
        defer { describeState = nil }
        watch(session, system, .ready)
        environment.play(scenario) {
            advance(to: $0)
        } watch: { stage in
            watch(session, system, stage)
        } perform: { action, step, _ in
            system.run { perform(action, of: step.camera, on: session) }
        }
        system.run { session.close() }
        clock.settle()
        watch(session, system, .closed)
        let files = try session.noteFiles()
        let contents = try library.contents()
        log.noteContents(contents)
        return Outcome(log: log.lines, files: files, library: contents, work: world.workPeriods)
    }

    /// Advances the clock and reports the progress. If an action has taken longer, the next step follows at once.
    private func advance(to time: CMTime) {
        guard clock.now <= time else { return }
        if let stop, stop.time <= time {
            self.stop = nil
            advance(to: stop.time)
            stop.handle(describeState?() ?? "")
        }
        let total = scenario.end.seconds
        if let pace {
            while clock.now < time {
                let next = min(time, clock.now + Self.paceInterval)
                pace(next)
                clock.advance(to: next)
                reportProgress?(total > 0 ? next.seconds / total : 1)
            }
        } else if let reportProgress {
            clock.run(
                until: {
                    reportProgress(total > 0 ? clock.now.seconds / total : 1)
                    return false
                }, limit: .nanoseconds((time - clock.now).nanoseconds))
        }
        clock.advance(to: time)
    }

    /// Performs a step inside of another one, in the current capture system.
    func perform(_ step: Scenario.Step, on session: ScenarioSession) {
        log.note("> \(step.logText)")
        if let action = environment.performInEnvironment(step.action) { perform(action, of: step.camera, on: session) }
    }

    /// Performs an action of the session in the current capture system.
    private func perform(_ action: ClientAction, of camera: String?, on session: ScenarioSession) {
        switch action {
        case .start: session.session.startRunning()
        case .stop: session.session.stopRunning()
        case .record(let name, let fragmentInterval, let maximumDuration):
            session.record(
                to: name, fragmentInterval: fragmentInterval, maximumDuration: maximumDuration, camera: camera)
        case .stopRecording: session.movieOutput(of: camera)?.stopRecording()
        case .pauseRecording: session.movieOutput(of: camera)?.pauseRecording()
        case .resumeRecording: session.movieOutput(of: camera)?.resumeRecording()
        case .photo(let name, let settings): session.takePhoto(to: name, settings, camera: camera)
        case .switchCamera(let id): session.switchCamera(to: id)
        case .beginConfiguration: session.beginConfiguration()
        case .commitConfiguration: session.commitConfiguration()
        case .addInput(let id): session.addInput(id)
        case .removeInput(let id): session.removeInput(id)
        case .addOutput(let output): session.addOutput(output, of: camera)
        case .removeOutput(let output): session.removeOutput(output, of: camera)
        case .setPreset(let preset): session.setPreset(preset)
        case .setEnabled(let output, let isEnabled): session.setEnabled(output, isEnabled, of: camera)
        case .camera(let control): session.set(control, of: camera)
        case .connection(let setting): session.set(setting, of: camera)
        case .createAsset(let name, let album):
            library.createAsset(from: folder.appendingPathComponent(name), album: album)
        case .fetchAssets: library.fetchAssets()
        case .audioSession(let call): call.perform(log: log)
        case .setCallbackDuration(let duration): session.setCallbackDuration(duration, of: camera)
        case .requestAuthorization(let resource):
            let log = log
            system.authorization.request(resource) { state in
                let name = AuthorizationState.scenarioNames.first { $0.value == state }?.name ?? "\(state)"
                log.note("authorization \(resource.scenarioName) \(name)")
            }
        case .app(let name): log.note("refused: without an app, there is no action \"\(name)\"")
        }
    }
}
