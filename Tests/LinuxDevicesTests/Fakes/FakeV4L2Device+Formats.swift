import CLinuxDevices

/// Formats, sizes and frame rates.
extension FakeV4L2Device {
    func enumerateFormat(_ description: inout v4l2_fmtdesc) -> Int32 {
        guard description.type == type, description.index < modes.count else { return EINVAL }
        description.pixelformat = modes[Int(description.index)].fourcc
        put(modes[Int(description.index)].name, into: &description.description)
        return 0
    }

    func enumerateSize(_ entry: inout v4l2_frmsizeenum) -> Int32 {
        guard let mode = modes.first(where: { $0.fourcc == entry.pixel_format }) else { return EINVAL }
        if let stepwise = mode.stepwise {
            guard entry.index == 0 else { return EINVAL }
            entry.type = V4L2_FRMSIZE_TYPE_STEPWISE.rawValue
            entry.stepwise = stepwise
            return 0
        }
        guard entry.index < mode.sizes.count else { return EINVAL }
        entry.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
        entry.discrete.width = mode.sizes[Int(entry.index)].width
        entry.discrete.height = mode.sizes[Int(entry.index)].height
        return 0
    }

    func enumerateInterval(_ entry: inout v4l2_frmivalenum) -> Int32 {
        guard let mode = modes.first(where: { $0.fourcc == entry.pixel_format }), entry.index < mode.intervals.count
        else { return EINVAL }
        entry.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
        entry.discrete = mode.intervals[Int(entry.index)]
        return 0
    }

    func fill(_ format: inout v4l2_format) -> Int32 {
        guard format.type == type else { return EINVAL }
        let stride = UInt32(Double(width) * mode(fourcc).rowBytesPerPixel)
        if isMultiPlanar {
            format.fmt.pix_mp.width = width
            format.fmt.pix_mp.height = height
            format.fmt.pix_mp.pixelformat = fourcc
            format.fmt.pix_mp.num_planes = UInt8(planeSizes.count)
            format.fmt.pix_mp.plane_fmt.0.bytesperline = width
            format.fmt.pix_mp.plane_fmt.1.bytesperline = width
            format.fmt.pix_mp.quantization = UInt8(quantization)
        } else {
            format.fmt.pix.width = width
            format.fmt.pix.height = height
            format.fmt.pix.pixelformat = fourcc
            format.fmt.pix.bytesperline = stride
            format.fmt.pix.sizeimage = UInt32(planeSizes[0])
            format.fmt.pix.colorspace = V4L2_COLORSPACE_SRGB.rawValue
            format.fmt.pix.quantization = quantization
        }
        return 0
    }

    func setFormat(_ format: inout v4l2_format, _ descriptor: Int32, isTrial: Bool) -> Int32 {
        guard format.type == type else { return EINVAL }
        if !isTrial, !buffers.isEmpty { return EBUSY }
        let before = (width, height, fourcc)
        let requested: (UInt32, UInt32, UInt32) =
            isMultiPlanar
            ? (format.fmt.pix_mp.width, format.fmt.pix_mp.height, format.fmt.pix_mp.pixelformat)
            : (format.fmt.pix.width, format.fmt.pix.height, format.fmt.pix.pixelformat)
        // Drivers select the nearest supported size and return it.
        let chosen = modes.first { $0.fourcc == requested.2 } ?? modes[0]
        let size =
            chosen.sizes.min { left, right in
                abs(Int(left.width) - Int(requested.0)) + abs(Int(left.height) - Int(requested.1))
                    < abs(Int(right.width) - Int(requested.0)) + abs(Int(right.height) - Int(requested.1))
            } ?? (requested.0, requested.1)
        (width, height, fourcc) = (size.width, size.height, chosen.fourcc)
        let result = fill(&format)
        if isTrial { (width, height, fourcc) = before }
        return result
    }

    func parameters(_ parameters: inout v4l2_streamparm, _ request: UInt) -> Int32 {
        guard parameters.type == type else { return EINVAL }
        if request == clinuxdevices_VIDIOC_S_PARM {
            let requested = parameters.parm.capture.timeperframe
            let seconds = { (fraction: v4l2_fract) in Double(fraction.numerator) / Double(max(1, fraction.denominator))
            }
            interval =
                mode(fourcc).intervals.min {
                    abs(seconds($0) - seconds(requested)) < abs(seconds($1) - seconds(requested))
                }
                ?? requested
        }
        parameters.parm.capture.timeperframe = interval
        return 0
    }

    func mode(_ fourcc: UInt32) -> Mode { modes.first { $0.fourcc == fourcc } ?? modes[0] }

    var planeSizes: [Int] {
        let pixels = Int(width) * Int(height)
        if fourcc == clinuxdevices_V4L2_PIX_FMT_NV12M { return [pixels, pixels / 2] }
        return [Int(Double(pixels) * mode(fourcc).bytesPerPixel)]
    }
}

extension FakeV4L2Device.Mode {
    static func yuyv(_ sizes: [(width: UInt32, height: UInt32)] = [(64, 48), (32, 16)]) -> Self {
        Self(fourcc: clinuxdevices_V4L2_PIX_FMT_YUYV, sizes: sizes, intervals: Self.rates, bytesPerPixel: 2)
    }

    static func mjpeg() -> Self {
        Self(fourcc: clinuxdevices_V4L2_PIX_FMT_MJPEG, sizes: [(64, 48)], intervals: Self.rates, bytesPerPixel: 2)
    }

    static func nv12m() -> Self {
        Self(fourcc: clinuxdevices_V4L2_PIX_FMT_NV12M, sizes: [(64, 48)], intervals: Self.rates, bytesPerPixel: 1)
    }

    static let rates = [v4l2_fract(numerator: 1, denominator: 30), v4l2_fract(numerator: 1, denominator: 15)]
}
