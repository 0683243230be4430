import CaptureHAL
public import Foundation
import FoundationAdditions
import PhotoStore
public import UIKit

/// Receives the choice of the user in a picker.
@preconcurrency @MainActor
public protocol PHPickerViewControllerDelegate: AnyObject {
    /// Called once when the user has chosen assets, in their order, or has closed the picker: `results` is then empty.
    /// The app dismisses the picker.
    func picker(_ picker: PHPickerViewController, didFinishPicking results: [PHPickerResult])
}

/// Lets the user choose photos and movies, without authorization to read the library.
///
/// - Note: Unlike Apple, nothing is displayed. The user's choice is an answer of the capture system, which a test sets:
///   `simulated.system.photoPickers.setAnswer(.selectNewest(2), to: .photos)`. Without an answer, the picker waits until
///   it is dismissed.
@preconcurrency @MainActor
public final class PHPickerViewController: UIViewController {
    public private(set) var configuration: PHPickerConfiguration
    public weak var delegate: (any PHPickerViewControllerDelegate)?
    private let prompt: PickerPrompt
    /// The assets that are selected when the user begins.
    private var preselected: [String]
    private var isFinished = false

    public init(configuration: PHPickerConfiguration) {
        self.configuration = configuration
        preselected = configuration.hasIdentifiers ? configuration.preselectedAssetIdentifiers : []
        prompt = PickerPrompt(.photos)
        super.init(nibName: nil, bundle: nil)
    }

    /// Creates a picker with the default configuration; archives are not read.
    public required init?(coder: NSCoder) {
        configuration = PHPickerConfiguration()
        preselected = []
        prompt = PickerPrompt(.photos)
        super.init(coder: coder)
    }

    public override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        guard !isFinished else { return }
        prompt.open { [weak self] in self?.finish($0) }
    }

    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        prompt.close()
    }

    /// Changes the selection limit of a picker on the screen.
    public func updatePicker(using configuration: PHPickerConfiguration.Update) {
        if let limit = configuration.selectionLimit { self.configuration.selectionLimit = limit }
        if let edges = configuration.edgesWithoutContentMargins {
            self.configuration.edgesWithoutContentMargins = edges
        }
    }

    /// Deselects assets that were selected when the picker was opened.
    public func deselectAssets(withIdentifiers identifiers: [String]) {
        preselected.removeAll { identifiers.contains($0) }
    }

    /// Has no effect: the order is that of the user's choice.
    public func moveAsset(withIdentifier identifier: String, afterAssetWithIdentifier afterIdentifier: String?) {}

    /// Has no effect: nothing is displayed.
    public func scrollToInitialPosition() {}
    /// Has no effect: nothing is displayed.
    public func zoomIn() {}
    /// Has no effect: nothing is displayed.
    public func zoomOut() {}

    private func finish(_ choice: PhotoPickerAnswer.Choice) {
        isFinished = true
        delegate?.picker(self, didFinishPicking: chosenAssets(choice).map(result))
    }

    /// Returns the assets of the user's choice that the picker can return; others are misuse by the test that chooses.
    private func chosenAssets(_ choice: PhotoPickerAnswer.Choice) -> [PHAsset] {
        let assets = pickedAssets(choice) { [configuration] in configuration.filter?.matches($0) ?? true }
        let limit = configuration.selectionLimit
        guard limit > 0, assets.count > limit else { return assets }
        CaptureSystem.current.misuse.report(
            .invalidArgument, "the user cannot choose \(assets.count) assets: the selection limit is \(limit)")
        return Array(assets.prefix(limit))
    }

    private func result(_ asset: PHAsset) -> PHPickerResult {
        let isPreselected = preselected.contains(asset.localIdentifier)
        let isCompatible = configuration.preferredAssetRepresentationMode == .compatible
        return PHPickerResult(
            itemProvider: isPreselected ? NSItemProvider() : NSItemProvider(asset, isCompatible: isCompatible),
            assetIdentifier: configuration.hasIdentifiers ? asset.localIdentifier : nil)
    }
}
