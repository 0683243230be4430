import CLinuxDevices
import Foundation

@testable import LinuxDevices

/// A V4L2 device of the fake kernel. All is touched under the kernel's lock.
final class FakeCamera: @unchecked Sendable {
    // SAFETY: see above; the kernel calls with its lock held, tests by `locked`.

    struct Mode {
        var fourcc: UInt32
        var sizes: [(width: UInt32, height: UInt32)]
        /// Instead of `sizes`.
        var stepwise: v4l2_frmsize_stepwise?
        var intervals: [v4l2_fract]
        var bytesPerPixel: Double
        /// In a row of the first plane, where that is not `bytesPerPixel`, at least 1.
        var bytesPerColumn: Double?
        /// What the driver calls the encoding.
        var name = ""

        var rowFactor: Double { bytesPerColumn ?? (bytesPerPixel >= 2 ? bytesPerPixel : 1) }
    }

    struct Control {
        var id: UInt32
        var type: v4l2_ctrl_type
        var minimum: Int64
        var maximum: Int64
        var step: UInt64 = 1
        var standard: Int64
        var value: Int64
        var flags: UInt32 = 0
        /// Entries of a menu; nil is a hole.
        var menu: [Int64?] = []
    }

    /// Page-aligned memory of one plane; lives until the driver and all mappings let go.
    final class Memory {
        let bytes: UnsafeMutableRawBufferPointer
        var base: UnsafeMutableRawPointer { bytes.baseAddress! }
        init(_ count: Int) { bytes = .allocate(byteCount: max(1, count), alignment: 4096) }
        deinit { bytes.deallocate() }
    }

    /// A socket or sensor to capture from.
    struct Input {
        var status: UInt32 = 0
        var capabilities: UInt32 = 0
        /// What the camera offers from there; nil is what it offers anyway.
        var modes: [Mode]?
        /// The size of the digital signal.
        var signal: (width: UInt32, height: UInt32)?
        var signalStandard: v4l2_std_id = 0
        var name = ""
        var type = UInt32(V4L2_INPUT_TYPE_CAMERA)
        /// What it shows to its source; empty where nothing, nil where the driver has no say in that.
        var edid: [UInt8]?
        /// The most that it can take, in pixels and hertz.
        var limits: (width: UInt32, height: UInt32, pixelClock: UInt64) = (1920, 1080, 165_000_000)
    }

    /// The receiver of the inputs of type tuner.
    struct Tuner {
        var capability = UInt32(V4L2_TUNER_CAP_NORM)
        var steps: ClosedRange<UInt32> = 704...15_328
        var frequency: UInt32 = 2804
    }

    enum BufferState { case dequeued, queued, done }

    final class Buffer {
        var planes: [Memory]
        var state = BufferState.dequeued
        var flags: UInt32 = 0
        var sequence: UInt32 = 0
        var nanoseconds: Int64 = 0
        var bytesUsed: [Int] = []
        var dataOffset = 0
        init(_ planes: [Memory]) { self.planes = planes }
    }

    /// What is wrong with an exposed frame.
    struct Exposure {
        var flags: UInt32 = 0
        /// Nil: all bytes.
        var byteCount: Int?
        /// Nil: the present.
        var nanoseconds: Int64?
        var bytes: [UInt8]?
    }

    unowned var kernel: FakeKernel!
    let card: String
    let bus: String
    var capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
    var modes: [Mode]
    var controls: [Control] = []
    /// The buttons that were pressed, in order.
    var pressed: [UInt32] = []
    /// None where the driver knows no inputs.
    var inputs: [Input] = []
    var input = 0
    var tuner: Tuner?
    var standard: v4l2_std_id = 0
    var openError: Int32?
    var isGone = false
    /// The kernel gives at most that many.
    var bufferLimit = 32
    /// Whether the driver can allocate more buffers while it streams, and keeps mapped ones alive, as videobuf2 does.
    var usesVideobuf2 = true
    var hasTimestamps = true
    var countsFrames = true
    var quantization: UInt32 = 0
    /// Before the picture, in multi-planar buffers.
    var dataOffset = 0

    var width: UInt32 = 0
    var height: UInt32 = 0
    var fourcc: UInt32 = 0
    var interval = v4l2_fract(numerator: 1, denominator: 30)
    var buffers: [Buffer] = []
    var order: [Int] = []
    var done: [Int] = []
    var owner: Int32?
    var isStreaming = false
    var sequence: UInt32 = 0
    var subscriptions: [Int32: Set<UInt64>] = [:]
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
    var queuedCount: Int { order.count }
    var bufferCount: Int { buffers.count }

    /// Lets the sensor take a picture: it goes into the oldest queued buffer, or is lost.
    func expose(_ exposure: Exposure = Exposure()) {
        kernel.locked {
            guard isStreaming, !isGone else { return }
            defer { sequence &+= 1 }
            guard !order.isEmpty else { return }
            let index = order.removeFirst()
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
                // The number of the picture can be read back from its first bytes.
                if exposure.bytes == nil, plane.bytes.count >= dataOffset + 4 {
                    plane.bytes.storeBytes(of: sequence, toByteOffset: dataOffset, as: UInt32.self)
                }
                return count + dataOffset
            }
            done.append(index)
        }
    }

    /// The sensor counts pictures that it never delivers.
    func skipFrames(_ count: UInt32) { kernel.locked { sequence &+= count } }

    /// The device's own loop changes a control.
    func adjust(_ id: Int32, to value: Int64) {
        kernel.locked { change(UInt32(id), to: value, by: nil) }
    }

    /// The signal changes its size, or only says so.
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
