import AVFoundation
import PhotosUI

/// An app that copies photos that the user picks, and lists the assets that it may read.
@MainActor
final class PhotoPickingApp: UIViewController, PHPickerViewControllerDelegate, PHPhotoLibraryChangeObserver {
    struct MissingImage: Error {}

    /// The numbers of assets that the user has picked, one for each picker.
    private(set) var pickedCounts: [Int] = []
    /// The sizes of the assets that the app may read, one list for each call of `list`.
    private(set) var lists: [[CGSize]] = []
    /// The number of assets that each change of the selection has added.
    private(set) var addedCounts: [Int] = []
    /// The numbers of assets that were inserted and removed, as an observer learns them.
    private(set) var observed: [[Int]] = []
    private var assets: PHFetchResult<PHAsset>?

    var isPicking: Bool { presentedViewController != nil }

    // MARK: Copies

    func pick() {
        var configuration = PHPickerConfiguration()
        configuration.selectionLimit = 3
        configuration.filter = .images
        let picker = PHPickerViewController(configuration: configuration)
        picker.delegate = self
        present(picker, animated: true)
    }

    func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
        picker.dismiss(animated: true)
        pickedCounts.append(results.count)
        for provider in results.map(\.itemProvider) {
            provider.loadDataRepresentation(for: .image) { data, _ in
                guard let data else { return }
                PHPhotoLibrary.shared().performChanges {
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, data: data, options: nil)
                }
            }
        }
    }

    // MARK: Limited access

    func authorize() async {
        _ = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
        assets = PHAsset.fetchAssets(with: nil)
        PHPhotoLibrary.shared().register(self)
    }

    func list() {
        let assets = PHAsset.fetchAssets(with: nil)
        lists.append(
            assets.objects(at: IndexSet(0..<assets.count)).map { CGSize(width: $0.pixelWidth, height: $0.pixelHeight) })
    }

    func changeSelection() async {
        addedCounts.append(await PHPhotoLibrary.shared().presentLimitedLibraryPicker(from: self).count)
    }

    nonisolated func photoLibraryDidChange(_ changeInstance: PHChange) {
        Task { @MainActor in
            guard let assets, let details = changeInstance.changeDetails(for: assets) else { return }
            observed.append([details.insertedObjects.count, details.removedObjects.count])
            self.assets = details.fetchResultAfterChanges
        }
    }
}
