public import CaptureHAL
import Dispatch
import MediaTypes

/// The machine's own cameras and microphones: V4L2 and ALSA, with hot-plug.
public final class LinuxHost: HardwareHost {
    private struct State {
        /// By their device files.
        var cameras: [String: V4L2Camera] = [:]
        var microphones: [String: ALSAMicrophone] = [:]
        /// What was in /dev/snd at the beginning; nil once someone has asked for microphones, or one came or went.
        var unseenSound: Set<String>? = []
        var observers: [Int: @Sendable (DeviceChange) -> Void] = [:]
        var nextObserver = 0
        var watcher: (any NodeWatcher)?
        var signals: V4L2SignalWatcher?
    }

    public let name = "linux"
    private let kernel: any KernelCalls
    private let sound: any SoundSystem
    private let clock: any CaptureClock
    private let state = Lock(State())
    /// Looking at the devices is done by one thread at a time, so that changes are told in order.
    private let scan = DispatchQueue(label: "obscura.linux.scan")

    /// Finds the devices that are connected now, and listens for others.
    ///
    /// - Parameter clock: Frames and sound are stamped in its time.
    public convenience init(clock: any CaptureClock) {
        let kernel = LinuxKernel()
        self.init(clock: clock, kernel: kernel, sound: ALSASystem())
    }

    package init(clock: any CaptureClock, kernel: any KernelCalls, sound: any SoundSystem) {
        self.clock = clock
        self.kernel = kernel
        self.sound = sound
        // First listen, then look: what comes between is seen twice rather than not at all.
        let watcher = makeWatcher { [weak self] change in self?.note(change) }
        // Without it the signal at a receiver is that of the moment when it was found.
        let signals = try? V4L2SignalWatcher(kernel) { [weak self] path in self?.noteSignal(path) }
        state.withLock { state in
            state.watcher = watcher
            state.signals = signals
        }
        scan.sync {
            for name in kernel.entries(of: "/dev") where Self.isCamera(name) { look(atCamera: "/dev/\(name)") }
            // The sound library reads all of its configuration first, which takes longer than all cameras.
            let sound = Set(kernel.entries(of: "/dev/snd"))
            state.withLock { $0.unseenSound = sound }
        }
    }

    deinit {
        let (watcher, signals) = state.withLock { ($0.watcher, $0.signals) }
        watcher?.stop()
        signals?.stop()
    }

    /// Cameras by the number of their device file, then microphones by card.
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
        if state.withLock({ $0.unseenSound != nil }) {
            scan.sync { if state.withLock({ $0.unseenSound != nil }) { lookAtMicrophones { _ in false } } }
        }
        return state.withLock { $0.microphones }.values.sorted { $0.order < $1.order }
    }

    public func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> Observation {
        let id = state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers[state.nextObserver] = handler
            return state.nextObserver
        }
        return Observation { [weak self] in
            _ = self?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
    }

    /// What tells of devices that come and go, for a person; nil where nothing does.
    package var hotplugSource: String? { state.withLock { $0.watcher?.source } }

    // MARK: Private

    private func makeWatcher(_ handler: @escaping @Sendable (NodeChange) -> Void) -> (any NodeWatcher)? {
        // Without the daemon libudev stays silent, though nothing fails.
        let hasDaemon = kernel.entries(of: "/run/udev").contains("control")
        if hasDaemon, let watcher = try? UdevWatcher(kernel, .daemon, handler) { return watcher }
        // A machine that lets us watch nothing shows the devices of the start.
        return try? DirectoryWatcher(kernel, directories: ["/dev", "/dev/snd"], handler)
    }

    private func note(_ change: NodeChange) {
        scan.async { [weak self] in
            guard let self else { return }
            switch change {
            case .appeared(let path), .vanished(let path):
                if path == "/dev/snd" || path.hasPrefix("/dev/snd/") {
                    noteSound()
                } else if path.hasPrefix("/dev/"), Self.isCamera(String(path.dropFirst(5))) {
                    if case .vanished = change {
                        forgetCamera(path)
                    } else {
                        look(atCamera: path)
                        lookAgain(atCamera: path)
                    }
                }
            }
        }
    }

    private func look(atCamera path: String) {
        let known = state.withLock { $0.cameras[path] }
        if let known {
            // The rights of a new device file come a moment after the file; what is usable stays as it is.
            guard known.formats.isEmpty, let camera = camera(path), !camera.formats.isEmpty else { return }
            forgetCamera(path)
            add(camera, path)
        } else if let camera = camera(path) {
            add(camera, path)
        }
    }

    private func camera(_ path: String, mayChangeInput: Bool = true) -> V4L2Camera? {
        V4L2Camera(path: path, kernel: kernel, clock: clock, mayChangeInput: mayChangeInput) { [weak self] in
            self?.noteSignal(path)
        }
    }

    private func noteSignal(_ path: String) {
        scan.async { [weak self] in self?.renew(path) }
    }

    /// Looks anew at a receiver whose signal changed: with other formats it is another device of the old identity.
    ///
    /// One that a client has keeps its formats until it is given back. The input stays, signal or not: the cable may be
    /// back in a moment.
    private func renew(_ path: String) {
        guard let known = state.withLock({ $0.cameras[path] }), known.outdate(),
            let camera = camera(path, mayChangeInput: false), camera.formats != known.formats
        else { return }
        forgetCamera(path)
        add(camera, path)
    }

    /// Looks once more, a moment later: the kernel makes the file just before the driver answers (ENODEV until then).
    private func lookAgain(atCamera path: String) {
        guard state.withLock({ $0.cameras[path] }) == nil else { return }
        for delay in [CMTime(value: 1, timescale: 10), CMTime(value: 1, timescale: 1)] {
            clock.schedule(at: clock.now + delay) { [weak self] in
                self?.scan.async { [weak self] in self?.look(atCamera: path) }
            }
        }
    }

    private func add(_ camera: V4L2Camera, _ path: String) {
        let signals = state.withLock { state in
            state.cameras[path] = camera
            return state.signals
        }
        if !camera.formats.isEmpty { signals?.watch(path) }
        tell(.connected(camera))
    }

    private func forgetCamera(_ path: String) {
        let (known, signals) = state.withLock { ($0.cameras.removeValue(forKey: path), $0.signals) }
        guard let camera = known else { return }
        signals?.forget(path)
        camera.disconnect()
        tell(.disconnected(camera))
    }

    /// Looks at the microphones, and tells what came and went.
    ///
    /// Where nobody has looked before, those of cards that were there at the beginning are none that came.
    private func noteSound() {
        let before = state.withLock(\.unseenSound)
        let came = Set(kernel.entries(of: "/dev/snd")).subtracting(before ?? [])
        lookAtMicrophones { endpoint in
            guard let before, !before.isEmpty else { return true }
            return came.contains { Self.number($0) == endpoint.card }
        }
    }

    /// - Parameter isNews: Whether to tell of one that was not known.
    private func lookAtMicrophones(_ isNews: (SoundEndpoint) -> Bool) {
        let found = sound.captureEndpoints()
        let known = state.withLock { state in
            state.unseenSound = nil
            return state.microphones
        }
        let gone = known.filter { name, _ in !found.contains { $0.key == name } }
        for (name, microphone) in gone.sorted(by: { $0.value.order < $1.value.order }) {
            state.withLock { $0.microphones[name] = nil }
            microphone.disconnect()
            tell(.disconnected(microphone))
        }
        for endpoint in found where known[endpoint.key] == nil {
            let microphone = ALSAMicrophone(endpoint, sound: sound, kernel: kernel, clock: clock)
            state.withLock { $0.microphones[endpoint.key] = microphone }
            if isNews(endpoint) { tell(.connected(microphone)) }
        }
    }

    private func tell(_ change: DeviceChange) {
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
