import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import SimDevices

/// An action that the session or the app of a scenario performs. The environment performs the other actions.
enum ClientAction {
    case start
    case stop
    case record(to: String, fragmentInterval: CMTime?, maximumDuration: CMTime?)
    case stopRecording
    case pauseRecording
    case resumeRecording
    case photo(to: String, Scenario.PhotoSettings)
    case switchCamera(String)
    case beginConfiguration
    case commitConfiguration
    case addInput(String)
    case removeInput(String)
    case addOutput(Scenario.Session.Output)
    case removeOutput(Scenario.Session.Output)
    case setPreset(String)
    case setEnabled(Scenario.Session.Output, Bool)
    case camera(Scenario.CameraControl)
    case connection(Scenario.ConnectionSetting)
    case createAsset(file: String, album: String?)
    case fetchAssets
    case audioSession(Scenario.AudioSessionCall)
    case setCallbackDuration(CMTime)
    case requestAuthorization(ProtectedResource)
    /// A custom action of an app, by its name.
    case app(String)
}

/// The environment of a session or an app in a scenario: devices, user and system.
struct ScenarioEnvironment {
    let system: CaptureSystem
    let host: SimHost
    let clock: SimClock
    let storage: SimStorage
    let log: EventLog
    let library: any ScenarioLibrary

    /// Schedules the scenes, the changes of their objects, and the faults of the scenario.
    ///
    /// - Parameter folder: The folder of files with relative paths; nil for the working directory.
    func schedule(_ scenario: Scenario, filesIn folder: URL?) throws {
        for (time, scene, light) in try scenario.laterScenes(in: folder) {
            host.setScene(scene, light: light, at: time)
        }
        for step in scenario.timeline {
            guard case .changeSceneObject(let change) = step.action else { continue }
            try host.changeSceneObject(change, at: step.time)
        }
        for entry in scenario.devices.faults {
            try host.schedule(entry.fault.fault, uniqueID: entry.device, at: entry.fault.trigger)
        }
    }

    /// Creates the initial assets, and schedules what happens without an action; called once, before `play`.
    ///
    /// - Parameter folder: The folder of files with relative paths; nil for the working directory.
    func prepare(_ scenario: Scenario, filesIn folder: URL?) throws {
        try schedule(scenario, filesIn: folder)
        guard let contents = scenario.devices.library else { return }
        try system.run { try library.fill(contents, storage: storage, filesIn: folder) }
    }

    /// Plays the timeline: performs each step at its time, when all earlier work has ended, and advances to the end.
    ///
    /// - Parameters:
    ///   - advance: Advances the clock to a time.
    ///   - watch: Called before and after each step.
    ///   - perform: Starts an action of the session or the app, which `action` describes; `index` is the step's.
    func play(
        _ scenario: Scenario, advance: (CMTime) -> Void, watch: (ScenarioPlayer.Stage) -> Void = { _ in },
        perform: (_ action: ClientAction, _ step: Scenario.Step, _ index: Int) -> Void
    ) {
        for (index, step) in scenario.timeline.enumerated() {
            advance(step.time)
            watch(.before(step))
            log.note("> \(step.logText)")
            if let action = system.run({ performInEnvironment(step.action) }) { perform(action, step, index) }
            watch(.returned(step))
            clock.settle()
            watch(.after(step))
        }
        advance(scenario.end)
    }

    /// Performs an action of the environment, in the current capture system.
    ///
    /// - Returns: The action, if the session or the app performs it instead.
    func performInEnvironment(_ action: Scenario.Action) -> ClientAction? {
        switch action {
        case .start: return .start
        case .stop: return .stop
        case .record(let name, let fragmentInterval, let maximumDuration):
            return .record(to: name, fragmentInterval: fragmentInterval, maximumDuration: maximumDuration)
        case .stopRecording: return .stopRecording
        case .pauseRecording: return .pauseRecording
        case .resumeRecording: return .resumeRecording
        case .photo(let name, let settings): return .photo(to: name, settings)
        case .switchCamera(let id): return .switchCamera(id)
        case .camera(let control): return .camera(control)
        case .connection(let setting): return .connection(setting)
        case .createAsset(let name, let album): return .createAsset(file: name, album: album)
        case .fetchAssets: return .fetchAssets
        case .audioSession(let call): return .audioSession(call)
        case .setCallbackDuration(let duration): return .setCallbackDuration(duration)
        case .requestAuthorization(let resource): return .requestAuthorization(resource)
        case .app(let action, _): return .app(action)
        case .change(let change): return perform(change)
        case .interrupt(let reason): system.interruptions.begin(reason)
        case .endInterruption(let reason, let shouldResume):
            system.interruptions.end(reason, shouldResume: shouldResume ?? true)
        case .setInBackground(true): system.interruptions.begin(.notAvailableInBackground)
        case .setInBackground(false): system.interruptions.end(.notAvailableInBackground)
        case .setSystemPressure(let pressure):
            for device in host.devices where device.descriptor.media.contains(.video) {
                let id = device.descriptor.uniqueID
                attempt { () throws(DeviceError) in try host.setPressure(pressure, uniqueID: id) }
            }
        case .disconnect(let id): attempt { () throws(DeviceError) in try host.disconnect(uniqueID: id) }
        case .reconnect(let id): attempt { () throws(DeviceError) in try host.reconnect(uniqueID: id) }
        case .setFreeSpace(let byteCount): storage.freeByteCount = byteCount
        case .rotate(let orientation): system.orientation.rotate(to: orientation)
        case .setAuthorization(let resource, let state): system.authorization.set(state, for: resource)
        case .fault(let fault, let id):
            let now = clock.now
            attempt { () throws(DeviceError) in try host.schedule(fault, uniqueID: id, at: .time(now)) }
        case .setAnswer(let resource, let state, let delay):
            let answer = PromptAnswer(state, after: .nanoseconds(delay?.nanoseconds ?? 0))
            system.authorization.setAnswer(answer, for: resource)
        case .setLibraryAvailable(let isAvailable): library.setAvailable(isAvailable)
        case .pickPhotos(let picker, let count, let delay):
            let choice = count.map { PhotoPickerAnswer.Choice.newest($0) } ?? .cancel
            let answer = PhotoPickerAnswer(choice, after: .nanoseconds(delay?.nanoseconds ?? 0))
            system.photoPickers.setAnswer(answer, to: picker)
        // These changes were scheduled before the scenario started.
        case .setLight, .setScene, .changeSceneObject: break
        }
        return nil
    }

    private func perform(_ change: Scenario.Change) -> ClientAction? {
        switch change {
        case .beginConfiguration: return .beginConfiguration
        case .commitConfiguration: return .commitConfiguration
        case .addInput(let id): return .addInput(id)
        case .removeInput(let id): return .removeInput(id)
        case .addOutput(let output): return .addOutput(output)
        case .removeOutput(let output): return .removeOutput(output)
        case .setPreset(let preset): return .setPreset(preset)
        case .setEnabled(let output, let isEnabled): return .setEnabled(output, isEnabled)
        case .setInUse(let id, let isInUse):
            attempt { () throws(DeviceError) in try host.setInUse(isInUse, uniqueID: id) }
        case .setSuspended(let id, let isSuspended):
            attempt { () throws(DeviceError) in try host.setSuspended(isSuspended, uniqueID: id) }
        case .resetMediaServices: system.interruptions.resetMediaServices()
        }
        return nil
    }

    /// Calls a method that the host can reject, such as disconnecting an unknown device, and logs the error.
    private func attempt(_ body: () throws(DeviceError) -> Void) {
        do throws(DeviceError) {
            try body()
        } catch {
            log.note("refused: \(error.message)")
        }
    }
}
