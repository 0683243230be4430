package import MediaCodecs

/// The contents of an exported movie other than its tracks.
package struct MovieContents {
    /// The metadata to write; without values if `boxes` contain them.
    package var metadata = MovieMetadata()
    /// The boxes of the source's movie and file that are kept byte for byte.
    package var boxes = StoredMovieBoxes()
    /// Descriptions of boxes of the source that cannot be kept, and of media that cannot be read.
    package var omissions: [String] = []

    package init() {}
}
