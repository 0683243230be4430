import CLinuxDevices
import CaptureHAL
import Glibc

/// An open V4L2 device file.
///
/// - Important: Thread-safe; the last reference must not be released during a request.
final class V4L2Node: Sendable {
    let kernel: any KernelCalls
    /// The device file, such as `/dev/video0`.
    let path: String
    let descriptor: Int32
    private let clock: any CaptureClock

    /// Opens a device file.
    ///
    /// - Parameter clock: The clock of log entries.
    init(
        _ path: String, kernel: any KernelCalls, clock: any CaptureClock = HostClock.shared
    ) throws(KernelError) {
        self.kernel = kernel
        self.path = path
        self.clock = clock
        do throws(KernelError) {
            descriptor = try kernel.open(path, .readWrite)
        } catch {
            CaptureLog.write(.v4l2, .error, clock, error.logText)
            throw error
        }
    }

    deinit { kernel.close(descriptor) }

    /// Sends an ioctl request; the driver reads and writes the argument.
    func request<Argument>(
        _ request: UInt, _ name: StaticString, _ argument: inout Argument
    ) throws(KernelError) {
        try withUnsafeMutablePointer(to: &argument) { pointer throws(KernelError) in
            do throws(KernelError) {
                try kernel.ioctl(descriptor, request, name, pointer)
            } catch {
                // EAGAIN and ENOENT: the queue of buffers or events is empty.
                if error.number != EAGAIN, error.number != ENOENT { log(.debug, error.logText) }
                throw error
            }
        }
    }

    /// Writes an entry to the log, after the path of the device file.
    func log(_ level: CaptureLog.Level, _ message: @autoclosure () -> String) {
        CaptureLog.write(.v4l2, level, clock, "\(path): \(message())")
    }

    /// Queries the node's capabilities (VIDIOC_QUERYCAP).
    func capability() throws(KernelError) -> V4L2Capability {
        var raw = v4l2_capability()
        try request(clinuxdevices_VIDIOC_QUERYCAP, "VIDIOC_QUERYCAP", &raw)
        // Old drivers report only the capabilities of the entire device, not of the node.
        let nodeFlags = raw.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0 ? raw.device_caps : raw.capabilities
        return V4L2Capability(
            driver: text(raw.driver), card: text(raw.card), bus: text(raw.bus_info), flags: nodeFlags)
    }

    /// The current frame interval in seconds; nil if the driver does not support it (VIDIOC_G_PARM).
    func interval(_ type: UInt32) throws(KernelError) -> v4l2_fract? {
        var parameters = v4l2_streamparm()
        parameters.type = type
        do {
            try request(clinuxdevices_VIDIOC_G_PARM, "VIDIOC_G_PARM", &parameters)
        } catch  where error.number == ENOTTY || error.number == EINVAL {
            return nil
        }
        let interval = parameters.parm.capture.timeperframe
        return interval.numerator > 0 && interval.denominator > 0 ? interval : nil
    }

    /// Sets the frame interval and returns the one that the driver selected; nil if not supported (VIDIOC_S_PARM).
    func setInterval(_ interval: v4l2_fract, _ type: UInt32) throws(KernelError) -> v4l2_fract? {
        var parameters = v4l2_streamparm()
        parameters.type = type
        parameters.parm.capture.timeperframe = interval
        do {
            try request(clinuxdevices_VIDIOC_S_PARM, "VIDIOC_S_PARM", &parameters)
        } catch  where error.number == ENOTTY || error.number == EINVAL {
            return nil
        }
        let selected = parameters.parm.capture.timeperframe
        return selected.numerator > 0 && selected.denominator > 0 ? selected : nil
    }

    /// Whether another program uses the device's buffers.
    ///
    /// A request for 0 buffers fails with EBUSY if another file descriptor owns the queue, and has no effect otherwise.
    func isInUseByAnother(_ type: UInt32) throws(KernelError) -> Bool {
        var request = v4l2_requestbuffers()
        request.type = type
        request.memory = V4L2_MEMORY_MMAP.rawValue
        do {
            try self.request(clinuxdevices_VIDIOC_REQBUFS, "VIDIOC_REQBUFS", &request)
        } catch  where error.number == EBUSY {
            return true
        }
        return false
    }
}

/// The result of VIDIOC_QUERYCAP.
struct V4L2Capability: Sendable, Hashable {
    var driver: String
    var card: String
    /// Such as `usb-0000:00:14.0-1`; constant while the device stays connected to one port.
    var bus: String
    /// `V4L2_CAP_…` of this node.
    var flags: UInt32

    /// The buffer type for capture; nil if the node does not support video capture by streaming.
    var captureType: UInt32? {
        guard flags & UInt32(V4L2_CAP_STREAMING) != 0 else { return nil }
        if flags & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0 { return V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue }
        if flags & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0 { return V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue }
        return nil
    }
}

/// Returns the string in a fixed-size C character array.
func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
}
