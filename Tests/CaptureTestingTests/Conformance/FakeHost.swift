import CaptureHAL
import CaptureTesting
import MediaTypes

/// A small host that keeps the contract, but for the one flaw that it is given.
final class FakeHost: HardwareHost {
    /// What is wrong with the host; each breaks one rule.
    enum Flaw: String, CaseIterable {
        case listsDevicesAnew, givesOneIDTwice, turnsByAnOddAngle, reversesARange, listsDescendingPhotos
        case opensTwice, staysBusyWhenClosed, worksWhenClosed, streamsOnWhenClosed, keepsClientsAlive
        case deliversAnotherSize, deliversHalfChunks, takesAnyFormat, runsTwoStreams
        case startsTwice, deliversAfterStop, ignoresStopInside, ignoresCloseInside, hangsInStop, countsOn
        case goesBackInTime, ignoresTheRate, takesAnyDuration, paintsOverHeldFrames, hidesStarvation
        case skipsSound, endsTwice
        case readsOutOfRange, forgetsSettings, takesWrongValues, hidesSettings, soundsWhenMuted
        case keepsChangesSecret, tellsTheCancelled
        case isNotToldAsGone, comesBackAsItWas, failsTwice, failsByAnotherCode, hidesLostFrames
        case leavesFilesOpen, keepsStreamsAlive
    }

    private struct State {
        var devices: [FakeDevice] = []
        var observers: [Int: @Sendable (DeviceChange) -> Void] = [:]
        var nextObserver = 0
    }

    let name = "fake"
    let flaw: Flaw?
    let clock: SimClock
    private let state = Lock(State(), order: .device)

    init(_ flaw: Flaw?, clock: SimClock) {
        self.flaw = flaw
        self.clock = clock
        state.withLock { $0.devices = Self.makeDevices(flaw, clock) }
    }

    private static func makeDevices(_ flaw: Flaw?, _ clock: SimClock) -> [FakeDevice] {
        [DeviceMedia.video, .audio].map { FakeDevice($0, flaw, clock: clock) }
    }

    var devices: [any HardwareDevice] {
        flaw == .listsDevicesAnew ? Self.makeDevices(flaw, clock) : state.withLock { $0.devices.filter(\.isConnected) }
    }

    func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> Observation {
        let number = state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers[state.nextObserver] = handler
            return state.nextObserver
        }
        guard flaw != .tellsTheCancelled else { return Observation {} }
        return Observation { [weak self] in _ = self?.state.withLock { $0.observers.removeValue(forKey: number) } }
    }

    // MARK: Levers

    var levers: HostLevers {
        var levers = HostLevers()
        levers.unplug = { [self] id in
            guard let device = find(id) else { return }
            device.disconnect()
            tell(.disconnected(device))
        }
        levers.plug = { [self] id in
            guard let old = find(id) else { return }
            let new = flaw == .comesBackAsItWas ? old : FakeDevice(old.media, flaw, clock: clock)
            if new === old { old.reconnect() }
            state.withLock { state in
                state.devices = state.devices.map { $0 === old ? new : $0 }
            }
            tell(.connected(new))
        }
        levers.loseFrames = { [self] id, count in find(id)?.stream?.lose(count) }
        levers.failStream = { [self] id in
            find(id)?.stream?.fail(flaw == .failsByAnotherCode ? .busy : .inputOutput)
            return .inputOutput
        }
        levers.changeControl = { [self] id, _ in
            find(id)?.opened?.change(.brightness, to: .number(0.75))
            return .brightness
        }
        return levers
    }

    private func find(_ id: String) -> FakeDevice? {
        state.withLock { $0.devices.first { $0.descriptor.uniqueID == id } }
    }

    private func tell(_ change: DeviceChange) {
        if flaw == .isNotToldAsGone, case .disconnected = change { return }
        clock.schedule(at: clock.now) { [self] in
            for observer in state.withLock({ $0.observers.sorted { $0.key < $1.key } }) { observer.value(change) }
        }
    }
}
