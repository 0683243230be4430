package import Foundation

/// The format of samples that are copied from another movie without knowledge of their codec: the sample description
/// entry of the source, byte for byte.
package struct StoredSampleFormat: Sendable, Hashable {
    /// The four-character code of the entry.
    package let code: String
    /// The handler type of the track: `vide`, `soun`, `tmcd`, `meta`, `text`, ….
    package let handler: String
    /// The bytes of the whole entry, including its box header.
    package let entry: Data
    /// Whether the entry has the form of QuickTime files, not that of ISO files.
    package let isQuickTime: Bool
    /// Whether the samples are frames of equal size and duration, as in PCM, and share runs.
    package let isUncompressed: Bool

    /// Creates a format.
    package init(code: String, handler: String, entry: Data, isQuickTime: Bool, isUncompressed: Bool) {
        self.code = code
        self.handler = handler
        self.entry = entry
        self.isQuickTime = isQuickTime
        self.isUncompressed = isUncompressed
    }
}

extension StoredSampleFormat {
    /// The video formats with the same sample entry in QuickTime and ISO files.
    private static let neutralVideoCodes: Set<String> = [
        "avc1", "avc2", "avc3", "avc4", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "vvc1", "vvi1", "av01", "vp08",
        "vp09", "mp4v", "s263", "dav1",
    ]
    /// The audio formats whose sample entry of version 0 is the same in QuickTime and ISO files.
    private static let neutralAudioCodes: Set<String> = [
        "ac-3", "ec-3", "ac-4", "Opus", "fLaC", "samr", "sawb", "sawp", "sevc", "sqcp", "dtsc", "dtse", "dtsh", "dtsl",
        "mlpa", "mha1", "mhm1", ".mp3",
    ]
    /// The other formats with the same sample entry in QuickTime and ISO files.
    private static let neutralOtherCodes: Set<String> = ["tx3g", "mebx", "mett", "metx", "urim", "gpmd"]

    /// Whether the entry is valid in both QuickTime and ISO files.
    private var isNeutral: Bool {
        switch handler {
        case "vide": Self.neutralVideoCodes.contains(code)
        // The entry's version follows the box header, the reserved bytes and the data reference index.
        case "soun":
            Self.neutralAudioCodes.contains(code) && entry.count > 18
                && entry.dropFirst(16).prefix(2).allSatisfy { $0 == 0 }
        default: Self.neutralOtherCodes.contains(code)
        }
    }

    /// Returns the reason why a container cannot contain the samples with this entry; nil if it can.
    func rejectionReason(in container: MovieContainer) -> String? {
        if container == .m4a, handler == "vide" { return MovieContainer.videoInM4AReason }
        guard isQuickTime != (container == .mov), !isNeutral else { return nil }
        let (source, target) = isQuickTime ? ("a QuickTime", "an MPEG-4") : ("an MPEG-4", "a QuickTime")
        return "the description of '\(code)' samples in \(source) file is not valid in \(target) file"
    }
}
