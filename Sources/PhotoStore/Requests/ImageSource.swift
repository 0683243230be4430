import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes
import PixelKernels

/// A reader of an asset's image from the library's files.
struct ImageSource {
    /// An encoded image, for example a JPEG.
    struct EncodedImage: Sendable {
        var data: Data
        var uniformTypeIdentifier: String
        var orientation: CGImagePropertyOrientation
    }

    /// The primary file and its properties: the edited photo or movie, or the original.
    struct PrimaryFile: Sendable {
        var url: URL
        var uniformTypeIdentifier: String
        var pixelWidth: Int
        var pixelHeight: Int
    }

    private let asset: PHAsset
    private let store: LibraryStore
    /// Whether the original is read even if the asset was edited.
    private let isOriginal: Bool

    /// Creates a reader of the edited content, or of the original if `version` is not `.current`.
    init(_ asset: PHAsset, version: PHImageRequestOptionsVersion = .current) throws(PHPhotosError) {
        self.asset = asset
        store = try asset.library.store()
        isOriginal = version != .current
    }

    func primaryFile() throws(PHPhotosError) -> PrimaryFile {
        let resource = try primaryResource()
        return PrimaryFile(
            url: store.original(resource.fileName), uniformTypeIdentifier: resource.uniformTypeIdentifier,
            pixelWidth: resource.pixelWidth, pixelHeight: resource.pixelHeight)
    }

    /// Acquires a lease, which keeps the file until it is released.
    func lease(of file: PrimaryFile) throws(PHPhotosError) -> FileLease { try FileLease(file.url, in: store) }

    /// Reads the adjustment data of an edited asset; nil for an original.
    func adjustmentData() throws(PHPhotosError) -> PHAdjustmentData? {
        let resources = try store.index.resources(ofAsset: asset.localIdentifier)
        guard let resource = resources.last(where: { $0.type == PHAssetResourceType.adjustmentData.rawValue }) else {
            return nil
        }
        do throws(StorageError) {
            return PHAdjustmentData(
                propertyList: try store.storage.data(of: store.original(resource.fileName)))
        } catch {
            throw readError(error)
        }
    }

    /// Reads the primary file of a photo, or a JPEG of a movie's first frame.
    func encodedImage() throws(PHPhotosError) -> EncodedImage {
        let resource = try primaryResource()
        let url = store.original(resource.fileName)
        do {
            guard asset.mediaType == .image else {
                // The thumbnail shows the edited content.
                let stored = isOriginal ? nil : intactThumbnail()?.data
                let data = try stored ?? MediaInspector.thumbnail(of: MovieFrame(of: url).pixels)
                return EncodedImage(
                    data: data, uniformTypeIdentifier: MediaKind.jpeg.uniformTypeIdentifier, orientation: .up)
            }
            let data = try store.storage.data(of: url)
            return EncodedImage(
                data: data, uniformTypeIdentifier: resource.uniformTypeIdentifier, orientation: orientation(of: data))
        } catch {
            throw readError(error)
        }
    }

    /// Returns the upright image, scaled to a size and cropped at its center if the aspect ratio differs.
    ///
    /// - Parameter fromThumbnail: Whether the thumbnail is used even if it is smaller than `size`.
    func image(of size: ImageSize, fromThumbnail: Bool) throws(PHPhotosError) -> CVPixelBuffer {
        let isSmall = max(size.width, size.height) <= MediaInspector.thumbnailSide
        do {
            var transform = PixelTransform(fitting: .fill)
            let source: CVPixelBuffer
            if (isSmall || fromThumbnail) && !isOriginal, let thumbnail = intactThumbnail() {
                source = thumbnail.image
            } else {
                (source, transform) = try fullSizeImage(transform)
            }
            let image = try makeBuffer(size)
            try PixelConverter().convert(source, to: image, transform)
            return image
        } catch {
            throw readError(error)
        }
    }

    /// Returns the thumbnail for an image of a larger size, with its aspect ratio; nil if it has at least the size, or if
    /// there is no intact thumbnail.
    func thumbnail(instead size: ImageSize) throws(PHPhotosError) -> CVPixelBuffer? {
        let longSide = max(size.width, size.height)
        guard longSide > MediaInspector.thumbnailSide, let thumbnail = intactThumbnail()?.image else { return nil }
        let side = CGSize(width: MediaInspector.thumbnailSide, height: MediaInspector.thumbnailSide)
        let small = ImageSize(asset: (size.width, size.height), target: side, mode: .aspectFit, resize: .fast)
        let image = try makeBuffer(small)
        do throws(ImageError) {
            try PixelConverter().convert(thumbnail, to: image, PixelTransform(fitting: .fill))
        } catch {
            throw readError(error)
        }
        return image
    }

    /// Decodes the primary file, and returns its image and `transform` with the rotation to display orientation added.
    private func fullSizeImage(_ transform: PixelTransform) throws -> (CVPixelBuffer, PixelTransform) {
        let resource = try primaryResource()
        let url = store.original(resource.fileName)
        guard asset.mediaType == .image else { return (try MovieFrame(of: url).pixels, transform) }
        guard let file = PhotoFile(try store.storage.data(of: url)) else {
            throw PHPhotosError.invalidResource(resource.originalFilename, "it is not a photo")
        }
        var uprightTransform = transform
        let orientation = file.metadata.orientation ?? .up
        uprightTransform.rotation = orientation.rotation
        uprightTransform.isMirrored = orientation.isMirrored
        return (try file.decoded().opaquePixels(), uprightTransform)
    }

    /// Returns the resource of the edited photo or movie, or of the original if it was not edited or is requested.
    private func primaryResource() throws(PHPhotosError) -> ResourceRecord {
        let resources = try store.index.resources(ofAsset: asset.localIdentifier)
        let edited = isOriginal ? nil : resources.last(where: \.isEditedContent)
        guard let resource = edited ?? resources.first else {
            throw PHPhotosError(.identifierNotFound, "the library no longer has the asset \(asset.localIdentifier)")
        }
        return resource
    }

    /// Returns why there is no thumbnail: why the photo or movie cannot be decoded, as a clause that refers to it as "it";
    /// nil if there is one.
    func missingThumbnailReason() throws(StorageError) -> String? {
        guard try thumbnail().isEmpty else { return nil }
        do {
            _ = try fullSizeImage(PixelTransform())
            return "it could not be decoded at the import"
        } catch {
            return (error as? MovieFrameError)?.message ?? (error as? ImageError)?.message ?? "\(error)"
        }
    }

    /// Returns the thumbnail, which shows the edited content, and its image.
    ///
    /// Nil if there is none: nothing could be decoded at the import, or the file is missing or damaged. The image is then
    /// decoded from the photo or movie.
    private func intactThumbnail() -> (data: Data, image: CVPixelBuffer)? {
        guard let data = try? thumbnail(), !data.isEmpty, let image = try? JPEGCodec().decode(data).pixels else {
            return nil
        }
        return (data, image)
    }

    /// Reads the thumbnail. It has another name if the asset was edited since it was fetched.
    private func thumbnail() throws(StorageError) -> Data {
        do throws(StorageError) {
            return try store.storage.data(of: store.thumbnail(asset.thumbnailName))
        } catch {
            let query = AssetQuery(localIdentifiers: [asset.localIdentifier], includesHidden: true)
            // Without a record, the first error is thrown.
            guard error.code == .notFound, let record = try? store.index.assets(matching: query).first,
                record.thumbnailName != asset.thumbnailName
            else { throw error }
            return try store.storage.data(of: store.thumbnail(record.thumbnailName))
        }
    }

    private func orientation(of data: Data) -> CGImagePropertyOrientation {
        // If the metadata cannot be read, the image is displayed as it is stored.
        EXIF(file: data)?.orientation ?? .up
    }

    /// Returns the error for any error of reading and decoding an image.
    private func readError(_ error: any Error) -> PHPhotosError {
        switch error {
        case let error as PHPhotosError: error
        case let error as StorageError: readError(error)
        default:
            PHPhotosError(
                .invalidResource, "the image of asset \(asset.localIdentifier) cannot be read: \(error)", cause: error)
        }
    }

    private func readError(_ error: StorageError) -> PHPhotosError {
        PHPhotosError(
            error.code == .notFound ? .missingResource : PHPhotosError(error).code,
            "a file of asset \(asset.localIdentifier) cannot be read: \(error.description)", cause: error)
    }

    func makeBuffer(_ size: ImageSize) throws(PHPhotosError) -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(nil, size.width, size.height, kCVPixelFormatType_32BGRA, nil, &buffer)
        guard let buffer else {
            throw PHPhotosError(
                .internalError, "there is not enough memory for an image of \(size.width)x\(size.height)")
        }
        return buffer
    }
}
