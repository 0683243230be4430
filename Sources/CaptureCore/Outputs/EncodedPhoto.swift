import AssetTypes
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// The contents of a captured photo, or the error that prevented it.
struct EncodedPhoto {
    /// A JPEG, HEIF or DNG file with EXIF; nil for uncompressed photos.
    var file: Data?
    /// The parts of a HEIF file; nil for other photos.
    var heif: HEIFPhoto?
    /// The parts of a DNG file; nil for other photos.
    var dng: DNGPhoto?
    /// Whether the photo contains the samples of the sensor, also after an error.
    var isRAW = false
    /// The parts of a JPEG file; nil for other photos.
    var jpeg: JPEGPhoto?
    /// The pixels of an uncompressed or RAW photo; nil for compressed ones.
    var pixelBuffer: CVPixelBuffer?
    /// The preview; nil if none was requested.
    var previewPixelBuffer: CVPixelBuffer?
    /// The codec, width and height of the thumbnail in the file; nil if none was requested.
    var thumbnailFormat: [String: Any]?
    /// The metadata under Image I/O's keys; empty if the frame could not be decoded.
    var metadata: [String: Any] = [:]
    var depthData: AVDepthData?
    var mattes = PhotoMattes()
    /// The depth map and mattes in the file.
    var embedded = PhotoAuxiliaries()
    var error: AVError?

    /// Returns the photo as a sample buffer with its metadata as attachments; nil if there is no image, or for a HEIF
    /// file, which has no representation as a sample buffer.
    ///
    /// JPEG data have no EXIF block and no depth map: the metadata are in the attachments. See `CMSampleBuffer.jpegFile`.
    func sampleBuffer(at time: CMTime) -> CMSampleBuffer? {
        let timing = CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid)
        var attachments = CMAttachmentBearerAttachments()
        attachments.merge(metadata, mode: .shouldPropagate)
        if let pixelBuffer {
            return CMSampleBuffer(
                imageBuffer: pixelBuffer, formatDescription: .shared(by: pixelBuffer), timing: timing,
                attachments: attachments)
        }
        guard let file, heif == nil else { return nil }
        do throws(ImageError) {
            let header = try JPEGCodec().header(of: file)
            guard var jpeg else { return nil }
            jpeg.removeAuxiliaryImages()
            try jpeg.setEXIF(nil)
            return CMSampleBuffer(
                compressedFrame: CMBlockBuffer(copying: jpeg.fileData),
                formatDescription: CMFormatDescription(
                    deviceVideo: kCMVideoCodecType_JPEG,
                    dimensions: CMVideoDimensions(width: Int32(header.width), height: Int32(header.height))),
                timing: timing, attachments: attachments)
        } catch {
            return nil
        }
    }
}

extension CMSampleBuffer {
    /// Returns the JPEG image as a file, not compressed again, with the buffer's attachments as EXIF.
    ///
    /// - Parameter thumbnail: A JPEG file to embed; nil keeps the embedded thumbnail of the image, if any.
    /// - Returns: Nil if the buffer has no JPEG image, or the attachments cannot be stored.
    func jpegFile(thumbnail: Data? = nil) -> Data? {
        guard formatDescription?.mediaSubType.rawValue == kCMVideoCodecType_JPEG, let dataBuffer else { return nil }
        do {
            var segments = try JPEGSegments(dataBuffer.dataBytes())
            let stored = try segments.exif()
            let properties = (stored?.imageProperties ?? [:]).mergingImageProperties(
                attachments.propagated.filter { imagePropertyKeys.contains($0.key) })
            guard !properties.isEmpty || thumbnail != nil else { return segments.data }
            var exif = EXIF(imageProperties: properties)
            exif.thumbnail = thumbnail ?? stored?.thumbnail
            try segments.setEXIF(exif)
            return segments.data
        } catch {
            return nil
        }
    }
}
