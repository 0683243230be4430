import CaptureHAL
import Foundation
public import MediaAssets
public import MediaTypes

/// What is delivered.
extension AVCaptureVideoDataOutput {
    /// The pixel formats on offer, the camera's own first.
    public var availableVideoPixelFormatTypes: [OSType] {
        let formats = [
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            kCVPixelFormatType_32BGRA, kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_422YpCbCr8_yuvs,
        ]
        guard let native = nativeDescription?.mediaSubType.rawValue, formats.contains(native) else { return formats }
        return [native] + formats.filter { $0 != native }
    }

    /// The codecs on offer: JPEG where the camera delivers that, and else none.
    public var availableVideoCodecTypes: [AVVideoCodecType] { isNativelyJPEG ? [.jpeg] : [] }

    /// Pixel format, width and height of what is delivered.
    ///
    /// nil, as by default, takes the camera's format, decoded where it is compressed. An empty dictionary takes what the
    /// camera delivers as it is; a `AVVideoCodecKey` does that, too, where the camera compresses so. Compressed frames are
    /// neither turned nor mirrored.
    ///
    /// Width and height are those of the turned picture; they must have its shape and not exceed its size, and cannot be
    /// changed while `deliversPreviewSizedOutputBuffers` is true: else they are misuse. A size that is kept while the
    /// connection's rotation or the camera's format changes never distorts the picture: it is turned with it, and where the
    /// shape is another, the picture's longer side becomes as long as the longer one that was asked for. Apple leaves open
    /// what comes then.
    ///
    /// The value reads back filled in, with the size that is delivered; setting that size asks for nothing new, so that
    /// what was read can be set again with another pixel format.
    public var videoSettings: [String: Any]! {
        get {
            let request = request
            if deliversCompressed { return compressedSettings }
            var result: [String: Any] = [:]
            result[kCVPixelBufferPixelFormatTypeKey as String] = request.pixelFormat ?? nativePixelFormat
            let size = deliveredSize
            result[kCVPixelBufferWidthKey as String] = size?.width
            result[kCVPixelBufferHeightKey as String] = size?.height
            return result
        }
        set {
            do throws(SettingsDictionary.Refusal) {
                request =
                    try newValue.map { values throws(SettingsDictionary.Refusal) in try read(values) }
                    ?? VideoDataRequest()
            } catch {
                system.misuse.report(
                    .invalidArgument, "-[AVCaptureVideoDataOutput setVideoSettings:] \(error.reason)")
            }
        }
    }

    private func read(_ values: [String: Any]) throws(SettingsDictionary.Refusal) -> VideoDataRequest {
        let settings = SettingsDictionary(values)
        var request = VideoDataRequest(form: values.isEmpty ? .native : .pixels(nil))
        if let codec = try settings.text(AVVideoCodecKey) {
            guard availableVideoCodecTypes.contains(where: { $0.rawValue == codec }) else {
                throw SettingsDictionary.Refusal(
                    "Unsupported codec type \(codec) - use -availableVideoCodecTypes")
            }
            request.form = .jpeg
            return request
        }
        if let format = try settings.integer(kCVPixelBufferPixelFormatTypeKey, 0...Int(OSType.max)) {
            guard availableVideoPixelFormatTypes.contains(OSType(format)) else {
                throw SettingsDictionary.Refusal(
                    "Unsupported pixel format type - use -availableVideoCVPixelFormatTypes")
            }
            request.form = .pixels(OSType(format))
        }
        let width = try settings.integer(kCVPixelBufferWidthKey, 1...16384)
        let height = try settings.integer(kCVPixelBufferHeightKey, 1...16384)
        guard (width == nil) == (height == nil) else {
            throw SettingsDictionary.Refusal("width and height must both be given")
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

    /// The size of what is delivered; nil where that is not known yet.
    private var deliveredSize: VideoDataSizing.Size? { naturalSize.map { sizing.size(of: $0) } ?? request.size }

    /// Whether frames are passed on compressed.
    var deliversCompressed: Bool { request.takesCompressed && isNativelyJPEG }

    /// A size of another shape than the picture's, or a larger one, is refused; before there is a picture any will do.
    private func check(_ width: Int, _ height: Int) throws(SettingsDictionary.Refusal) {
        guard !deliversPreviewSizedOutputBuffers else {
            throw SettingsDictionary.Refusal(
                "width and height cannot be changed while deliversPreviewSizedOutputBuffers is YES")
        }
        guard let natural = naturalSize else { return }
        guard VideoDataSizing.isWithin((width, height), natural) else {
            throw SettingsDictionary.Refusal(
                "\(width)x\(height) exceeds the active format's \(natural.width)x\(natural.height)")
        }
        guard VideoDataSizing.hasShape((width, height), natural) else {
            throw SettingsDictionary.Refusal(
                "\(width)x\(height) has not the shape of \(natural.width)x\(natural.height), which is what the active "
                    + "format and the connection's orientation give")
        }
    }

    private var compressedSettings: [String: Any] {
        var result: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.jpeg.rawValue]
        result[AVVideoWidthKey] = nativeDescription.map { Int($0.dimensions.width) }
        result[AVVideoHeightKey] = nativeDescription.map { Int($0.dimensions.height) }
        return result
    }

    private var nativeDescription: CMFormatDescription? {
        connection(with: .video)?.inputPorts.first?.deliveredDescription
    }

    private var isNativelyJPEG: Bool { nativeDescription?.mediaSubType.rawValue == kCMVideoCodecType_JPEG }

    /// The device's pixel format, or that into which its frames are decoded.
    private var nativePixelFormat: OSType? {
        isNativelyJPEG ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : nativeDescription?.mediaSubType.rawValue
    }

    /// The picture's size after its rotation; nil without a camera.
    var naturalSize: VideoDataSizing.Size? {
        guard let connection = connection(with: .video), let size = nativeDescription?.dimensions else { return nil }
        // As it was set last: a client sets angle and size in one configuration.
        let isTurned = connection.latestSettings.rotationAngle % 180 != 0
        let (width, height) = (Int(size.width), Int(size.height))
        return isTurned ? (height, width) : (width, height)
    }
}
