import CLinuxDevices
import MediaTypes

/// The format that a driver accepted (VIDIOC_S_FMT), for one plane and for several.
struct V4L2AcceptedFormat: Sendable, Hashable {
    let pixels: V4L2PixelFormat
    let width: Int
    let height: Int
    /// Of each of the driver's buffers.
    let bytesPerRow: [Int]
    /// `V4L2_COLORSPACE_…`, `V4L2_YCBCR_ENC_…`, `V4L2_XFER_FUNC_…`, `V4L2_QUANTIZATION_…`.
    let colorspace: UInt32
    let yCbCrEncoding: UInt32
    let transferFunction: UInt32
    let quantization: UInt32

    /// What to ask the driver for.
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

    /// Reads the driver's answer; nil where it changed the encoding or the number of planes.
    init?(_ format: v4l2_format, _ pixels: V4L2PixelFormat) {
        self.pixels = pixels
        if format.type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue {
            let picture = format.fmt.pix_mp
            guard picture.pixelformat == pixels.fourcc, Int(picture.num_planes) == pixels.memoryPlaneCount
            else { return nil }
            width = Int(picture.width)
            height = Int(picture.height)
            let planes = [picture.plane_fmt.0, picture.plane_fmt.1, picture.plane_fmt.2]
            bytesPerRow = planes.prefix(pixels.memoryPlaneCount).map { Int($0.bytesperline) }
            colorspace = picture.colorspace
            yCbCrEncoding = UInt32(picture.ycbcr_enc)
            transferFunction = UInt32(picture.xfer_func)
            quantization = UInt32(picture.quantization)
        } else {
            let picture = format.fmt.pix
            guard picture.pixelformat == pixels.fourcc, !pixels.isSplit else { return nil }
            width = Int(picture.width)
            height = Int(picture.height)
            bytesPerRow = [Int(picture.bytesperline)]
            colorspace = picture.colorspace
            yCbCrEncoding = picture.ycbcr_enc
            transferFunction = picture.xfer_func
            quantization = picture.quantization
        }
    }

    /// Whether luma goes from 0 to 255, by the default rule of `V4L2_MAP_QUANTIZATION_DEFAULT` where not told.
    var isFullRange: Bool {
        if quantization == V4L2_QUANTIZATION_FULL_RANGE.rawValue { return true }
        return quantization == V4L2_QUANTIZATION_DEFAULT.rawValue && colorspace == V4L2_COLORSPACE_JPEG.rawValue
    }

    var layout: V4L2PictureLayout {
        V4L2PictureLayout(pixels, width: width, height: height, bytesPerRow: bytesPerRow)
    }
}
