import AssetTypes
import MediaAssets
import MediaCodecs
import MediaFiles
import MediaTypes
import PixelKernels

/// The properties of a track's decoded frames that determine how an export encodes them.
package struct SourceVideoFormat {
    /// Whether the frames have a high dynamic range (HLG or PQ), by the bitstream or else by the container.
    package private(set) var isHDR = false
    private var bitsPerComponent = 8

    /// Reads the first frame of a track. Without a frame that can be decoded, the format is 8-bit video with a standard
    /// dynamic range; the export reports the error.
    package init(of track: AVAssetTrack) {
        guard let segment = track.timeline.first, let frames = try? SegmentDecoder().frames(of: segment),
            !frames.times.frames.isEmpty, let frame = try? frames.frame(0)
        else { return }
        (isHDR, bitsPerComponent) = (frame.isHDR, frame.bitsPerComponent)
    }

    /// Returns the pixel format in which frames are decoded: with 10 bits for ProRes, and for HEVC if the source has
    /// more than 8 bits or a high dynamic range.
    func pixelFormat(for codec: AVVideoCodecType) -> OSType {
        switch codec {
        case .proRes422, .proRes4444: kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange
        case .hevc where isHDR || bitsPerComponent > 8: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        default: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        }
    }

    /// Returns the converter for a codec whose encoders have 8 bits, which are too few for a high dynamic range; nil if
    /// frames are not converted.
    func standardRangeConverter(for codec: AVVideoCodecType) -> StandardRangeConverter? {
        isHDR && pixelFormat(for: codec) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
            ? StandardRangeConverter() : nil
    }
}

/// Converts HDR frames to BT.709 with compressed highlights; other frames are not changed.
///
/// - Important: Confined to one thread at a time.
final class StandardRangeConverter {
    private let converter = PixelConverter()
    private var pool = FramePool()

    /// Returns a sample with the same timing and the converted frame.
    func convert(_ sample: CMSampleBuffer) throws(AVError) -> CMSampleBuffer {
        guard let source = sample.imageBuffer, HighDynamicRange(source) != nil else { return sample }
        let (width, height) = (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source))
        guard let target = pool.buffer(width, height, CVPixelBufferGetPixelFormatType(source)) else {
            throw AVError(.outOfMemory, "cannot allocate a frame of \(width)x\(height) pixels")
        }
        CVBufferPropagateAttachments(source, target)
        HighDynamicRange.tagAsStandardRange(target)
        do throws(ImageError) {
            try converter.convert(source, to: target)
        } catch {
            throw AVError(composing: error)
        }
        return CMSampleBuffer(
            imageBuffer: target, formatDescription: .shared(by: target),
            timing: CMSampleTimingInfo(
                duration: sample.duration, presentationTimeStamp: sample.presentationTimeStamp,
                decodeTimeStamp: .invalid))
    }
}
