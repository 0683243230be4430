package import Foundation
package import MediaTypes

/// What a QuickTime or MPEG-4 file holds and where, as its own boxes tell it.
package struct MovieMap: Sendable {
    /// A box of the file's top level.
    package struct Box: Sendable, Hashable {
        package var type: String
        package var offset: Int64
        package var headerByteCount: Int64
        /// The whole box; as far as the file goes where it says that it reaches beyond.
        package var byteCount: Int64
        /// Whether the file ends inside the box.
        package var isCutOff: Bool
        /// Whether the box says that it reaches to the file's end.
        package var isOpen: Bool

        package var end: Int64 { offset + byteCount }
        /// What is behind the header.
        package var body: Range<Int64> { offset + headerByteCount..<max(offset + headerByteCount, end) }
    }

    package struct Fragment: Sendable, Hashable {
        /// As it says in the file; from 1, ascending.
        package var sequenceNumber: UInt32
        /// Of the `moof` box.
        package var offset: Int64
        package var byteCount: Int64
        package var tracks: [Part]

        package struct Part: Sendable, Hashable {
            package var trackNumber: UInt32
            /// Ticks of the track.
            package var decodeTime: Int64
            package var sampleCount: Int
            package var mediaByteCount: Int64
        }
    }

    /// An entry of metadata.
    package struct Entry: Sendable, Hashable {
        /// Where it lies.
        package enum Space: String, Sendable, Hashable {
            /// QuickTime's metadata atom, by reverse-domain keys.
            case quickTimeMetadata = "mdta"
            /// QuickTime's user data, by four characters.
            case quickTimeUserData = "udta"
            /// 3GPP's and ISO's user data.
            case isoUserData = "uiso"
            /// MPEG-4's item list.
            case itemList = "itsk"
        }

        package enum Value: Sendable, Hashable {
            case text(String)
            case integer(Int64)
            case real(Double)
            /// By a well-known type of QTFF, 0 for none: 13 JPEG, 14 PNG, 27 BMP.
            case data(Data, type: UInt32)
        }

        package var space: Space
        /// Four-character keys hold the © of the file.
        package var key: String
        package var value: Value
        /// BCP 47, where the file tells a language.
        package var language: String?
    }

    package var byteCount: Int64 = 0
    package var majorBrand = ""
    package var compatibleBrands: [String] = []
    package var boxes: [Box] = []
    /// Ticks a second of the movie's own times.
    package var timescale: CMTimeScale = 0
    /// Seconds since 1970; nil where the file does not tell.
    package var creationSecondsSince1970: Int64?
    package var preferredRate = 1.0
    package var preferredVolume = 1.0
    package var tracks: [TrackMap] = []
    /// Whether the header says that fragments follow.
    package var isFragmented = false
    package var fragments: [Fragment] = []
    package var metadata: [Entry] = []
    package var problems: [MovieProblem] = []

    /// Whether the file is QuickTime's own kind rather than MPEG-4's.
    package var isQuickTime: Bool { majorBrand.isEmpty || majorBrand == "qt  " }

    /// The end of the last track.
    package var duration: CMTime { tracks.map(\.timeRange.end).filter(\.isNumeric).max() ?? .zero }

    package func track(_ number: UInt32) -> TrackMap? { tracks.first { $0.number == number } }
}
