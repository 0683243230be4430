/// Keeps back metadata that should not leave the machine.
public final class AVMetadataItemFilter: Sendable {
    private init() {}

    /// Lets nothing through that tells where or by whom something was made, nor keys that are not known.
    public class func forSharing() -> AVMetadataItemFilter { AVMetadataItemFilter() }

    private static let allowed: Set<AVMetadataKey> = [
        .commonKeyTitle, .commonKeyDescription, .commonKeyAlbumName, .commonKeyArtist, .commonKeyArtwork,
        .commonKeyCopyrights, .commonKeyCreationDate, .commonKeyMake, .commonKeyModel, .commonKeySoftware,
        .commonKeyAccessibilityDescription,
    ]

    func passes(_ item: AVMetadataItem) -> Bool { item.commonKey.map(Self.allowed.contains) ?? false }
}
