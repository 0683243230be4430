public import Foundation
import MediaCodecs
public import MediaTypes
import PhotoStore
import PixelKernels

extension ALAssetsLibrary {
    /// Saves an image as a JPEG file.
    public func writeImage(
        toSavedPhotosAlbum imageRef: CGImage!, orientation: ALAssetOrientation,
        completionBlock: ALAssetsLibraryWriteImageCompletionBlock!
    ) {
        var exif = EXIF()
        // The value of the EXIF tag, 1 … 8, which differs from that of the enumeration.
        exif.orientation = orientation.property
        write(imageRef, exif, completionBlock)
    }

    /// Saves an image with metadata as a JPEG file.
    ///
    /// - Parameter metadata: Dictionaries under keys such as `kCGImagePropertyExifDictionary`, and the orientation.
    public func writeImage(
        toSavedPhotosAlbum imageRef: CGImage!, metadata: [AnyHashable: Any]!,
        completionBlock: ALAssetsLibraryWriteImageCompletionBlock!
    ) {
        write(imageRef, EXIF(imageProperties: imageProperties(metadata)), completionBlock)
    }

    /// Saves the contents of an image file.
    ///
    /// - Parameters:
    ///   - imageData: A JPEG or PNG file.
    ///   - metadata: Values to add to the metadata of a JPEG file; they replace values under the same keys. A PNG file
    ///     is saved unchanged.
    public func writeImageData(
        toSavedPhotosAlbum imageData: Data!, metadata: [AnyHashable: Any]!,
        completionBlock: ALAssetsLibraryWriteImageCompletionBlock!
    ) {
        let properties = imageProperties(metadata)
        // SAFETY: property lists are not modified.
        nonisolated(unsafe) let changes = properties
        save(completionBlock) { [imageData] in
            guard let imageData, !imageData.isEmpty else {
                throw makeLibraryError(ALAssetsLibraryWriteInvalidDataError, "there is no image data to save")
            }
            return (.photo, .data(try Self.replaceMetadata(of: imageData, changes)))
        }
    }

    /// Whether a movie can be saved.
    ///
    /// - Parameter videoPathURL: A file URL.
    public func videoAtPathIs(compatibleWithSavedPhotosAlbum videoPathURL: URL!) -> Bool {
        var result = false
        system.run { result = videoPathURL.map { AVURLAsset(url: $0).isCompatibleWithSavedPhotosAlbum } ?? false }
        return result
    }

    /// Saves a copy of a movie.
    ///
    /// - Parameter videoPathURL: A file URL.
    public func writeVideoAtPath(
        toSavedPhotosAlbum videoPathURL: URL!, completionBlock: ALAssetsLibraryWriteVideoCompletionBlock!
    ) {
        save(completionBlock) { [self, videoPathURL] in
            guard let videoPathURL, videoAtPathIs(compatibleWithSavedPhotosAlbum: videoPathURL) else {
                throw makeLibraryError(
                    ALAssetsLibraryWriteIncompatibleDataError,
                    "\(videoPathURL?.path ?? "nil") is not a movie that the photo library accepts")
            }
            return (.video, .file(videoPathURL))
        }
    }

    /// The source of a new asset.
    enum Source: Sendable {
        case data(Data)
        case file(URL)
    }

    private func write(_ image: CGImage?, _ exif: EXIF, _ completion: ALAssetsLibraryWriteImageCompletionBlock?) {
        save(completion) {
            guard let image else {
                throw makeLibraryError(ALAssetsLibraryWriteInvalidDataError, "there is no image to save")
            }
            do throws(ImageError) {
                var file = try JPEGSegments(JPEGCodec().encode(image.pixelBuffer, settings: .init(quality: 95)))
                try file.setEXIF(exif)
                return (.photo, .data(file.data))
            } catch {
                throw makeLibraryError(
                    ALAssetsLibraryWriteDataEncodingError, "the image cannot be encoded: \(error.message)", cause: error
                )
            }
        }
    }

    /// Saves a new asset, and passes its URL to the client.
    ///
    /// - Parameter prepare: Returns the type and content of the asset. It runs after access was authorized, on the
    ///   library's queue.
    private func save(
        _ completion: ((URL?, (any Error)?) -> Void)?,
        _ prepare: @escaping @Sendable () throws -> (PHAssetResourceType, Source)
    ) {
        perform { [system] () -> URL in
            let (type, source) = try prepare()
            let createdIdentifier = Lock("")
            try PHPhotoLibrary.shared().performChangesAndWait {
                let request = PHAssetCreationRequest.forAsset()
                switch source {
                case .data(let data): request.addResource(with: type, data: data, options: nil)
                case .file(let url): request.addResource(with: type, fileURL: url, options: nil)
                }
                createdIdentifier.withLock { $0 = request.placeholderForCreatedAsset?.localIdentifier ?? "" }
            }
            let identifier = createdIdentifier.withLock { $0 }
            let asset = PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil).firstObject
            guard let url = asset.flatMap({ ALAsset($0, in: system).url }) else {
                throw makeLibraryError(
                    ALAssetsLibraryDataUnavailableError, "the asset was removed while it was saved")
            }
            return url
        } deliver: {
            completion?($0, nil)
        } fail: {
            completion?(nil, $0)
        }
    }

    private func imageProperties(_ metadata: [AnyHashable: Any]?) -> [String: Any] {
        Dictionary((metadata ?? [:]).compactMap { key, value in (key as? String).map { ($0, value) } }) { $1 }
    }

    private static func replaceMetadata(of file: Data, _ changes: [String: Any]) throws -> Data {
        // JPEG files begin with these bytes, the marker SOI. Other files stay unchanged; the photo library validates
        // them.
        guard !changes.isEmpty, file.starts(with: [0xFF, 0xD8]) else { return file }
        do throws(ImageError) {
            var segments = try JPEGSegments(file)
            let old = try segments.exif() ?? EXIF()
            var new = EXIF(imageProperties: old.imageProperties.mergingImageProperties(changes))
            new.thumbnail = old.thumbnail
            try segments.setEXIF(new)
            return segments.data
        } catch {
            throw makeLibraryError(
                ALAssetsLibraryWriteInvalidDataError, "the image data cannot be read: \(error.message)", cause: error)
        }
    }
}
