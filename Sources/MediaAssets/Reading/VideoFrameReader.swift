import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// Decodes a video track's frames in presentation order.
///
/// A frame's time is the start of its presentation, even if that is before the time range that is read.
final class VideoFrameReader: SampleReader {
    private let decoder = SegmentDecoder()
    private let segments: [TimelineSegment]
    private let settings: VideoOutputSettings
    private var segmentIndex = 0
    /// The index of the next frame in the presentation order of the file; nil at the start of a segment.
    private var frameIndex: Int?

    init(_ track: AVAssetTrack, _ settings: VideoOutputSettings, _ ranges: [CMTimeRange]) throws(AVError) {
        self.settings = settings
        segments = TimelineSegment.segments(of: track, in: ranges)
        if let first = segments.first { _ = try decoder.frames(of: first) }
    }

    func next() throws(AVError) -> CMSampleBuffer? {
        while segmentIndex < segments.count {
            let segment = segments[segmentIndex]
            let frames = try decoder.frames(of: segment)
            let list = frames.times.frames
            let endTick = segment.tickEnd(at: segment.range.end)
            let index = frameIndex ?? frames.times.index(at: segment.tick(at: segment.range.start)) ?? 0
            guard index < list.count, list[index].start < endTick else {
                segmentIndex += 1
                frameIndex = nil
                continue
            }
            frameIndex = index + 1
            let start = max(segment.trackTime(ofTick: list[index].start), segment.target.start)
            let end = min(segment.trackTime(ofTick: list[index].end), segment.target.end)
            guard end > start || index == list.count - 1 else { continue }
            let pixels = try decoder.pixels(
                index, of: segment, format: settings.pixelFormat, size: settings.size, attributes: settings.attributes)
            return CMSampleBuffer(
                imageBuffer: pixels, formatDescription: .shared(by: pixels),
                timing: CMSampleTimingInfo(
                    duration: end - start, presentationTimeStamp: start, decodeTimeStamp: .invalid))
        }
        return nil
    }
}

/// The format of decoded or composed frames, from a client's pixel buffer attributes.
struct VideoOutputSettings: @unchecked Sendable {
    typealias SettingsError = SettingsDictionary.SettingsError

    // SAFETY: the attributes are an immutable property list.

    /// Nil for the track's native format.
    let pixelFormat: OSType?
    /// In pixels; nil for the encoded size.
    let size: (width: Int, height: Int)?
    /// Pixel buffer attributes for the pool.
    let attributes: [String: Any]

    /// The pixel formats to which frames can be converted.
    static let formats: [OSType] =
        [
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_422YpCbCr8_yuvs,
            kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_32RGBA, kCVPixelFormatType_24RGB,
            kCVPixelFormatType_OneComponent8,
        ] + PixelLayout.tenBitPixelFormats

    /// Reads settings from a dictionary, or returns the reason that they cannot be used.
    static func read(_ settings: [String: Any]) -> Result<VideoOutputSettings, SettingsError> {
        let keys = [
            kCVPixelBufferPixelFormatTypeKey, kCVPixelBufferWidthKey, kCVPixelBufferHeightKey,
            kCVPixelBufferIOSurfacePropertiesKey, kCVPixelBufferMetalCompatibilityKey,
            kCVPixelBufferBytesPerRowAlignmentKey, kCVPixelBufferCGImageCompatibilityKey,
            kCVPixelBufferCGBitmapContextCompatibilityKey, kCVPixelBufferOpenGLCompatibilityKey,
        ]
        if settings[AVVideoCodecKey] != nil {
            return .failure(SettingsError("decoded frames cannot be compressed; remove AVVideoCodecKey"))
        }
        for key in ["AVVideoCleanApertureKey", "AVVideoPixelAspectRatioKey", "AVVideoScalingModeKey"]
        where settings[key] != nil {
            return .failure(SettingsError("\(key) is not supported"))
        }
        guard settings.isEmpty || settings.keys.contains(where: keys.contains) || settings[AVVideoWidthKey] != nil
        else {
            return .failure(SettingsError("no key is supported: \(settings.keys.sorted())"))
        }
        func number(_ key: String) -> Int? { (settings[key] as? NSNumber).flatMap { Int(exactly: $0) } }
        var format: OSType?
        if let value = settings[kCVPixelBufferPixelFormatTypeKey] {
            let codes = (value as? [Any] ?? [value]).compactMap { ($0 as? NSNumber).flatMap { OSType(exactly: $0) } }
            format = codes.first(where: formats.contains)
            guard format != nil else {
                return .failure(SettingsError("no pixel format in \(value) is supported"))
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
        default: return .failure(SettingsError("width and height are both required, from 1 to 16384"))
        }
        let poolAttributes = settings.filter { $0.key == kCVPixelBufferBytesPerRowAlignmentKey }
        return .success(VideoOutputSettings(pixelFormat: format, size: size, attributes: poolAttributes))
    }
}
