import CaptureHAL
import PhotoStore

/// The question to the user of one picker on the screen.
@MainActor
final class PickerPrompt {
    private let picker: PhotoPicker
    private let pickers: PhotoPickers
    private let system: SystemReference
    private var number: Int?

    /// Creates a prompt in the current system.
    init(_ picker: PhotoPicker) {
        self.picker = picker
        let current = CaptureSystem.current
        (pickers, system) = (current.photoPickers, current.reference)
    }

    /// Asks the user.
    ///
    /// - Parameter handler: Runs at most once, on the main queue.
    func open(_ handler: @escaping @MainActor @Sendable (PhotoPickerAnswer.Choice) -> Void) {
        guard number == nil else { return }
        number = pickers.open(picker) { [system] choice in
            system.deliver(on: .main) { MainActor.assumeIsolated { handler(choice) } }
        }
    }

    /// Removes the question from the screen.
    func close() {
        if let number { pickers.close(number) }
        number = nil
    }
}

/// Returns the assets that the user chooses in a picker of the current system; none if the library cannot be read, as
/// with a picker that shows an error.
@MainActor
func pickedAssets(_ choice: PhotoPickerAnswer.Choice, where isShown: (PHAsset) -> Bool) -> [PHAsset] {
    (try? PHPhotoLibrary.shared().assets(choice, where: isShown)) ?? []
}
