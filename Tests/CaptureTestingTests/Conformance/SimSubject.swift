import CaptureHAL
import CaptureTesting
import MediaTypes

extension ConformanceSubject {
    /// A simulated host, with everything that its script can do.
    static func sim(_ profile: String, clock: SimClock = SimClock()) throws -> ConformanceSubject {
        try sim(profile, .virtual(clock))
    }

    static func sim(_ profile: String, _ time: ConformanceTime) throws -> ConformanceSubject {
        let clock = time.clock
        let host = try SimHost(profile: profile, scene: .grey, seed: 5, clock: clock)
        return ConformanceSubject(host: host, time: time, levers: .sim(host, clock))
    }
}

extension HostLevers {
    static func sim(_ host: SimHost, _ clock: any CaptureClock) -> HostLevers {
        var levers = HostLevers()
        levers.unplug = { try host.disconnect(uniqueID: $0) }
        levers.plug = { try host.reconnect(uniqueID: $0) }
        levers.takeAway = { try host.setInUse(true, uniqueID: $0) }
        levers.giveBack = { try host.setInUse(false, uniqueID: $0) }
        levers.loseFrames = { try host.schedule(.dropFrames(count: $1), uniqueID: $0, at: .time(clock.now)) }
        levers.failStream = {
            try host.schedule(.fail(.inputOutput), uniqueID: $0, at: .time(clock.now))
            return .inputOutput
        }
        levers.changeControl = { _, opened in try changeControl(opened) }
        return levers
    }

    /// The same for a trace of such a host: what was done to the host when it was recorded comes by itself.
    static var simTrace: HostLevers {
        var levers = HostLevers()
        levers.unplug = { _ in }
        levers.plug = { _ in }
        levers.takeAway = { _ in }
        levers.giveBack = { _ in }
        levers.loseFrames = { _, _ in }
        levers.failStream = { _ in .inputOutput }
        levers.changeControl = { _, opened in try changeControl(opened) }
        return levers
    }

    /// A camera of which one exposure value is fixed ends its automatic exposure by itself.
    private static func changeControl(_ opened: any OpenDevice) throws -> DeviceControl {
        guard case .number(let isos, _, _)? = opened.controls[.iso] else {
            throw ConformanceSkip("the microphone changes nothing by itself")
        }
        try opened.set(.iso, to: .number(isos.upperBound))
        return .exposureMode
    }
}
