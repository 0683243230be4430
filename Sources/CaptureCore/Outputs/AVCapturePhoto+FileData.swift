public import Foundation
import MediaCodecs
public import MediaTypes
import PixelKernels

/// Replaces or removes parts of a photo's file. All methods are optional; a part without an
/// implemented method is kept.
public protocol AVCapturePhotoFileDataRepresentationCustomizer: AnyObject {
    /// The metadata to store under Image I/O's keys; nil removes the metadata.
    func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]?
    /// The pixels of the thumbnail.
    ///
    /// - Parameter replacementEmbeddedThumbnailPhotoFormatOut: Set it to video settings for the returned pixels, or to
    ///   the photo's `embeddedThumbnailPhotoFormat` and return nil to keep the thumbnail. Nil, its initial value,
    ///   removes the thumbnail.
    /// - Returns: An unretained buffer, which must exist until the photo has been written.
    func replacementEmbeddedThumbnailPixelBuffer(
        withPhotoFormat replacementEmbeddedThumbnailPhotoFormatOut: AutoreleasingUnsafeMutablePointer<NSDictionary?>,
        for photo: AVCapturePhoto
    ) -> Unmanaged<CVPixelBuffer>?
    /// The depth map of a file that has one; nil removes it. Not called for other files.
    func replacementDepthData(for photo: AVCapturePhoto) -> AVDepthData?
    /// The portrait effects matte of a file that has one; nil removes it. Not called for other files.
    func replacementPortraitEffectsMatte(for photo: AVCapturePhoto) -> AVPortraitEffectsMatte?
    /// A semantic segmentation matte of a file that has it; nil removes it. Called for each of them.
    func replacementSemanticSegmentationMatte(
        ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType, for photo: AVCapturePhoto
    ) -> AVSemanticSegmentationMatte?
    /// Not called: RAW photos are not compressed.
    func replacementAppleProRAWCompressionSettings(
        for photo: AVCapturePhoto, defaultSettings: [String: Any], maximumBitDepth: Int
    ) -> [String: Any]
}

extension AVCapturePhotoFileDataRepresentationCustomizer {
    public func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]? { photo.metadata }

    public func replacementEmbeddedThumbnailPixelBuffer(
        withPhotoFormat replacementEmbeddedThumbnailPhotoFormatOut: AutoreleasingUnsafeMutablePointer<NSDictionary?>,
        for photo: AVCapturePhoto
    ) -> Unmanaged<CVPixelBuffer>? {
        replacementEmbeddedThumbnailPhotoFormatOut.pointee = photo.embeddedThumbnailPhotoFormat.map {
            NSDictionary(dictionary: $0)
        }
        return nil
    }

    public func replacementDepthData(for photo: AVCapturePhoto) -> AVDepthData? { photo.depthData }

    public func replacementPortraitEffectsMatte(for photo: AVCapturePhoto) -> AVPortraitEffectsMatte? {
        photo.portraitEffectsMatte
    }

    public func replacementSemanticSegmentationMatte(
        ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType, for photo: AVCapturePhoto
    ) -> AVSemanticSegmentationMatte? { photo.semanticSegmentationMatte(for: semanticSegmentationMatteType) }

    public func replacementAppleProRAWCompressionSettings(
        for photo: AVCapturePhoto, defaultSettings: [String: Any], maximumBitDepth: Int
    ) -> [String: Any] { defaultSettings }
}

extension AVCapturePhoto {
    /// Returns the contents of a JPEG, HEIF or DNG file with the customizer's replacements. The image is not compressed
    /// again. The preview of a DNG file is not replaced.
    ///
    /// - Returns: Nil for an uncompressed photo, after an error, or if a replacement cannot be stored.
    public func fileDataRepresentation(with customizer: any AVCapturePhotoFileDataRepresentationCustomizer) -> Data? {
        var format: NSDictionary?
        let pixels = customizer.replacementEmbeddedThumbnailPixelBuffer(withPhotoFormat: &format, for: self)
        var auxiliaries = contents.embedded
        if auxiliaries.depth != nil { auxiliaries.depth = customizer.replacementDepthData(for: self) }
        if auxiliaries.mattes.portraitEffects != nil {
            auxiliaries.mattes.portraitEffects = customizer.replacementPortraitEffectsMatte(for: self)
        }
        auxiliaries.mattes.semantic = auxiliaries.mattes.semantic.compactMap {
            customizer.replacementSemanticSegmentationMatte(ofType: $0.matteType, for: self)
        }
        return fileData(
            metadata: customizer.replacementMetadata(for: self), thumbnailFormat: format as? [String: Any],
            thumbnail: pixels?.takeUnretainedValue(), auxiliaries)
    }

    /// Returns the contents of a JPEG or HEIF file with other metadata, another thumbnail and another depth map. The image
    /// is not compressed again.
    ///
    /// - Parameters:
    ///   - replacementMetadata: Nil removes the metadata, except the orientation of a HEIF file; `metadata` keeps it.
    ///   - replacementEmbeddedThumbnailPhotoFormat: Nil removes the thumbnail; `embeddedThumbnailPhotoFormat` without
    ///     pixels keeps it.
    ///   - replacementEmbeddedThumbnailPixelBuffer: The pixels of another thumbnail.
    ///   - replacementDepthData: The depth map; nil removes it.
    /// - Returns: Nil for an uncompressed photo, after an error, or if a replacement cannot be stored.
    public func fileDataRepresentation(
        withReplacementMetadata replacementMetadata: [String: Any]?,
        replacementEmbeddedThumbnailPhotoFormat: [String: Any]?,
        replacementEmbeddedThumbnailPixelBuffer: CVPixelBuffer?, replacementDepthData: AVDepthData?
    ) -> Data? {
        var auxiliaries = contents.embedded
        auxiliaries.depth = replacementDepthData
        return fileData(
            metadata: replacementMetadata, thumbnailFormat: replacementEmbeddedThumbnailPhotoFormat,
            thumbnail: replacementEmbeddedThumbnailPixelBuffer, auxiliaries)
    }

    private func fileData(
        metadata: [String: Any]?, thumbnailFormat: [String: Any]?, thumbnail: CVPixelBuffer?,
        _ auxiliaries: PhotoAuxiliaries
    ) -> Data? {
        do {
            if let heif = contents.heif {
                return try heifData(heif, metadata, thumbnailFormat, thumbnail, auxiliaries)
            }
            if var dng = contents.dng {
                dng.exif = metadata.map { EXIF(imageProperties: $0) } ?? EXIF()
                return try dng.fileData()
            }
            guard var jpeg = contents.jpeg else { return nil }
            var exif = metadata.map { EXIF(imageProperties: $0) }
            if let thumbnailFormat {
                let data: Data?
                if let thumbnail {
                    data = try PhotoThumbnail.encode(thumbnail, size(of: thumbnail, in: thumbnailFormat))
                } else {
                    data = try jpeg.exif()?.thumbnail
                }
                if let data {
                    exif = exif ?? EXIF()
                    exif?.thumbnail = data
                }
            }
            try jpeg.setEXIF(exif)
            if !auxiliaries.isIdentical(to: contents.embedded) {
                jpeg.removeAuxiliaryImages()
                try auxiliaries.add(to: &jpeg)
            }
            return jpeg.fileData
        } catch {
            return nil
        }
    }

    private func heifData(
        _ heif: HEIFPhoto, _ metadata: [String: Any]?, _ thumbnailFormat: [String: Any]?, _ thumbnail: CVPixelBuffer?,
        _ auxiliaries: PhotoAuxiliaries
    ) throws -> Data {
        var heif = heif
        if let metadata { heif.setMetadata(metadata) } else { heif.exif = nil }
        if let thumbnailFormat {
            if let thumbnail {
                heif.thumbnail = try PhotoThumbnail.encodeHEVC(thumbnail, size(of: thumbnail, in: thumbnailFormat))
            }
        } else {
            heif.thumbnail = nil
        }
        if !auxiliaries.isIdentical(to: contents.embedded) { heif.auxiliaryImages = try auxiliaries.heifImages() }
        return try heif.fileData()
    }

    /// Returns the size of a thumbnail with these pixels.
    private func size(of thumbnail: CVPixelBuffer, in format: [String: Any]) -> VideoDataSizing.Size {
        PhotoThumbnail.size(format, of: (CVPixelBufferGetWidth(thumbnail), CVPixelBufferGetHeight(thumbnail)))
    }
}
