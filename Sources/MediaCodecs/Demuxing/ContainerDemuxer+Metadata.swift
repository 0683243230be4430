import CLibAV
import Foundation

// The metadata of a file.
extension ContainerDemuxer {
    /// Parses the creation date: the moment of the shot in the metadata of phones (QuickTime) or in tags (Matroska);
    /// otherwise the date of the file, which is that of the last export and which libavformat returns in UTC.
    static func creationDate(in metadata: OpaquePointer?) -> Date? {
        ["com.apple.quicktime.creationdate", "date_recorded", "creation_time"].lazy
            .compactMap { value(ofKey: $0, in: metadata) }
            .compactMap { EXIF.Moment(text: $0)?.date }
            .first { !unknownDates.contains($0) }
    }

    /// The epochs of Unix and of QuickTime (1904), which are written by cameras without a clock.
    private static let unknownDates = [0, -2_082_844_800].map(Date.init(timeIntervalSince1970:))

    /// Returns the first value with text of several keys; nil if there is none.
    static func text(ofKeys keys: [String], in metadata: OpaquePointer?) -> String? {
        keys.lazy.compactMap { value(ofKey: $0, in: metadata) }
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.first { !$0.isEmpty }
    }

    /// Parses the location. libavformat returns QuickTime metadata under its own key, and the location of user data
    /// and of other containers under a common key.
    static func location(in metadata: OpaquePointer?) -> EXIF.Location? {
        ["com.apple.quicktime.location.ISO6709", "location"].lazy
            .compactMap { value(ofKey: $0, in: metadata) }
            .compactMap { EXIF.Location(iso6709: $0) }.first
    }

    /// Returns the value of a key; keys are compared case-insensitively.
    private static func value(ofKey key: String, in metadata: OpaquePointer?) -> String? {
        guard let entry = av_dict_get(metadata, key, nil, 0), let value = entry.pointee.value else { return nil }
        return String(cString: value)
    }
}
