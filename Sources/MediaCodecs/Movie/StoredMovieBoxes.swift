package import Foundation

/// The parts of a movie file, other than its tracks, that a copy keeps byte for byte.
package struct StoredMovieBoxes: Sendable, Hashable {
    /// The `ftyp` box; nil for that of the container.
    package var fileType: Data?
    /// The fields of the movie header (`mvhd`) from the preferred rate up to the number of the next track; nil for the
    /// default values.
    package var header: Data?
    /// The boxes of the movie other than its header and tracks, such as `udta` and `meta`.
    package var movieBoxes: [Data] = []
    /// The boxes of the file other than the movie and its media, such as `uuid`.
    package var fileBoxes: [Data] = []

    /// The size in bytes of `header`.
    package static let headerByteCount = 76

    /// Creates no boxes.
    package init() {}
}
