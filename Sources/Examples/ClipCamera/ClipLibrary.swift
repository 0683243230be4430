import Foundation
import Photos

/// Saves photos and movies in the photo library.
actor ClipLibrary {
    struct NoAccess: Error {}

    /// Adds a photo.
    func save(photo: Data) async throws {
        try await requestAccess()
        try await PHPhotoLibrary.shared().performChanges {
            PHAssetCreationRequest.forAsset().addResource(with: .photo, data: photo, options: nil)
        }
    }

    /// Adds a copy of a movie.
    func save(movie: URL) async throws {
        try await requestAccess()
        try await PHPhotoLibrary.shared().performChanges {
            PHAssetCreationRequest.forAsset().addResource(with: .video, fileURL: movie, options: nil)
        }
    }

    private func requestAccess() async throws {
        guard await PHPhotoLibrary.requestAuthorization(for: .addOnly) == .authorized else { throw NoAccess() }
    }
}
