import CLinuxDevices
import CaptureHAL
import MediaTypes

/// The supported formats. See "Image Formats" of the V4L2 API for the byte orders.
extension V4L2PixelFormat {
    /// All supported formats; the fourcc of a format can occur twice.
    static let all: [V4L2PixelFormat] =
        packedYCbCr422 + yCbCr420 + yCbCr444And422 + rgb24And32 + rgb16 + gray + bayer + compressed

    private static let compressed: [V4L2PixelFormat] = [
        (clinuxdevices_V4L2_PIX_FMT_MJPEG, kCMVideoCodecType_JPEG),
        (clinuxdevices_V4L2_PIX_FMT_JPEG, kCMVideoCodecType_JPEG),
        (clinuxdevices_V4L2_PIX_FMT_H264, kCMVideoCodecType_H264),
        (clinuxdevices_V4L2_PIX_FMT_HEVC, kCMVideoCodecType_HEVC),
    ].map { V4L2PixelFormat(fourcc: $0, layout: .compressed, code: $1) }
}
