public import CaptureHAL
public import Foundation
public import MediaStorage
import MediaTypes

/// A host that passes everything on to another one, and keeps a trace of it.
///
/// Every call with its answer, every event with its time and the bytes of every picture and sound go into a folder, from
/// which `TraceHost` plays them again. What the host delivers and when is not changed by it. A trace that is not finished,
/// because of a crash or a full disk, holds what came before.
///
/// - Note: A device's controls are read once when it is opened, so that a trace can tell them to other clients, too.
public final class TraceRecorder: HardwareHost {
    private struct State {
        /// Invariant: one entry for each base device ever seen; the base is kept, so that its identity stays its own.
        var known: [ObjectIdentifier: RecordingDevice] = [:]
        var observation: Observation?
    }

    /// How many bytes of media are kept where nobody says otherwise: 4 GiB.
    public static let standardByteLimit: Int64 = 4 << 30

    private let base: any HardwareHost
    private let journal: TraceJournal
    private let observers = Observers<DeviceChange>()
    private let state = Lock(State())
    /// Makes one wrapper of a device, whoever sees it first.
    private let wrapping = Lock((), order: .deviceWrapping)

    /// Begins a trace.
    ///
    /// - Parameters:
    ///   - base: The host to listen to.
    ///   - folder: A folder without a trace; made where it is missing.
    ///   - clock: The clock of `base`; times in the trace count from now.
    ///   - byteLimit: How many bytes of media are kept; beyond, the trace goes on without them and says so.
    /// - Throws: `.invalidSource` where the folder holds a trace already, `.notPermitted`, `.outOfResources` or
    ///   `.inputOutput`.
    public init(
        _ base: any HardwareHost, to folder: URL, clock: any CaptureClock,
        byteLimit: Int64 = TraceRecorder.standardByteLimit, storage: any CaptureStorage = DiskStorage()
    ) throws(DeviceError) {
        self.base = base
        journal = TraceJournal(try TraceWriter(folder, storage: storage, byteLimit: byteLimit), clock: clock)
        journal.note(.host(name: base.name))
        _ = devices
        let observation = base.observeDevices { [weak self] change in self?.take(change) }
        state.withLock { $0.observation = observation }
    }

    public var name: String { base.name }

    public var devices: [any HardwareDevice] { base.devices.map { wrap($0) } }

    public func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> Observation {
        observers.add(handler)
    }

    /// Why the trace stopped before its time, as because the disk is full; nil while it is well. The host goes on.
    public var failure: DeviceError? {
        journal.failure.map { DeviceError(trace: journal.folder, $0) }
    }

    /// Writes what is waiting, and ends the trace; what happens later is not kept any more.
    ///
    /// More calls do nothing but tell the failure again.
    /// - Throws: What kept the trace from being whole: `.outOfResources`, `.notPermitted` or `.inputOutput`.
    public func finish() throws(DeviceError) {
        try journal.finish()
    }

    private func take(_ change: DeviceChange) {
        let device = wrap(change.device)
        switch change {
        case .connected:
            journal.note(.connected(device.number))
            observers.notify(.connected(device))
        case .disconnected:
            journal.note(.disconnected(device.number))
            observers.notify(.disconnected(device))
        }
    }

    private func wrap(_ base: any HardwareDevice) -> RecordingDevice {
        // Held while the device is introduced, so that no line about it comes before; the journal calls nobody back.
        wrapping.withLock { _ in
            if let device = state.withLock({ $0.known[ObjectIdentifier(base)] }) { return device }
            let device = RecordingDevice(base, journal.nextDevice(), journal)
            state.withLock { $0.known[ObjectIdentifier(base)] = device }
            return device
        }
    }
}
