import CaptureHAL
public import Foundation
import MediaTypes
import PhotoStore

/// Access to the user's photos and movies with the API that `PHPhotoLibrary` replaced.
///
/// Both use the same library and the same authorization. All methods with blocks return immediately. A block runs on
/// the main queue if the method was called on the main thread, and on a queue of the library otherwise. The first
/// access asks the user for authorization.
/// - Important: Thread-safe.
public final class ALAssetsLibrary: NSObject, @unchecked Sendable {
    // SAFETY: `changes` is set only in `init`; the other properties are constants.

    /// The system that owns this library.
    let system: SystemReference
    let notifications: NotificationPoster
    private let worker: any ClockWorker
    private var changes: LibraryChangeNotifier?

    public override init() {
        let current = CaptureSystem.current
        system = current.reference
        notifications = current.notifications
        worker = current.clock.makeWorker(label: "obscura.assets-library")
        super.init()
        let changes = LibraryChangeNotifier(of: self)
        self.changes = changes
        PHPhotoLibrary.shared().register(changes)
    }

    public class func authorizationStatus() -> ALAuthorizationStatus {
        ALAuthorizationStatus(PHPhotoLibrary.authorizationStatus(for: .readWrite))
    }

    /// Has no effect, because there are no shared photo streams.
    public class func disableSharedPhotoStreamsSupport() {}

    // MARK: Groups and assets

    /// Enumerates the groups of some types: the saved photos, then the albums in the order of their creation.
    ///
    /// - Parameters:
    ///   - types: `ALAssetsGroupAll`, or the bitwise OR of types.
    ///   - enumerationBlock: Receives nil after the last group.
    public func enumerateGroups(
        withTypes types: ALAssetsGroupType, using enumerationBlock: ALAssetsLibraryGroupsEnumerationResultsBlock!,
        failureBlock: ALAssetsLibraryAccessFailureBlock!
    ) {
        perform {
            self.groups(ofTypes: types)
        } deliver: { groups in
            var shouldStop: ObjCBool = false
            for group in groups {
                enumerationBlock?(group, &shouldStop)
                if shouldStop.boolValue { return }
            }
            enumerationBlock?(nil, &shouldStop)
        } fail: {
            failureBlock?($0)
        }
    }

    private func groups(ofTypes types: ALAssetsGroupType) -> [ALAssetsGroup] {
        var groups: [ALAssetsGroup] = []
        if types & ALAssetsGroupType(ALAssetsGroupSavedPhotos) != 0 {
            groups += PHAssetCollection.fetchAssetCollections(
                with: .smartAlbum, subtype: .smartAlbumUserLibrary, options: nil
            ).groups(in: system)
        }
        if types & ALAssetsGroupType(ALAssetsGroupAlbum) != 0 {
            groups += PHAssetCollection.fetchAssetCollections(with: .album, subtype: .albumRegular, options: nil)
                .groups(in: system)
        }
        return groups
    }

    /// Finds the asset with a URL that an `ALAsset` or `ALAssetRepresentation` returned.
    ///
    /// - Parameter resultBlock: Receives nil if the library has no such asset.
    public func asset(
        for assetURL: URL!, resultBlock: ALAssetsLibraryAssetForURLResultBlock!,
        failureBlock: ALAssetsLibraryAccessFailureBlock!
    ) {
        let identifier = assetURL.flatMap { AssetURL.identifier(in: $0, of: .asset) }
        perform { [system] in
            identifier.flatMap { PHAsset.fetchAssets(withLocalIdentifiers: [$0], options: nil).firstObject }
                .map { ALAsset($0, in: system) }
        } deliver: {
            resultBlock?($0)
        } fail: {
            failureBlock?($0)
        }
    }

    /// Finds the group with a URL that an `ALAssetsGroup` returned.
    ///
    /// - Parameter resultBlock: Receives nil if the library has no such group.
    public func group(
        for groupURL: URL!, resultBlock: ALAssetsLibraryGroupResultBlock!,
        failureBlock: ALAssetsLibraryAccessFailureBlock!
    ) {
        perform {
            self.groups(ofTypes: ALAssetsGroupType(ALAssetsGroupAll)).first { $0.url == groupURL }
        } deliver: {
            resultBlock?($0)
        } fail: {
            failureBlock?($0)
        }
    }

    /// Creates an album.
    ///
    /// - Parameter resultBlock: Receives nil if an album has this name already.
    public func addAssetsGroupAlbum(
        withName name: String!, resultBlock: ALAssetsLibraryGroupResultBlock!,
        failureBlock: ALAssetsLibraryAccessFailureBlock!
    ) {
        perform { [system, name] () -> ALAssetsGroup? in
            let title = name ?? ""
            let albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .albumRegular, options: nil)
            guard !albums.groups(in: system).contains(where: { $0.name == title }) else { return nil }
            let created = Lock("")
            try PHPhotoLibrary.shared().performChangesAndWait {
                let request = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: title)
                let identifier = request.placeholderForCreatedAssetCollection.localIdentifier
                created.withLock { $0 = identifier }
            }
            return PHAssetCollection.fetchAssetCollections(
                withLocalIdentifiers: [created.withLock { $0 }], options: nil
            ).groups(in: system).first
        } deliver: {
            resultBlock?($0)
        } fail: {
            failureBlock?($0)
        }
    }

    // MARK: Access

    /// Asks the user for authorization if necessary, then runs `work` on the library's queue and delivers its result.
    ///
    /// Either `deliver` or `fail` is called, exactly once.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value, deliver: @escaping (Value) -> Void,
        fail: @escaping (NSError) -> Void
    ) {
        // SAFETY: one thread calls the client's blocks, and only once.
        nonisolated(unsafe) let (deliver, fail) = (deliver, fail)
        let isMain = Thread.isMainThread
        let finish: @Sendable (Result<Value, NSError>) -> Void = { [system] result in
            let callback: @Sendable () -> Void = {
                switch result {
                case .success(let value): deliver(value)
                case .failure(let error): fail(error)
                }
            }
            if isMain { system.deliver(on: .main, callback) } else { system.run(callback) }
        }
        system.run {
            PHPhotoLibrary.requestAuthorization(for: .readWrite) { [self] status in
                worker.submit { [self] in
                    var result: Result<Value, NSError>?
                    system.run {
                        result = Result {
                            try requireAccess(status)
                            return try work()
                        }.mapError(libraryError)
                    }
                    if let result { finish(result) }
                }
            }
        }
    }

    private func requireAccess(_ status: PHAuthorizationStatus) throws {
        switch status {
        case .authorized, .limited:
            if let reason = PHPhotoLibrary.shared().unavailabilityReason { throw reason }
        case .restricted:
            throw makeLibraryError(
                ALAssetsLibraryAccessGloballyDeniedError, "this program is not permitted to access the photo library")
        case .denied, .notDetermined:
            throw makeLibraryError(
                ALAssetsLibraryAccessUserDeniedError,
                "the user has not allowed this program to access the photo library")
        }
    }

    private func libraryError(_ error: any Error) -> NSError {
        if let photos = error as? PHPhotosError { return makeLibraryError(photos) }
        let error = error as NSError
        return error.domain == ALAssetsLibraryErrorDomain ? error : makeLibraryError(error as any Error)
    }
}

extension PHFetchResult where ObjectType == PHAssetCollection {
    /// The groups of these collections.
    func groups(in system: SystemReference) -> [ALAssetsGroup] {
        (0..<count).map { ALAssetsGroup(object(at: $0), in: system) }
    }
}
