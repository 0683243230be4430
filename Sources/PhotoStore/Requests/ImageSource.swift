import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes
import PixelKernels

/// Reads an asset's picture from the library's files.
struct ImageSource {
    /// A file as it lies in the library.
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

    /// The file that is shown; of a movie, a JPEG of its first frame.
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
            throw missing(error)
        }
    }

    /// The upright picture, scaled to a size; where that changes its shape it is cropped in the middle.
    ///
    /// - Parameter fromThumbnail: Whether the thumbnail will do, even enlarged.
    func picture(of size: ImageSize, fromThumbnail: Bool) throws(PHPhotosError) -> CVPixelBuffer {
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
            let picture = try makeBuffer(size)
            try PixelConverter().convert(source, to: picture, transform)
            return picture
        } catch let error as PHPhotosError {
            throw error
        } catch let error as StorageError {
            throw missing(error)
        } catch {
            throw PHPhotosError(
                .invalidResource, "the picture of asset \(asset.localIdentifier) cannot be read: \(error)", cause: error
            )
        }
    }

    /// The picture in full, and the transform that turns it upright on the way.
    private func original(_ transform: PixelTransform) throws -> (CVPixelBuffer, PixelTransform) {
        let resource = try primaryResource()
        let url = store.folder.original(resource.fileName)
        guard asset.mediaType == .image else { return (try MovieFrame(of: url).upright(), transform) }
        let data = try store.storage.data(of: url)
        if MediaKind(start: data) == .png { return (try PNGCodec().decode(data), transform) }
        var turned = transform
        let orientation = orientation(of: data)
        turned.rotation = orientation.rotation
        turned.isMirrored = orientation.isMirrored
        return (try JPEGCodec().decode(data).pixels, turned)
    }

    private func primaryResource() throws(PHPhotosError) -> ResourceRecord {
        guard let resource = try store.index.resources(ofAsset: asset.localIdentifier).first else {
            throw PHPhotosError(.identifierNotFound, "the library has no asset \(asset.localIdentifier) any more")
        }
        return resource
    }

    private func orientation(of data: Data) -> CGImagePropertyOrientation {
        // Notes that cannot be read leave the picture as it is stored.
        (try? JPEGSegments(data).exif())?.orientation ?? .up
    }

    private func missing(_ error: StorageError) -> PHPhotosError {
        PHPhotosError(
            error.code == .notFound ? .missingResource : PHPhotosError(error).code,
            "a file of asset \(asset.localIdentifier) cannot be read: \(error.description)", cause: error)
    }

    private func makeBuffer(_ size: ImageSize) throws(PHPhotosError) -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(nil, size.width, size.height, kCVPixelFormatType_32BGRA, nil, &buffer)
        guard let buffer else {
            throw PHPhotosError(.internalError, "there is no memory for a picture of \(size.width)x\(size.height)")
        }
        return buffer
    }
}
