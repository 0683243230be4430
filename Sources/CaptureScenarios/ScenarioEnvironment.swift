import CaptureHAL
import MediaStorage
import MediaTypes
import SimDevices

/// What surrounds a session or an app in a scenario: devices, user and system.
struct ScenarioEnvironment {
    let system: CaptureSystem
    let host: SimHost
    let clock: SimClock
    let storage: SimStorage
    let log: EventLog

    /// Schedules the faults of the scenario.
    func schedule(_ faults: [Scenario.DeviceFault]) throws {
        for entry in faults {
            try host.schedule(entry.fault.fault, uniqueID: entry.device, at: entry.fault.trigger)
        }
    }

    /// Performs an action of the environment.
    ///
    /// - Returns: Whether it was one; false for an action of the session or the app.
    func perform(_ action: Scenario.Action) -> Bool {
        switch action {
        case .interrupt(let reason): system.interruptions.begin(reason)
        case .endInterruption(let reason): system.interruptions.end(reason)
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
        // The host has the light of the whole scenario from its start.
        case .setLight: break
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
