import CLinuxDevices
import Foundation

@testable import LinuxDevices

/// A V4L2 device of the fake kernel.
final class FakeV4L2Device: @unchecked Sendable {
    // SAFETY: while several threads use the kernel, all variables are accessed while holding its lock.

    struct Mode {
        var fourcc: UInt32
        var sizes: [(width: UInt32, height: UInt32)]
        /// A range of sizes, used instead of `sizes`.
        var stepwise: v4l2_frmsize_stepwise?
        var intervals: [v4l2_fract]
        /// The bytes per pixel of all planes together; not used for NV12M, which has 1 and 0.5.
        var bytesPerPixel: Double
        /// The bytes per pixel in the first plane. If nil, it is `bytesPerPixel` for packed formats (2 or more), and 1
        /// for others.
        var firstPlaneBytesPerPixel: Double?
        /// The driver's name for the format.
        var name = ""

        var rowBytesPerPixel: Double { firstPlaneBytesPerPixel ?? (bytesPerPixel >= 2 ? bytesPerPixel : 1) }
    }

    struct Control {
        var id: UInt32
        var type: v4l2_ctrl_type
        var minimum: Int64
        var maximum: Int64
        var step: UInt64 = 1
        var defaultValue: Int64
        var value: Int64
        var flags: UInt32 = 0
        /// The entries of a menu; nil for a gap.
        var menu: [Int64?] = []
    }

    /// Page-aligned memory of one plane; freed when the device and all mappings have released it.
    final class Memory {
        let bytes: UnsafeMutableRawBufferPointer
        var base: UnsafeMutableRawPointer { bytes.baseAddress! }
        init(_ count: Int) { bytes = .allocate(byteCount: max(1, count), alignment: 4096) }
        deinit { bytes.deallocate() }
    }

    /// A connector or sensor.
    struct Input {
        var status: UInt32 = 0
        var capabilities: UInt32 = 0
        /// The modes of this input; nil for those of the camera.
        var modes: [Mode]?
        /// The size of the digital signal in pixels; nil without a signal.
        var signal: (width: UInt32, height: UInt32)?
        /// The standard of the analog signal; 0 if it is not recognized.
        var signalStandard: v4l2_std_id = 0
        var name = ""
        var type = UInt32(V4L2_INPUT_TYPE_CAMERA)
        /// The EDID for the source; empty if there is none, nil if the driver does not support it.
        var edid: [UInt8]?
        /// The largest supported width and height in pixels, and the largest pixel clock in hertz.
        var limits: (width: UInt32, height: UInt32, pixelClock: UInt64) = (1920, 1080, 165_000_000)
    }

    /// The tuner of the inputs of type V4L2_INPUT_TYPE_TUNER. Its frequencies are in units of 62.5 kHz, or of 62.5 Hz
    /// with V4L2_TUNER_CAP_LOW, or of 1 Hz with V4L2_TUNER_CAP_1HZ.
    struct Tuner {
        var capability = UInt32(V4L2_TUNER_CAP_NORM)
        var frequencyRange: ClosedRange<UInt32> = 704...15_328
        var frequency: UInt32 = 2804
    }

    enum BufferState { case dequeued, queued, done }

    final class Buffer {
        var planes: [Memory]
        var state = BufferState.dequeued
        var flags: UInt32 = 0
        var sequence: UInt32 = 0
        var nanoseconds: Int64 = 0
        /// The number of bytes used in each plane, including `dataOffset`.
        var bytesUsed: [Int] = []
        var dataOffset = 0
        init(_ planes: [Memory]) { self.planes = planes }
    }

    /// The properties of a captured frame.
    struct Exposure {
        var flags: UInt32 = 0
        /// The number of filled bytes in each plane; nil for all.
        var byteCount: Int?
        /// The timestamp on CLOCK_MONOTONIC in nanoseconds; nil for the current time.
        var nanoseconds: Int64?
        /// The contents of each plane. If nil, the first four bytes are the sequence number, and each other byte is the
        /// value of the brightness control.
        var bytes: [UInt8]?
    }

    unowned var kernel: FakeKernel!
    let card: String
    let bus: String
    var capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
    var modes: [Mode]
    var controls: [Control] = []
    /// The IDs of the button controls that were set, in order.
    var pressed: [UInt32] = []
    /// The inputs; empty if the driver has none.
    var inputs: [Input] = []
    /// The index of the selected input.
    var input = 0
    var tuner: Tuner?
    var standard: v4l2_std_id = 0
    var openError: Int32?
    var isGone = false
    /// The maximum number of buffers.
    var bufferLimit = 32
    /// Whether the driver behaves like videobuf2: it can allocate more buffers while it streams, and it does not free
    /// mapped ones.
    var usesVideobuf2 = true
    /// Whether the driver writes timestamps; if not, they are 0.
    var hasTimestamps = true
    /// Whether the driver writes sequence numbers; if not, they are 0.
    var countsFrames = true
    /// A value of `v4l2_quantization`.
    var quantization: UInt32 = 0
    /// The offset in bytes of the frame in the planes of multi-planar buffers.
    var dataOffset = 0

    var width: UInt32 = 0
    var height: UInt32 = 0
    var fourcc: UInt32 = 0
    var interval = v4l2_fract(numerator: 1, denominator: 30)
    var buffers: [Buffer] = []
    /// The indices of the buffers that wait to be filled, in the order of queueing.
    var queuedIndices: [Int] = []
    /// The indices of the filled buffers that wait to be dequeued, oldest first.
    var filledIndices: [Int] = []
    /// The file descriptor that uses the queue exclusively; nil if none does.
    var owner: Int32?
    var isStreaming = false
    /// Whether no buffer has been queued since the buffers were allocated or streaming was stopped.
    var isWaitingForBuffers = false
    var sequence: UInt32 = 0
    /// The subscribed events by file descriptor: the type in the upper and the ID in the lower 32 bits.
    var subscriptions: [Int32: Set<UInt64>] = [:]
    /// The pending events by file descriptor.
    var events: [Int32: [v4l2_event]] = [:]

    init(card: String = "Fake Camera", bus: String = "usb-0000:00:14.0-1", modes: [Mode] = [.yuyv()]) {
        self.card = card
        self.bus = bus
        self.modes = modes
        fourcc = modes[0].fourcc
        width = modes[0].sizes.first?.width ?? 640
        height = modes[0].sizes.first?.height ?? 480
    }

    var isMultiPlanar: Bool { capabilities & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0 }
    var queuedCount: Int { queuedIndices.count }
    var bufferCount: Int { buffers.count }

    /// Captures a frame into the oldest queued buffer; without a buffer, it is lost.
    func expose(_ exposure: Exposure = Exposure()) {
        kernel.locked {
            guard isStreaming, !isGone else { return }
            defer { sequence &+= 1 }
            guard !queuedIndices.isEmpty else { return }
            let index = queuedIndices.removeFirst()
            let buffer = buffers[index]
            buffer.state = .done
            buffer.sequence = countsFrames ? sequence : 0
            buffer.nanoseconds = hasTimestamps ? exposure.nanoseconds ?? kernel.monotonicNanoseconds : 0
            buffer.flags = exposure.flags
            buffer.dataOffset = dataOffset
            let brightness = controls.first { $0.id == UInt32(V4L2_CID_BRIGHTNESS) }?.value ?? 0
            buffer.bytesUsed = buffer.planes.map { plane in
                let count = exposure.bytes?.count ?? exposure.byteCount ?? plane.bytes.count - dataOffset
                plane.bytes.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: brightness))
                if let bytes = exposure.bytes { plane.bytes.copyBytes(from: bytes) }
                // The first four bytes of the frame are its sequence number.
                if exposure.bytes == nil, plane.bytes.count >= dataOffset + 4 {
                    plane.bytes.storeBytes(of: sequence, toByteOffset: dataOffset, as: UInt32.self)
                }
                return count + dataOffset
            }
            filledIndices.append(index)
        }
    }

    /// Skips sequence numbers, as drivers do for lost frames.
    func skipFrames(_ count: UInt32) { kernel.locked { sequence &+= count } }

    /// Simulates a change of a control by the device.
    func adjust(_ id: Int32, to value: Int64) {
        kernel.locked { change(UInt32(id), to: value, by: nil) }
    }

    /// Posts a change of the source with a new size of the signal in pixels; nil if the size is unchanged.
    func changeSource(to signal: (width: UInt32, height: UInt32)? = nil) {
        kernel.locked {
            if let signal, inputs.indices.contains(input) { inputs[input].signal = signal }
            var event = v4l2_event()
            event.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
            event.id = UInt32(input)
            event.u.src_change.changes = UInt32(V4L2_EVENT_SRC_CH_RESOLUTION)
            post(event, by: nil)
        }
    }
}
