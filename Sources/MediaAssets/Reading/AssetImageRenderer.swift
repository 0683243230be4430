import AssetTypes
import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes
import PixelKernels

/// Renders single images of an asset.
package protocol ImageRenderer: AnyObject {
    /// Returns an image and the start of its presentation.
    func image(at time: CMTime, _ options: AVAssetImageGenerator.Options) throws(AVError) -> (CGImage, CMTime)
    /// Returns the start of the presentation of the image at a time, without rendering it.
    func presentationTime(at time: CMTime, _ options: AVAssetImageGenerator.Options) throws(AVError) -> CMTime
}

/// A description of how images are composed from the video tracks of an asset.
package protocol ImageComposition: Sendable {
    /// Creates the renderer of an asset; throws if the composition cannot be rendered.
    func makeRenderer(of asset: AVAsset) throws(AVError) -> any ImageRenderer
}

extension AVAssetImageGenerator.Options {
    /// Returns the largest size with the same aspect ratio that fits in the maximum size, in whole pixels, never larger
    /// than the original.
    package func fit(_ size: CGSize) -> CGSize {
        var scale = 1.0
        if maximumSize.width > 0 { scale = min(scale, maximumSize.width / size.width) }
        if maximumSize.height > 0 { scale = min(scale, maximumSize.height / size.height) }
        return CGSize(
            width: max(1, (size.width * scale).rounded()), height: max(1, (size.height * scale).rounded()))
    }
}

extension AVError {
    /// Creates the error for a time without an image.
    package init(noImageAt time: CMTime, of path: String) {
        self.init(
            .noImageAtTime, "\(path) has no frame at \(time.seconds) s within the tolerances", cause: nil,
            [AVErrorTimeKey: time])
    }
}

/// Finds, decodes and scales single frames of a video track.
///
/// - Important: Confined to one thread at a time.
final class AssetImageRenderer: ImageRenderer {
    private let track: AVAssetTrack
    private let decoder = SegmentDecoder()
    private let converter = PixelConverter()

    /// Creates a renderer for an asset's first enabled video track.
    ///
    /// - Throws: `.noSourceTrack` without video, or an error if it cannot be decoded.
    init(_ asset: AVAsset) throws(AVError) {
        guard let track = try asset.open().tracks.firstVideoTrack, !track.typedFormatDescriptions.isEmpty else {
            throw AVError(.noSourceTrack, "\(asset.path) has no video track to create images from")
        }
        self.track = track
        if let first = track.timeline.first { _ = try decoder.frames(of: first) }
    }

    func image(at time: CMTime, _ options: AVAssetImageGenerator.Options) throws(AVError) -> (CGImage, CMTime) {
        let (segment, index, actualTime) = try selectFrame(time, options)
        let decoded = try decoder.pixels(index, of: segment)
        do throws(MediaFileError) {
            return (CGImage(pixelBuffer: try transform(decoded, options)), actualTime)
        } catch {
            throw error.code == .unsupportedCodec
                ? AVError(.decodeFailed, error.message, cause: error) : AVError(error)
        }
    }

    /// Returns the start of the presentation of the image at a time, without decoding it.
    func presentationTime(at time: CMTime, _ options: AVAssetImageGenerator.Options) throws(AVError) -> CMTime {
        try selectFrame(time, options).time
    }

    // MARK: Frame selection

    /// Returns the frame for a time: its segment, its index in the presentation order of the file, and the start of its
    /// presentation.
    private func selectFrame(
        _ time: CMTime, _ options: AVAssetImageGenerator.Options
    ) throws(AVError) -> (segment: TimelineSegment, index: Int, time: CMTime) {
        let (before, after) = (options.toleranceBefore, options.toleranceAfter)
        guard time.isNumeric else { throw AVError(noImageAt: time, of: track.path) }
        let segments = TimelineSegment.segments(
            of: track, in: [CMTimeRange(start: .zero, duration: .positiveInfinity)])
        let segment: TimelineSegment
        var index: Int
        if let current = segments.first(where: { $0.target.containsTime(time) }) {
            segment = current
            index = try decoder.frames(of: segment).times.index(at: current.tick(at: time)) ?? 0
        } else if let next = segments.first(where: { $0.target.start > time }), next.target.start - time <= after {
            segment = next
            index = try decoder.frames(of: segment).times.index(at: next.tick(at: next.target.start)) ?? 0
        } else if let last = segments.last(where: { $0.target.end <= time }),
            !(try decoder.frames(of: last)).times.frames.isEmpty
        {
            segment = last
            index = try decoder.frames(of: segment).times.index(at: last.tickEnd(at: last.target.end) - 1) ?? 0
            guard time - start(of: index, last, try decoder.frames(of: last)) <= before else {
                throw AVError(noImageAt: time, of: track.path)
            }
        } else {
            throw AVError(noImageAt: time, of: track.path)
        }
        let frames = try decoder.frames(of: segment)
        guard !frames.times.frames.isEmpty else { throw AVError(noImageAt: time, of: track.path) }
        if let key = keyFrame(near: index, at: time, segment, frames, before, after) { index = key }
        return (segment, index, start(of: index, segment, frames))
    }

    private func start(of index: Int, _ segment: TimelineSegment, _ frames: VideoFrameSource) -> CMTime {
        max(segment.trackTime(ofTick: frames.times.frames[index].start), segment.target.start)
    }

    /// Returns the index of the key frame nearest to a time within the tolerances; nil if there is none.
    ///
    /// - Parameter index: The index of the frame at the time.
    private func keyFrame(
        near index: Int, at time: CMTime, _ segment: TimelineSegment, _ frames: VideoFrameSource, _ before: CMTime,
        _ after: CMTime
    ) -> Int? {
        let list = frames.times.frames
        let runs = segment.media.map.samples.runs
        func isKey(_ index: Int) -> Bool { runs[list[index].sample].isSync }
        if isKey(index) { return index }
        var earlier: Int?
        var candidate = index - 1
        while candidate >= 0, time - start(of: candidate, segment, frames) <= before,
            list[candidate].end > segment.tick(at: segment.target.start)
        {
            if isKey(candidate) {
                earlier = candidate
                break
            }
            candidate -= 1
        }
        candidate = index + 1
        while candidate < list.count, start(of: candidate, segment, frames) < segment.target.end {
            let distance = start(of: candidate, segment, frames) - time
            if distance > after { break }
            if isKey(candidate) {
                guard let earlier, time - start(of: earlier, segment, frames) <= distance else { return candidate }
                return earlier
            }
            candidate += 1
        }
        return earlier
    }

    // MARK: Transformation

    private func transform(
        _ decoded: CVPixelBuffer, _ options: AVAssetImageGenerator.Options
    ) throws(MediaFileError) -> CVPixelBuffer {
        var size = CGSize(width: CVPixelBufferGetWidth(decoded), height: CVPixelBufferGetHeight(decoded))
        var transform = PixelTransform()
        if options.apertureMode == .cleanAperture, let rect = track.visibleRect,
            rect.x + rect.width <= Int(size.width), rect.y + rect.height <= Int(size.height)
        {
            transform.crop = rect
            size = CGSize(width: rect.width, height: rect.height)
        }
        if options.apertureMode != .encodedPixels { size.width *= track.pixelAspectRatio }
        if options.appliesTransform {
            (transform.rotation, transform.isMirrored) =
                (track.uprightTransform.rotation, track.uprightTransform.isMirrored)
            if transform.rotation.swapsWidthAndHeight { size = CGSize(width: size.height, height: size.width) }
        }
        size = options.fit(size)
        let result = try makeBuffer(Int(size.width), Int(size.height), kCVPixelFormatType_32BGRA)
        do throws(ImageError) {
            try converter.convert(decoded, to: result, transform)
        } catch {
            throw MediaFileError(.unsupportedCodec, path: track.path, error.message)
        }
        return result
    }

    private func makeBuffer(_ width: Int, _ height: Int, _ format: OSType) throws(MediaFileError) -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, format, nil, &buffer)
        guard let buffer else {
            throw MediaFileError(
                .outOfMemory, path: track.path, "cannot allocate an image of \(width)x\(height)")
        }
        return buffer
    }
}
