import Foundation
import PhotoStore

/// The movies of Live Photos among files to import. A photo and a movie belong together if they have the same content
/// identifier; their names do not matter.
///
/// Only the indexes of movies are read in advance. Without such a movie, no photo is read.
struct LivePhotoPairs {
    /// The movies with an identifier that no photo has had so far, and their identifiers.
    private(set) var movies: [(identifier: String, path: String)] = []

    /// Reads the identifiers of the movies among the files.
    init(_ files: [String]) {
        for file in files {
            let url = URL(fileURLWithPath: file)
            guard PHAssetResourceType(contentsOf: url) == .video,
                let identifier = ContentIdentifier.read(url, as: .video)
            else { continue }
            movies.append((identifier, file))
        }
    }

    /// Returns the movie of a file that is a photo, and removes it from those without a photo; nil if there is none.
    mutating func takeMovie(of photo: String) -> String? {
        let url = URL(fileURLWithPath: photo)
        guard !movies.isEmpty, PHAssetResourceType(contentsOf: url) == .photo,
            let identifier = ContentIdentifier.read(url, as: .photo),
            let index = movies.firstIndex(where: { $0.identifier == identifier })
        else { return nil }
        return movies.remove(at: index).path
    }

    /// Returns the first movie without a photo, and removes it; nil if there is none.
    mutating func takeFirst() -> String? { movies.isEmpty ? nil : movies.removeFirst().path }
}
