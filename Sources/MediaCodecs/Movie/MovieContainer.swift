/// The kind of a movie file.
package enum MovieContainer: String, Sendable, Hashable, CaseIterable {
    /// QuickTime (QTFF).
    case mov
    /// ISO base media with MPEG-4 (ISO/IEC 14496-14).
    case mp4
    /// The same under Apple's name for movies.
    case m4v
    /// The same for sound alone.
    case m4a

    /// `ftyp` (ISO/IEC 14496-12, 4.3), 32 bytes, so that the next box lies well for `MovieFileWriter`.
    ///
    /// `iso6` stands for `tfdt` and data offsets from the `moof`; empty brands are as QuickTime 7 wrote them.
    func appendFileType(to builder: inout BoxBuilder) {
        let (major, version, compatible): (String, UInt32, [String]) =
            switch self {
            case .mov: ("qt  ", 0x2005_0300, ["qt  ", "\0\0\0\0", "\0\0\0\0", "\0\0\0\0"])
            case .mp4: ("mp42", 1, ["mp41", "mp42", "isom", "iso6"])
            case .m4v: ("M4V ", 1, ["M4V ", "mp42", "isom", "iso6"])
            case .m4a: ("M4A ", 0, ["M4A ", "mp42", "isom", "iso6"])
            }
        builder.box("ftyp") { box in
            box.code(major)
            box.unsigned32(version)
            for brand in compatible { box.code(brand) }
        }
    }

    /// Why the container cannot hold a track, or nil where it can.
    package func refusal(of format: MovieSampleFormat) -> String? {
        switch (self, format) {
        case (.m4a, .video): "an M4A file holds sound only; use .mp4 or .mov for pictures"
        case (_, .timecode) where self != .mov: "only a QuickTime file has timecode; use .mov"
        case (.mp4, .video(let video)), (.m4v, .video(let video)):
            video.codec == .jpeg ? "an \(rawValue.uppercased()) file cannot hold JPEG video; use .mov" : nil
        case (.mp4, .audio(let audio)), (.m4v, .audio(let audio)), (.m4a, .audio(let audio)):
            audio.isPCM ? "an \(rawValue.uppercased()) file cannot hold PCM; use .mov" : nil
        default: nil
        }
    }
}
