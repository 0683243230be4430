import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// Creates a photo from a frame: crops and scales it, and converts its pixels or encodes a JPEG file with EXIF.
///
/// - Important: Reentrant.
struct PhotoEncoder {
    let settings: AVCapturePhotoSettings
    /// The camera that captured the frame; nil if it was released.
    let device: AVCaptureDevice?
    /// The connection's rotation and mirroring. They are stored as EXIF orientation; the pixels are not rotated.
    let transform: PixelTransform
    /// The connection's magnification: a crop at the center of the frame is scaled to the frame's size.
    let scaleAndCropFactor: CGFloat
    let clock: any CaptureClock
    let misuse: MisuseHandler

    /// Encodes a frame in the form that the settings request.
    func encode(_ frame: CapturedFrame) -> EncodedPhoto {
        var photo = EncodedPhoto()
        let depth = depth(of: frame.content)
        do throws(AVError) {
            let source = try cropped(frame)
            let description = PhotoMetadata(
                settings: frame.content.settings, device: device,
                orientation: CGImagePropertyOrientation(rotation: transform.rotation, isMirrored: transform.isMirrored),
                date: date(of: frame.content), width: CVPixelBufferGetWidth(source),
                height: CVPixelBufferGetHeight(source))
            photo.metadata = description.exif.imageProperties.mergingImageProperties(settings.metadata)
            if let format = settings.pixelFormat {
                photo.pixelBuffer = try converted(frame, source, to: format)
            } else {
                let size = (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source))
                let thumbnail = settings.embeddedThumbnailPhotoFormat.map { PhotoThumbnail.size($0, of: size) }
                photo.file = try jpegFile(source, photo.metadata, thumbnail)
                photo.thumbnailFormat = thumbnail.map(thumbnailFormat)
            }
            if let format = settings.previewPixelFormat {
                photo.previewPixelBuffer = try converted(
                    frame, source, to: format,
                    settings.previewSize(of: (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source))))
            }
            photo.depthData = depth
        } catch {
            photo.error = error
        }
        return photo
    }

    /// Returns the depth that was captured with a frame; nil if there is none, or if the settings do not request it.
    private func depth(of frame: VideoFrame) -> AVDepthData? {
        guard settings.isDepthDataDeliveryEnabled, case .map(let depth)? = frame.depth else { return nil }
        let data = AVDepthData(depth, misuse: misuse)
        return settings.isDepthDataFiltered ? data.filtered { DepthFilter.smoothed($0) } : data
    }

    /// Returns the pixels of the frame. If the connection magnifies, they are its center, scaled to the frame's size.
    private func cropped(_ frame: CapturedFrame) throws(AVError) -> CVPixelBuffer {
        let source = try frame.pixelBuffer()
        guard crop(of: source) != nil else { return source }
        return try converted(frame, source, to: CVPixelBufferGetPixelFormatType(source))
    }

    /// Returns the settings of the thumbnail in a file.
    private func thumbnailFormat(_ size: VideoDataSizing.Size) -> [String: Any] {
        let format: [String: Any] = [
            AVVideoCodecKey: AVVideoCodecType.jpeg.rawValue, AVVideoWidthKey: size.width,
            AVVideoHeightKey: size.height,
        ]
        return format.plainSettings
    }

    /// Returns the frame in another pixel format, cropped and scaled.
    ///
    /// - Parameter size: The size of the result; nil for the size of `source`.
    private func converted(
        _ frame: CapturedFrame, _ source: CVPixelBuffer, to pixelFormat: OSType, _ size: VideoDataSizing.Size? = nil
    ) throws(AVError) -> CVPixelBuffer {
        let crop = crop(of: source)
        var target = size
        if target == nil, crop != nil { target = (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source)) }
        let pixels = try frame.pixelBuffer(
            as: FrameConverter.Request(
                pixelFormat: pixelFormat, size: target, transform: PixelTransform(crop: crop)))
        guard let pixels else { throw AVError(.outOfMemory, "all pixel buffers for photos are in use") }
        return pixels
    }

    /// Returns the part of the frame that fills the photo; nil without magnification.
    private func crop(of source: CVPixelBuffer) -> PixelRect? {
        guard scaleAndCropFactor > 1 else { return nil }
        let (width, height) = (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source))
        // Even numbers, because chroma may be subsampled.
        let columns = max(2, Int(CGFloat(width) / scaleAndCropFactor) / 2 * 2)
        let rows = max(2, Int(CGFloat(height) / scaleAndCropFactor) / 2 * 2)
        return PixelRect(
            x: (width - columns) / 4 * 2, y: (height - rows) / 4 * 2, width: min(columns, width),
            height: min(rows, height))
    }

    /// Returns the time of capture; nil if neither the device nor the clock provides it.
    private func date(of frame: VideoFrame) -> Date? {
        if let date = frame.settings.date { return date }
        let isPrerecorded = device?.hardware.descriptor.isPrerecorded ?? false
        return isPrerecorded && clock.isVirtual ? nil : clock.date(at: frame.presentationTime)
    }

    private func jpegFile(
        _ pixels: CVPixelBuffer, _ metadata: [String: Any], _ thumbnail: VideoDataSizing.Size?
    ) throws(AVError) -> Data {
        do throws(ImageError) {
            var segments = try JPEGSegments(JPEGCodec().encode(pixels, settings: settings.jpegSettings))
            var exif = EXIF(imageProperties: metadata)
            if let thumbnail { exif.thumbnail = try PhotoThumbnail.encode(pixels, thumbnail) }
            try segments.setEXIF(exif)
            return segments.data
        } catch {
            throw AVError(.encodeFailed, "the photo could not be encoded: \(error)", cause: error)
        }
    }
}

extension AVCapturePhotoSettings {
    /// The compression of a JPEG photo: by the quality in its format, else by `photoQualityPrioritization`.
    fileprivate var jpegSettings: JPEGCodec.Settings {
        var settings =
            switch photoQualityPrioritization {
            case .speed: JPEGCodec.Settings(quality: 85)
            case .balanced: JPEGCodec.Settings(quality: 92)
            case .quality: JPEGCodec.Settings(quality: 96, subsampling: .chroma444)
            }
        // An invalid quality is rejected before a capture.
        if let quality = try? compressionQuality {
            settings.quality = max(1, Int((quality * 100).rounded()))
        }
        return settings
    }
}
