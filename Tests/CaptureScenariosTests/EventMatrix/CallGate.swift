import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes

/// Performs an event on another thread while a call of the session waits for a device or for the storage.
///
/// The call continues when the event has been performed, or when the event's thread waits, for example for a lock that
/// the call holds. The event's thread belongs to no world, so the gate waits for it in real time.
final class CallGate: @unchecked Sendable {
    // SAFETY: all state is behind `state`.
    /// A point inside a call at which the event can be performed.
    enum Point: String, Sendable {
        case streamStart = "a device starts"
        case streamStop = "a device stops"
        case storage = "the file is completed"
    }

    private struct State {
        var armed: (point: Point, event: @Sendable () -> Void)?
        /// Whether the call has reached the point.
        var hasBegun = false
        /// Whether the event has been performed.
        var hasEnded = false
    }

    private let state = Lock(State(), order: .primitive)

    /// Performs an event when a call reaches a point for the first time.
    func arm(_ point: Point, _ event: @escaping @Sendable () -> Void) { state.withLock { $0.armed = (point, event) } }

    /// Waits until the event has been performed, after the call has returned.
    ///
    /// - Returns: Whether the call reached the point.
    func join() -> Bool {
        let hasBegun = state.withLock { state in
            state.armed = nil
            return state.hasBegun
        }
        guard hasBegun else { return false }
        let start = HostClock.shared.now
        while !state.withLock({ $0.hasEnded }) {
            Self.sleepInRealTime()
            if (HostClock.shared.now - start).seconds > 10 {
                fatalError("an event inside a call does not return after the call: a deadlock")
            }
        }
        return true
    }

    /// Performs the event if it is armed for the point. The gated objects call this method when a call reaches the
    /// point.
    func pass(_ point: Point) {
        let event = state.withLock { state -> (@Sendable () -> Void)? in
            guard let armed = state.armed, armed.point == point else { return nil }
            state.armed = nil
            state.hasBegun = true
            return armed.event
        }
        guard let event else { return }
        let thread = Lock<String?>(nil, order: .primitive)
        Thread.detachNewThread { [self] in
            // `/proc/thread-self` links to the thread's folder. If it cannot be read, the call waits for the whole
            // event.
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            thread.withLock { $0 = path }
            event()
            state.withLock { $0.hasEnded = true }
        }
        // The event's thread counts as waiting if it sleeps at four checks in a row, which are 300 µs apart.
        var waitingCount = 0
        while waitingCount < 4, !state.withLock({ $0.hasEnded }) {
            Self.sleepInRealTime()
            waitingCount = thread.withLock({ $0 }).map(Self.isWaiting) ?? false ? waitingCount + 1 : 0
        }
    }

    /// Sleeps for 300 µs of real time. The scheduler does not intercept `select`.
    private static func sleepInRealTime() {
        var interval = timeval(tv_sec: 0, tv_usec: 300)
        select(0, nil, nil, nil, &interval)
    }

    /// Whether a thread sleeps in the kernel.
    private static func isWaiting(_ thread: String) -> Bool {
        // A thread that has ended has no file, and has signaled its end.
        guard let text = try? String(contentsOfFile: "/proc/\(thread)/stat", encoding: .utf8) else { return false }
        return text.split(separator: ")").last?.hasPrefix(" S") ?? false
    }
}

/// A host with streams that call `CallGate.pass` when they start and stop.
final class GatedHost: HardwareHost {
    private let base: any HardwareHost
    private let gate: CallGate
    private let wrapped = Lock<[ObjectIdentifier: GatedDevice]>([:], order: .primitive)

    init(_ base: any HardwareHost, _ gate: CallGate) {
        self.base = base
        self.gate = gate
    }

    var name: String { base.name }
    var devices: [any HardwareDevice] { base.devices.map(wrap) }
    var orientation: OrientationSensor? { base.orientation }
    var cameraControl: CameraControl? { base.cameraControl }
    var processingDurations: ProcessingDurations? { base.processingDurations }
    var machine: MachineDescriptor? { base.machine }

    func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> ObserverToken {
        base.observeDevices { [self] change in
            switch change {
            case .connected(let device): handler(.connected(wrap(device)))
            case .disconnected(let device): handler(.disconnected(wrap(device)))
            }
        }
    }

    private func wrap(_ device: any HardwareDevice) -> any HardwareDevice {
        wrapped.withLock { wrapped in
            let id = ObjectIdentifier(device)
            if let existing = wrapped[id] { return existing }
            let new = GatedDevice(device, gate)
            wrapped[id] = new
            return new
        }
    }
}

private final class GatedDevice: HardwareDevice {
    let base: any HardwareDevice
    private let gate: CallGate

    init(_ base: any HardwareDevice, _ gate: CallGate) {
        self.base = base
        self.gate = gate
    }

    var descriptor: DeviceDescriptor { base.descriptor }
    var formats: [StreamFormat] { base.formats }
    var isConnected: Bool { base.isConnected }
    var isInUseByAnotherApplication: Bool { base.isInUseByAnotherApplication }
    var condition: DeviceCondition { base.condition }

    func observeCondition(_ handler: @escaping @Sendable (DeviceCondition) -> Void) -> ObserverToken {
        base.observeCondition(handler)
    }

    func open() throws(DeviceError) -> any OpenDevice { GatedOpenDevice(try base.open(), gate) }
}

private final class GatedOpenDevice: OpenDevice {
    private let base: any OpenDevice
    private let gate: CallGate

    init(_ base: any OpenDevice, _ gate: CallGate) {
        self.base = base
        self.gate = gate
    }

    var controls: [DeviceControl: ControlRange] { base.controls }
    func value(of control: DeviceControl) throws(DeviceError) -> ControlValue { try base.value(of: control) }
    func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) { try base.set(control, to: value) }
    func observeControls(_ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void) -> ObserverToken {
        base.observeControls(handler)
    }
    func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        GatedStream(try base.makeStream(configuration), gate)
    }
    func captureStill(_ request: StillRequest) throws(DeviceError) { try base.captureStill(request) }
    func close() { base.close() }
}

private final class GatedStream: DeviceStream {
    private let base: any DeviceStream
    private let gate: CallGate

    init(_ base: any DeviceStream, _ gate: CallGate) {
        self.base = base
        self.gate = gate
    }

    var configuration: StreamConfiguration { base.configuration }
    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        gate.pass(.streamStart)
        try base.start(receiver)
    }
    func stop() {
        gate.pass(.streamStop)
        base.stop()
    }
    func setFrameDuration(_ duration: CMTime) throws(DeviceError) { try base.setFrameDuration(duration) }
}

/// A storage. The files that it creates call `CallGate.pass` before each write and flush.
final class GatedStorage: CaptureStorage {
    private let base = DiskStorage()
    private let gate: CallGate

    init(_ gate: CallGate) { self.gate = gate }

    func availableByteCount(at url: URL) throws(StorageError) -> Int64 { try base.availableByteCount(at: url) }
    func fileExists(at url: URL) -> Bool { base.fileExists(at: url) }
    func contents(ofDirectory url: URL) throws(StorageError) -> [String] { try base.contents(ofDirectory: url) }
    func create(_ url: URL, permissions: StoragePermissions) throws(StorageError) -> any StorageFile {
        GatedFile(try base.create(url, permissions: permissions), gate)
    }
    func open(_ url: URL, for access: StorageAccess) throws(StorageError) -> any StorageFile {
        try base.open(url, for: access)
    }
    func rename(_ source: URL, to destination: URL) throws(StorageError) {
        try base.rename(source, to: destination)
    }
    func remove(_ url: URL) throws(StorageError) { try base.remove(url) }
    func createDirectory(_ url: URL, permissions: StoragePermissions) throws(StorageError) {
        try base.createDirectory(url, permissions: permissions)
    }
    func flushDirectory(_ url: URL) throws(StorageError) { try base.flushDirectory(url) }
}

private final class GatedFile: StorageFile {
    private let base: any StorageFile
    private let gate: CallGate

    init(_ base: any StorageFile, _ gate: CallGate) {
        self.base = base
        self.gate = gate
    }

    var url: URL { base.url }
    func byteCount() throws(StorageError) -> Int64 { try base.byteCount() }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(StorageError) {
        gate.pass(.storage)
        try base.write(bytes, at: offset)
    }
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(StorageError) -> Int {
        try base.read(into: bytes, at: offset)
    }
    func truncate(to byteCount: Int64) throws(StorageError) { try base.truncate(to: byteCount) }
    func flush() throws(StorageError) {
        gate.pass(.storage)
        try base.flush()
    }
    func close() throws(StorageError) { try base.close() }
}
