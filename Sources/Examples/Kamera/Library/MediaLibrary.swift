import AVFoundation
import AssetsLibrary
import Photos
import UIKit

/// Where photos and movies are saved. Completion handlers are called on any thread.
public protocol MediaLibrary: AnyObject {
    /// Saves a JPEG file; the first use asks the user.
    func savePhoto(_ file: Data, completion: @escaping @Sendable ((any Error)?) -> Void)
    /// Whether the library can play a movie.
    func acceptsMovie(at url: URL) -> Bool
    /// Saves a copy of a movie; the first use asks the user.
    func saveMovie(at url: URL, completion: @escaping @Sendable ((any Error)?) -> Void)
}

/// The assets library, which the book uses that this app follows.
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

    /// Asks the assets library.
    public func acceptsMovie(at url: URL) -> Bool { library.videoAtPathIs(compatibleWithSavedPhotosAlbum: url) }

    public func saveMovie(at url: URL, completion: @escaping @Sendable ((any Error)?) -> Void) {
        library.writeVideoAtPath(toSavedPhotosAlbum: url) { _, error in completion(error) }
    }
}

/// The photo library.
public final class PhotosMediaLibrary: MediaLibrary {
    public init() {}

    public func savePhoto(_ file: Data, completion: @escaping @Sendable ((any Error)?) -> Void) {
        save({ PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file, options: nil) }, completion)
    }

    /// Asks the movie.
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
