public import CaptureHAL
public import Dispatch
public import Foundation
public import MediaStorage
import MediaTypes
public import SimDevices

/// A capture system for a test: simulated devices, virtual time, simulated storage, and recorded misuse.
///
/// Create the code under test inside `run`, then advance time:
/// ```swift
/// let simulated = try SimulatedSystem()
/// let controller = simulated.run { CameraController() }
/// controller.start()
/// simulated.advance(by: .seconds(1))
/// ```
/// - Important: Thread-safe, but only one thread at a time can advance the time.
public final class SimulatedSystem: Sendable {
    /// The capture system.
    public let system: CaptureSystem
    /// The virtual clock.
    public let clock: SimClock
    /// The simulated devices.
    public let host: SimHost
    /// The simulated storage.
    public let storage: SimStorage
    /// A temporary folder for the files of the test, removed when the system is deallocated.
    public let folder: URL
    /// The misuse of the system, and what else its test needs after the system is closed.
    package let record: SystemRecord
    private let isClosed = Lock(false, order: .primitive)

    /// Creates a system.
    ///
    /// - Parameters:
    ///   - profile: The name of a device profile, or a YAML file.
    ///   - scene: The scene in front of the cameras.
    ///   - shake: The shake of the hand that holds the cameras; nil is the scene's.
    ///   - hasMarker: Whether frames contain the code that `FrameMarker` reads: frame counter and time.
    ///   - sound: What the microphones hear.
    ///   - seed: The seed of the random number generators.
    ///   - orientation: The initial orientation of a machine with built-in cameras, such as the phone;
    ///     `system.orientation` changes it.
    ///   - authorization: The initial authorization; a missing resource is authorized.
    ///   - answers: The answers of authorization prompts; a missing resource is granted.
    ///   - freeByteCount: The free storage in bytes; nil is that of the machine.
    ///   - notificationCenter: The notification center for notifications of the system.
    /// - Throws: `ProfileError`, or an error of the file system if the folder cannot be created.
    public init(
        profile: String = "phone", scene: SimScene = .street, shake: HandShake? = nil, hasMarker: Bool = false,
        sound: SimSound = .scene, seed: UInt64 = 1, orientation: DeviceOrientation = .portrait,
        authorization: [ProtectedResource: AuthorizationState] = [:],
        answers: [ProtectedResource: PromptAnswer] = [:], freeByteCount: Int64? = nil,
        notificationCenter: NotificationCenter = .default
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-test-\(UUID().uuidString)", isDirectory: true)
        let record = SystemRecord(
            summary: "profile \(profile), scene \(scene), sound \(sound), seed \(seed)", folder: folder)
        let misuse = MisuseHandler { misuse in record.add(misuse) }
        let clock = SimClock(misuse: misuse)
        let host = try SimHost(
            profile: profile, scene: scene, shake: shake, hasMarker: hasMarker, sound: sound, seed: seed,
            orientation: orientation, clock: clock)
        let storage = SimStorage(freeByteCount: freeByteCount)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.record = record
        self.clock = clock
        self.host = host
        self.storage = storage
        self.folder = folder
        system = CaptureSystem(
            hosts: [TestReporting.reporter?.host(for: host, clock: clock, folder: folder) ?? host], clock: clock,
            authorization: Authorization(clock: clock, states: authorization, answers: answers), storage: storage,
            notificationCenter: notificationCenter, misuse: misuse,
            photoLibraryURL: folder.appendingPathComponent("library", isDirectory: true), seed: seed)
        Self.newest.withLock { $0 = WeakSystem(self) }
        CaptureSystem.setWorldResolver { Self.active?.system }
        guard let reporter = TestReporting.reporter else { return }
        record.observe(system, host, clock)
        reporter.didCreate(self)
    }

    deinit {
        close()
        TestReporting.reporter?.didDeallocate(record)
    }

    private struct WeakSystem {
        weak var system: SimulatedSystem?
        let id: ObjectIdentifier

        init(_ system: SimulatedSystem) {
            self.system = system
            id = ObjectIdentifier(system)
        }
    }

    private static let newest = Lock<WeakSystem?>(nil, order: .primitive)

    /// The system that was created last; nil if it is closed.
    public static var active: SimulatedSystem? { newest.withLock { $0?.system } }

    /// Closes the system and removes its folder. A test closes its systems when it ends.
    public func close() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        Self.newest.withLock { if $0?.id == ObjectIdentifier(self) { $0 = nil } }
        let reporter = TestReporting.reporter
        reporter?.willClose(system)
        record.closeFolder(keepsFiles: reporter?.keepsFiles(of: record) ?? false)
        reporter?.didClose(record)
    }

    /// Runs `body` with the system as `CaptureSystem.current`. Capture objects that it creates belong to the system.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try system.run(body)
    }

    /// Runs an asynchronous `body` with the system as `CaptureSystem.current`, also in its child tasks.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await system.run(isolation: isolation, body)
    }

    /// Advances virtual time and performs the events in it.
    public func advance(by duration: Duration) { clock.advance(by: duration) }

    /// Advances virtual time until a condition holds.
    ///
    /// - Returns: Whether the condition holds; false after `limit`, or if no event is pending.
    @discardableResult
    public func advance(until condition: () -> Bool, limit: Duration = .seconds(60)) -> Bool {
        clock.run(until: condition, limit: limit)
    }

    /// Registers a queue of the code under test. Time advances only when its work is done.
    public func register(_ queue: DispatchQueue) { clock.register(queue) }

    /// Declares the duration of a callback in virtual time. Call it inside the callback: frames in this time are late.
    public func spend(_ cost: Duration) { clock.spend(cost) }

    /// The recorded misuse in order: calls that raise an exception on Apple's systems.
    ///
    /// A test fails for misuse that it neither reads here nor expects with `XCTAssertMisuse` or `expectMisuse`.
    public var misuses: [Misuse] { record.read() }

    /// Removes and returns the recorded misuse.
    public func dequeueMisuses() -> [Misuse] { record.dequeue() }
}
