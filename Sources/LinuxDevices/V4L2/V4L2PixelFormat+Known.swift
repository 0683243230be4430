import CLinuxDevices
import CaptureHAL
import MediaTypes

/// The encodings that are known. Byte orders are those of "Image Formats" in the V4L2 API.
extension V4L2PixelFormat {
    static let all: [V4L2PixelFormat] =
        packedYCbCr422 + yCbCr420 + yCbCr444And422 + rgb + rgb16 + gray + bayer + compressed

    private static let compressed: [V4L2PixelFormat] = [
        (clinuxdevices_V4L2_PIX_FMT_MJPEG, kCMVideoCodecType_JPEG),
        (clinuxdevices_V4L2_PIX_FMT_JPEG, kCMVideoCodecType_JPEG),
        (clinuxdevices_V4L2_PIX_FMT_H264, kCMVideoCodecType_H264),
        (clinuxdevices_V4L2_PIX_FMT_HEVC, kCMVideoCodecType_HEVC),
    ].map { V4L2PixelFormat(fourcc: $0, layout: .compressed, code: $1) }
}
