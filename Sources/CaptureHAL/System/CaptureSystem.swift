package import Dispatch
public import Foundation
public import MediaStorage
public import MediaTypes

/// The external environment of a camera program: devices, time, authorization, interruptions, storage.
///
/// Capture objects read `CaptureSystem.current` when they are created and use it for their lifetime. Each test can
/// therefore have its own environment: `system.run { … }`.
/// - Important: Thread-safe.
public final class CaptureSystem: Sendable {
    /// The name of the system in messages.
    public var name: String { reference.name }
    /// The hosts that provide devices, in the order in which they are searched.
    public let hosts: [any HardwareHost]
    /// The time source of all capture objects.
    public let clock: any CaptureClock
    /// `clock` as a Core Media clock. For code that runs in this system, it is also the host time clock.
    public let mediaClock: CMClock
    /// The user's authorization to use devices and the photo library.
    public let authorization: Authorization
    /// The active interruptions.
    public let interruptions: Interruptions
    /// The work that the app declares for the background.
    public let backgroundModes: Set<BackgroundMode>
    /// The sensor for the orientation of the machine: by default the sensor of the first host that has one.
    public let orientation: OrientationSensor
    /// The Camera Control of the machine, from the first host that has one; nil if there is none.
    public let cameraControl: CameraControl?
    /// The audio output of players; nil if there is none. With a virtual clock, players do not need it.
    public let speaker: (any Speaker)?
    /// The storage of recordings and of the photo library.
    public let storage: any CaptureStorage
    /// The notification center for all notifications; `.default` by default, since clients observe that one.
    public let notificationCenter: NotificationCenter
    /// Posts to `notificationCenter` on the main thread.
    package let notifications: NotificationPoster
    /// The reference to this system for the objects that it owns.
    package let reference: SystemReference
    /// Handles calls for which Apple's frameworks raise exceptions.
    public let misuse: MisuseHandler
    /// Reports faults of the client that raise no exception on Apple's systems.
    package let warnings = ClientWarnings { log($0) }
    /// The folder of the photo library; created on first use.
    public let photoLibraryURL: URL
    /// The seed of generated identifiers, so that every run generates the same ones; nil for random identifiers.
    public let seed: UInt64?

    /// Creates a system.
    ///
    /// - Parameters:
    ///   - name: The name of the system in messages; by default "the process's own devices" for the process's own
    ///     system, and a name that contains the names of the hosts for other systems.
    ///   - hosts: The sources of devices, in the order in which their devices are listed.
    ///   - clock: The clock of the system. A `SimClock` runs its actions and callbacks in the first system that is
    ///     created with it.
    ///   - authorization: The user's decisions; by default all resources are authorized.
    ///   - interruptions: The interruptions of sessions; none by default.
    ///   - orientation: The orientation of the machine; by default that of the first host with a sensor. If no host has
    ///     one, the orientation is unknown.
    ///   - speaker: The output of players; they are silent without one.
    ///   - storage: The files; by default those on disk.
    ///   - notificationCenter: The center to which notifications are posted.
    ///   - misuse: Receives the misuse of the API; by default it is printed and stops the process.
    ///   - photoLibraryURL: The folder of the photo library.
    ///   - seed: The seed of generated identifiers; nil for random ones.
    ///   - backgroundModes: The work that the app declares for the background; none by default.
    public init(
        name: String? = nil, hosts: [any HardwareHost], clock: any CaptureClock, authorization: Authorization? = nil,
        interruptions: Interruptions = Interruptions(), orientation: OrientationSensor? = nil,
        speaker: (any Speaker)? = nil, storage: any CaptureStorage = DiskStorage(),
        notificationCenter: NotificationCenter = .default, misuse: MisuseHandler = .trap,
        photoLibraryURL: URL = CaptureSystem.defaultPhotoLibraryURL, seed: UInt64? = nil,
        backgroundModes: Set<BackgroundMode> = []
    ) {
        self.hosts = hosts
        self.clock = clock
        mediaClock = clock === HostClock.shared ? .monotonic : CMClock(label: "CaptureSystem") { clock.now }
        self.authorization = authorization ?? Authorization(clock: clock)
        self.interruptions = interruptions
        self.backgroundModes = backgroundModes
        self.orientation = orientation ?? hosts.lazy.compactMap(\.orientation).first ?? OrientationSensor()
        cameraControl = hosts.lazy.compactMap(\.cameraControl).first
        self.speaker = speaker
        self.storage = storage
        self.notificationCenter = notificationCenter
        reference = SystemReference(name: name, defaultName: Self.defaultName(of: hosts), clock: clock)
        notifications = NotificationPoster(system: reference, clock: clock, center: notificationCenter) { Self.log($0) }
        self.misuse = misuse
        self.photoLibraryURL = photoLibraryURL
        self.seed = seed
        reference.set(self)
        (clock as? SimClock)?.setOwner(self)
        // Reports an invalid `OBSCURA_LOG` even if nothing is logged.
        _ = CaptureLog.filter
        CMClock.setHostTimeClockResolver { Self.currentIfCreated?.mediaClock }
    }

    private static func defaultName(of hosts: [any HardwareHost]) -> String {
        hosts.isEmpty
            ? "capture system without devices"
            : "capture system with devices from \(hosts.map(\.name).joined(separator: ", "))"
    }

    /// The default folder: `obscura/library` in `$XDG_DATA_HOME`, else in `$HOME/.local/share`, else in `.local/share`
    /// of the user's home folder.
    public static var defaultPhotoLibraryURL: URL { photoLibraryURL(in: ProcessInfo.processInfo.environment) }

    /// Returns the default folder for an environment; empty and relative paths count as unset, as the XDG Base
    /// Directory Specification requires.
    static func photoLibraryURL(in environment: [String: String]) -> URL {
        func folder(_ name: String) -> URL? {
            environment[name].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
        }
        let base =
            folder("XDG_DATA_HOME")
            // NSHomeDirectory() reads only the user database and ignores a HOME that was set for this process.
            ?? (folder("HOME") ?? URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true))
            .appendingPathComponent(".local/share", isDirectory: true)
        return base.appendingPathComponent("obscura/library", isDirectory: true)
    }

    /// The virtual time that media work takes: that of the first host that has durations.
    ///
    /// It is zero in real time, in which work takes the time that it takes, and with a virtual clock that does not run
    /// the work of clients, because a client that waits for the result would never get it.
    package var processingDurations: ProcessingDurations {
        guard clock.isVirtual, runsWorkOfWaitingClients else { return .zero }
        return hosts.lazy.compactMap(\.processingDurations).first ?? .zero
    }

    /// The machine of the devices; a phone if no host knows it.
    package var machine: MachineDescriptor { hosts.lazy.compactMap(\.machine).first ?? MachineDescriptor() }

    /// Runs the end of media work after the virtual time that the work takes; immediately if it takes none.
    package func run(after duration: Duration, _ end: @escaping @Sendable () -> Void) {
        guard duration > .zero else { return end() }
        clock.schedule(at: clock.now + CMTime(nanoseconds: duration.nanoseconds), end)
    }

    /// Blocks the calling code for the virtual time that media work takes, while the other work of the world continues.
    ///
    /// An action of the clock, such as the arrival of a frame, must not block: it waits for no time.
    package func wait(for duration: Duration) {
        guard duration > .zero, canWait else { return }
        // The scheduler ends the sleep in virtual time.
        usleep(UInt32(clamping: duration.nanoseconds / 1000))
    }

    /// Whether the calling code can wait for virtual time; false in actions of the clock.
    package var canWait: Bool { (clock as? SimClock)?.isRunningAction != true }

    /// Whether callbacks are delivered while a client waits for them. A virtual clock without a scheduler delivers them
    /// only while the client advances it.
    package var runsWorkOfWaitingClients: Bool { (clock as? SimClock).map { $0.scheduler != nil } ?? true }

    private let components = Lock<[ObjectIdentifier: any Sendable]>([:], order: .systemComponents)

    /// Returns the system's only instance of a type, creating it on first use.
    ///
    /// - Parameter create: Creates the instance. It runs while the lock is held, so it must not call this function.
    package func component<Component: AnyObject & Sendable>(
        _ type: Component.Type, create: () -> Component
    ) -> Component {
        components.withLock { components in
            if let existing = components[ObjectIdentifier(type)] as? Component { return existing }
            let new = create()
            components[ObjectIdentifier(type)] = new
            return new
        }
    }

    /// Runs a callback on the client's queue, with this system as the current one.
    package func deliver(
        on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void,
        finished: @escaping @Sendable () -> Void = {}
    ) { reference.deliver(on: queue, callback, finished: finished) }

    /// Writes a message to standard error.
    package static func log(_ message: String) {
        FileHandle.standardError.write(Data("obscura: \(message)\n".utf8))
    }
}
