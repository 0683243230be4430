import MediaCodecs
import MediaTypes
import PixelKernels

/// Creates pixel buffers from decoded frames and limits how many are in use at a time.
///
/// If the decoder's memory already has the right size and format, the pixel buffer wraps it without a copy. Otherwise
/// the frame is copied into a pooled buffer, or transformed into it.
/// - Important: Confined, except that the pixel buffers may be released on any thread.
final class FrameBufferPool {
    private let width: Int
    private let height: Int
    private let pixelFormat: OSType
    private let maximumCount: Int
    /// The transform of the frames; nil for none.
    private let transform: PixelTransform?
    private let pool: CVPixelBufferPool
    /// The number of pixel buffers in use that wrap the decoder's memory.
    private let wrappedCount = Lock(0)

    /// Counts one pixel buffer that wraps the decoder's memory until the counter is deallocated.
    private final class WrapCounter: Sendable {
        private let count: Lock<Int>

        init(_ count: Lock<Int>) {
            self.count = count
            count.withLock { $0 += 1 }
        }

        deinit { count.withLock { $0 -= 1 } }
    }

    init(width: Int, height: Int, pixelFormat: OSType, maximumCount: Int, transform: PixelTransform? = nil) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.maximumCount = maximumCount
        self.transform = transform
        pool = CVPixelBufferPool(
            width: width, height: height, pixelFormat: pixelFormat, maximumBufferCount: maximumCount,
            name: "of a media file")
    }

    /// Returns a pixel buffer with the content of a frame; nil if `maximumCount` buffers are in use.
    ///
    /// - Throws: The errors of `VideoDecoder.render`.
    func makeBuffer(for frame: VideoDecoder.Frame, of decoder: VideoDecoder) throws(MediaFileError) -> CVPixelBuffer? {
        guard wrappedCount.withLock({ $0 }) + pool.inUseCount < maximumCount else { return nil }
        if transform == nil, frame.width == width, frame.height == height,
            let wrapped = decoder.pixelBuffer(frame, pixelFormat: pixelFormat, retaining: WrapCounter(wrappedCount))
        {
            return wrapped
        }
        guard let pixels = pool.makeBuffer() else { return nil }
        try decoder.render(frame, into: pixels, transform)
        return pixels
    }
}
