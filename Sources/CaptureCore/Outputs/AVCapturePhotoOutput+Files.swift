public import AssetTypes
public import Foundation
import MediaCodecs
public import MediaTypes
import PixelKernels

/// The file types of photos, and files from sample buffers.
extension AVCapturePhotoOutput {
    /// Returns the codecs of photos in files of a type; none before the output is connected to a camera.
    public func supportedPhotoCodecTypes(for fileType: AVFileType) -> [AVVideoCodecType] {
        let codecs = availablePhotoCodecTypes
        return Self.codecs.filter { $0.fileType == fileType && codecs.contains($0.codec) }.map(\.codec)
    }

    /// Returns the pixel formats of uncompressed photos in files of a type; empty, since files are always
    /// compressed.
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

    /// Always nil: a sample buffer does not contain the calibration of the sensor. `AVCapturePhoto` creates DNG files.
    public class func dngPhotoDataRepresentation(
        forRawSampleBuffer rawSampleBuffer: CMSampleBuffer, previewPhotoSampleBuffer: CMSampleBuffer?
    ) -> Data? { nil }
}
