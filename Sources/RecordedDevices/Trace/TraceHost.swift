public import CaptureHAL
import Foundation
public import MediaStorage
import MediaTypes

/// Plays a trace: the devices that were recorded, with the same formats, controls, answers, errors and events.
///
/// What happens by itself comes at its recorded distance from the call behind which it came: what a stream delivers from
/// its start, and what devices do from the last start before. Calls get the recorded answers in the recorded order. Once
/// these are used up, openings, streams and runs that worked begin again; what the trace does not hold is refused, by an
/// error that says what it does hold. A run that the recorded client stopped ends one frame later by itself.
public final class TraceHost: HardwareHost {
    private struct State {
        /// Those that are connected, by their numbers.
        var devices: [TraceDevice] = []
        /// Consequences of these calls have been set going.
        var played: Set<Int> = []
    }

    public let name: String
    let trace: Trace
    let clock: any CaptureClock
    let player: TracePlayer
    private let all: [TraceDevice]
    private let observers = Observers<DeviceChange>()
    private let state: Lock<State>

    /// Reads a trace and shows its devices.
    ///
    /// - Parameters:
    ///   - path: The folder of the trace.
    ///   - clock: The time in which it is played.
    /// - Throws: `.invalidSource` with file and line for what is no trace, `.notPermitted` or `.inputOutput`.
    public convenience init(
        path: String, clock: any CaptureClock, storage: any CaptureStorage = DiskStorage()
    ) throws(DeviceError) {
        self.init(try Trace(folder: URL(fileURLWithPath: path, isDirectory: true), storage: storage), clock: clock)
    }

    /// Shows the devices of a trace.
    public init(_ trace: Trace, clock: any CaptureClock) {
        self.trace = trace
        self.clock = clock
        name = "trace:" + trace.folder.lastPathComponent
        let player = TracePlayer(trace, clock: clock)
        self.player = player
        let all = trace.devices.indices.map { TraceDevice($0, of: trace, clock: clock, player: player) }
        self.all = all
        state = Lock(State(devices: all.filter { trace.devices[$0.number].isInitial }), order: .device)
        for device in all { device.host = WeakTraceHost(self) }
        playConsequences(of: -1, offset: clock.now.nanoseconds)
    }

    public var devices: [any HardwareDevice] { state.withLock { $0.devices } }

    public func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> Observation {
        observers.add(handler)
    }

    /// Lets follow what in the recording followed on a call; devices come and go only once.
    func playConsequences(of anchor: Int, offset: Int64) {
        guard let consequences = trace.consequences[anchor] else { return }
        let isFirst = state.withLock { $0.played.insert(anchor).inserted }
        let events = consequences.filter { event in
            if case .changed = trace.events[event].content { return false }
            return isFirst
        }
        player.play(events, offset: offset) { [weak self] in self?.perform($0) }
    }

    /// Takes a device out of the list, before anybody is told.
    func remove(_ device: TraceDevice) {
        state.withLock { state in state.devices.removeAll { $0 === device } }
    }

    private func perform(_ event: Int) {
        switch trace.events[event].content {
        case .device(let number, _, _): add(all[number])
        case .connected(let number):
            add(all[number])
            observers.notify(.connected(all[number]))
        case .disconnected(let number):
            all[number].disconnect()
            observers.notify(.disconnected(all[number]))
        default: break
        }
    }

    /// A device keeps its place in the list when it comes back.
    private func add(_ device: TraceDevice) {
        state.withLock { state in
            guard !state.devices.contains(where: { $0 === device }), device.isConnected else { return }
            let place = all.firstIndex { $0.descriptor.uniqueID == device.descriptor.uniqueID } ?? device.number
            let index = state.devices.firstIndex { other in
                (all.firstIndex { $0.descriptor.uniqueID == other.descriptor.uniqueID } ?? other.number) > place
            }
            state.devices.insert(device, at: index ?? state.devices.endIndex)
        }
    }
}

/// The host as its devices see it.
struct WeakTraceHost: Sendable {
    weak let host: TraceHost?

    init(_ host: TraceHost?) { self.host = host }
}
