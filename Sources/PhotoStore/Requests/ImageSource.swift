import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes
import PixelKernels

/// A reader of an asset's image from the library's files.
struct ImageSource {
    /// The content of a file in the library.
    struct File: Sendable {
        var data: Data
        var uniformTypeIdentifier: String
        var orientation: CGImagePropertyOrientation
    }

    private let asset: PHAsset
    private let store: LibraryStore

    init(_ asset: PHAsset) throws(PHPhotosError) {
        self.asset = asset
        store = try asset.library.store()
    }

    /// Reads the primary file of a photo, or a JPEG of a movie's first frame.
    func file() throws(PHPhotosError) -> File {
        let resource = try primaryResource()
        do throws(StorageError) {
            guard asset.mediaType == .image else {
                let data = try store.storage.data(of: store.folder.thumbnail(asset.thumbnailName))
                return File(data: data, uniformTypeIdentifier: MediaKind.jpeg.uniformTypeIdentifier, orientation: .up)
            }
            let data = try store.storage.data(of: store.folder.original(resource.fileName))
            return File(
                data: data, uniformTypeIdentifier: resource.uniformTypeIdentifier, orientation: orientation(of: data))
        } catch {
            throw readError(error)
        }
    }

    /// Returns the upright image, scaled to a size and cropped at its center if the aspect ratio differs.
    ///
    /// - Parameter fromThumbnail: Whether the thumbnail is used even if it must be enlarged.
    func image(of size: ImageSize, fromThumbnail: Bool) throws(PHPhotosError) -> CVPixelBuffer {
        let isSmall = max(size.width, size.height) <= MediaInspector.thumbnailSide
        do {
            var transform = PixelTransform(fitting: .fill)
            let source: CVPixelBuffer
            if isSmall || fromThumbnail {
                let data = try store.storage.data(of: store.folder.thumbnail(asset.thumbnailName))
                source = try JPEGCodec().decode(data).pixels
            } else {
                (source, transform) = try original(transform)
            }
            let image = try makeBuffer(size)
            try PixelConverter().convert(source, to: image, transform)
            return image
        } catch let error as PHPhotosError {
            throw error
        } catch let error as StorageError {
            throw readError(error)
        } catch {
            throw PHPhotosError(
                .invalidResource, "the image of asset \(asset.localIdentifier) cannot be read: \(error)", cause: error)
        }
    }

    /// Reads the original, and returns it with the transform that rotates it to display orientation.
    private func original(_ transform: PixelTransform) throws -> (CVPixelBuffer, PixelTransform) {
        let resource = try primaryResource()
        let url = store.folder.original(resource.fileName)
        guard asset.mediaType == .image else { return (try MovieFrame(of: url).upright(), transform) }
        let data = try store.storage.data(of: url)
        if MediaKind(start: data) == .png { return (try PNGCodec().decode(data), transform) }
        var uprightTransform = transform
        let orientation = orientation(of: data)
        uprightTransform.rotation = orientation.rotation
        uprightTransform.isMirrored = orientation.isMirrored
        return (try JPEGCodec().decode(data).pixels, uprightTransform)
    }

    private func primaryResource() throws(PHPhotosError) -> ResourceRecord {
        guard let resource = try store.index.resources(ofAsset: asset.localIdentifier).first else {
            throw PHPhotosError(.identifierNotFound, "the library no longer has the asset \(asset.localIdentifier)")
        }
        return resource
    }

    private func orientation(of data: Data) -> CGImagePropertyOrientation {
        // If the metadata cannot be read, the image is displayed as it is stored.
        (try? JPEGSegments(data).exif())?.orientation ?? .up
    }

    private func readError(_ error: StorageError) -> PHPhotosError {
        PHPhotosError(
            error.code == .notFound ? .missingResource : PHPhotosError(error).code,
            "a file of asset \(asset.localIdentifier) cannot be read: \(error.description)", cause: error)
    }

    private func makeBuffer(_ size: ImageSize) throws(PHPhotosError) -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(nil, size.width, size.height, kCVPixelFormatType_32BGRA, nil, &buffer)
        guard let buffer else {
            throw PHPhotosError(
                .internalError, "there is not enough memory for an image of \(size.width)x\(size.height)")
        }
        return buffer
    }
}
