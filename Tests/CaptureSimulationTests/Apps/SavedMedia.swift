import AVFoundation
import Foundation
import Photos
import XCTest

/// The photos and movies that the example apps have saved.
enum SavedMedia {
    /// The photos of the library of the running test's system.
    static var photos: PHFetchResult<PHAsset> { PHAsset.fetchAssets(with: .image, options: nil) }

    /// The movies of the library of the running test's system.
    static var movies: PHFetchResult<PHAsset> { PHAsset.fetchAssets(with: .video, options: nil) }

    /// The duration of the only movie in a folder, in seconds.
    static func recordedMovieDuration(in folder: URL) throws -> Double {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let movies = files.filter { $0.pathExtension == "mov" }
        XCTAssertEqual(movies.count, 1)
        return AVURLAsset(url: try XCTUnwrap(movies.first)).duration.seconds
    }
}
