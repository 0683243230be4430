import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import SimDevices

/// The environment of a session or an app in a scenario: devices, user and system.
struct ScenarioEnvironment {
    let system: CaptureSystem
    let host: SimHost
    let clock: SimClock
    let storage: SimStorage
    let log: EventLog
    let library: ScenarioLibrary

    /// Schedules the scenes, the changes of their objects, and the faults of the scenario.
    ///
    /// - Parameter files: The folder of files with relative paths.
    func schedule(_ scenario: Scenario, files: URL?) throws {
        for (time, scene, light) in try scenario.laterScenes(in: files) {
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

    /// Performs an action of the environment.
    ///
    /// - Returns: False if the action is one of the session or the app. It is then not performed.
    func perform(_ action: Scenario.Action) -> Bool {
        switch action {
        case .interrupt(let reason): system.interruptions.begin(reason)
        case .endInterruption(let reason, let resumes):
            system.interruptions.end(reason, shouldResume: resumes ?? true)
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
        case .change(.setInUse(let id, let isInUse)):
            attempt { () throws(DeviceError) in try host.setInUse(isInUse, uniqueID: id) }
        case .change(.setSuspended(let id, let isClosed)):
            attempt { () throws(DeviceError) in try host.setSuspended(isClosed, uniqueID: id) }
        case .change(.resetMediaServices): system.interruptions.resetMediaServices()
        case .setAnswer(let resource, let state, let delay):
            let answer = PromptAnswer(state, after: .nanoseconds(delay?.nanoseconds ?? 0))
            system.authorization.setAnswer(answer, for: resource)
        case .setLibraryAvailable(let isAvailable): library.setAvailable(isAvailable)
        // These changes were scheduled before the scenario started.
        case .setLight, .setScene, .changeSceneObject: break
        default: return false
        }
        return true
    }

    /// Performs a call that the host can refuse, such as disconnecting an unknown device, and logs the refusal.
    private func attempt(_ body: () throws(DeviceError) -> Void) {
        do throws(DeviceError) {
            try body()
        } catch {
            log.note("refused: \(error.message)")
        }
    }
}
