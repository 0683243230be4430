package import CaptureHAL
package import Foundation
import MediaStorage

/// What pickers of the system show and deliver, regardless of the authorization of the program: the user chooses.
extension PHPhotoLibrary {
    /// Returns the assets that the user chooses in a picker, in the order of the choice.
    ///
    /// Reports the choice of an asset that the picker does not show as misuse.
    /// - Parameter isShown: Whether the picker shows an asset. It shows no hidden and no deleted ones.
    package func assets(
        _ choice: PhotoPickerAnswer.Choice, where isShown: (PHAsset) -> Bool
    ) throws(PHPhotosError) -> [PHAsset] {
        let index = try openStore().index
        switch choice {
        case .cancel: return []
        case .assets(let identifiers):
            let query = AssetQuery(localIdentifiers: identifiers, keepsIdentifierOrder: true)
            let found = try index.assets(matching: query).map { PHAsset($0, in: self) }.filter(isShown)
            let known = Set(found.map(\.localIdentifier))
            for identifier in identifiers where !known.contains(identifier) {
                misuse.report(
                    .invalidArgument, "the user cannot choose the asset \(identifier): the picker does not show it")
            }
            return found
        case .newest(let count):
            var shown: [PHAsset] = []
            var rows = try index.fetch(AssetQuery()) { _ in true }.rows
            while !rows.isEmpty, shown.count < count {
                let page = Array(rows.suffix(AssetList.pageCount).reversed())
                rows.removeLast(page.count)
                let records = try index.assets(page)
                shown += page.compactMap { records[$0].map { PHAsset($0, in: self) } }.filter(isShown)
            }
            return Array(shown.prefix(count))
        }
    }

    /// Whether the program may only read the assets that the user has selected.
    package var isLimited: Bool { status(for: .readWrite) == .limited }

    /// Removes a file that was written for a client, unless the client has moved it.
    package func removeWrittenFile(_ url: URL) {
        // A file that cannot be removed is in a temporary folder, which the system eventually deletes.
        if storage.fileExists(at: url) { try? storage.remove(url) }
    }
}
