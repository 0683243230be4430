public import CaptureHAL
public import Foundation
public import MediaStorage
import MediaTypes

/// A host that forwards to another host and records a trace.
///
/// The trace folder contains all calls with their results, all events with their times, and the bytes of all frames and
/// audio chunks. `TraceHost` plays it. Recording does not change the data or the times of the base host's events. If a
/// crash or a full disk ends the recording, the trace contains everything before that moment.
///
/// - Note: The recorder reads the values of all controls when a device is opened. A trace can therefore return the
///   value of a control that the recorded client did not read.
public final class TraceRecorder: HardwareHost {
    private struct State {
        /// Invariant: one entry for each base device since the start. The wrapper retains the base device, so its
        /// identifier stays unique.
        var wrappers: [ObjectIdentifier: RecordingDevice] = [:]
        var observation: ObserverToken?
    }

    /// The default limit of media bytes: 4 GiB.
    public static let standardByteLimit: Int64 = 4 << 30

    private let base: any HardwareHost
    private let journal: TraceJournal
    private let observers = Observers<DeviceChange>()
    private let state = Lock(State())
    /// The lock for the creation of a wrapper. With it, each device has only one wrapper.
    private let wrapLock = Lock((), order: .deviceWrapping)

    /// Starts a trace.
    ///
    /// - Parameters:
    ///   - base: The host to record.
    ///   - folder: A folder without a trace. It is created if necessary.
    ///   - clock: The clock of `base`. Times in the trace count from this call.
    ///   - byteLimit: The maximum number of media bytes. After that, the trace contains a `limit` line and then
    ///     continues without the bytes of frames and chunks.
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
    public var processingDurations: ProcessingDurations? { base.processingDurations }
    public var machine: MachineDescriptor? { base.machine }

    public var devices: [any HardwareDevice] { base.devices.map { wrap($0) } }

    public func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> ObserverToken {
        observers.add(handler)
    }

    /// The error that stopped the recording early, for example because the disk is full; nil if there is none. The host
    /// continues to work.
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
        // The lock is held until the device's line is recorded, because later lines refer to the device. The journal
        // does not call other code.
        wrapLock.withLock { _ in
            if let device = state.withLock({ $0.wrappers[ObjectIdentifier(base)] }) { return device }
            let device = RecordingDevice(base, journal.nextDevice(), journal)
            state.withLock { $0.wrappers[ObjectIdentifier(base)] = device }
            return device
        }
    }
}
