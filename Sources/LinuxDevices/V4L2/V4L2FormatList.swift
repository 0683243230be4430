import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes

/// The formats of a node, as the driver lists them.
struct V4L2FormatList: Sendable {
    /// A stream format and the V4L2 format that provides it.
    struct Entry: Sendable, Hashable {
        var stream: VideoStreamFormat
        var pixels: V4L2PixelFormat

        /// The code, size and frame rates, for the log.
        var logText: String {
            let rates = stream.frameDurations.map { range in
                let (slowest, fastest) = (1 / range.maximum.seconds, 1 / range.minimum.seconds)
                return slowest == fastest ? "\(fastest)" : "\(slowest)-\(fastest)"
            }
            return "\(pixels.fourccText) \(stream.dimensions.width)x\(stream.dimensions.height), "
                + "\(rates.joined(separator: ", ")) fps"
        }
    }

    /// A format of the driver that is not supported.
    struct Unsupported: Sendable, Hashable {
        /// The four-character code, such as `HSV3`.
        var fourcc: String
        /// The driver's name for the format.
        var name: String

        fileprivate init(_ description: v4l2_fmtdesc) {
            fourcc = V4L2PixelFormat.text(ofFourcc: description.pixelformat)
            name = text(description.description)
        }
    }

    /// The supported formats by rank, then in the driver's order. Each combination of size and encoding occurs once.
    private(set) var entries: [Entry] = []
    /// The unsupported formats in the driver's order.
    private(set) var unsupported: [Unsupported] = []

    /// The maximum number of entries that are queried, in case a driver does not end a list.
    private static let enumerationLimit: UInt32 = 256

    /// Creates an empty list.
    init() {}

    /// Queries all formats of the driver.
    init(_ node: V4L2Node, type: UInt32) throws(KernelError) {
        var listed: [V4L2PixelFormat] = []
        for index in 0..<Self.enumerationLimit {
            var description = v4l2_fmtdesc()
            description.index = index
            description.type = type
            do {
                try node.request(clinuxdevices_VIDIOC_ENUM_FMT, "VIDIOC_ENUM_FMT", &description)
            } catch  where error.number == EINVAL {
                break
            }
            let formats = V4L2PixelFormat.formats(description.pixelformat)
            if formats.isEmpty { unsupported.append(Unsupported(description)) }
            listed += formats
        }
        let ranks = Dictionary(grouping: listed, by: \.rank).sorted { $0.key < $1.key }
        for pixels in ranks.flatMap(\.value) {
            let sizes = try Self.sizes(node, type, pixels)
            guard let first = sizes.first else { continue }
            let isFullRange = try Self.isFullRange(node, type, pixels, first)
            for size in sizes {
                let stream = VideoStreamFormat(
                    dimensions: size, encoding: pixels.encoding(isFullRange: isFullRange),
                    frameDurations: try Self.durations(node, type, pixels, size))
                let isListed = entries.contains {
                    $0.stream.size == stream.size && $0.stream.encoding == stream.encoding
                }
                if !isListed { entries.append(Entry(stream: stream, pixels: pixels)) }
            }
        }
    }

    /// Returns the entry of a stream's format; nil if the driver does not list it.
    func entry(_ format: VideoStreamFormat) -> Entry? {
        entries.first { $0.stream.size == format.size && $0.stream.encoding == format.encoding }
    }

    /// Common frame sizes. If a driver lists a range of sizes, the camera offers those in the range.
    static let standardSizes: [(width: Int, height: Int)] = [
        (160, 120), (176, 144), (320, 180), (320, 240), (352, 288), (424, 240), (640, 360), (640, 480), (800, 600),
        (848, 480), (960, 540), (1024, 768), (1280, 720), (1280, 960), (1280, 1024), (1600, 1200), (1920, 1080),
        (2048, 1536), (2560, 1440), (2592, 1944), (3840, 2160), (4096, 2160),
    ]

    private static func sizes(
        _ node: V4L2Node, _ type: UInt32, _ pixels: V4L2PixelFormat
    ) throws(KernelError) -> [CMVideoDimensions] {
        var sizes: [CMVideoDimensions] = []
        for index in 0..<enumerationLimit {
            var entry = v4l2_frmsizeenum()
            entry.index = index
            entry.pixel_format = pixels.fourcc
            do {
                try node.request(clinuxdevices_VIDIOC_ENUM_FRAMESIZES, "VIDIOC_ENUM_FRAMESIZES", &entry)
            } catch  where error.number == EINVAL || error.number == ENOTTY {
                break
            }
            guard entry.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
                return stepwise(entry.stepwise)
            }
            if let size = dimensions(Int(entry.discrete.width), Int(entry.discrete.height)) { sizes.append(size) }
        }
        if !sizes.isEmpty { return sizes }
        // Receivers list no sizes; their frames have the size of the signal.
        var format = v4l2_format()
        format.type = type
        try node.request(clinuxdevices_VIDIOC_G_FMT, "VIDIOC_G_FMT", &format)
        // Width and height have the same offset in the single-planar and multi-planar structures.
        return dimensions(Int(format.fmt.pix.width), Int(format.fmt.pix.height)).map { [$0] } ?? []
    }

    /// The standard sizes inside a range, and its largest size.
    static func stepwise(_ range: v4l2_frmsize_stepwise) -> [CMVideoDimensions] {
        let stepX = max(1, range.step_width)
        let stepY = max(1, range.step_height)
        var sizes = standardSizes.filter { width, height in
            let (width, height) = (UInt32(width), UInt32(height))
            return range.min_width <= width && width <= range.max_width && range.min_height <= height
                && height <= range.max_height && (width - range.min_width) % stepX == 0
                && (height - range.min_height) % stepY == 0
        }
        let largest = (Int(range.max_width), Int(range.max_height))
        if !sizes.contains(where: { $0 == largest }) { sizes.append(largest) }
        return sizes.compactMap { dimensions($0.width, $0.height) }
    }

    /// A valid size; nil for invalid ones, which drivers report after errors.
    private static func dimensions(_ width: Int, _ height: Int) -> CMVideoDimensions? {
        guard (1...65_536).contains(width), (1...65_536).contains(height) else { return nil }
        return CMVideoDimensions(width: Int32(width), height: Int32(height))
    }

    private static func isFullRange(
        _ node: V4L2Node, _ type: UInt32, _ pixels: V4L2PixelFormat, _ size: CMVideoDimensions
    ) throws(KernelError) -> Bool {
        guard pixels.fullRangeCode != nil else { return false }
        var format = V4L2AcceptedFormat.request(pixels, size, type)
        do {
            try node.request(clinuxdevices_VIDIOC_TRY_FMT, "VIDIOC_TRY_FMT", &format)
        } catch  where error.number == EINVAL || error.number == ENOTTY || error.number == EBUSY {
            return false
        }
        return V4L2AcceptedFormat(format, pixels)?.isFullRange ?? false
    }

    private static func durations(
        _ node: V4L2Node, _ type: UInt32, _ pixels: V4L2PixelFormat, _ size: CMVideoDimensions
    ) throws(KernelError) -> [FrameDurationRange] {
        var ranges: [FrameDurationRange] = []
        for index in 0..<enumerationLimit {
            var entry = v4l2_frmivalenum()
            entry.index = index
            entry.pixel_format = pixels.fourcc
            entry.width = UInt32(size.width)
            entry.height = UInt32(size.height)
            do {
                try node.request(clinuxdevices_VIDIOC_ENUM_FRAMEINTERVALS, "VIDIOC_ENUM_FRAMEINTERVALS", &entry)
            } catch  where error.number == EINVAL || error.number == ENOTTY {
                break
            }
            if entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue {
                if let duration = CMTime(interval: entry.discrete) { ranges.append(FrameDurationRange(duration)) }
            } else {
                if let minimum = CMTime(interval: entry.stepwise.min),
                    let maximum = CMTime(interval: entry.stepwise.max),
                    minimum <= maximum
                {
                    ranges.append(FrameDurationRange(minimum: minimum, maximum: maximum))
                }
                break
            }
        }
        if !ranges.isEmpty { return ranges }
        // Without a list: the current frame rate, or 30 fps if the driver does not report that either.
        let interval = try node.interval(type).flatMap { CMTime(interval: $0) }
        return [FrameDurationRange(interval ?? CMTime(value: 1, timescale: 30))]
    }
}

extension CMTime {
    /// Creates a time from a frame interval in seconds; nil if it is 0, infinite or not representable.
    init?(interval: v4l2_fract) {
        guard interval.numerator > 0, interval.denominator > 0, interval.denominator <= UInt32(Int32.max)
        else { return nil }
        self.init(value: Int64(interval.numerator), timescale: Int32(interval.denominator))
    }
}

extension v4l2_fract {
    /// Creates a frame interval for the driver; nil if the duration is not positive or does not fit 32 bits.
    init?(_ duration: CMTime) {
        guard duration.isNumeric, duration.value > 0, duration.value <= Int64(UInt32.max) else { return nil }
        self.init(numerator: UInt32(duration.value), denominator: UInt32(duration.timescale))
    }
}
