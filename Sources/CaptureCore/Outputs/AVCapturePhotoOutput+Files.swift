public import AssetTypes
public import Foundation
import MediaCodecs
public import MediaTypes
import PixelKernels

/// The file types of photos, and files from sample buffers.
extension AVCapturePhotoOutput {
    /// Returns the codecs of photos in files of a type; none before the output is connected to a camera.
    public func supportedPhotoCodecTypes(for fileType: AVFileType) -> [AVVideoCodecType] {
        availablePhotoFileTypes.contains(fileType) ? availablePhotoCodecTypes : []
    }

    /// Returns the pixel formats of uncompressed photos in files of a type; empty, since only JPEG files are supported.
    public func supportedPhotoPixelFormatTypes(for fileType: AVFileType) -> [OSType] { [] }

    /// Returns the contents of a JPEG file, with the buffer's attachments as EXIF. The image is not compressed again.
    ///
    /// - Parameters:
    ///   - jpegSampleBuffer: A buffer with JPEG data.
    ///   - previewPhotoSampleBuffer: Pixels for the thumbnail; nil for none.
    /// - Returns: Nil if the buffer has no JPEG data, or the attachments cannot be stored.
    public class func jpegPhotoDataRepresentation(
        forJPEGSampleBuffer jpegSampleBuffer: CMSampleBuffer, previewPhotoSampleBuffer: CMSampleBuffer?
    ) -> Data? {
        guard let pixels = previewPhotoSampleBuffer?.imageBuffer else { return jpegSampleBuffer.jpegFile() }
        do throws(ImageError) {
            let size = PhotoThumbnail.size([:], of: (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels)))
            return jpegSampleBuffer.jpegFile(thumbnail: try PhotoThumbnail.encode(pixels, size))
        } catch {
            return nil
        }
    }

    /// Always nil: RAW photos are not supported.
    public class func dngPhotoDataRepresentation(
        forRawSampleBuffer rawSampleBuffer: CMSampleBuffer, previewPhotoSampleBuffer: CMSampleBuffer?
    ) -> Data? { nil }
}
