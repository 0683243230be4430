import MediaCodecs
import MediaTypes

/// Makes pixel buffers of decoded frames, never more at a time than a stream may have.
///
/// A frame whose memory serves as it is becomes the picture; any other is copied into a buffer of a pool.
/// - Important: Confined, save that the pictures may be let go on any thread.
final class FramePictures {
    private let width: Int
    private let height: Int
    private let pixelFormat: OSType
    private let maximumCount: Int
    private let pool: CVPixelBufferPool
    private let loans = Lock(0)

    /// Lives as long as a picture in memory of the decoder's, and is counted.
    private final class Loan: Sendable {
        private let count: Lock<Int>

        init(_ count: Lock<Int>) {
            self.count = count
            count.withLock { $0 += 1 }
        }

        deinit { count.withLock { $0 -= 1 } }
    }

    init(width: Int, height: Int, pixelFormat: OSType, maximumCount: Int) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.maximumCount = maximumCount
        pool = CVPixelBufferPool(
            width: width, height: height, pixelFormat: pixelFormat, maximumBufferCount: maximumCount)
    }

    /// The picture of a frame; nil where as many as there may be are in use.
    ///
    /// - Throws: As `VideoDecoder.render`.
    func make(_ frame: VideoDecoder.Frame, of decoder: VideoDecoder) throws(MediaFileError) -> CVPixelBuffer? {
        guard loans.withLock({ $0 }) + pool.inUseCount < maximumCount else { return nil }
        if frame.width == width, frame.height == height,
            let picture = decoder.picture(frame, pixelFormat: pixelFormat, with: Loan(loans))
        {
            return picture
        }
        guard let pixels = pool.makeBuffer() else { return nil }
        try decoder.render(frame, into: pixels)
        return pixels
    }
}
