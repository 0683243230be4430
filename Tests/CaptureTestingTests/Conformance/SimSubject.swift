import CaptureHAL
import CaptureTesting
import MediaTypes

extension ConformanceSubject {
    /// Returns a simulated host with all actions that it supports.
    static func sim(_ profile: String, clock: SimClock = SimClock()) throws -> ConformanceSubject {
        try sim(profile, .virtual(clock))
    }

    /// Returns a simulated host in virtual or real time.
    static func sim(_ profile: String, _ time: ConformanceTime) throws -> ConformanceSubject {
        let clock = time.clock
        let host = try SimHost(profile: profile, scene: .grey, seed: 5, clock: clock)
        return ConformanceSubject(host: host, time: time, actions: .sim(host, clock))
    }
}

extension HostActions {
    /// Returns the actions of a simulated host.
    static func sim(_ host: SimHost, _ clock: any CaptureClock) -> HostActions {
        var actions = HostActions()
        actions.disconnect = { try host.disconnect(uniqueID: $0) }
        actions.reconnect = { try host.reconnect(uniqueID: $0) }
        actions.beginUseByAnotherApplication = { try host.setInUse(true, uniqueID: $0) }
        actions.endUseByAnotherApplication = { try host.setInUse(false, uniqueID: $0) }
        actions.loseFrames = { try host.schedule(.dropFrames(count: $1), uniqueID: $0, at: .time(clock.now)) }
        actions.failStream = {
            try host.schedule(.fail(.inputOutput), uniqueID: $0, at: .time(clock.now))
            return .inputOutput
        }
        actions.changeControl = { _, opened in try changeControl(opened) }
        return actions
    }

    /// The actions for a played trace of a simulated host. Most do nothing: the trace contains the effects of the actions.
    static var simTrace: HostActions {
        var actions = HostActions()
        actions.disconnect = { _ in }
        actions.reconnect = { _ in }
        actions.beginUseByAnotherApplication = { _ in }
        actions.endUseByAnotherApplication = { _ in }
        actions.loseFrames = { _, _ in }
        actions.failStream = { _ in .inputOutput }
        actions.changeControl = { _, opened in try changeControl(opened) }
        return actions
    }

    /// Sets the ISO, after which the camera changes its exposure mode itself.
    private static func changeControl(_ opened: any OpenDevice) throws -> DeviceControl {
        guard case .number(let isos, _, _)? = opened.controls[.iso] else {
            throw ConformanceSkip("a microphone changes no control")
        }
        try opened.set(.iso, to: .number(isos.upperBound))
        return .exposureMode
    }
}
