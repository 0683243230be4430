import Foundation

/// The folder of the movies. Each movie is named after the time at which its recording started.
public struct MovieFolder: Sendable {
    public let url: URL

    public init(url: URL) { self.url = url }

    /// The folder `shortVideo` in the app's documents.
    public static var documents: MovieFolder {
        let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
        return MovieFolder(url: documents.appendingPathComponent("shortVideo", isDirectory: true))
    }

    /// Returns the URL of a file that does not exist, such as `20261123093015.mp4`. Creates the folder if necessary.
    public func makeMovieURL(fileExtension: String) throws -> URL {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyyMMddHHmmss"
        let name = formatter.string(from: Date())
        var movie = url.appendingPathComponent(name).appendingPathExtension(fileExtension)
        var number = 2
        // Two movies can start in one second.
        while FileManager.default.fileExists(atPath: movie.path) {
            movie = url.appendingPathComponent("\(name)-\(number)").appendingPathExtension(fileExtension)
            number += 1
        }
        return movie
    }
}
