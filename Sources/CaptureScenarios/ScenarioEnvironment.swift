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

    /// Performs an action of the environment.
    ///
    /// - Returns: False if the session or the app performs the action instead.
    func perform(_ action: Scenario.Action) -> Bool {
        switch action {
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
        case .change(.setInUse(let id, let isInUse)):
            attempt { () throws(DeviceError) in try host.setInUse(isInUse, uniqueID: id) }
        case .change(.setSuspended(let id, let isSuspended)):
            attempt { () throws(DeviceError) in try host.setSuspended(isSuspended, uniqueID: id) }
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

    /// Calls a method that the host can reject, such as disconnecting an unknown device, and logs the error.
    private func attempt(_ body: () throws(DeviceError) -> Void) {
        do throws(DeviceError) {
            try body()
        } catch {
            log.note("refused: \(error.message)")
        }
    }
}
