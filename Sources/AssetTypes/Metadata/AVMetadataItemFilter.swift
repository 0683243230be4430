/// Filters out metadata that should not be shared.
public final class AVMetadataItemFilter: Sendable {
    private init() {}

    /// Returns a filter that keeps only items with certain common keys, such as the title and the creation date.
    ///
    /// All other items are removed, among them the location and the author.
    public class func forSharing() -> AVMetadataItemFilter { AVMetadataItemFilter() }

    private static let allowed: Set<AVMetadataKey> = [
        .commonKeyTitle, .commonKeyDescription, .commonKeyAlbumName, .commonKeyArtist, .commonKeyArtwork,
        .commonKeyCopyrights, .commonKeyCreationDate, .commonKeyMake, .commonKeyModel, .commonKeySoftware,
        .commonKeyAccessibilityDescription,
    ]

    package func passes(_ item: AVMetadataItem) -> Bool { item.commonKey.map(Self.allowed.contains) ?? false }
}
