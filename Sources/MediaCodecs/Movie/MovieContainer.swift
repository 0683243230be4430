/// The file format of a movie.
package enum MovieContainer: String, Sendable, Hashable, CaseIterable {
    /// QuickTime (QTFF).
    case mov
    /// ISO base media with MPEG-4 (ISO/IEC 14496-14).
    case mp4
    /// MPEG-4 with Apple's file type for video.
    case m4v
    /// MPEG-4 with Apple's file type for audio only.
    case m4a

    /// Appends an `ftyp` box (ISO/IEC 14496-12, 4.3) of 32 bytes, which aligns the next box for `MovieFileWriter`.
    ///
    /// The brand `iso6` indicates `tfdt` boxes and data offsets relative to the `moof`. QuickTime 7 writes the same
    /// empty brands.
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

    static let videoInM4AReason = "an M4A file contains audio only: use .mp4 or .mov for video"

    /// Returns the reason why the container cannot contain a track; nil if it can.
    package func rejectionReason(for format: MovieSampleFormat) -> String? {
        switch (self, format) {
        case (_, .stored(let stored)): stored.rejectionReason(in: self)
        case (.m4a, .video): Self.videoInM4AReason
        case (_, .timecode) where self != .mov: "only a QuickTime file can contain timecode: use .mov"
        case (.mp4, .video(let video)), (.m4v, .video(let video)):
            video.codec.isIntraOnly
                ? "an \(rawValue.uppercased()) file cannot contain \(video.codec.name) video: use .mov" : nil
        case (.mp4, .audio(let audio)), (.m4v, .audio(let audio)), (.m4a, .audio(let audio)):
            audio.isPCM ? "an \(rawValue.uppercased()) file cannot contain PCM: use .mov" : nil
        default: nil
        }
    }
}
