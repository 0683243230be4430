import AVFoundation
import Photos

/// Saves photos and movies to the photo library.
struct MediaLibrary: Sendable {
    func save(_ photo: Photo) async throws {
        try await addAsset { request in
            request.addResource(with: .photo, data: photo.data, options: nil)
            guard let movie = photo.movie else { return }
            let options = PHAssetResourceCreationOptions()
            options.shouldMoveFile = true
            request.addResource(with: .pairedVideo, fileURL: movie, options: options)
        }
    }

    /// Moves a movie to the library.
    func save(_ movie: Movie) async throws {
        try await addAsset { request in
            let options = PHAssetResourceCreationOptions()
            options.shouldMoveFile = true
            request.addResource(with: .video, fileURL: movie.url, options: options)
        }
    }

    private func addAsset(_ addResources: @escaping @Sendable (PHAssetCreationRequest) -> Void) async throws {
        guard await PHPhotoLibrary.requestAuthorization(for: .addOnly) == .authorized else {
            throw CaptureError.libraryNotAuthorized
        }
        try await PHPhotoLibrary.shared().performChanges { addResources(.forAsset()) }
    }
}
