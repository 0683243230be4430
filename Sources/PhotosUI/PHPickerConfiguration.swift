public import PhotoStore
public import UIKit

/// The features of a picker that can be hidden. Has no effect: the picker has no user interface.
public struct PHPickerCapabilities: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let search = PHPickerCapabilities(rawValue: 1 << 0)
    public static let stagingArea = PHPickerCapabilities(rawValue: 1 << 1)
    public static let collectionNavigation = PHPickerCapabilities(rawValue: 1 << 2)
    public static let selectionActions = PHPickerCapabilities(rawValue: 1 << 3)
    public static let sensitivityAnalysisIntervention = PHPickerCapabilities(rawValue: 1 << 4)
}

/// What a picker shows, and how many assets the user can choose.
public struct PHPickerConfiguration: Sendable, Hashable {
    /// Which form of an asset is preferred.
    public enum AssetRepresentationMode: Int, Sendable, Hashable {
        /// As `current`.
        case automatic = 0
        /// Files are delivered as they are stored.
        case current = 1
        /// HEIF photos are converted to JPEG, and HEVC movies to H.264, when their files are loaded.
        case compatible = 2
    }

    /// How the user selects assets. Results are always in the order of the choice, and delivered once.
    public enum Selection: Int, Sendable, Hashable {
        case `default` = 0
        case ordered = 1
        case continuous = 2
        case continuousAndOrdered = 3
    }

    /// The layout. Has no effect.
    public enum Mode: Int, Sendable, Hashable {
        case `default` = 0
        case compact = 1
    }

    /// Changes to a picker on the screen; nil properties remain unchanged.
    public struct Update: Sendable, Hashable {
        public var selectionLimit: Int?
        public var edgesWithoutContentMargins: NSDirectionalRectEdge?

        public init() {}
    }

    public var preferredAssetRepresentationMode = AssetRepresentationMode.automatic
    public var selection = Selection.default
    /// The maximum number of assets that the user can choose; 0 for no limit.
    public var selectionLimit = 1
    /// The assets that the picker shows; nil for all.
    public var filter: PHPickerFilter?
    /// The assets that are selected when the picker opens. Requires a configuration with a photo library. Results for
    /// them have an empty item provider.
    public var preselectedAssetIdentifiers: [String] = []
    public var mode = Mode.default
    public var edgesWithoutContentMargins: NSDirectionalRectEdge = []
    public var disabledCapabilities: PHPickerCapabilities = []
    /// Whether results have the local identifiers of their assets.
    let hasIdentifiers: Bool

    /// Creates a configuration for results without asset identifiers.
    public init() { hasIdentifiers = false }

    /// Creates a configuration for results with asset identifiers.
    ///
    /// - Parameter photoLibrary: The library of the current system; there is no other one.
    public init(photoLibrary: PHPhotoLibrary) { hasIdentifiers = true }
}
