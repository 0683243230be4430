import AssetTypes
import Foundation
import MediaCodecs
import MediaFiles
package import MediaTypes
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
package struct VideoOutputSettings: @unchecked Sendable {
    package typealias SettingsError = SettingsDictionary.SettingsError

    // SAFETY: the attributes are an immutable property list.

    /// Nil for the track's native format.
    package let pixelFormat: OSType?
    /// In pixels; nil for the encoded size.
    package let size: (width: Int, height: Int)?
    /// Pixel buffer attributes for the pool.
    package let attributes: [String: Any]

    /// The pixel formats to which frames can be converted.
    static let formats: [OSType] =
        [
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_422YpCbCr8_yuvs,
            kCVPixelFormatType_32BGRA, kCVPixelFormatType_32ARGB, kCVPixelFormatType_32RGBA, kCVPixelFormatType_24RGB,
            kCVPixelFormatType_OneComponent8,
        ] + PixelLayout.tenBitPixelFormats
}

extension VideoOutputSettings {
    /// The keys of pixel buffer attributes that are used or have no effect on the samples.
    private static let keys = [
        kCVPixelBufferPixelFormatTypeKey, kCVPixelBufferWidthKey, kCVPixelBufferHeightKey,
        kCVPixelBufferIOSurfacePropertiesKey, kCVPixelBufferMetalCompatibilityKey,
        kCVPixelBufferBytesPerRowAlignmentKey, kCVPixelBufferCGImageCompatibilityKey,
        kCVPixelBufferCGBitmapContextCompatibilityKey, kCVPixelBufferOpenGLCompatibilityKey,
    ]

    /// Reads settings from a dictionary, or returns the reason that they cannot be used.
    package static func read(_ settings: [String: Any]) -> Result<VideoOutputSettings, SettingsError> {
        Result { () throws(SettingsError) in try VideoOutputSettings(SettingsDictionary(settings)) }
    }

    private init(_ settings: SettingsDictionary) throws(SettingsError) {
        if settings.contains(AVVideoCodecKey) {
            throw SettingsError("decoded frames cannot be compressed; remove AVVideoCodecKey")
        }
        for key in [AVVideoCleanApertureKey, AVVideoPixelAspectRatioKey, AVVideoScalingModeKey]
        where settings.contains(key) {
            throw SettingsError("\(key) is not supported")
        }
        let names = settings.values.keys.sorted()
        guard names.isEmpty || names.contains(where: { Self.keys.contains($0) || $0 == AVVideoWidthKey }) else {
            throw SettingsError("no key is supported: \(names)")
        }
        pixelFormat = try Self.pixelFormat(settings)
        func side(_ keys: String...) throws(SettingsError) -> Int? {
            for key in keys {
                if let value = try settings.integer(key, 1...16384) { return value }
            }
            return nil
        }
        switch try (side(kCVPixelBufferWidthKey, AVVideoWidthKey), side(kCVPixelBufferHeightKey, AVVideoHeightKey)) {
        case (nil, nil): size = nil
        case (let width?, let height?): size = (width, height)
        default: throw SettingsError("width and height are both required, from 1 to 16384")
        }
        _ = try settings.integer(kCVPixelBufferBytesPerRowAlignmentKey, 1...(1 << 20))
        attributes = settings.values.filter { $0.key == kCVPixelBufferBytesPerRowAlignmentKey }
    }

    /// Returns the first supported pixel format of a number or a list; nil if the key is missing.
    private static func pixelFormat(_ settings: SettingsDictionary) throws(SettingsError) -> OSType? {
        let key = kCVPixelBufferPixelFormatTypeKey
        guard let value = settings.values[key] else { return nil }
        var codes: [OSType] = []
        for element in value as? [Any] ?? [value] {
            guard let code = try SettingsDictionary([key: element]).integer(key, 0...Int(OSType.max)) else { continue }
            codes.append(OSType(code))
        }
        guard let format = codes.first(where: formats.contains) else {
            throw SettingsError("no pixel format in \(value) is supported")
        }
        return format
    }
}
