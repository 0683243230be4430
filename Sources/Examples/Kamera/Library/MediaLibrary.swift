import AVFoundation
import AssetsLibrary
import Photos
import UIKit

/// A library in which photos and movies are saved. Completion handlers are called on any thread.
public protocol MediaLibrary: AnyObject {
    /// Saves a JPEG file; the first use prompts the user.
    func savePhoto(_ file: Data, completion: @escaping @Sendable ((any Error)?) -> Void)
    /// Returns whether the library can store a movie.
    func acceptsMovie(at url: URL) -> Bool
    /// Saves a copy of a movie; the first use prompts the user.
    func saveMovie(at url: URL, completion: @escaping @Sendable ((any Error)?) -> Void)
}

/// The assets library, as in the book on AVFoundation that docs/tutorials.md names.
public final class AssetsMediaLibrary: MediaLibrary {
    private let library = ALAssetsLibrary()

    public init() {}

    public func savePhoto(_ file: Data, completion: @escaping @Sendable ((any Error)?) -> Void) {
        guard let image = UIImage(data: file), let pixels = image.cgImage else {
            return completion(AVError(.decodeFailed))
        }
        let orientation = ALAssetOrientation(rawValue: image.imageOrientation.rawValue) ?? .up
        library.writeImage(toSavedPhotosAlbum: pixels, orientation: orientation) { _, error in completion(error) }
    }

    /// Returns whether the movie is compatible with the saved photos album.
    public func acceptsMovie(at url: URL) -> Bool { library.videoAtPathIs(compatibleWithSavedPhotosAlbum: url) }

    public func saveMovie(at url: URL, completion: @escaping @Sendable ((any Error)?) -> Void) {
        library.writeVideoAtPath(toSavedPhotosAlbum: url) { _, error in completion(error) }
    }
}

/// The photo library, which replaced the assets library.
public final class PhotosMediaLibrary: MediaLibrary {
    public init() {}

    public func savePhoto(_ file: Data, completion: @escaping @Sendable ((any Error)?) -> Void) {
        save({ PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file, options: nil) }, completion)
    }

    /// Returns whether the movie is compatible with the saved photos album.
    public func acceptsMovie(at url: URL) -> Bool { AVURLAsset(url: url).isCompatibleWithSavedPhotosAlbum }

    public func saveMovie(at url: URL, completion: @escaping @Sendable ((any Error)?) -> Void) {
        save({ _ = PHAssetChangeRequest.creationRequestForAssetFromVideo(atFileURL: url) }, completion)
    }

    private func save(
        _ changes: @escaping @Sendable () -> Void, _ completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        PHPhotoLibrary.shared().performChanges(changes) { isSaved, error in completion(isSaved ? nil : error) }
    }
}
