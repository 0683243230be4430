package import Foundation

/// The parts of a track that are copied from its file byte for byte. They are written to files of the same family
/// (QuickTime or ISO) only.
package struct StoredTrackBoxes: Sendable, Hashable {
    /// Whether the boxes are those of a QuickTime file, not those of an ISO file.
    package var isQuickTime: Bool
    /// The language field of the media header, which can be a code of QuickTime; nil for the language of the
    /// configuration.
    package var language: UInt16?
    /// The `hdlr` box of the media; nil for one with the handler type of the format.
    package var handler: Data?
    /// The media header box: `vmhd`, `smhd`, `gmhd`, `nmhd`, `sthd` or `hmhd`; nil for that of the format.
    package var mediaHeader: Data?
    /// Boxes of the track that do not depend on its samples, such as `tapt`, `udta` and `meta`.
    package var trackBoxes: [Data] = []
    /// Boxes of the sample table that describe samples by their numbers, such as `sgpd`, `sbgp` and `sdtp`. They are valid only if
    /// the first samples are copied, in the same order; see `selectSamples(_:)`.
    package var sampleBoxes: [Data] = []

    /// Creates boxes.
    package init(isQuickTime: Bool) { self.isQuickTime = isQuickTime }
}
