package import AssetTypes
import MediaCodecs
package import MediaFiles
package import MediaTypes

/// Decodes frames of the segments of a track.
///
/// It keeps the decoder of one file, and the frame that was decoded last, until a frame of another file is needed.
/// - Important: Confined to one thread at a time.
package final class SegmentDecoder {
    private var current: (media: MediaSource, frames: VideoFrameSource)?
    /// The frame that was decoded last, and its index in `current`.
    private var last: (index: Int, frame: VideoDecoder.Frame)?
    private var pool = FramePool()

    package init() {}

    /// Returns the frames of a segment's file.
    ///
    /// - Throws: An error if the track cannot be decoded.
    package func frames(of segment: TimelineSegment) throws(AVError) -> VideoFrameSource {
        if let current, current.media === segment.media { return current.frames }
        do throws(MediaFileError) {
            let frames = try VideoFrameSource(segment.media.file, segment.media.map)
            current = (segment.media, frames)
            last = nil
            return frames
        } catch {
            throw AVError(error)
        }
    }

    /// Decodes a frame.
    ///
    /// - Parameters:
    ///   - index: The index of the frame in the presentation order of the file.
    ///   - format: Nil for the native format.
    ///   - size: Nil for the encoded size.
    ///   - attributes: Additional attributes of the buffer.
    package func pixels(
        _ index: Int, of segment: TimelineSegment, format: OSType? = nil, size: (width: Int, height: Int)? = nil,
        attributes: [String: Any] = [:]
    ) throws(AVError) -> CVPixelBuffer {
        let frames = try frames(of: segment)
        do throws(MediaFileError) {
            let known = last?.index == index ? last?.frame : nil
            let frame = if let known { known } else { try frames.frame(index) }
            last = (index, frame)
            let (width, height) = size ?? (frame.width, frame.height)
            guard let pixels = pool.buffer(width, height, format ?? frames.pixelFormat, attributes) else {
                throw MediaFileError(
                    .outOfMemory, path: segment.media.file.url.path,
                    "cannot allocate a frame of \(width)x\(height) pixels")
            }
            try frames.render(frame, into: pixels)
            return pixels
        } catch {
            throw AVError(readingSamples: error)
        }
    }
}

/// A pool of pixel buffers with the size and format that was requested last.
package struct FramePool {
    private var pool: (key: [Int], pool: CVPixelBufferPool)?

    package init() {}

    /// Returns a buffer with undefined contents; nil if out of memory.
    package mutating func buffer(
        _ width: Int, _ height: Int, _ format: OSType, _ attributes: [String: Any] = [:]
    ) -> CVPixelBuffer? {
        let key = [width, height, Int(format)]
        if pool?.key != key {
            let required: [String: Any] = [
                kCVPixelBufferWidthKey: width, kCVPixelBufferHeightKey: height,
                kCVPixelBufferPixelFormatTypeKey: format,
            ]
            var new: CVPixelBufferPool?
            CVPixelBufferPoolCreate(nil, nil, attributes.merging(required) { $1 }, &new)
            pool = new.map { (key, $0) }
        }
        var buffer: CVPixelBuffer?
        if let pool { CVPixelBufferPoolCreatePixelBuffer(nil, pool.pool, &buffer) }
        return buffer
    }
}
