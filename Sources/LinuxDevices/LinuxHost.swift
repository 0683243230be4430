public import CaptureHAL
import Dispatch
import MediaTypes

/// The host of the machine's cameras (V4L2) and microphones (ALSA), with hot-plugging.
public final class LinuxHost: HardwareHost {
    private struct State {
        /// The cameras by the paths of their device files.
        var cameras: [String: V4L2Camera] = [:]
        /// The microphones by the keys of their endpoints.
        var microphones: [String: ALSAMicrophone] = [:]
        /// The keys of the endpoints in the order of the last enumeration.
        var microphoneKeys: [String] = []
        /// The initial entries of /dev/snd; nil after the microphones were enumerated for the first time.
        var unscannedAudio: Set<String>? = []
        var observers: [Int: @Sendable (DeviceChange) -> Void] = [:]
        var nextObserver = 0
        var watcher: (any NodeWatcher)?
        var signalWatcher: V4L2SignalWatcher?
    }

    public let name = "linux"
    private let kernel: any KernelCalls
    private let audioSystem: any AudioSystem
    private let clock: any CaptureClock
    private let state = Lock(State())
    /// The serial queue on which devices are enumerated, so that changes are reported in order.
    private let scanQueue = DispatchQueue(label: "obscura.linux.scan")

    /// Finds the connected devices, and starts watching for changes.
    ///
    /// - Parameter clock: The clock of the timestamps of frames and audio.
    public convenience init(clock: any CaptureClock) {
        let kernel = LinuxKernel()
        self.init(clock: clock, kernel: kernel, audioSystem: ALSASystem())
    }

    /// Creates a host with other implementations of the system calls and the audio library.
    package init(clock: any CaptureClock, kernel: any KernelCalls, audioSystem: any AudioSystem) {
        self.clock = clock
        self.kernel = kernel
        self.audioSystem = audioSystem
        // Watching starts before the enumeration, so that no change is missed.
        let watcher = makeWatcher { [weak self] change in self?.handle(change) }
        let signalWatcher = V4L2SignalWatcher(kernel, clock: clock) { [weak self] path in self?.signalChanged(path) }
        state.withLock { state in
            state.watcher = watcher
            state.signalWatcher = signalWatcher
        }
        scanQueue.sync {
            for name in kernel.entries(of: "/dev") where Self.isCamera(name) { updateCamera("/dev/\(name)") }
            // Microphones are enumerated only when they are needed, because loading the audio library's configuration
            // takes longer than enumerating all cameras.
            let entries = Set(kernel.entries(of: "/dev/snd"))
            state.withLock { $0.unscannedAudio = entries }
        }
    }

    deinit {
        let (watcher, signalWatcher) = state.withLock { ($0.watcher, $0.signalWatcher) }
        watcher?.stop()
        signalWatcher?.stop()
    }

    /// The cameras in the order of their device files, then the microphones in the order of their cards.
    public var devices: [any HardwareDevice] { cameras + microphones }

    public func devices(with medium: DeviceMedia) -> [any HardwareDevice] {
        switch medium {
        case .video: cameras
        case .audio: microphones
        case .depth: []
        }
    }

    private var cameras: [any HardwareDevice] {
        let cameras = state.withLock { $0.cameras }
        return cameras.sorted { (Self.number($0.key), $0.key) < (Self.number($1.key), $1.key) }.map(\.value)
    }

    private var microphones: [any HardwareDevice] {
        if state.withLock({ $0.unscannedAudio != nil }) {
            scanQueue.sync { if state.withLock({ $0.unscannedAudio != nil }) { updateMicrophones { _ in false } } }
        }
        return state.withLock { state in state.microphoneKeys.compactMap { state.microphones[$0] } }
    }

    public func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> ObserverToken {
        let id = state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers[state.nextObserver] = handler
            return state.nextObserver
        }
        return ObserverToken { [weak self] in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
    }

    /// The source of hot-plug events, for messages; nil if there is none.
    package var hotplugSource: String? { state.withLock { $0.watcher?.source } }

    // MARK: Private

    private func makeWatcher(_ handler: @escaping @Sendable (NodeChange) -> Void) -> (any NodeWatcher)? {
        // Without the daemon libudev reports neither events nor errors.
        let hasDaemon = kernel.entries(of: "/run/udev").contains("control")
        if hasDaemon, let watcher = try? UdevWatcher(kernel, .daemon, handler) { return watcher }
        // If watching is not possible at first, only the initial devices are available.
        return try? DirectoryWatcher(kernel, directories: ["/dev", "/dev/snd"], handler)
    }

    private func handle(_ change: NodeChange) {
        scanQueue.async { [weak self] in
            guard let self else { return }
            switch change {
            case .appeared(let path), .vanished(let path):
                if path == "/dev/snd" || path.hasPrefix("/dev/snd/") {
                    audioNodesChanged()
                } else if path.hasPrefix("/dev/"), Self.isCamera(String(path.dropFirst(5))) {
                    if case .vanished = change {
                        removeCamera(path)
                    } else {
                        updateCamera(path)
                        scheduleUpdates(ofCamera: path)
                    }
                }
            case .lost:
                CaptureLog.write(.device, .info, clock, "events about device files were lost; all are listed again")
                updateDevices()
            case .ended(let error):
                CaptureSystem.log("watching for devices ended: \(error); it starts again")
                scheduleRestart()
            }
        }
    }

    /// Starts watching again after an error, with a delay, since the error may last.
    private func scheduleRestart() {
        clock.schedule(at: clock.now + CMTime(value: 1, timescale: 1)) { [weak self] in
            self?.scanQueue.async { [weak self] in self?.restartWatcher() }
        }
    }

    private func restartWatcher() {
        guard let watcher = makeWatcher({ [weak self] change in self?.handle(change) }) else {
            return scheduleRestart()
        }
        let ended = state.withLock { state in
            defer { state.watcher = watcher }
            return state.watcher
        }
        ended?.stop()
        updateDevices()
    }

    /// Compares all devices with those that are known, after changes that were not reported.
    private func updateDevices() {
        let paths = kernel.entries(of: "/dev").filter(Self.isCamera).map { "/dev/\($0)" }
        for (path, camera) in state.withLock({ $0.cameras }).sorted(by: { $0.key < $1.key }) {
            let found = paths.contains(path) ? makeCamera(path, mayChangeInput: false) : nil
            // A camera that another program uses cannot be opened.
            let isReplaced = found.map { $0.descriptor.uniqueID != camera.descriptor.uniqueID } ?? false
            if isReplaced || !paths.contains(path) { removeCamera(path) }
        }
        for path in paths {
            updateCamera(path)
            scheduleUpdates(ofCamera: path)
        }
        audioNodesChanged()
    }

    /// Adds the camera of a device file, or replaces it if it was not usable before.
    private func updateCamera(_ path: String) {
        let existing = state.withLock { $0.cameras[path] }
        if let existing {
            // The permissions of a new device file are set shortly after its creation. A usable camera is not replaced.
            guard existing.formats.isEmpty, let camera = makeCamera(path), !camera.formats.isEmpty else { return }
            removeCamera(path)
            add(camera, path)
        } else if let camera = makeCamera(path) {
            add(camera, path)
        }
    }

    private func makeCamera(_ path: String, mayChangeInput: Bool = true) -> V4L2Camera? {
        V4L2Camera(path: path, kernel: kernel, clock: clock, mayChangeInput: mayChangeInput) { [weak self] in
            self?.signalChanged(path)
        }
    }

    private func signalChanged(_ path: String) {
        scanQueue.async { [weak self] in self?.replaceReceiver(path) }
    }

    /// Replaces a receiver after a signal change if its formats are different. The new device has the same identity.
    ///
    /// An opened receiver keeps its formats until it is closed. The input is not changed, because a lost signal may
    /// return soon.
    private func replaceReceiver(_ path: String) {
        guard let existing = state.withLock({ $0.cameras[path] }), existing.markOutdated(),
            let camera = makeCamera(path, mayChangeInput: false), camera.formats != existing.formats
        else { return }
        removeCamera(path)
        add(camera, path)
    }

    /// Schedules further updates, because the device file is created before the driver is ready (ENODEV until then).
    private func scheduleUpdates(ofCamera path: String) {
        guard state.withLock({ $0.cameras[path] }) == nil else { return }
        CaptureLog.write(.device, .debug, clock, "\(path) is not usable yet; it is tried again for a second")
        for delay in [CMTime(value: 1, timescale: 10), CMTime(value: 1, timescale: 1)] {
            clock.schedule(at: clock.now + delay) { [weak self] in
                self?.scanQueue.async { [weak self] in self?.updateCamera(path) }
            }
        }
    }

    private func add(_ camera: V4L2Camera, _ path: String) {
        let signalWatcher = state.withLock { state in
            state.cameras[path] = camera
            return state.signalWatcher
        }
        CaptureLog.write(
            .v4l2, .info, clock, "\(path): appeared, \(camera.descriptor.logText), \(camera.formats.count) formats")
        if !camera.formats.isEmpty { signalWatcher?.watch(path) }
        notify(.connected(camera))
    }

    private func removeCamera(_ path: String) {
        let (removed, signalWatcher) = state.withLock { ($0.cameras.removeValue(forKey: path), $0.signalWatcher) }
        guard let camera = removed else { return }
        CaptureLog.write(.v4l2, .info, clock, "\(path): vanished or was replaced, \(camera.descriptor.logText)")
        signalWatcher?.unwatch(path)
        camera.disconnect()
        notify(.disconnected(camera))
    }

    /// Enumerates the microphones, and reports changes.
    ///
    /// If this is the first enumeration, microphones of initially connected cards are not reported as new.
    private func audioNodesChanged() {
        let before = state.withLock(\.unscannedAudio)
        let added = Set(kernel.entries(of: "/dev/snd")).subtracting(before ?? [])
        updateMicrophones { endpoint in
            guard let before, !before.isEmpty else { return true }
            return added.contains { Self.number($0) == endpoint.card }
        }
    }

    /// Enumerates the microphones.
    ///
    /// - Parameter isReported: Returns whether a new microphone is reported to observers.
    private func updateMicrophones(_ isReported: (AudioEndpoint) -> Bool) {
        let endpoints = audioSystem.captureEndpoints().sorted { $0.order < $1.order }
        let keys = endpoints.map(\.key)
        let (existing, previousKeys) = state.withLock { state in
            defer { state.microphoneKeys = keys }
            state.unscannedAudio = nil
            return (state.microphones, state.microphoneKeys)
        }
        for key in previousKeys where !keys.contains(key) {
            guard let microphone = existing[key] else { continue }
            state.withLock { $0.microphones[key] = nil }
            CaptureLog.write(.alsa, .info, clock, "\(key): vanished, \(microphone.descriptor.logText)")
            microphone.disconnect()
            notify(.disconnected(microphone))
        }
        for endpoint in endpoints where existing[endpoint.key] == nil {
            let microphone = ALSAMicrophone(endpoint, audioSystem: audioSystem, kernel: kernel, clock: clock)
            CaptureLog.write(
                .alsa, .info, clock,
                "\(endpoint.key): appeared, \(microphone.descriptor.logText), \(microphone.formats.count) formats")
            state.withLock { $0.microphones[endpoint.key] = microphone }
            if isReported(endpoint) { notify(.connected(microphone)) }
        }
    }

    private func notify(_ change: DeviceChange) {
        let observers = state.withLock { $0.observers.sorted { $0.key < $1.key }.map(\.value) }
        guard !observers.isEmpty else { return }
        clock.schedule(at: clock.now) { for observer in observers { observer(change) } }
    }

    private static func isCamera(_ name: String) -> Bool {
        name.hasPrefix("video") && name.dropFirst(5).allSatisfy(\.isNumber) && name.count > 5
    }

    private static func number(_ path: String) -> Int {
        Int(path.drop { !$0.isNumber }.prefix(while: \.isNumber)) ?? Int.max
    }
}

extension DeviceDescriptor {
    /// The name and the identifier, for the log.
    fileprivate var logText: String { "\(localizedName) [\(uniqueID)]" }
}
