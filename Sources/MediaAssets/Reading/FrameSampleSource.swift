import MediaCodecs
import MediaTypes
import PixelKernels

/// Decodes a video track's frames, in the order in which they are shown.
///
/// A frame's time is when it begins to be shown, also where that lies before the time range that is read.
final class FrameSampleSource: SampleSource {
    private let frames: FrameSource
    private let pieces: [TimelinePiece]
    private let settings: VideoOutputSettings
    private var pieceIndex = 0
    /// The next frame of the piece; nil at its begin.
    private var frameIndex: Int?
    /// For frames of the size and format of the last one.
    private var pool: (key: [Int], pool: CVPixelBufferPool)?

    init(_ track: AVAssetTrack, _ settings: VideoOutputSettings, _ ranges: [CMTimeRange]) throws(AVError) {
        self.settings = settings
        pieces = TimelinePiece.pieces(of: track.map, in: ranges)
        do throws(MediaFileError) {
            frames = try FrameSource(track.file, track.map)
        } catch {
            throw AVError(error)
        }
    }

    func next() throws(AVError) -> CMSampleBuffer? {
        while pieceIndex < pieces.count {
            let piece = pieces[pieceIndex]
            let list = frames.times.frames
            let end = piece.tickEnd(at: piece.range.end)
            let index = frameIndex ?? frames.times.index(at: piece.tick(at: piece.range.start)) ?? 0
            guard index < list.count, list[index].start < end else {
                pieceIndex += 1
                frameIndex = nil
                continue
            }
            frameIndex = index + 1
            let start = max(piece.trackTime(ofTick: list[index].start), piece.target.start)
            let stop = min(piece.trackTime(ofTick: list[index].end), piece.target.end)
            guard stop > start || index == list.count - 1 else { continue }
            return try sample(index, start: start, duration: stop - start)
        }
        return nil
    }

    private func sample(_ index: Int, start: CMTime, duration: CMTime) throws(AVError) -> CMSampleBuffer {
        do throws(MediaFileError) {
            let frame = try frames.frame(index)
            let format = settings.pixelFormat ?? frames.pixelFormat
            let (width, height) = settings.size ?? (frame.width, frame.height)
            guard let pixels = buffer(width, height, format) else {
                throw MediaFileError(.outOfMemory, path: "", "there is no memory for a frame")
            }
            try frames.render(frame, into: pixels)
            return CMSampleBuffer(
                imageBuffer: pixels, formatDescription: .shared(by: pixels),
                timing: CMSampleTimingInfo(
                    duration: duration, presentationTimeStamp: start, decodeTimeStamp: .invalid))
        } catch {
            throw error.code == .unsupportedCodec
                ? AVError(.decodeFailed, error.message, cause: error) : AVError(error)
        }
    }

    private func buffer(_ width: Int, _ height: Int, _ format: OSType) -> CVPixelBuffer? {
        let key = [width, height, Int(format)]
        if pool?.key != key {
            let attributes: [String: Any] = [
                kCVPixelBufferWidthKey: width, kCVPixelBufferHeightKey: height,
                kCVPixelBufferPixelFormatTypeKey: format,
            ]
            var fresh: CVPixelBufferPool?
            CVPixelBufferPoolCreate(nil, nil, settings.attributes.merging(attributes) { $1 }, &fresh)
            pool = fresh.map { (key, $0) }
        }
        var buffer: CVPixelBuffer?
        if let pool { CVPixelBufferPoolCreatePixelBuffer(nil, pool.pool, &buffer) }
        return buffer
    }
}

/// How decoded frames are to look, from `AVAssetReaderTrackOutput`'s settings.
struct VideoOutputSettings: @unchecked Sendable {
    // SAFETY: the attributes are a property list, which nobody changes.

    /// Nil for the one that fits the track.
    let pixelFormat: OSType?
    let size: (width: Int, height: Int)?
    /// Pixel-buffer attributes that are handed on.
    let attributes: [String: Any]

    static let formats: [OSType] = [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_422YpCbCr8_yuvs,
        kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_32RGBA, kCVPixelFormatType_24RGB,
        kCVPixelFormatType_OneComponent8,
    ]

    /// - Returns: The settings, or why they cannot be.
    static func read(_ settings: [String: Any]) -> Result<VideoOutputSettings, SettingsRefusal> {
        let keys = [
            kCVPixelBufferPixelFormatTypeKey, kCVPixelBufferWidthKey, kCVPixelBufferHeightKey,
            kCVPixelBufferIOSurfacePropertiesKey, kCVPixelBufferMetalCompatibilityKey,
            kCVPixelBufferBytesPerRowAlignmentKey, kCVPixelBufferCGImageCompatibilityKey,
            kCVPixelBufferCGBitmapContextCompatibilityKey, kCVPixelBufferOpenGLCompatibilityKey,
        ]
        if settings[AVVideoCodecKey] != nil {
            return .failure(SettingsRefusal("the output would be compressed (AVVideoCodecKey)"))
        }
        for key in ["AVVideoCleanApertureKey", "AVVideoPixelAspectRatioKey", "AVVideoScalingModeKey"]
        where settings[key] != nil {
            return .failure(SettingsRefusal("\(key) is not supported"))
        }
        guard settings.isEmpty || settings.keys.contains(where: keys.contains) || settings[AVVideoWidthKey] != nil
        else {
            return .failure(SettingsRefusal("none of the keys is known: \(settings.keys.sorted())"))
        }
        func number(_ key: String) -> Int? { (settings[key] as? any BinaryInteger).flatMap { Int(exactly: $0) } }
        var format: OSType?
        if let value = settings[kCVPixelBufferPixelFormatTypeKey] {
            let codes = (value as? [Any] ?? [value]).compactMap {
                ($0 as? any BinaryInteger).flatMap { OSType(exactly: $0) }
            }
            format = codes.first(where: formats.contains)
            guard format != nil else {
                return .failure(SettingsRefusal("no pixel format of \(value) can be made"))
            }
        }
        let sides = (
            number(kCVPixelBufferWidthKey) ?? number(AVVideoWidthKey),
            number(kCVPixelBufferHeightKey) ?? number(AVVideoHeightKey)
        )
        var size: (width: Int, height: Int)?
        switch sides {
        case (nil, nil): break
        case (let width?, let height?) where (1...16384).contains(width) && (1...16384).contains(height):
            size = (width, height)
        default: return .failure(SettingsRefusal("width and height must both be given, from 1 to 16384"))
        }
        let handed = settings.filter { $0.key == kCVPixelBufferBytesPerRowAlignmentKey }
        return .success(VideoOutputSettings(pixelFormat: format, size: size, attributes: handed))
    }
}

/// Why output settings cannot be.
struct SettingsRefusal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
