package import Foundation
package import MediaTypes

/// The contents of a QuickTime or MPEG-4 file according to its boxes: tracks, samples and metadata.
package struct MovieMap: Sendable {
    /// A top-level box of the file.
    package struct Box: Sendable, Hashable {
        /// The four-character code.
        package var type: String
        /// The offset in the file.
        package var offset: Int64
        /// The size of the header in bytes.
        package var headerByteCount: Int64
        /// The size of the box in bytes, limited by the end of the file.
        package var byteCount: Int64
        /// Whether the file ends within the box.
        package var isCutOff: Bool
        /// Whether the box has no size and extends to the end of the file.
        package var isOpen: Bool

        package init(
            type: String, offset: Int64, headerByteCount: Int64, byteCount: Int64, isCutOff: Bool, isOpen: Bool
        ) {
            self.type = type
            self.offset = offset
            self.headerByteCount = headerByteCount
            self.byteCount = byteCount
            self.isCutOff = isCutOff
            self.isOpen = isOpen
        }

        /// The offset of the end.
        package var end: Int64 { offset + byteCount }
        /// The range of the contents after the header.
        package var body: Range<Int64> { offset + headerByteCount..<max(offset + headerByteCount, end) }
    }

    /// A movie fragment.
    package struct Fragment: Sendable, Hashable {
        /// The sequence number; numbers start at 1 and are in ascending order.
        package var sequenceNumber: UInt32
        /// The offset of the `moof` box.
        package var offset: Int64
        /// The size of the `moof` box in bytes.
        package var byteCount: Int64
        /// The track fragments.
        package var tracks: [TrackFragment]

        package init(sequenceNumber: UInt32, offset: Int64, byteCount: Int64, tracks: [TrackFragment]) {
            self.sequenceNumber = sequenceNumber
            self.offset = offset
            self.byteCount = byteCount
            self.tracks = tracks
        }

        /// A track fragment.
        package struct TrackFragment: Sendable, Hashable {
            /// The number of the track.
            package var trackNumber: UInt32
            /// The decode time of the first sample, in ticks of the track.
            package var decodeTime: Int64
            /// The number of samples.
            package var sampleCount: Int
            /// The size of the samples in bytes.
            package var mediaByteCount: Int64

            package init(trackNumber: UInt32, decodeTime: Int64, sampleCount: Int, mediaByteCount: Int64) {
                self.trackNumber = trackNumber
                self.decodeTime = decodeTime
                self.sampleCount = sampleCount
                self.mediaByteCount = mediaByteCount
            }
        }
    }

    /// A metadata item.
    package struct Entry: Sendable, Hashable {
        /// The key space, named as in `AVMetadataKeySpace`.
        package enum Space: String, Sendable, Hashable {
            /// QuickTime's metadata atom, with reverse-domain keys.
            case quickTimeMetadata = "mdta"
            /// QuickTime's user data, with four-character keys.
            case quickTimeUserData = "udta"
            /// User data of 3GPP and ISO.
            case isoUserData = "uiso"
            /// The item list of MPEG-4.
            case itemList = "itsk"
        }

        /// The value of an item.
        package enum Value: Sendable, Hashable {
            case text(String)
            case integer(Int64)
            case real(Double)
            /// Data with its well-known type of QTFF, 0 for none: 13 JPEG, 14 PNG, 27 BMP.
            case data(Data, type: UInt32)
        }

        /// The key space.
        package var space: Space
        /// The key; a four-character key includes its ©.
        package var key: String
        /// The value.
        package var value: Value
        /// The language as an ISO 639-2/T code; nil if the file does not specify it.
        package var language: String?

        package init(space: Space, key: String, value: Value, language: String? = nil) {
            self.space = space
            self.key = key
            self.value = value
            self.language = language
        }
    }

    /// The size of the file in bytes.
    package var byteCount: Int64 = 0
    /// The major brand; empty if the file has no `ftyp` box.
    package var majorBrand = ""
    /// The compatible brands.
    package var compatibleBrands: [String] = []
    /// The top-level boxes in file order.
    package var boxes: [Box] = []
    /// The movie's time scale in ticks per second.
    package var timescale: CMTimeScale = 0
    /// The creation time in seconds since 1970-01-01 00:00 UTC; nil if the file does not specify it.
    package var creationSecondsSince1970: Int64?
    /// The preferred playback rate; 1 is normal speed.
    package var preferredRate = 1.0
    /// The preferred volume; 1 is full volume.
    package var preferredVolume = 1.0
    /// The tracks in file order.
    package var tracks: [TrackMap] = []
    /// Whether the header indicates that fragments can follow (`mvex`).
    package var isFragmented = false
    /// The fragments in file order.
    package var fragments: [Fragment] = []
    /// The metadata of the movie.
    package var metadata: [Entry] = []
    /// The boxes that a copy of the movie keeps byte for byte, except those of the file.
    package var storedBoxes = StoredMovieBoxes()
    /// Descriptions of the boxes of the movie that cannot be copied, with the reasons.
    package var omittedBoxes: [String] = []
    /// The problems found while reading.
    package var problems: [MovieProblem] = []
    /// Why the file has no index; nil if it has one.
    package var missingIndexReason: String?
    /// Descriptions of tracks, samples and edit lists that the file may contain, but that cannot be read because the boxes
    /// that describe them are damaged. A copy of the movie lacks them. Samples after the end of a truncated file are not
    /// listed.
    package var losses: [String] = []

    package init() {}

    /// Whether the file ends within a box, as after an interrupted recording or transfer.
    package var isTruncated: Bool { boxes.contains(where: \.isCutOff) }

    /// Whether the file is a QuickTime file, not an MPEG-4 file.
    package var isQuickTime: Bool { majorBrand.isEmpty || majorBrand == "qt  " }

    /// The latest end of a track on the movie's timeline.
    package var duration: CMTime { tracks.map(\.timeRange.end).filter(\.isNumeric).max() ?? .zero }

    /// Returns the track with a number.
    package func track(_ number: UInt32) -> TrackMap? { tracks.first { $0.number == number } }
}
