import Foundation
import MediaTypes
import PhotoStore

/// Posts `ALAssetsLibraryChanged` when the photo library changes.
///
/// - Important: Thread-safe.
final class LibraryChangeNotifier: NSObject, PHPhotoLibraryChangeObserver, Sendable {
    private let library: WeakReference<ALAssetsLibrary>

    init(of library: ALAssetsLibrary) {
        self.library = WeakReference(library)
    }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        guard let library = library.object else { return }
        library.notifications.post(.ALAssetsLibraryChanged, userInfo: userInfo(of: changeInstance)) {
            [reference = self.library] in reference.object
        }
    }

    /// Returns the URLs of the changed objects; nil if the app may not read the library.
    private func userInfo(of change: PHChange) -> [String: any Sendable]? {
        guard ALAssetsLibrary.authorizationStatus() == .authorized else { return nil }
        func groups(_ identifiers: [String]) -> Set<URL> {
            Set(identifiers.filter { $0.hasSuffix(AssetURL.Kind.album.rawValue) }.compactMap(AssetURL.group))
        }
        func containAssets(_ identifiers: [String]) -> Bool {
            identifiers.contains { $0.hasSuffix(AssetURL.Kind.asset.rawValue) }
        }
        let present = change.insertedIdentifiers + change.updatedIdentifiers
        let assets = PHAsset.fetchAssets(withLocalIdentifiers: present, options: nil)
        var changed = groups(change.updatedIdentifiers)
        if containAssets(change.insertedIdentifiers + change.deletedIdentifiers) {
            let saved = PHAssetCollection.fetchAssetCollections(
                with: .smartAlbum, subtype: .smartAlbumUserLibrary, options: nil)
            changed.formUnion(saved.firstObject.flatMap { AssetURL.group($0.localIdentifier) }.map { [$0] } ?? [])
        }
        let all: [String: Set<URL>] = [
            ALAssetLibraryUpdatedAssetsKey: Set((0..<assets.count).compactMap { assets.object(at: $0).assetURL }),
            ALAssetLibraryInsertedAssetGroupsKey: groups(change.insertedIdentifiers),
            ALAssetLibraryUpdatedAssetGroupsKey: changed,
            ALAssetLibraryDeletedAssetGroupsKey: groups(change.deletedIdentifiers),
        ]
        return all.filter { !$0.value.isEmpty }
    }
}
