package import CaptureHAL
public import Foundation
import MediaStorage
import MediaTypes

/// The user's photos and movies, in a folder of the capture system (`CaptureSystem.photoLibraryURL`).
///
/// - Important: Thread-safe.
public final class PHPhotoLibrary: NSObject, @unchecked Sendable {
    // SAFETY: all properties are constants except `state`, which has a lock.
    struct State {
        fileprivate var store: LibraryStore?
        var isAvailable = true
        /// The assets that the program has created in this run. It may read them with limited authorization, too.
        var createdAssets: Set<String> = []
        fileprivate var loggedSubjects: Set<String> = []
        var reported = ReportedChanges()
        var unfinished = UnfinishedPhotos()
        /// Results of fetches whose assets may not be listed, the oldest first.
        fileprivate var unlisted: [WeakList] = []
        fileprivate var observers: [WeakObserver] = []
        fileprivate var availabilityObservers: [WeakAvailabilityObserver] = []

        var openedStore: LibraryStore? { store }
        var hasObservers: Bool { observers.contains { $0.observer != nil } }
    }

    fileprivate struct WeakObserver {
        weak var observer: (any PHPhotoLibraryChangeObserver)?
    }

    fileprivate struct WeakList {
        weak var list: AssetList?
    }

    fileprivate struct WeakAvailabilityObserver {
        weak var observer: (any PHPhotoLibraryAvailabilityObserver)?
    }

    /// The largest number of fetch results whose assets are not listed.
    private static let unlistedCount = 16

    /// The system that owns this library.
    package let system: SystemReference
    let storage: any CaptureStorage
    let clock: any CaptureClock
    let authorization: Authorization
    let misuse: MisuseHandler
    /// The serial worker on which changes are applied asynchronously.
    let worker: any ClockWorker
    private let url: URL
    private let identifiers: IdentifierSource
    /// The requests for content editing inputs and for Live Photos.
    let editingRequests = RequestNumbers()
    let state = Lock(State())
    /// Held while the library is opened, so that it is opened only once. `state` is not locked during that time.
    private let opening = Lock((), order: .photoLibraryOpening)

    init(system: CaptureSystem) {
        self.system = system.reference
        storage = system.storage
        clock = system.clock
        authorization = system.authorization
        misuse = system.misuse
        url = system.photoLibraryURL
        worker = system.clock.makeWorker(label: "obscura.photos")
        // "PHOTOSTO" in ASCII.
        identifiers = IdentifierSource(seed: system.seed, purpose: 0x5048_4F54_4F53_544F)
    }

    /// The library of the current capture system.
    public class func shared() -> PHPhotoLibrary {
        let system = CaptureSystem.current
        return system.component(PHPhotoLibrary.self) { PHPhotoLibrary(system: system) }
    }

    /// The error that prevents the library from being used; nil if there is none. Opens the library if necessary.
    public var unavailabilityReason: (any Error)? {
        do throws(PHPhotosError) {
            _ = try store()
            return nil
        } catch {
            return error
        }
    }

    /// Whether a folder contains a library. If not, the library is created on its first use. An empty index is none.
    package static func exists(at url: URL) -> Bool {
        var status = stat()
        return stat(LibraryFolder(url).index.path, &status) == 0 && status.st_size > 0
    }

    /// Whether permissions let users other than the owner read the library in a folder. False if there is no library.
    package static func isOpenToOthers(at url: URL) -> Bool {
        LibraryFolder(url).isOpenToOthers
    }

    // MARK: Authorization

    /// The current authorization for an access level.
    public class func authorizationStatus(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
        shared().status(for: accessLevel)
    }

    /// The current authorization for reading and writing.
    public class func authorizationStatus() -> PHAuthorizationStatus {
        authorizationStatus(for: .readWrite)
    }

    /// Asks the user for authorization if it is not determined.
    ///
    /// - Parameter handler: Runs once, on any thread, never inside this call.
    @preconcurrency
    public class func requestAuthorization(
        for accessLevel: PHAccessLevel, handler: @escaping @Sendable (PHAuthorizationStatus) -> Void
    ) {
        let library = shared()
        library.authorization.request(library.resource(for: accessLevel)) { [system = library.system] state in
            system.run { handler(PHAuthorizationStatus(state)) }
        }
    }

    /// Asks the user for authorization to read and write if it is not determined.
    @preconcurrency
    public class func requestAuthorization(_ handler: @escaping @Sendable (PHAuthorizationStatus) -> Void) {
        requestAuthorization(for: .readWrite, handler: handler)
    }

    /// Asks the user for authorization if it is not determined, and returns the status.
    @discardableResult
    public class func requestAuthorization(for accessLevel: PHAccessLevel) async -> PHAuthorizationStatus {
        await withCheckedContinuation { continuation in
            requestAuthorization(for: accessLevel) { continuation.resume(returning: $0) }
        }
    }

    func status(for accessLevel: PHAccessLevel) -> PHAuthorizationStatus {
        let status = PHAuthorizationStatus(authorization.state(of: resource(for: accessLevel)))
        // Limited authorization limits reading only.
        return accessLevel == .addOnly && status == .limited ? .authorized : status
    }

    /// The protected resource of an access level. Authorization to read and write includes authorization to add.
    private func resource(for accessLevel: PHAccessLevel) -> ProtectedResource {
        switch accessLevel {
        case .addOnly:
            switch authorization.state(of: .photoLibrary) {
            case .authorized, .limited: .photoLibrary
            case .notDetermined, .restricted, .denied: .photoLibraryAdditions
            }
        case .readWrite: .photoLibrary
        }
    }

    // MARK: Observers

    /// Registers an observer, which is referenced weakly.
    public func register(_ observer: any PHPhotoLibraryChangeObserver) {
        let isFirst = state.withLock { state in
            state.observers.removeAll { $0.observer == nil || $0.observer === observer }
            state.observers.append(WeakObserver(observer: observer))
            return state.observers.count == 1
        }
        if isFirst { observeForeignChanges() }
    }

    public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
        state.withLock { $0.observers.removeAll { $0.observer == nil || $0.observer === observer } }
    }

    /// Registers an observer of the library's availability, which is referenced weakly.
    public func register(_ observer: any PHPhotoLibraryAvailabilityObserver) {
        state.withLock { state in
            state.availabilityObservers.removeAll { $0.observer == nil || $0.observer === observer }
            state.availabilityObservers.append(WeakAvailabilityObserver(observer: observer))
        }
    }

    public func unregisterAvailabilityObserver(_ observer: any PHPhotoLibraryAvailabilityObserver) {
        state.withLock { $0.availabilityObservers.removeAll { $0.observer == nil || $0.observer === observer } }
    }

    /// Notifies the observers that the folder of the library can no longer be used.
    func notifyUnavailable() {
        let observers = state.withLock { $0.availabilityObservers }
        system.run { for entry in observers { entry.observer?.photoLibraryDidBecomeUnavailable(self) } }
    }

    func notify(_ outcome: ChangeOutcome) {
        guard !outcome.isEmpty else { return }
        let change = PHChange(outcome, in: self)
        let observers = state.withLock { $0.observers }
        system.run { for entry in observers { entry.observer?.photoLibraryDidChange(change) } }
    }

    // MARK: Store

    /// Returns the open library. If opening fails, the next call tries again.
    func store() throws(PHPhotosError) -> LibraryStore {
        guard state.withLock({ $0.isAvailable }) else {
            throw PHPhotosError(.libraryVolumeOffline, "the volume of the photo library is not available")
        }
        return try openStore()
    }

    /// Returns the open library, whether or not it is available to clients.
    func openStore() throws(PHPhotosError) -> LibraryStore {
        if let store = state.withLock({ $0.store }) { return store }
        return try opening.withLock { _ throws(PHPhotosError) in
            if let store = state.withLock({ $0.store }) { return store }
            let store: LibraryStore
            let lastChange: Int64
            do throws(PHPhotosError) {
                store = try LibraryStore(at: url, storage: storage)
                lastChange = try store.index.lastChange()
            } catch {
                CaptureLog.write(.library, .error, clock, "\(url.path) could not be opened: \(error.message)")
                throw error
            }
            CaptureLog.write(.library, .info, clock, "opened \(url.path)")
            state.withLock { state in
                state.store = store
                state.reported.last = lastChange
            }
            return store
        }
    }

    /// The kind of a new object. The raw value is the suffix of its identifier, as in Apple's identifiers.
    enum ObjectKind: String {
        case asset = "/L0/001"
        case album = "/L0/040"
        case collectionList = "/L0/020"
    }

    /// Creates the locations to which a client writes an edited file, one for each format. They are in a folder that no
    /// other open library uses, because systems with equal seeds create equal file names.
    func makeRenderedFiles(_ kinds: [MediaKind]) -> RenderedFiles {
        // If the library or the folder cannot be opened, writing the file fails too, and the client receives that
        // error.
        let folder = try? store().editFolder()
        let base = (folder?.url ?? LibraryFolder(url).edits).appendingPathComponent(identifiers.next().uuidString)
        return RenderedFiles(kinds, at: base, in: folder, storage: storage)
    }

    /// Creates the identifier of an object that is not saved in the library.
    func makeTransientIdentifier(of kind: ObjectKind) -> String {
        identifiers.next().uuidString + kind.rawValue
    }

    /// Creates an identifier and reserves it in the library until the change that uses it succeeds or fails.
    func makeIdentifier(of kind: ObjectKind) throws(PHPhotosError) -> String {
        let index = try store().index
        while true {
            let identifier = identifiers.next().uuidString + kind.rawValue
            // A seeded source generates the same identifiers in each process, so the library or another process may
            // already use this one.
            if try index.reserve(identifier) { return identifier }
        }
    }

    /// Fetches assets.
    ///
    /// - Parameter limit: The maximum number of assets; 0 for the limit of the options.
    func fetch(_ query: AssetQuery, _ options: PHFetchOptions?, limit: Int = 0) -> PHFetchResult<PHAsset> {
        var (combined, message) = query.adding(options)
        if let message { misuse.report(.invalidArgument, message) }
        if limit > 0 { combined?.limit = limit }
        return combined.map { PHFetchResult(AssetList($0, in: self)) } ?? PHFetchResult([]) { nil }
    }

    /// Keeps a result, weakly, whose assets are listed before the next change of this process.
    ///
    /// Each unlisted result occupies a connection, so that there are only a few at the same time.
    func listBeforeChange(_ list: AssetList) {
        let excess = state.withLock { state -> [AssetList] in
            state.unlisted.removeAll { $0.list == nil }
            state.unlisted.append(WeakList(list: list))
            let excess = state.unlisted.dropLast(Self.unlistedCount)
            state.unlisted.removeFirst(excess.count)
            return excess.compactMap(\.list)
        }
        for list in excess { list.list() }
    }

    /// Lists the assets of all results, because a snapshot of the index prevents its log from being reused.
    func listUnlistedResults() {
        let lists = state.withLock { state in
            defer { state.unlisted = [] }
            return state.unlisted.compactMap(\.list)
        }
        for list in lists { list.list() }
    }

    /// Whether the library may be read. As on Apple's systems, the first fetch requests authorization.
    func mayRead() -> Bool {
        switch status(for: .readWrite) {
        case .authorized, .limited: return true
        case .notDetermined:
            authorization.request(.photoLibrary) { _ in }
            return false
        case .denied, .restricted: return false
        }
    }

    /// Whether albums and folders may be read, which requires more than limited authorization.
    func mayReadCollections() -> Bool { mayRead() && status(for: .readWrite) == .authorized }

    /// Writes a message about a subject to standard error, unless one about it was written before.
    func logOnce(_ message: String, about subject: String) {
        guard state.withLock({ $0.loggedSubjects.insert(subject).inserted }) else { return }
        CaptureSystem.log(message)
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
            case .limited: .limited
            }
    }
}
