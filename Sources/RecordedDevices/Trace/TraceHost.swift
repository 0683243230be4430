public import CaptureHAL
import Foundation
public import MediaStorage
import MediaTypes

/// A host that plays a trace: the recorded devices with the same formats, controls, results, errors and events.
///
/// Each event follows a call after the recorded time: events of a stream follow its start, and events of devices follow
/// the preceding start. Calls return the recorded results in their recorded order. After that, successful openings,
/// streams and runs are repeated. A call that the trace does not contain throws an error that names the recorded
/// alternatives. If the recorded client stopped a run, the run delivers `.ended` one frame
/// later.
public final class TraceHost: HardwareHost {
    private struct State {
        /// The connected devices in the order of their numbers.
        var devices: [TraceDevice] = []
        /// The calls after which the connections and disconnections have been scheduled.
        var playedCalls: Set<Int> = []
    }

    public let name: String
    let trace: Trace
    let clock: any CaptureClock
    let player: TracePlayer
    /// All devices of the trace, by number.
    private let allDevices: [TraceDevice]
    private let observers = Observers<DeviceChange>()
    private let state: Lock<State>

    /// Creates a host for the trace in a folder.
    ///
    /// - Parameters:
    ///   - path: The path of the folder.
    ///   - clock: The clock on which the trace is played.
    ///   - storage: The storage that the folder is in.
    /// - Throws: `.invalidSource` with file and line if the folder does not contain a valid trace, `.notPermitted` or
    ///   `.inputOutput`.
    public convenience init(
        path: String, clock: any CaptureClock, storage: any CaptureStorage = DiskStorage()
    ) throws(DeviceError) {
        self.init(try Trace(folder: URL(fileURLWithPath: path, isDirectory: true), storage: storage), clock: clock)
    }

    /// Creates a host for a trace.
    public init(_ trace: Trace, clock: any CaptureClock) {
        self.trace = trace
        self.clock = clock
        name = "trace:" + trace.folder.lastPathComponent
        let player = TracePlayer(trace, clock: clock)
        self.player = player
        let allDevices = trace.devices.indices.map { TraceDevice($0, of: trace, clock: clock, player: player) }
        self.allDevices = allDevices
        state = Lock(State(devices: allDevices.filter { trace.devices[$0.number].isInitial }), order: .device)
        for device in allDevices { device.host = WeakReference(self) }
        playFollowingEvents(after: -1, offset: clock.now.nanoseconds)
    }

    public var devices: [any HardwareDevice] { state.withLock { $0.devices } }

    public func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> ObserverToken {
        observers.add(handler)
    }

    /// Schedules the recorded connections and disconnections after a call, only once for each call.
    ///
    /// - Parameters:
    ///   - call: The index of the call in the trace; -1 for the beginning.
    ///   - offset: Nanoseconds that are added to the trace's times.
    func playFollowingEvents(after call: Int, offset: Int64) {
        guard let followingEvents = trace.followingEvents[call] else { return }
        let isFirst = state.withLock { $0.playedCalls.insert(call).inserted }
        let events = followingEvents.filter { event in
            if case .changed = trace.events[event].content { return false }
            return isFirst
        }
        player.play(events, offset: offset) { [weak self] in self?.perform($0) }
    }

    /// Removes a device from the list. Observers are notified later.
    func remove(_ device: TraceDevice) {
        state.withLock { state in state.devices.removeAll { $0 === device } }
    }

    private func perform(_ event: Int) {
        switch trace.events[event].content {
        case .device(let number, _, _): add(allDevices[number])
        case .connected(let number):
            add(allDevices[number])
            observers.notify(.connected(allDevices[number]))
        case .disconnected(let number):
            allDevices[number].disconnect()
            observers.notify(.disconnected(allDevices[number]))
        default: break
        }
    }

    /// Adds a device to the list. A reconnected device returns to its previous index.
    private func add(_ device: TraceDevice) {
        state.withLock { state in
            guard !state.devices.contains(where: { $0 === device }), device.isConnected else { return }
            let rank = allDevices.firstIndex { $0.descriptor.uniqueID == device.descriptor.uniqueID } ?? device.number
            let index = state.devices.firstIndex { other in
                (allDevices.firstIndex { $0.descriptor.uniqueID == other.descriptor.uniqueID } ?? other.number) > rank
            }
            state.devices.insert(device, at: index ?? state.devices.endIndex)
        }
    }
}
