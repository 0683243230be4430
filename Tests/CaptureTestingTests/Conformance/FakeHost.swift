import CaptureHAL
import CaptureTesting
import MediaTypes

/// A small host that conforms to the host contract, except for one selectable defect.
final class FakeHost: HardwareHost {
    /// A violation of one rule of the contract.
    enum Defect: String, CaseIterable {
        case createsDevicesAtEachQuery, listsDuplicateIDs, hasInvalidMountingAngle, hasReversedRange,
            listsDescendingPhotoSizes
        case opensTwice, staysBusyWhenClosed, worksWhenClosed, keepsStreamingWhenClosed, keepsClientsAlive
        case deliversAnotherSize, deliversHalfChunks, acceptsAnyFormat, runsTwoStreams
        case startsTwice, deliversAfterStop, ignoresStopInside, ignoresCloseInside, hangsInStop, doesNotResetCounters
        case hasDescendingTimes, ignoresFrameRate, acceptsAnyDuration, overwritesRetainedFrames, hidesPoolExhaustion
        case skipsAudioSamples, endsTwice
        case readsOutOfRange, forgetsSettings, resetsSettings, acceptsInvalidValues, hidesSettings
        case deliversAudioWhenMuted
        case doesNotNotifyControlChanges, notifiesCancelledObservers
        case doesNotNotifyDisconnection, reconnectsSameInstance, failsTwice, failsWithAnotherCode, hidesLostFrames
        case leavesFilesOpen, keepsStreamsAlive
    }

    private struct State {
        var devices: [FakeDevice] = []
        var observers: [Int: @Sendable (DeviceChange) -> Void] = [:]
        var nextObserver = 0
    }

    let name = "fake"
    let defect: Defect?
    let clock: SimClock
    /// The frame durations of the camera's formats.
    private let frameDurations: FrameDurationRange
    private let state = Lock(State(), order: .device)

    init(
        _ defect: Defect?, clock: SimClock,
        frameDurations: FrameDurationRange = FrameDurationRange(
            minimum: CMTime(value: 1, timescale: 60), maximum: CMTime(value: 1, timescale: 10))
    ) {
        self.defect = defect
        self.clock = clock
        self.frameDurations = frameDurations
        state.withLock { $0.devices = makeDevices() }
    }

    private func makeDevices() -> [FakeDevice] {
        [DeviceMedia.video, .audio].map { FakeDevice($0, defect, clock: clock, frameDurations: frameDurations) }
    }

    var devices: [any HardwareDevice] {
        defect == .createsDevicesAtEachQuery
            ? makeDevices() : state.withLock { $0.devices.filter(\.isConnected) }
    }

    func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> ObserverToken {
        let number = state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers[state.nextObserver] = handler
            return state.nextObserver
        }
        guard defect != .notifiesCancelledObservers else { return ObserverToken {} }
        return ObserverToken { [weak self] in _ = self?.state.withLock { $0.observers.removeValue(forKey: number) } }
    }

    // MARK: Actions

    var actions: HostActions {
        var actions = HostActions()
        actions.disconnect = { [self] id in
            guard let device = find(id) else { return }
            device.disconnect()
            notify(.disconnected(device))
        }
        actions.reconnect = { [self] id in
            guard let old = find(id) else { return }
            let new =
                defect == .reconnectsSameInstance
                ? old : FakeDevice(old.media, defect, clock: clock, frameDurations: frameDurations)
            if new === old { old.reconnect() }
            state.withLock { state in
                state.devices = state.devices.map { $0 === old ? new : $0 }
            }
            notify(.connected(new))
        }
        actions.loseFrames = { [self] id, count in find(id)?.stream?.loseFrames(count) }
        actions.failStream = { [self] id in
            find(id)?.stream?.fail(defect == .failsWithAnotherCode ? .busy : .inputOutput)
            return .inputOutput
        }
        actions.changeControl = { [self] id, _ in
            find(id)?.opened?.change(.brightness, to: .number(0.75))
            return .brightness
        }
        return actions
    }

    private func find(_ id: String) -> FakeDevice? {
        state.withLock { $0.devices.first { $0.descriptor.uniqueID == id } }
    }

    private func notify(_ change: DeviceChange) {
        if defect == .doesNotNotifyDisconnection, case .disconnected = change { return }
        clock.schedule(at: clock.now) { [self] in
            for observer in state.withLock({ $0.observers.sorted { $0.key < $1.key } }) { observer.value(change) }
        }
    }
}
