import CaptureHAL
import Foundation
import MediaAssets
import MediaCodecs
import MediaTypes
import PixelKernels

/// The contents of a captured photo, or the error that prevented it.
struct EncodedPhoto {
    /// A JPEG file with EXIF; nil for uncompressed photos.
    var file: Data?
    /// The pixels of an uncompressed photo; nil for compressed ones.
    var pixelBuffer: CVPixelBuffer?
    /// Under Image I/O's keys; empty if the frame could not be decoded.
    var metadata: [String: Any] = [:]
    var depthData: AVDepthData?
    var error: AVError?
}

/// Creates a photo from a frame: crops and scales it, and converts its pixels or encodes a JPEG file with EXIF.
///
/// - Important: Reentrant.
struct PhotoEncoder {
    let settings: AVCapturePhotoSettings
    /// The camera that captured the frame; nil if it was released.
    let device: AVCaptureDevice?
    /// The connection's rotation and mirroring. They are stored as EXIF orientation; the pixels are not rotated.
    let transform: PixelTransform
    /// The connection's magnification: the center of the frame, scaled to the frame's size.
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
            photo.metadata = description.imageProperties
            if let format = settings.pixelFormat {
                photo.pixelBuffer = try converted(frame, source, to: format)
            } else {
                photo.file = try jpegFile(source, description)
            }
            photo.depthData = depth
        } catch {
            photo.error = error
        }
        return photo
    }

    /// The depth that was captured with a frame; nil if the settings do not request it.
    private func depth(of frame: VideoFrame) -> AVDepthData? {
        guard settings.isDepthDataDeliveryEnabled, case .map(let depth)? = frame.depth else { return nil }
        let data = AVDepthData(depth, misuse: misuse)
        return settings.isDepthDataFiltered ? data.filtered { DepthFilter.smoothed($0) } : data
    }

    /// The frame in its own pixel format, or its center scaled to the frame's size.
    private func cropped(_ frame: CapturedFrame) throws(AVError) -> CVPixelBuffer {
        let source = try frame.pixelBuffer()
        guard crop(of: source) != nil else { return source }
        return try converted(frame, source, to: CVPixelBufferGetPixelFormatType(source))
    }

    /// The frame in another pixel format, cropped and scaled to the size of `source`.
    private func converted(
        _ frame: CapturedFrame, _ source: CVPixelBuffer, to pixelFormat: OSType
    ) throws(AVError) -> CVPixelBuffer {
        let crop = crop(of: source)
        let pixels = try frame.pixelBuffer(
            as: FrameConverter.Request(
                pixelFormat: pixelFormat,
                size: crop.map { _ in (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source)) },
                transform: PixelTransform(crop: crop)))
        guard let pixels else { throw AVError(.outOfMemory, "all pixel buffers for photos are in use") }
        return pixels
    }

    /// The center of a frame that fills the photo; nil without magnification.
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

    /// The time of capture; nil if neither the device nor the clock knows it.
    private func date(of frame: VideoFrame) -> Date? {
        if let date = frame.settings.date { return date }
        let isPrerecorded = device?.hardware.descriptor.isPrerecorded ?? false
        return isPrerecorded && clock.isVirtual ? nil : clock.date(at: frame.presentationTime)
    }

    private func jpegFile(_ pixels: CVPixelBuffer, _ description: PhotoMetadata) throws(AVError) -> Data {
        do throws(ImageError) {
            let jpegSettings = settings.photoQualityPrioritization.jpegSettings
            var segments = try JPEGSegments(JPEGCodec().encode(pixels, settings: jpegSettings))
            try segments.setEXIF(description.exif)
            return segments.data
        } catch {
            throw AVError(.encodeFailed, "the photo could not be encoded: \(error)", cause: error)
        }
    }
}

extension AVCapturePhotoOutput.QualityPrioritization {
    fileprivate var jpegSettings: JPEGCodec.Settings {
        switch self {
        case .speed: JPEGCodec.Settings(quality: 85)
        case .balanced: JPEGCodec.Settings(quality: 92)
        case .quality: JPEGCodec.Settings(quality: 96, subsampling: .chroma444)
        }
    }
}
