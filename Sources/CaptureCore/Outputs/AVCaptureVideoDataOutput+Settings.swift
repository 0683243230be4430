public import AssetTypes
import CaptureHAL
import Foundation
public import MediaTypes
import PixelKernels

/// The encoding and pixel format of the delivered frames.
extension AVCaptureVideoDataOutput {
    /// The supported pixel formats, the camera's native format first. A format with 10 bits is only supported if it is
    /// the camera's native format.
    public var availableVideoPixelFormatTypes: [OSType] {
        let formats = [
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            kCVPixelFormatType_32BGRA, kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_422YpCbCr8_yuvs,
        ]
        guard let native = nativeDescription?.mediaSubType.rawValue,
            formats.contains(native) || PixelLayout.tenBitPixelFormats.contains(native)
        else { return formats }
        return [native] + formats.filter { $0 != native }
    }

    /// The supported codecs: JPEG if the camera delivers it, else none.
    public var availableVideoCodecTypes: [AVVideoCodecType] { isNativelyJPEG ? [.jpeg] : [] }

    /// The pixel format, width and height of the delivered frames.
    ///
    /// Nil, the default, selects the camera's pixel format; compressed frames are decoded. An empty dictionary delivers
    /// the camera's frames unchanged, and so does `AVVideoCodecKey` with a codec that the camera delivers. Compressed
    /// frames are neither rotated nor mirrored.
    ///
    /// Width and height refer to the rotated frame. They must have its aspect ratio, must not exceed its size, and
    /// cannot be changed while `deliversPreviewSizedOutputBuffers` is true; anything else is misuse. If the
    /// connection's rotation or the camera's format changes later, frames are not distorted: the size is rotated with
    /// the frame, and with another aspect ratio, the frame's longer side gets the length of the requested longer side.
    /// Apple does not specify this case.
    ///
    /// The getter returns complete settings with the delivered size. Setting that size does not count as a request, so
    /// that clients can set the returned value with another pixel format.
    public var videoSettings: [String: Any]! {
        get {
            observedProperties.access()
            let request = request
            if deliversCompressed { return compressedSettings }
            var result: [String: Any] = [:]
            result[kCVPixelBufferPixelFormatTypeKey as String] = request.pixelFormat ?? nativePixelFormat
            let size = deliveredSize
            result[kCVPixelBufferWidthKey as String] = size?.width
            result[kCVPixelBufferHeightKey as String] = size?.height
            return result.plainSettings
        }
        set {
            do throws(SettingsDictionary.SettingsError) {
                request =
                    try newValue.map { values throws(SettingsDictionary.SettingsError) in try read(values) }
                    ?? VideoDataRequest()
                observedProperties.changed()
            } catch {
                system.misuse.report(
                    .invalidArgument, "-[AVCaptureVideoDataOutput setVideoSettings:] \(error.reason)")
            }
        }
    }

    private func read(_ values: [String: Any]) throws(SettingsDictionary.SettingsError) -> VideoDataRequest {
        let settings = SettingsDictionary(values)
        var request = VideoDataRequest(encoding: values.isEmpty ? .native : .pixels(nil))
        if let codec = try settings.text(AVVideoCodecKey) {
            guard availableVideoCodecTypes.contains(where: { $0.rawValue == codec }) else {
                throw SettingsDictionary.SettingsError(
                    "Unsupported codec type \(codec) - use -availableVideoCodecTypes")
            }
            request.encoding = .jpeg
            return request
        }
        if let format = try settings.integer(kCVPixelBufferPixelFormatTypeKey, 0...Int(OSType.max)) {
            guard availableVideoPixelFormatTypes.contains(OSType(format)) else {
                throw SettingsDictionary.SettingsError(
                    "Unsupported pixel format type - use -availableVideoCVPixelFormatTypes")
            }
            request.encoding = .pixels(OSType(format))
        }
        let width = try settings.integer(kCVPixelBufferWidthKey, 1...16384)
        let height = try settings.integer(kCVPixelBufferHeightKey, 1...16384)
        guard (width == nil) == (height == nil) else {
            throw SettingsDictionary.SettingsError("width and height must both be given")
        }
        if let width, let height {
            if let delivered = deliveredSize, delivered == (width, height) {
                request.size = self.request.size
            } else {
                try check(width, height)
                request.size = (width, height)
            }
        }
        return request
    }

    /// The size of the delivered frames; nil if it is not known yet.
    private var deliveredSize: VideoDataSizing.Size? { naturalSize.map { sizing.size(of: $0) } ?? request.size }

    /// Whether frames are delivered compressed.
    var deliversCompressed: Bool { request.acceptsCompressed && isNativelyJPEG }

    /// Throws if a size cannot be requested: frames have preview size, or the size exceeds the frame or has another
    /// aspect ratio. Without a camera, any size is accepted.
    private func check(_ width: Int, _ height: Int) throws(SettingsDictionary.SettingsError) {
        guard !deliversPreviewSizedOutputBuffers else {
            throw SettingsDictionary.SettingsError(
                "width and height cannot be changed while deliversPreviewSizedOutputBuffers is YES")
        }
        guard let natural = naturalSize else { return }
        guard VideoDataSizing.isWithin((width, height), natural) else {
            throw SettingsDictionary.SettingsError(
                "\(width)x\(height) exceeds the active format's \(natural.width)x\(natural.height)")
        }
        guard VideoDataSizing.hasAspectRatio((width, height), natural) else {
            throw SettingsDictionary.SettingsError(
                "\(width)x\(height) does not have the aspect ratio of \(natural.width)x\(natural.height), the size "
                    + "of the active format with the connection's orientation")
        }
    }

    private var compressedSettings: [String: Any] {
        var result: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.jpeg]
        result[AVVideoWidthKey] = nativeDescription.map { Int($0.dimensions.width) }
        result[AVVideoHeightKey] = nativeDescription.map { Int($0.dimensions.height) }
        return result.plainSettings
    }

    private var nativeDescription: CMFormatDescription? {
        connection(with: .video)?.inputPorts.first?.deliveredDescription
    }

    private var isNativelyJPEG: Bool { nativeDescription?.mediaSubType.rawValue == kCMVideoCodecType_JPEG }

    /// The device's pixel format, or the format of its decoded frames.
    private var nativePixelFormat: OSType? {
        isNativelyJPEG ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : nativeDescription?.mediaSubType.rawValue
    }

    /// The frame's size after rotation; nil without a camera.
    var naturalSize: VideoDataSizing.Size? {
        guard let connection = connection(with: .video), let size = nativeDescription?.dimensions else { return nil }
        // Includes uncommitted settings: clients set the angle and the size in one configuration.
        let isRotated = connection.latestSettings.rotationAngle % 180 != 0
        let (width, height) = (Int(size.width), Int(size.height))
        return isRotated ? (height, width) : (width, height)
    }
}
