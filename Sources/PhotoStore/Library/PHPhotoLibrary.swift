import CaptureHAL
public import Foundation
import MediaStorage
import MediaTypes

/// The pictures and movies of the user, in a folder of the capture system (`CaptureSystem.photoLibraryURL`).
///
/// - Important: Thread-safe.
public final class PHPhotoLibrary: NSObject, @unchecked Sendable {
    // SAFETY: constants, and state behind a lock.
    private struct State {
        var store: LibraryStore?
        var failure: PHPhotosError?
        var observers: [WeakObserver] = []
    }

    private struct WeakObserver {
        weak var observer: (any PHPhotoLibraryChangeObserver)?
    }

    /// The owner.
    weak var system: CaptureSystem?
    let storage: any CaptureStorage
    let clock: any CaptureClock
    let authorization: Authorization
    let misuse: MisuseHandler
    /// Changes are made here, one after the other, without holding up the caller.
    let worker: any ClockWorker
    private let url: URL
    private let identifiers: IdentifierSource
    private let state = Lock(State())
    /// Held while the library is opened, so that it is opened once; `state` is free meanwhile.
    private let opening = Lock((), order: .photoLibraryOpening)

    init(system: CaptureSystem) {
        self.system = system
        storage = system.storage
        clock = system.clock
        authorization = system.authorization
        misuse = system.misuse
        url = system.photoLibraryURL
        worker = system.clock.makeWorker(label: "obscura.photos")
        identifiers = IdentifierSource(seed: system.seed)
    }

    /// The library of the current capture system.
    public class func shared() -> PHPhotoLibrary {
        let system = CaptureSystem.current
        return system.component(PHPhotoLibrary.self) { PHPhotoLibrary(system: system) }
    }

    /// Why the library cannot be used, or nil where it can; opens it where that has not been tried.
    public var unavailabilityReason: (any Error)? {
        do throws(PHPhotosError) {
            _ = try store()
            return nil
        } catch {
            return error
        }
    }

    /// Whether there is a library in a folder; one is made there on first use where there is none.
    package static func exists(at url: URL) -> Bool {
        FileManager.default.fileExists(atPath: LibraryFolder(url).index.path)
    }

    // MARK: Consent

    /// What the user has said.
    public class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
        shared().status(for: accessLevel)
    }

    /// What the user has said about reading and writing.
    public class func authorizationStatus() -> PHAuthorizationStatus {
        authorizationStatus(for: .readWrite)
    }

    /// Asks the user where nothing was said yet.
    ///
    /// - Parameter handler: Runs once, on a queue of the library, never before the call has returned.
    @preconcurrency
    public class func requestAuthorization(
        for accessLevel: PHAccessLevel, handler: @escaping @Sendable (PHAuthorizationStatus) -> Void
    ) {
        let library = shared()
        library.authorization.request(library.resource(for: accessLevel)) { handler(PHAuthorizationStatus($0)) }
    }

    /// Asks for reading and writing.
    @preconcurrency
    public class func requestAuthorization(_ handler: @escaping @Sendable (PHAuthorizationStatus) -> Void) {
        requestAuthorization(for: .readWrite, handler: handler)
    }

    /// Asks the user where nothing was said yet, and waits for the answer.
    public class func requestAuthorization(for accessLevel: PHAccessLevel) async -> PHAuthorizationStatus {
        await withCheckedContinuation { continuation in
            requestAuthorization(for: accessLevel) { continuation.resume(returning: $0) }
        }
    }

    func status(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
        PHAuthorizationStatus(authorization.state(of: resource(for: accessLevel)))
    }

    /// What consent is asked for; that to read and write includes that to add.
    private func resource(for accessLevel: PHAccessLevel) -> ProtectedResource {
        switch accessLevel {
        case .addOnly:
            authorization.state(of: .photoLibrary) == .authorized ? .photoLibrary : .photoLibraryAdditions
        case .readWrite: .photoLibrary
        }
    }

    // MARK: Observers

    /// Tells an observer of each change until it is unregistered or gone.
    public func register(_ observer: any PHPhotoLibraryChangeObserver) {
        state.withLock { state in
            state.observers.removeAll { $0.observer == nil || $0.observer === observer }
            state.observers.append(WeakObserver(observer: observer))
        }
    }

    public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
        state.withLock { $0.observers.removeAll { $0.observer == nil || $0.observer === observer } }
    }

    func notify(_ outcome: ChangeOutcome) {
        guard !outcome.isEmpty else { return }
        let change = PHChange(outcome, in: self)
        for entry in state.withLock({ $0.observers }) { entry.observer?.photoLibraryDidChange(change) }
    }

    // MARK: Below

    /// The opened library; one that could not be opened is tried again the next time.
    func store() throws(PHPhotosError) -> LibraryStore {
        if let store = state.withLock({ $0.store }) { return store }
        return try opening.withLock { _ throws(PHPhotosError) in
            if let store = state.withLock({ $0.store }) { return store }
            let store = try LibraryStore(at: url, storage: storage)
            state.withLock { $0.store = store }
            return store
        }
    }

    /// What a new object is; the raw value ends its identifier, as Apple's do.
    enum ObjectKind: String {
        case asset = "/L0/001"
        case album = "/L0/040"
    }

    /// A new identifier, reserved in the library until the change that uses it is made or fails.
    func makeIdentifier(of kind: ObjectKind) throws(PHPhotosError) -> String {
        let index = try store().index
        while true {
            let identifier = identifiers.next().uuidString + kind.rawValue
            // A seeded source begins anew with each process, and gives again what the library has already, or what
            // another process is just about to use.
            if try index.reserve(identifier) { return identifier }
        }
    }

    func fetch(_ query: AssetQuery, _ options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
        let (combined, message) = query.adding(options)
        if let message { misuse.report(.invalidArgument, message) }
        return combined.map(fetch) ?? PHFetchResult([]) { nil }
    }

    private func fetch(_ query: AssetQuery) -> PHFetchResult<PHAsset> {
        PHFetchResult(assets(matching: query)) { [weak self] in self?.fetch(query) }
    }

    /// Whether the library may be read; to look is to ask, as with Apple.
    func mayRead() -> Bool {
        switch status(for: .readWrite) {
        case .authorized, .limited: return true
        case .notDetermined:
            authorization.request(.photoLibrary) { _ in }
            return false
        case .denied, .restricted: return false
        }
    }

    private func assets(matching query: AssetQuery) -> [PHAsset] {
        guard mayRead() else { return [] }
        // `unavailabilityReason` tells why a library that cannot be opened is empty.
        guard let records = try? store().index.assets(matching: query) else { return [] }
        return query.select(from: records.map { PHAsset($0, in: self) })
    }
}

extension PHAuthorizationStatus {
    init(_ state: AuthorizationState) {
        self =
            switch state {
            case .notDetermined: .notDetermined
            case .restricted: .restricted
            case .denied: .denied
            case .authorized: .authorized
            }
    }
}
