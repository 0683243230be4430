import CLinuxDevices
import MediaTypes

/// The format that a driver accepted (VIDIOC_S_FMT), single-planar or multi-planar.
struct V4L2AcceptedFormat: Sendable, Hashable {
    let pixels: V4L2PixelFormat
    let width: Int
    let height: Int
    /// The stride of each memory plane.
    let bytesPerRow: [Int]
    /// `V4L2_COLORSPACE_…`, `V4L2_YCBCR_ENC_…`, `V4L2_XFER_FUNC_…`, `V4L2_QUANTIZATION_…`.
    let colorspace: UInt32
    let yCbCrEncoding: UInt32
    let transferFunction: UInt32
    let quantization: UInt32

    /// The argument of VIDIOC_S_FMT or VIDIOC_TRY_FMT.
    static func request(_ pixels: V4L2PixelFormat, _ size: CMVideoDimensions, _ type: UInt32) -> v4l2_format {
        var format = v4l2_format()
        format.type = type
        if type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue {
            format.fmt.pix_mp.width = UInt32(size.width)
            format.fmt.pix_mp.height = UInt32(size.height)
            format.fmt.pix_mp.pixelformat = pixels.fourcc
            format.fmt.pix_mp.field = V4L2_FIELD_NONE.rawValue
            format.fmt.pix_mp.num_planes = UInt8(pixels.memoryPlaneCount)
        } else {
            format.fmt.pix.width = UInt32(size.width)
            format.fmt.pix.height = UInt32(size.height)
            format.fmt.pix.pixelformat = pixels.fourcc
            format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        }
        return format
    }

    /// Reads the driver's result; nil if the driver changed the pixel format or the number of planes.
    init?(_ format: v4l2_format, _ pixels: V4L2PixelFormat) {
        self.pixels = pixels
        if format.type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue {
            let raw = format.fmt.pix_mp
            guard raw.pixelformat == pixels.fourcc, Int(raw.num_planes) == pixels.memoryPlaneCount
            else { return nil }
            width = Int(raw.width)
            height = Int(raw.height)
            let planes = [raw.plane_fmt.0, raw.plane_fmt.1, raw.plane_fmt.2]
            bytesPerRow = planes.prefix(pixels.memoryPlaneCount).map { Int($0.bytesperline) }
            colorspace = raw.colorspace
            yCbCrEncoding = UInt32(raw.ycbcr_enc)
            transferFunction = UInt32(raw.xfer_func)
            quantization = UInt32(raw.quantization)
        } else {
            let raw = format.fmt.pix
            guard raw.pixelformat == pixels.fourcc, !pixels.isSplit else { return nil }
            width = Int(raw.width)
            height = Int(raw.height)
            bytesPerRow = [Int(raw.bytesperline)]
            colorspace = raw.colorspace
            yCbCrEncoding = raw.ycbcr_enc
            transferFunction = raw.xfer_func
            quantization = raw.quantization
        }
    }

    /// Whether luma uses the full range 0 … 255; the default follows `V4L2_MAP_QUANTIZATION_DEFAULT`.
    var isFullRange: Bool {
        if quantization == V4L2_QUANTIZATION_FULL_RANGE.rawValue { return true }
        return quantization == V4L2_QUANTIZATION_DEFAULT.rawValue && colorspace == V4L2_COLORSPACE_JPEG.rawValue
    }

    /// The position of the planes in the driver's buffers.
    var layout: V4L2FrameLayout {
        V4L2FrameLayout(pixels, width: width, height: height, bytesPerRow: bytesPerRow)
    }
}
