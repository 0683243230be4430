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
    /// None where the driver knows no inputs.
    var inputs: [Input] = []
    var input = 0
    private(set) var standard: v4l2_std_id = 0
    var openError: Int32?
    var isGone = false
    /// The kernel gives at most that many.
    var bufferLimit = 32
    var hasTimestamps = true
    var countsFrames = true
    var quantization: UInt32 = 0
    /// Before the picture, in multi-planar buffers.
    var dataOffset = 0

    private(set) var width: UInt32 = 0
    private(set) var height: UInt32 = 0
    private var fourcc: UInt32 = 0
    private var interval = v4l2_fract(numerator: 1, denominator: 30)
    private var buffers: [Buffer] = []
    private var order: [Int] = []
    private var done: [Int] = []
    private var owner: Int32?
    private(set) var isStreaming = false
    private var sequence: UInt32 = 0
    private var subscriptions: [Int32: Set<UInt64>] = [:]
    private var events: [Int32: [v4l2_event]] = [:]

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

    /// The signal changes its size.
    func changeSource() {
        kernel.locked {
            var event = v4l2_event()
            event.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
            event.u.src_change.changes = UInt32(V4L2_EVENT_SRC_CH_RESOLUTION)
            post(event, by: nil)
        }
    }

    // MARK: For the kernel

    func close(_ descriptor: Int32) {
        subscriptions[descriptor] = nil
        events[descriptor] = nil
        if owner == descriptor { freeBuffers() }
    }

    func memory(atOffset offset: Int) -> Memory? {
        let (buffer, plane) = (offset >> 24, (offset >> 16) & 0xff)
        guard buffers.indices.contains(buffer), buffers[buffer].planes.indices.contains(plane) else { return nil }
        return buffers[buffer].planes[plane]
    }

    func ready(_ waited: WaitedDescriptor) -> WaitedDescriptor.Events {
        if isGone { return [.failed, .exceptional] }
        var came: WaitedDescriptor.Events = []
        if waited.wanted.contains(.exceptional), events[waited.descriptor]?.isEmpty == false {
            came.insert(.exceptional)
        }
        if waited.wanted.contains(.readable) {
            // vb2_core_poll: reading without streaming, or without any buffer queued, is an error.
            if !isStreaming { came.insert(.failed) } else if !done.isEmpty { came.insert(.readable) }
        }
        return came
    }

    func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer, _ descriptor: Int32) -> Int32 {
        if isGone { return ENODEV }
        func edit<Value>(_ type: Value.Type, _ body: (inout Value) -> Int32) -> Int32 {
            body(&argument.assumingMemoryBound(to: type).pointee)
        }
        switch request {
        case clinuxdevices_VIDIOC_QUERYCAP: return edit(v4l2_capability.self, queryCapability)
        case clinuxdevices_VIDIOC_ENUMINPUT, clinuxdevices_VIDIOC_G_INPUT, clinuxdevices_VIDIOC_S_INPUT,
            clinuxdevices_VIDIOC_QUERY_DV_TIMINGS, clinuxdevices_VIDIOC_S_DV_TIMINGS, clinuxdevices_VIDIOC_QUERYSTD,
            clinuxdevices_VIDIOC_S_STD:
            return answerOfInput(request, argument)
        case clinuxdevices_VIDIOC_ENUM_FMT: return edit(v4l2_fmtdesc.self, enumerateFormat)
        case clinuxdevices_VIDIOC_ENUM_FRAMESIZES: return edit(v4l2_frmsizeenum.self, enumerateSize)
        case clinuxdevices_VIDIOC_ENUM_FRAMEINTERVALS: return edit(v4l2_frmivalenum.self, enumerateInterval)
        case clinuxdevices_VIDIOC_G_FMT: return edit(v4l2_format.self) { fill(&$0) }
        case clinuxdevices_VIDIOC_TRY_FMT: return edit(v4l2_format.self) { setFormat(&$0, descriptor, isTrial: true) }
        case clinuxdevices_VIDIOC_S_FMT: return edit(v4l2_format.self) { setFormat(&$0, descriptor, isTrial: false) }
        case clinuxdevices_VIDIOC_G_PARM, clinuxdevices_VIDIOC_S_PARM:
            return edit(v4l2_streamparm.self) { parameters(&$0, request) }
        case clinuxdevices_VIDIOC_REQBUFS: return edit(v4l2_requestbuffers.self) { requestBuffers(&$0, descriptor) }
        case clinuxdevices_VIDIOC_QUERYBUF: return edit(v4l2_buffer.self, queryBuffer)
        case clinuxdevices_VIDIOC_QBUF: return edit(v4l2_buffer.self) { queue(&$0, descriptor) }
        case clinuxdevices_VIDIOC_DQBUF: return edit(v4l2_buffer.self) { dequeue(&$0, descriptor) }
        case clinuxdevices_VIDIOC_STREAMON: return streamOn(descriptor)
        case clinuxdevices_VIDIOC_STREAMOFF: return streamOff(descriptor)
        case clinuxdevices_VIDIOC_QUERY_EXT_CTRL: return edit(v4l2_query_ext_ctrl.self, queryControl)
        case clinuxdevices_VIDIOC_QUERYMENU: return edit(v4l2_querymenu.self, queryMenu)
        case clinuxdevices_VIDIOC_G_CTRL: return edit(v4l2_control.self, getControl)
        case clinuxdevices_VIDIOC_S_CTRL: return edit(v4l2_control.self) { setControl(&$0, descriptor) }
        case clinuxdevices_VIDIOC_SUBSCRIBE_EVENT:
            return edit(v4l2_event_subscription.self) { subscribe(&$0, descriptor) }
        case clinuxdevices_VIDIOC_DQEVENT: return edit(v4l2_event.self) { dequeueEvent(&$0, descriptor) }
        default: return ENOTTY
        }
    }

    private var type: UInt32 {
        (isMultiPlanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE).rawValue
    }

    private func queryCapability(_ capability: inout v4l2_capability) -> Int32 {
        capability = v4l2_capability()
        put(card, into: &capability.card)
        put(bus, into: &capability.bus_info)
        put("fake", into: &capability.driver)
        capability.device_caps = capabilities
        capability.capabilities = capabilities | UInt32(V4L2_CAP_DEVICE_CAPS)
        return 0
    }

    // MARK: Inputs

    private func answerOfInput(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        guard inputs.indices.contains(input) else { return ENOTTY }
        let index = argument.assumingMemoryBound(to: Int32.self)
        let standard = argument.assumingMemoryBound(to: v4l2_std_id.self)
        let timings = argument.assumingMemoryBound(to: v4l2_dv_timings.self)
        switch request {
        case clinuxdevices_VIDIOC_ENUMINPUT:
            let entry = argument.assumingMemoryBound(to: v4l2_input.self)
            guard entry.pointee.index < inputs.count else { return EINVAL }
            entry.pointee.status = inputs[Int(entry.pointee.index)].status
            entry.pointee.capabilities = inputs[Int(entry.pointee.index)].capabilities
        case clinuxdevices_VIDIOC_G_INPUT: index.pointee = Int32(input)
        case clinuxdevices_VIDIOC_S_INPUT:
            guard inputs.indices.contains(Int(index.pointee)) else { return EINVAL }
            if !buffers.isEmpty { return EBUSY }
            input = Int(index.pointee)
            if let new = inputs[input].modes { modes = new }
        case clinuxdevices_VIDIOC_QUERY_DV_TIMINGS:
            guard let signal = inputs[input].signal else { return ENOLINK }
            (timings.pointee.bt.width, timings.pointee.bt.height) = signal
        case clinuxdevices_VIDIOC_S_DV_TIMINGS:
            if !buffers.isEmpty { return EBUSY }
            (width, height) = (timings.pointee.bt.width, timings.pointee.bt.height)
        case clinuxdevices_VIDIOC_QUERYSTD: standard.pointee = inputs[input].signalStandard
        default:
            if !buffers.isEmpty { return EBUSY }
            self.standard = standard.pointee
        }
        return 0
    }

    // MARK: Formats

    private func enumerateFormat(_ description: inout v4l2_fmtdesc) -> Int32 {
        guard description.type == type, description.index < modes.count else { return EINVAL }
        description.pixelformat = modes[Int(description.index)].fourcc
        return 0
    }

    private func enumerateSize(_ entry: inout v4l2_frmsizeenum) -> Int32 {
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

    private func enumerateInterval(_ entry: inout v4l2_frmivalenum) -> Int32 {
        guard let mode = modes.first(where: { $0.fourcc == entry.pixel_format }), entry.index < mode.intervals.count
        else { return EINVAL }
        entry.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
        entry.discrete = mode.intervals[Int(entry.index)]
        return 0
    }

    private func fill(_ format: inout v4l2_format) -> Int32 {
        guard format.type == type else { return EINVAL }
        let stride = UInt32(Double(width) * (mode(fourcc).bytesPerPixel >= 2 ? mode(fourcc).bytesPerPixel : 1))
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

    private func setFormat(_ format: inout v4l2_format, _ descriptor: Int32, isTrial: Bool) -> Int32 {
        guard format.type == type else { return EINVAL }
        if !isTrial, !buffers.isEmpty { return EBUSY }
        let before = (width, height, fourcc)
        let wish: (UInt32, UInt32, UInt32) =
            isMultiPlanar
            ? (format.fmt.pix_mp.width, format.fmt.pix_mp.height, format.fmt.pix_mp.pixelformat)
            : (format.fmt.pix.width, format.fmt.pix.height, format.fmt.pix.pixelformat)
        // A driver takes the nearest that it can, and says so.
        let chosen = modes.first { $0.fourcc == wish.2 } ?? modes[0]
        let size =
            chosen.sizes.min { left, right in
                abs(Int(left.width) - Int(wish.0)) + abs(Int(left.height) - Int(wish.1))
                    < abs(Int(right.width) - Int(wish.0)) + abs(Int(right.height) - Int(wish.1))
            } ?? (wish.0, wish.1)
        (width, height, fourcc) = (size.width, size.height, chosen.fourcc)
        let result = fill(&format)
        if isTrial { (width, height, fourcc) = before }
        return result
    }

    private func parameters(_ parameters: inout v4l2_streamparm, _ request: UInt) -> Int32 {
        guard parameters.type == type else { return EINVAL }
        if request == clinuxdevices_VIDIOC_S_PARM {
            let wish = parameters.parm.capture.timeperframe
            let seconds = { (fraction: v4l2_fract) in Double(fraction.numerator) / Double(max(1, fraction.denominator))
            }
            interval =
                mode(fourcc).intervals.min { abs(seconds($0) - seconds(wish)) < abs(seconds($1) - seconds(wish)) }
                ?? wish
        }
        parameters.parm.capture.timeperframe = interval
        return 0
    }

    private func mode(_ fourcc: UInt32) -> Mode { modes.first { $0.fourcc == fourcc } ?? modes[0] }

    private var planeSizes: [Int] {
        let pixels = Int(width) * Int(height)
        if fourcc == clinuxdevices_V4L2_PIX_FMT_NV12M { return [pixels, pixels / 2] }
        return [Int(Double(pixels) * mode(fourcc).bytesPerPixel)]
    }

    // MARK: Buffers, by the rules of videobuf2

    private func requestBuffers(_ request: inout v4l2_requestbuffers, _ descriptor: Int32) -> Int32 {
        guard request.type == type, request.memory == V4L2_MEMORY_MMAP.rawValue else { return EINVAL }
        if let owner, owner != descriptor { return EBUSY }
        if isStreaming { return EBUSY }
        freeBuffers()
        request.count = UInt32(min(Int(request.count), bufferLimit))
        guard request.count > 0 else { return 0 }
        buffers = (0..<request.count).map { _ in Buffer(planeSizes.map { Memory($0 + dataOffset) }) }
        owner = descriptor
        return 0
    }

    private func freeBuffers() {
        isStreaming = false
        (buffers, order, done, owner) = ([], [], [], nil)
    }

    private func describe(_ buffer: inout v4l2_buffer, _ index: Int) -> Int32 {
        let own = buffers[index]
        let state: [BufferState: Int32] = [.queued: V4L2_BUF_FLAG_QUEUED, .done: V4L2_BUF_FLAG_DONE]
        buffer.index = UInt32(index)
        buffer.flags =
            own.flags | UInt32(state[own.state] ?? 0) | UInt32(V4L2_BUF_FLAG_MAPPED)
            | UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        buffer.sequence = own.sequence
        buffer.timestamp.tv_sec = Int(own.nanoseconds / 1_000_000_000)
        buffer.timestamp.tv_usec = Int(own.nanoseconds % 1_000_000_000 / 1000)
        if isMultiPlanar {
            guard let planes = buffer.m.planes, Int(buffer.length) >= own.planes.count else { return EINVAL }
            for plane in own.planes.indices {
                planes[plane].length = UInt32(own.planes[plane].bytes.count)
                planes[plane].bytesused = UInt32(own.bytesUsed.isEmpty ? 0 : own.bytesUsed[plane])
                planes[plane].data_offset = UInt32(own.dataOffset)
                planes[plane].m.mem_offset = UInt32(index << 24 | plane << 16)
            }
            buffer.length = UInt32(own.planes.count)
        } else {
            buffer.length = UInt32(own.planes[0].bytes.count)
            buffer.bytesused = UInt32(own.bytesUsed.first ?? 0)
            buffer.m.offset = UInt32(index << 24)
        }
        return 0
    }

    private func queryBuffer(_ buffer: inout v4l2_buffer) -> Int32 {
        guard buffer.type == type, buffers.indices.contains(Int(buffer.index)) else { return EINVAL }
        return describe(&buffer, Int(buffer.index))
    }

    private func queue(_ buffer: inout v4l2_buffer, _ descriptor: Int32) -> Int32 {
        if let owner, owner != descriptor { return EBUSY }
        guard buffer.type == type, buffer.memory == V4L2_MEMORY_MMAP.rawValue,
            buffers.indices.contains(Int(buffer.index)), buffers[Int(buffer.index)].state == .dequeued
        else { return EINVAL }
        buffers[Int(buffer.index)].state = .queued
        order.append(Int(buffer.index))
        return 0
    }

    private func dequeue(_ buffer: inout v4l2_buffer, _ descriptor: Int32) -> Int32 {
        if let owner, owner != descriptor { return EBUSY }
        guard buffer.type == type, isStreaming else { return EINVAL }
        guard !done.isEmpty else { return EAGAIN }
        let index = done.removeFirst()
        let result = describe(&buffer, index)
        buffer.flags &= ~UInt32(V4L2_BUF_FLAG_DONE)
        buffers[index].state = .dequeued
        return result
    }

    private func streamOn(_ descriptor: Int32) -> Int32 {
        if let owner, owner != descriptor { return EBUSY }
        if isStreaming { return 0 }
        guard !buffers.isEmpty else { return EINVAL }
        isStreaming = true
        sequence = 0
        return 0
    }

    private func streamOff(_ descriptor: Int32) -> Int32 {
        if let owner, owner != descriptor { return EBUSY }
        isStreaming = false
        for buffer in buffers { buffer.state = .dequeued }
        (order, done) = ([], [])
        return 0
    }

    // MARK: Controls, by the rules of v4l2-ctrls

    private func queryControl(_ query: inout v4l2_query_ext_ctrl) -> Int32 {
        let next = UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
        let id = query.id & ~next
        let sorted = controls.sorted { $0.id < $1.id }
        guard
            let control = query.id & next != 0
                ? sorted.first(where: { $0.id > id }) : sorted.first(where: { $0.id == id })
        else { return EINVAL }
        query = v4l2_query_ext_ctrl()
        query.id = control.id
        query.type = control.type.rawValue
        query.minimum = control.minimum
        query.maximum = control.maximum
        query.step = control.step
        query.default_value = control.standard
        query.flags = control.flags
        return 0
    }

    private func queryMenu(_ query: inout v4l2_querymenu) -> Int32 {
        guard let control = controls.first(where: { $0.id == query.id }),
            control.menu.indices.contains(Int(query.index)),
            let value = control.menu[Int(query.index)]
        else { return EINVAL }
        if control.type == V4L2_CTRL_TYPE_INTEGER_MENU { query.value = value }
        return 0
    }

    private func getControl(_ control: inout v4l2_control) -> Int32 {
        guard let own = controls.first(where: { $0.id == control.id }) else { return EINVAL }
        if own.flags & UInt32(V4L2_CTRL_FLAG_WRITE_ONLY) != 0 { return EACCES }
        control.value = Int32(own.value)
        return 0
    }

    private func setControl(_ control: inout v4l2_control, _ descriptor: Int32) -> Int32 {
        guard let own = controls.first(where: { $0.id == control.id }) else { return EINVAL }
        if own.flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0 { return EACCES }
        if own.flags & UInt32(V4L2_CTRL_FLAG_GRABBED) != 0 { return EBUSY }
        if own.type == V4L2_CTRL_TYPE_MENU || own.type == V4L2_CTRL_TYPE_INTEGER_MENU {
            if !(own.minimum...own.maximum).contains(Int64(control.value)) { return ERANGE }
            if own.menu[Int(control.value)] == nil { return EINVAL }
        }
        // Numbers out of range are brought into it.
        let value = min(max(Int64(control.value), own.minimum), own.maximum)
        control.value = Int32(value)
        change(own.id, to: value, by: descriptor)
        return 0
    }

    private func change(_ id: UInt32, to value: Int64, by descriptor: Int32?) {
        guard let index = controls.firstIndex(where: { $0.id == id }), controls[index].value != value else { return }
        controls[index].value = value
        var event = v4l2_event()
        event.type = UInt32(V4L2_EVENT_CTRL)
        event.id = id
        event.u.ctrl.changes = UInt32(V4L2_EVENT_CTRL_CH_VALUE)
        event.u.ctrl.value = Int32(value)
        post(event, by: descriptor)
    }

    /// To all that asked, but the handle that made the change.
    private func post(_ event: v4l2_event, by descriptor: Int32?) {
        let key = UInt64(event.type) << 32 | UInt64(event.id)
        for (listener, keys) in subscriptions where listener != descriptor && keys.contains(key) {
            events[listener, default: []].append(event)
        }
    }

    private func subscribe(_ subscription: inout v4l2_event_subscription, _ descriptor: Int32) -> Int32 {
        let isControl = subscription.type == UInt32(V4L2_EVENT_CTRL)
        let id = subscription.id
        if isControl, !controls.contains(where: { $0.id == id }) { return EINVAL }
        subscriptions[descriptor, default: []].insert(UInt64(subscription.type) << 32 | UInt64(id))
        return 0
    }

    private func dequeueEvent(_ event: inout v4l2_event, _ descriptor: Int32) -> Int32 {
        guard let first = events[descriptor]?.first else { return ENOENT }
        events[descriptor]?.removeFirst()
        event = first
        return 0
    }

    private func put<Characters>(_ text: String, into characters: inout Characters) {
        withUnsafeMutableBytes(of: &characters) { $0.copyBytes(from: Array(text.utf8).prefix($0.count - 1)) }
    }
}

extension FakeCamera.Mode {
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
