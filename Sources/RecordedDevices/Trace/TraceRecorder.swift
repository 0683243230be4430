public import CaptureHAL
public import Foundation
public import MediaStorage
import MediaTypes

/// A host that forwards to another host and records a trace.
///
/// The trace folder contains all calls with their results, all events with their times, and the bytes of all frames and
/// audio chunks. `TraceHost` plays it. Recording does not change what the base host delivers, nor when. A trace that
/// was not finished, because of a crash or a full disk, contains everything before that moment.
///
/// - Note: The values of a device's controls are read once when it is opened, so that a trace can return them to
///   clients that read other controls than the recorded one.
public final class TraceRecorder: HardwareHost {
    private struct State {
        /// Invariant: one entry per base device ever seen. The wrapper retains the base device, so its identifier stays
        /// unique.
        var wrappers: [ObjectIdentifier: RecordingDevice] = [:]
        var observation: ObserverToken?
    }

    /// The default limit of media bytes: 4 GiB.
    public static let standardByteLimit: Int64 = 4 << 30

    private let base: any HardwareHost
    private let journal: TraceJournal
    private let observers = Observers<DeviceChange>()
    private let state = Lock(State())
    /// Held while a wrapper is created, so that each device has only one.
    private let wrapLock = Lock((), order: .deviceWrapping)

    /// Starts a trace.
    ///
    /// - Parameters:
    ///   - base: The host to record.
    ///   - folder: A folder without a trace. It is created if necessary.
    ///   - clock: The clock of `base`. Times in the trace count from now.
    ///   - byteLimit: The maximum number of media bytes. After that the trace continues without the bytes of frames and
    ///     chunks and contains a line that says so.
    ///   - storage: The storage that the folder is in.
    /// - Throws: `.invalidSource` if the folder already contains a trace, `.notPermitted`, `.outOfResources` or
    ///   `.inputOutput`.
    public init(
        _ base: any HardwareHost, to folder: URL, clock: any CaptureClock,
        byteLimit: Int64 = TraceRecorder.standardByteLimit, storage: any CaptureStorage = DiskStorage()
    ) throws(DeviceError) {
        self.base = base
        journal = TraceJournal(try TraceWriter(folder, storage: storage, byteLimit: byteLimit), clock: clock)
        journal.record(.host(name: base.name))
        _ = devices
        let observation = base.observeDevices { [weak self] change in self?.handle(change) }
        state.withLock { $0.observation = observation }
    }

    public var name: String { base.name }

    public var orientation: OrientationSensor? { base.orientation }

    public var cameraControl: CameraControl? { base.cameraControl }

    public var devices: [any HardwareDevice] { base.devices.map { wrap($0) } }

    public func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> ObserverToken {
        observers.add(handler)
    }

    /// Why recording stopped early, for example because the disk is full; nil if it has not. The host continues to
    /// work.
    public var failure: DeviceError? {
        journal.failure.map { DeviceError(trace: journal.folder, $0) }
    }

    /// Writes all pending events and ends the trace. Later events are not recorded.
    ///
    /// Further calls only throw the failure again.
    /// - Throws: The reason why the trace is incomplete: `.outOfResources`, `.notPermitted` or `.inputOutput`.
    public func finish() throws(DeviceError) {
        try journal.finish()
    }

    private func handle(_ change: DeviceChange) {
        let device = wrap(change.device)
        switch change {
        case .connected:
            journal.record(.connected(device.number))
            observers.notify(.connected(device))
        case .disconnected:
            journal.record(.disconnected(device.number))
            observers.notify(.disconnected(device))
        }
    }

    private func wrap(_ base: any HardwareDevice) -> RecordingDevice {
        // Held until the device's line is recorded, because later lines refer to it. The journal makes no callbacks.
        wrapLock.withLock { _ in
            if let device = state.withLock({ $0.wrappers[ObjectIdentifier(base)] }) { return device }
            let device = RecordingDevice(base, journal.nextDevice(), journal)
            state.withLock { $0.wrappers[ObjectIdentifier(base)] = device }
            return device
        }
    }
}
