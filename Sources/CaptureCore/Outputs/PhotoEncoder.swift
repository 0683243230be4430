import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// Creates a photo from a frame: crops and scales it, and converts its pixels or encodes a JPEG or HEIF
/// file with EXIF.
///
/// - Important: Reentrant.
struct PhotoEncoder {
    let settings: AVCapturePhotoSettings
    /// The camera that captured the frame; nil if it was released.
    let device: AVCaptureDevice?
    /// The connection's rotation and mirroring. They are stored as orientation; the pixels are not rotated.
    let transform: PixelTransform
    /// The connection's magnification: a crop at the center of the frame is scaled to the frame's size.
    let scaleAndCropFactor: CGFloat
    let clock: any CaptureClock
    let misuse: MisuseHandler

    /// Encodes a frame in the forms that the settings request: a RAW photo, then a processed one.
    func encodeAll(_ frame: CapturedFrame) -> [EncodedPhoto] {
        var photos: [EncodedPhoto] = []
        if settings.rawPhotoPixelFormatType != 0 { photos.append(encodeRAW(frame)) }
        if settings.deliversProcessedPhoto { photos.append(encode(frame)) }
        return photos
    }

    private func encodeRAW(_ frame: CapturedFrame) -> EncodedPhoto {
        var photo = EncodedPhoto(isRAW: true)
        do throws(AVError) {
            guard let raw = frame.content.stills.first?.raw else {
                throw AVError(.noDataCaptured, "the camera delivered no samples of its sensor")
            }
            let source = try frame.pixelBuffer()
            photo = RAWPhotoEncoder(settings: settings, device: device).encode(
                raw, metadata(of: frame.content, raw.samples), preview: source)
            photo.previewPixelBuffer = try preview(frame, source)
        } catch {
            photo.error = error
        }
        return photo
    }

    /// Returns the metadata under Image I/O's keys.
    private func metadata(of frame: VideoFrame, _ pixels: CVPixelBuffer) -> [String: Any] {
        var description = PhotoMetadata(
            frame: frame, device: device, magnification: Double(scaleAndCropFactor), flashMode: settings.flashMode,
            orientation: CGImagePropertyOrientation(rotation: transform.rotation, isMirrored: transform.isMirrored),
            date: date(of: frame), width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
        description.exif.contentIdentifier = settings.contentIdentifier
        // EXIF has no code for Display P3 (CIPA DC-008, 4.6.6.2.1).
        if WideColor.isP3(pixels) { description.exif.colorSpace = .uncalibrated }
        return description.exif.imageProperties.mergingImageProperties(settings.metadata)
    }

    /// Returns the preview; nil if none is requested.
    private func preview(_ frame: CapturedFrame, _ source: CVPixelBuffer) throws(AVError) -> CVPixelBuffer? {
        guard let format = settings.previewPixelFormat else { return nil }
        let size = settings.previewSize(of: (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source)))
        return try converted(frame, source, to: format, size)
    }

    /// Encodes a frame in the form that the settings request.
    func encode(_ frame: CapturedFrame) -> EncodedPhoto {
        var photo = EncodedPhoto()
        let depth = depth(of: frame.content)
        do throws(AVError) {
            let mattes = try PhotoMattes(frame.content.stills.first?.mattes ?? [:])
            if settings.embedsDepthDataInPhoto { photo.embedded.depth = depth }
            if settings.embedsPortraitEffectsMatteInPhoto {
                photo.embedded.mattes.portraitEffects = mattes.portraitEffects
            }
            if settings.embedsSemanticSegmentationMattesInPhoto { photo.embedded.mattes.semantic = mattes.semantic }
            let source = try cropped(frame)
            photo.metadata = metadata(of: frame.content, source)
            if let format = settings.pixelFormat {
                photo.pixelBuffer = try converted(frame, source, to: format)
            } else {
                let size = (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source))
                let thumbnail = settings.embeddedThumbnailPhotoFormat.map { PhotoThumbnail.size($0, of: size) }
                if settings.codec == .hevc {
                    let heif = try heif(source, photo.metadata, thumbnail, photo.embedded)
                    photo.file = try Self.encoding { try heif.fileData() }
                    photo.heif = heif
                } else {
                    let jpeg = try jpeg(source, photo.metadata, thumbnail, photo.embedded)
                    photo.file = jpeg.fileData
                    photo.jpeg = jpeg
                }
                photo.thumbnailFormat = thumbnail.map(thumbnailFormat)
            }
            photo.previewPixelBuffer = try preview(frame, source)
            photo.depthData = depth
            photo.mattes = mattes
        } catch {
            photo.error = error
        }
        return photo
    }

    /// Returns a proxy of a compressed photo: a small version in a file that also contains the photo.
    ///
    /// - Parameters:
    ///   - frame: The frame of the photo.
    ///   - size: The size of the small version.
    func proxy(of photo: EncodedPhoto, _ frame: CapturedFrame, _ size: CMVideoDimensions) -> EncodedPhoto {
        guard let file = photo.file, photo.error == nil else { return photo }
        var proxy = photo
        (proxy.heif, proxy.jpeg) = (nil, nil)
        do throws(AVError) {
            let source = try frame.pixelBuffer()
            let pixels = try converted(
                frame, source, to: CVPixelBufferGetPixelFormatType(source), (Int(size.width), Int(size.height)))
            let small: Data
            if settings.codec == .hevc {
                small = try Self.encoding { try heif(pixels, photo.metadata, nil, PhotoAuxiliaries()).fileData() }
            } else {
                small = try jpeg(pixels, photo.metadata, nil, PhotoAuxiliaries()).fileData
            }
            proxy.file = DeferredPhotoFile.join(small, file)
        } catch {
            proxy.file = nil
            proxy.error = error
        }
        return proxy
    }

    /// Returns the depth that was captured with a frame; nil if there is none, or if the settings do not request it.
    private func depth(of frame: VideoFrame) -> AVDepthData? {
        guard settings.isDepthDataDeliveryEnabled else { return nil }
        guard case .map(let depth)? = frame.depth else {
            let zoom = frame.settings.zoomFactor.map { " at zoom factor \($0)" } ?? ""
            CaptureLog.write(
                .photo, .error, clock,
                "the frame of \(frame.presentationTime.seconds) s has no depth\(zoom), so the photo has none")
            return nil
        }
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
            AVVideoCodecKey: (settings.codec ?? .jpeg).rawValue, AVVideoWidthKey: size.width,
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

    private func jpeg(
        _ pixels: CVPixelBuffer, _ metadata: [String: Any], _ thumbnail: VideoDataSizing.Size?,
        _ auxiliaries: PhotoAuxiliaries
    ) throws(AVError) -> JPEGPhoto {
        try Self.encoding {
            var jpeg = try JPEGPhoto(JPEGCodec().encode(pixels, settings: settings.jpegSettings))
            var exif = EXIF(imageProperties: metadata)
            if let thumbnail { exif.thumbnail = try PhotoThumbnail.encode(pixels, thumbnail) }
            try jpeg.setEXIF(exif)
            if WideColor.isP3(pixels) { try jpeg.setColorProfile(ICCProfile.displayP3) }
            try auxiliaries.add(to: &jpeg)
            return jpeg
        }
    }

    private func heif(
        _ pixels: CVPixelBuffer, _ metadata: [String: Any], _ thumbnail: VideoDataSizing.Size?,
        _ auxiliaries: PhotoAuxiliaries
    ) throws(AVError) -> HEIFPhoto {
        try Self.encoding {
            var heif = HEIFPhoto(try HEIFPicture(encoding: pixels, quality: settings.hevcQuality))
            if let thumbnail { heif.thumbnail = try PhotoThumbnail.encodeHEVC(pixels, thumbnail) }
            heif.auxiliaryImages = try auxiliaries.heifImages()
            heif.setMetadata(metadata)
            return heif
        }
    }

    /// Maps the errors of the codecs.
    private static func encoding<Result>(_ body: () throws -> Result) throws(AVError) -> Result {
        do {
            return try body()
        } catch {
            throw AVError(.encodeFailed, "the photo could not be encoded: \(error)", cause: error)
        }
    }
}

extension JPEGPhoto {
    /// Adds a depth map.
    mutating func add(_ depth: AVDepthData) throws(ImageError) {
        let (codes, xmp) = try depth.codedImage()
        try add(codes, xmp: xmp)
    }
}

extension HEIFPhoto {
    /// Replaces the EXIF block.
    ///
    /// - Parameter metadata: Properties under Image I/O's keys; the orientation of the images remains if there is none.
    mutating func setMetadata(_ metadata: [String: Any]) {
        let exif = EXIF(imageProperties: metadata)
        self.exif = exif
        if let orientation = exif.orientation { self.orientation = orientation }
    }
}

extension AVCapturePhotoSettings {
    /// The compression of a HEIF photo, from 0 to 1: the quality in its format, else by `photoQualityPrioritization`.
    fileprivate var hevcQuality: Double {
        // An invalid quality is rejected before a capture.
        if let quality = try? compressionQuality { return quality }
        return switch photoQualityPrioritization {
        case .speed: 0.6
        case .balanced: 0.7
        case .quality: 0.85
        }
    }

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
