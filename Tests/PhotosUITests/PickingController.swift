import PhotosUI

// This file imports only what an app imports.

/// Lets the user pick photos, as the samples of Apple's documentation do.
@MainActor
final class PickingController: UIViewController, PHPickerViewControllerDelegate {
    private(set) var results: [[PHPickerResult]] = []

    func pick(_ configuration: PHPickerConfiguration) {
        let picker = PHPickerViewController(configuration: configuration)
        picker.delegate = self
        present(picker, animated: true)
    }

    func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult]) {
        picker.dismiss(animated: true)
        self.results.append(results)
    }

    var identifiers: [[String?]] { results.map { $0.map(\.assetIdentifier) } }
}
