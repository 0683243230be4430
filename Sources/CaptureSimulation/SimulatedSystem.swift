public import CaptureHAL
public import Dispatch
public import Foundation
public import MediaStorage
import MediaTypes
public import SimDevices

/// A capture system for a test: simulated devices, virtual time, simulated storage, and recorded misuse.
///
/// The code under test runs in the system that the test created last. Its blocks, timers, tasks and callbacks run one
/// at a time, while the test advances time or is suspended, and the clocks that it reads are virtual:
/// ```swift
/// let simulated = try SimulatedSystem()
/// let controller = CameraController()
/// controller.start()
/// simulated.advance(by: .seconds(1))
/// ```
/// While an asynchronous test is suspended, time advances automatically.
/// - Important: Thread-safe, but only the test can advance the time.
public final class SimulatedSystem: Sendable {
    /// The capture system.
    public let system: CaptureSystem
    /// The virtual clock.
    public let clock: SimClock
    /// The simulated devices.
    public let host: SimHost
    /// The simulated storage.
    public let storage: SimStorage
    /// A temporary folder for the files of the test, removed when the system is closed or deallocated.
    public let folder: URL
    /// The misuse and the events of the system. They are available after the system is closed.
    package let record: SystemRecord
    private let isClosed = Lock(false, order: .primitive)
    let world: SimulatedWorld
    /// The real time after which the test fails if it waits for a condition or for other work.
    let realTimeLimit: Duration

    /// Creates a system.
    ///
    /// - Parameters:
    ///   - profile: The name of a device profile, or a YAML file.
    ///   - scene: The scene in front of the cameras.
    ///   - light: The light over time; nil for the light of the scene.
    ///   - shake: The shake of the hand that holds the cameras; nil for the shake of the scene.
    ///   - hasMarker: Whether frames contain the code that `FrameMarker` reads: frame counter and time.
    ///   - sound: The sound that the microphones capture.
    ///   - seed: The seed of the random number generators.
    ///   - orientation: The initial orientation of a machine with built-in cameras, such as the phone;
    ///     `system.orientation` changes it.
    ///   - authorization: The initial authorization; a missing resource is authorized.
    ///   - answers: The answers to authorization prompts; a missing resource is granted.
    ///   - freeByteCount: The free storage in bytes; nil for the free storage of the machine.
    ///   - backgroundModes: The work that the app declares for the background, as with `UIBackgroundModes` on iOS.
    ///   - notificationCenter: The notification center for notifications of the system.
    ///   - interleaving: The order of work that is ready at the same time.
    ///   - realTimeLimit: The real time after which the test fails if it waits for a condition or for other work.
    /// - Throws: `ProfileError`, or an error of the file system if the folder cannot be created.
    public init(
        profile: String = "phone", scene: SimScene = .street, light: SceneLight? = nil, shake: HandShake? = nil,
        hasMarker: Bool = false, sound: SimSound = .scene, seed: UInt64 = 1, orientation: DeviceOrientation = .portrait,
        authorization: [ProtectedResource: AuthorizationState] = [:],
        answers: [ProtectedResource: PromptAnswer] = [:], freeByteCount: Int64? = nil,
        backgroundModes: Set<BackgroundMode> = [], notificationCenter: NotificationCenter = .default,
        interleaving: Interleaving = .submissionOrder,
        realTimeLimit: Duration = SimulatedSystem.defaultRealTimeLimit
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-test-\(UUID().uuidString)", isDirectory: true)
        let record = SystemRecord(
            summary: "profile \(profile), scene \(scene), sound \(sound), seed \(seed)", folder: folder)
        let misuse = MisuseHandler { misuse in record.add(misuse) }
        let clock = SimClock(misuse: misuse)
        let host = try SimHost(
            profile: profile, scene: scene, light: light, shake: shake, hasMarker: hasMarker, sound: sound, seed: seed,
            orientation: orientation, clock: clock)
        let storage = SimStorage(freeByteCount: freeByteCount)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.record = record
        self.clock = clock
        self.host = host
        self.storage = storage
        self.folder = folder
        self.realTimeLimit = realTimeLimit
        system = CaptureSystem(
            name: "simulated system (profile \(profile))",
            hosts: [TestReporting.reporter?.host(for: host, clock: clock, folder: folder) ?? host], clock: clock,
            authorization: Authorization(clock: clock, states: authorization, answers: answers), storage: storage,
            notificationCenter: notificationCenter, misuse: misuse,
            photoLibraryURL: folder.appendingPathComponent("library", isDirectory: true), seed: seed,
            backgroundModes: backgroundModes)
        world = SimulatedWorld(
            clock: clock, interleaving: interleaving, realTimeLimit: realTimeLimit.nanoseconds, record: record)
        world.open()
        let reporter = TestReporting.reporter
        // A test reporter makes the running test retain its newest system. Without one, the newest system is retained
        // here until another one is created.
        let newest = Newest(system: self, retained: reporter == nil ? self : nil)
        let previous = Self.newest.withLock { current in
            defer { current = newest }
            return current
        }
        // The previous system may be deallocated here, outside the lock.
        withExtendedLifetime(previous) {}
        guard let reporter else { return }
        world.recordWork()
        stopIfRequested()
        record.observe(system, host, clock)
        reporter.didCreate(self)
    }

    /// The limit of the waits of a test in real time, unless a system has another one: the number of seconds in the
    /// environment variable `OBSCURA_REAL_TIME_LIMIT`, by default 60.
    public static let defaultRealTimeLimit: Duration = {
        let value = ProcessInfo.processInfo.environment["OBSCURA_REAL_TIME_LIMIT"].flatMap(Double.init)
        return .seconds(value.map { max(1, min($0, 1e9)) } ?? 60)
    }()

    /// The Camera Control of the simulated machine; nil if no camera is built into it.
    ///
    /// It operates the controls of the running session as the user does: `cameraControl?.adjust("Zoom", to: 2)`.
    public var cameraControl: CameraControl? { system.cameraControl }

    /// Descriptions of the blocks, tasks, callbacks, notifications and timers that have not ended, each with the object
    /// of its wait or the time when it is due.
    public var pendingWork: [String] { Scheduler.shared.pendingWork(of: world) }

    /// Descriptions of the work whose thread waits without a deadline.
    package var endlessWaits: [String] {
        Scheduler.shared.monitor.read { state in
            state.work.all.filter {
                $0.world === world && $0.phase == .waiting && !$0.isAdvancing && $0.wait?.isEndless == true
            }.map(\.description)
        }
    }

    /// Whether the app has work that is due at a later time, such as a block of `asyncAfter`.
    package var hasDelayedWork: Bool { Scheduler.shared.hasDelayedWork(of: world) }

    /// Ends the recording of work, for a test that creates many systems and needs no pages of their runs.
    package func stopRecordingWork() { Scheduler.shared.monitor.update { _ in world.history = nil } }

    /// The recorded work; empty if it is not recorded.
    package var workPeriods: [WorkPeriod] { world.workPeriods }

    /// Reports waits of work on the main thread that are longer than a limit of virtual time.
    ///
    /// A wait without a deadline then ends at the limit, as if it had succeeded, so that a deadlock does not stop the
    /// test. Set the limit before the code under test runs.
    ///
    /// - Parameter report: Receives what the main thread waits for, on that thread.
    package func limitMainThreadWaits(to limit: Duration, report: @escaping @Sendable (String) -> Void) {
        let limit = SimulatedWorld.MainThreadLimit(nanoseconds: limit.nanoseconds, report: report)
        Scheduler.shared.monitor.update { _ in world.mainThreadLimit = limit }
    }

    deinit {
        close()
        TestReporting.reporter?.didDeallocate(record)
    }

    private struct Newest {
        weak var system: SimulatedSystem?
        var retained: SimulatedSystem?
    }

    private static let newest = Lock(Newest(), order: .primitive)

    /// The system that was created last; nil if it is closed. All code that does not run in another system uses it.
    public static var active: SimulatedSystem? { newest.withLock { $0.system } }

    /// Whether the system is not closed.
    package var isOpen: Bool { !isClosed.withLock { $0 } }

    /// Stops the simulation and removes the system's folder. A test closes its systems when it ends.
    ///
    /// Pending work does not run. Threads that wait for an object of the system continue to wait in real time.
    public func close() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst else { return }
        record.setWork(world.workPeriods, end: clock.now.nanoseconds / 1000)
        world.close()
        let id = ObjectIdentifier(self)
        let newest = Self.newest.withLock { newest -> Newest? in
            guard newest.system.map(ObjectIdentifier.init) == id else { return nil }
            defer { newest = Newest() }
            return newest
        }
        withExtendedLifetime(newest) {}
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

    /// Registers a queue of the code under test. Not necessary: time advances only when the work of all queues is done.
    public func register(_ queue: DispatchQueue) { clock.register(queue) }

    /// Declares the duration of a callback in virtual time. Call it inside the callback: frames that arrive during this
    /// time are late.
    public func spend(_ cost: Duration) { clock.spend(cost) }

    /// The recorded misuse in order: calls that raise an exception on Apple's systems.
    ///
    /// A test fails for misuse that it neither reads here nor expects with `XCTAssertMisuse` or `expectMisuse`.
    public var misuses: [Misuse] { record.read() }

    /// Removes and returns the recorded misuse.
    public func dequeueMisuses() -> [Misuse] { record.dequeue() }
}
