import CCaptureScenarios
package import CaptureHAL
package import Foundation
package import MediaStorage
import MediaTypes

/// The photo library of a scenario. Adds the initial assets, logs changes, and returns the contents at the end.
///
/// `ScenarioPhotoLibrary` implements it with the photo library of apps.
package protocol ScenarioLibrary: AnyObject, Sendable {
    /// Adds the initial assets and albums; called once, before the scenario plays.
    ///
    /// - Parameters:
    ///   - storage: The simulated storage. Its free space does not change.
    ///   - baseFolder: The folder of files with relative paths; nil for the working directory.
    func fill(_ contents: Scenario.Library, storage: SimStorage, filesIn baseFolder: URL?) throws

    /// Makes the library available or unavailable.
    func setAvailable(_ isAvailable: Bool)

    /// Creates an asset from a file with the API that apps use. If `title` is not nil, adds it to the album with this
    /// title, which is created if it does not exist.
    func createAsset(from url: URL, album title: String?)

    /// Fetches the assets with the API that apps use, and logs the numbers of photos and movies.
    func fetchAssets()

    /// Returns the contents of the library; empty if the library has not been used.
    func contents() throws -> LibraryContents
}

/// The assets and albums of a photo library.
package struct LibraryContents: Sendable {
    /// An asset.
    package struct Asset: Sendable {
        package let isMovie: Bool
        /// Width and height in pixels.
        package let size: [Int]
        /// The duration of a movie in seconds.
        package let duration: Double
        /// The titles of the albums with the asset.
        package let albums: [String]
        package let isFavorite: Bool
        package let isHidden: Bool
        /// Whether the asset was added after the scenario began.
        package let isAdded: Bool

        package init(
            isMovie: Bool, size: [Int], duration: Double, albums: [String], isFavorite: Bool, isHidden: Bool,
            isAdded: Bool
        ) {
            (self.isMovie, self.size, self.duration, self.albums) = (isMovie, size, duration, albums)
            (self.isFavorite, self.isHidden, self.isAdded) = (isFavorite, isHidden, isAdded)
        }
    }

    /// The assets in the order of their import.
    package var assets: [Asset] = []
    /// The titles of the albums.
    package var albums: [String] = []

    package init() {}
}

/// Creates the photo libraries of scenarios.
package enum ScenarioLibraries {
    /// Creates a library for a system, which is the current system. Events are logged in the log.
    package typealias Factory = @Sendable (_ system: CaptureSystem, _ log: EventLog) -> any ScenarioLibrary

    private static let factory = Lock<Factory?>(nil)

    /// Sets the function that creates libraries. The module that provides it calls this function when it is installed.
    package static func setFactory(_ create: @escaping Factory) { factory.withLock { $0 = create } }

    /// Creates the library of a system; one without assets if the program has no photo library.
    static func library(of system: CaptureSystem, log: EventLog) -> any ScenarioLibrary {
        ccapturescenarios_install_linked_library()
        let create = factory.withLock { $0 }
        return system.run { create?(system, log) ?? MissingLibrary(log: log) }
    }
}

/// The library of a program that is built without a photo library.
final class MissingLibrary: ScenarioLibrary {
    /// An attempt to use the photo library.
    struct UsageError: Error, CustomStringConvertible {
        let description = "the program has no photo library; build it with the package trait PhotoLibrary"
    }

    private let log: EventLog

    init(log: EventLog) { self.log = log }

    func fill(_ contents: Scenario.Library, storage: SimStorage, filesIn baseFolder: URL?) throws { throw UsageError() }

    func setAvailable(_ isAvailable: Bool) {}

    func createAsset(from url: URL, album title: String?) {
        log.note("cannot create the asset \(url.lastPathComponent): \(UsageError())")
    }

    func fetchAssets() { log.note("cannot fetch the assets: \(UsageError())") }

    func contents() -> LibraryContents { LibraryContents() }
}
