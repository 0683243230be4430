import CaptureHAL
public import PhotoStore
public import UIKit

extension PHPhotoLibrary {
    /// Lets the user select the assets that the program may read with limited authorization. Otherwise, it has no effect.
    ///
    /// Observers receive the change of the selection.
    /// - Note: Unlike Apple, nothing is displayed. The user's choice is an answer of the capture system, which a test
    ///   sets: `simulated.system.photoPickers.setAnswer(.select(identifiers), to: .limitedLibrary)`.
    @MainActor
    public func presentLimitedLibraryPicker(from controller: UIViewController) {
        presentLimitedLibraryPicker(from: controller) { _ in }
    }

    /// Lets the user select the assets that the program may read with limited authorization.
    ///
    /// - Parameter completionHandler: Runs once, on the main queue, when the picker is closed, with the identifiers of
    ///   the assets that were not selected before; without limited authorization immediately and without identifiers.
    @preconcurrency @MainActor
    public func presentLimitedLibraryPicker(
        from controller: UIViewController, completionHandler: @escaping @MainActor @Sendable ([String]) -> Void
    ) {
        guard isLimited, controller.presentedViewController == nil else {
            return system.deliver(on: .main) { MainActor.assumeIsolated { completionHandler([]) } }
        }
        controller.present(LimitedLibraryPickerController(self, completionHandler), animated: true)
    }

    /// Lets the user select the assets that the program may read with limited authorization.
    ///
    /// - Returns: The identifiers of the assets that were not selected before.
    @MainActor
    public func presentLimitedLibraryPicker(from controller: UIViewController) async -> [String] {
        await withCheckedContinuation { continuation in
            presentLimitedLibraryPicker(from: controller) { continuation.resume(returning: $0) }
        }
    }
}

/// The picker of the limited library on the screen. It dismisses itself.
private final class LimitedLibraryPickerController: UIViewController {
    private let library: PHPhotoLibrary
    private let prompt = PickerPrompt(.limitedLibrary)
    /// Nil once it was called.
    private var completion: (@MainActor @Sendable ([String]) -> Void)?

    init(_ library: PHPhotoLibrary, _ completion: @escaping @MainActor @Sendable ([String]) -> Void) {
        (self.library, self.completion) = (library, completion)
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        prompt.open { [weak self] in self?.finish($0) }
    }

    /// The app can also dismiss the picker, which does not change the selection.
    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        prompt.close()
        complete([])
    }

    private func finish(_ choice: PhotoPickerAnswer.Choice) {
        if choice != .cancel {
            let selected = pickedAssets(choice) { _ in true }.map(\.localIdentifier)
            // A selection that cannot be stored is unchanged.
            complete((try? library.replaceSelection(with: Set(selected))) ?? [])
        }
        dismiss(animated: true)
    }

    private func complete(_ identifiers: [String]) {
        let completion = completion.take()
        completion?(identifiers)
    }
}
