public import FoundationAdditions

/// An asset that the user has chosen.
public struct PHPickerResult: Sendable, Hashable {
    /// Provides the photo or movie, also without authorization to read the library.
    public let itemProvider: NSItemProvider
    /// The local identifier of the asset; nil if the configuration of the picker was created without a photo library.
    public let assetIdentifier: String?
}
