import CCaptureHAL
public import Foundation
public import MediaStorage
public import MediaTypes

/// All that a camera program cannot control: devices, time, consent, interruptions, storage.
///
/// Capture objects read `CaptureSystem.current` when they are made and keep it, so that tests can each live in a
/// world of their own: `system.run { … }`.
/// - Important: Thread-safe.
public final class CaptureSystem: Sendable {
    /// The places where devices are looked for, in order.
    public let hosts: [any HardwareHost]
    public let clock: any CaptureClock
    /// `clock` as Core Media shows it; also the host time clock of code that runs in this system.
    public let mediaClock: CMClock
    public let authorization: Authorization
    public let interruptions: Interruptions
    /// How the machine is held.
    public let orientation: OrientationSensor
    public let storage: any CaptureStorage
    /// Where notifications are posted; the process's own centre by default, because that is where clients listen.
    public let notificationCenter: NotificationCenter
    public let misuse: MisuseHandler
    /// The folder of the photo library; made on first use.
    public let photoLibraryURL: URL
    /// Seeds what must be unique and yet the same in every run, as identifiers; nil takes the machine's randomness.
    public let seed: UInt64?

    public init(
        hosts: [any HardwareHost], clock: any CaptureClock, authorization: Authorization? = nil,
        interruptions: Interruptions = Interruptions(), orientation: OrientationSensor = OrientationSensor(),
        storage: any CaptureStorage = DiskStorage(),
        notificationCenter: NotificationCenter = .default, misuse: MisuseHandler = .trap,
        photoLibraryURL: URL = CaptureSystem.defaultPhotoLibraryURL, seed: UInt64? = nil
    ) {
        self.hosts = hosts
        self.clock = clock
        mediaClock = clock === HostClock.shared ? .monotonic : CMClock(label: "CaptureSystem") { clock.now }
        self.authorization = authorization ?? Authorization(clock: clock)
        self.interruptions = interruptions
        self.orientation = orientation
        self.storage = storage
        self.notificationCenter = notificationCenter
        self.misuse = misuse
        self.photoLibraryURL = photoLibraryURL
        self.seed = seed
        CMClock.setHostTimeClockResolver { Self.currentIfMade?.mediaClock }
    }

    /// `obscura/library` in `$XDG_DATA_HOME`, else in `$HOME/.local/share`, else the same below the user's home folder.
    public static var defaultPhotoLibraryURL: URL { photoLibraryURL(in: ProcessInfo.processInfo.environment) }

    /// As the XDG Base Directory Specification says, a path that is empty or not absolute counts as not set.
    static func photoLibraryURL(in environment: [String: String]) -> URL {
        func folder(_ name: String) -> URL? {
            environment[name].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
        }
        let base =
            folder("XDG_DATA_HOME")
            // Foundation asks the user database only, and so misses a home that was set for this process.
            ?? (folder("HOME") ?? URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true))
            .appendingPathComponent(".local/share", isDirectory: true)
        return base.appendingPathComponent("obscura/library", isDirectory: true)
    }

    private let components = Lock<[ObjectIdentifier: any Sendable]>([:], order: .systemComponents)

    /// The one instance of a type that belongs to this system, made on first use.
    ///
    /// - Parameter make: Makes the instance; it must not ask for a component itself.
    package func component<Component: AnyObject & Sendable>(
        _ type: Component.Type, make: () -> Component
    ) -> Component {
        components.withLock { components in
            if let present = components[ObjectIdentifier(type)] as? Component { return present }
            let new = make()
            components[ObjectIdentifier(type)] = new
            return new
        }
    }

    @TaskLocal private static var local: CaptureSystem?

    /// The system in which the caller lives: that of the enclosing `run`, else the process's own.
    public static var current: CaptureSystem {
        local ?? ProcessSystem.shared.system()
    }

    /// As `current`, but makes nothing.
    private static var currentIfMade: CaptureSystem? { local ?? ProcessSystem.shared.systemIfMade }

    /// Runs `body` with this system as the current one.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$local.withValue(self, operation: body)
    }

    /// Runs `body` with this system as the current one, also in the tasks that it starts (not detached ones).
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$local.withValue(self, operation: body, isolation: isolation)
    }

    /// Sets the process's own system, once, before anything has used it.
    ///
    /// - Throws: `DeviceError` with `.invalidState` where the process has a system already.
    public static func bootstrap(_ system: CaptureSystem) throws(DeviceError) {
        try ProcessSystem.shared.bootstrap(system)
    }

    /// Sets how the process's own system is made from the words of `OBSCURA_BACKEND`; composition roots call it.
    public static func setDefaultFactory(
        _ factory: @escaping @Sendable (String) throws(DeviceError) -> CaptureSystem
    ) {
        ProcessSystem.shared.setFactory(factory)
    }
}

/// The system of a process, made on first use.
private final class ProcessSystem: Sendable {
    static let shared = ProcessSystem()

    private struct State {
        var system: CaptureSystem?
        var factory: (@Sendable (String) throws(DeviceError) -> CaptureSystem)?
    }

    private let state = Lock(State())
    /// Held while the system is made, so that it is made once; `state` is free meanwhile.
    private let making = Lock((), order: .processSystem)

    func bootstrap(_ system: CaptureSystem) throws(DeviceError) {
        try state.withLock { state throws(DeviceError) in
            guard state.system == nil else {
                throw DeviceError(
                    .invalidState, device: "CaptureSystem",
                    "the process has a capture system already; call bootstrap once, before the first use")
            }
            state.system = system
        }
    }

    var systemIfMade: CaptureSystem? { state.withLock { $0.system } }

    func setFactory(_ factory: @escaping @Sendable (String) throws(DeviceError) -> CaptureSystem) {
        state.withLock { $0.factory = factory }
    }

    func system() -> CaptureSystem {
        if let system = state.withLock({ $0.system }) { return system }
        return making.withLock { _ in
            if let system = state.withLock({ $0.system }) { return system }
            let system = make()
            state.withLock { $0.system = system }
            return system
        }
    }

    private func make() -> CaptureSystem {
        _ = ccapturehal_install_linked_backends()
        guard let factory = state.withLock({ $0.factory }) else {
            log("no backend is linked into this program; it has no devices")
            return CaptureSystem(hosts: [], clock: HostClock.shared)
        }
        let choice = ProcessInfo.processInfo.environment["OBSCURA_BACKEND"] ?? ""
        do throws(DeviceError) {
            let system = try factory(choice)
            let names = system.hosts.map(\.name).joined(separator: ", ")
            log("devices come from \(names)\(choice.isEmpty ? " (set OBSCURA_BACKEND to choose)" : "")")
            return system
        } catch {
            fatalError("OBSCURA_BACKEND=\(choice): \(error.message)")
        }
    }

    private func log(_ message: String) {
        FileHandle.standardError.write(Data("obscura: \(message)\n".utf8))
    }
}
