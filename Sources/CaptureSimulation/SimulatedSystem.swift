public import CaptureHAL
public import Dispatch
public import Foundation
public import MediaStorage
import MediaTypes
public import SimDevices

/// A capture system for one test: simulated devices, virtual time, storage that can fail, misuse that is caught.
///
/// Make the code under test inside `run`, then let time pass:
/// ```swift
/// let simulated = try SimulatedSystem()
/// let controller = simulated.run { CameraController() }
/// controller.start()
/// simulated.advance(by: .seconds(1))
/// ```
/// - Important: Thread-safe, but time is advanced by one thread at a time.
public final class SimulatedSystem: Sendable {
    public let system: CaptureSystem
    public let clock: SimClock
    public let host: SimHost
    public let storage: SimStorage
    /// A folder for the test's files; removed with the system.
    public let folder: URL
    private let caught: Lock<[Misuse]>

    /// - Parameters:
    ///   - profile: The name of a device profile, or a YAML file.
    ///   - shake: How the cameras are held; nil for what the scene says.
    ///   - seed: What all chance follows from.
    ///   - authorization: What the user has said; what is not named is authorized.
    ///   - answers: What prompts will be answered; what is not named is granted.
    ///   - freeByteCount: The room on the disk in bytes; nil is the machine's own.
    ///   - notificationCenter: Where notifications are posted; the process's own, as clients expect.
    /// - Throws: `ProfileError`, or an error of the file system where the folder cannot be made.
    public init(
        profile: String = "phone", scene: SimScene = .street, shake: HandShake? = nil, seed: UInt64 = 1,
        authorization: [ProtectedResource: AuthorizationState] = [:],
        answers: [ProtectedResource: PromptAnswer] = [:], freeByteCount: Int64? = nil,
        notificationCenter: NotificationCenter = .default
    ) throws {
        let caught = Lock<[Misuse]>([])
        let misuse = MisuseHandler { misuse in caught.withLock { $0.append(misuse) } }
        let clock = SimClock(misuse: misuse)
        let host = try SimHost(profile: profile, scene: scene, shake: shake, seed: seed, clock: clock)
        let storage = SimStorage(freeByteCount: freeByteCount)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("obscura-test-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.caught = caught
        self.clock = clock
        self.host = host
        self.storage = storage
        self.folder = folder
        system = CaptureSystem(
            hosts: [host], clock: clock,
            authorization: Authorization(clock: clock, states: authorization, answers: answers), storage: storage,
            notificationCenter: notificationCenter, misuse: misuse,
            photoLibraryURL: folder.appendingPathComponent("library", isDirectory: true), seed: seed)
    }

    deinit {
        // What cannot be removed is left to the system's own cleaning of temporary files.
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs `body` in the system: capture objects that it makes live there.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try system.run(body)
    }

    /// Runs `body` in the system, also in the tasks that it starts.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await system.run(isolation: isolation, body)
    }

    /// Lets virtual time pass, with all that happens meanwhile.
    public func advance(by duration: Duration) { clock.advance(by: duration) }

    /// Lets virtual time pass until `condition` holds.
    ///
    /// - Returns: Whether it holds; false after `limit`, or where nothing can happen any more.
    @discardableResult
    public func advance(until condition: () -> Bool, limit: Duration = .seconds(60)) -> Bool {
        clock.run(until: condition, limit: limit)
    }

    /// Lets time wait for a queue of the code under test, so that work on it is done before time moves on.
    public func register(_ queue: DispatchQueue) { clock.register(queue) }

    /// Declares, inside a callback, that its work takes that long: frames that come meanwhile are late.
    public func spend(_ cost: Duration) { clock.spend(cost) }

    /// What code did that Apple's frameworks answer with an exception, in order.
    public var misuses: [Misuse] { caught.withLock { $0 } }

    /// Forgets the misuses so far and gives them.
    public func takeMisuses() -> [Misuse] {
        caught.withLock { caught in
            defer { caught = [] }
            return caught
        }
    }
}
