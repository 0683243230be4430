import CLinuxDevices
import CaptureHAL
import MediaTypes

@testable import LinuxDevices

/// A fake kernel with cameras that capture at their frame rates in virtual time.
///
/// It records the waiting threads, so that time advances only after they have processed all frames.
final class PacedKernel: KernelCalls {
    private struct RunningStream {
        var descriptor: Int32
        /// The time of the next frame in nanoseconds.
        var nextExposure: Int64
    }

    private struct State {
        var cameras: [String: FakeV4L2Device] = [:]
        /// The device file of each file descriptor of a camera.
        var paths: [Int32: String] = [:]
        /// Nanoseconds between frames, by device file.
        var intervals: [String: Int64] = [:]
        /// The running streams, by device file.
        var streams: [String: RunningStream] = [:]
        /// The polled descriptors of each call that waits, by the number of the call.
        var waiting: [Int: [PolledDescriptor]] = [:]
        var lastWaitNumber = 0
        /// The properties of the next frame, if it is damaged, by device file.
        var damagedExposures: [String: FakeV4L2Device.Exposure] = [:]
    }

    let fake: FakeKernel
    private let clock: SimClock
    private let state = Lock(State(), order: .primitive)
    /// The frame of JPEG cameras: it starts and ends like a JPEG file, but contains no image.
    private static let jpegBytes: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0xff, 0xd9]

    init(clock: SimClock) {
        self.clock = clock
        fake = FakeKernel(clock: clock)
    }

    // MARK: Control by tests

    func plug(_ camera: FakeV4L2Device, at path: String) {
        state.withLock { $0.cameras[path] = camera }
        fake.plug(camera, at: path)
    }

    func unplug(_ path: String) {
        fake.unplug(path)
        state.withLock { state in
            state.cameras[path] = nil
            state.streams[path] = nil
        }
    }

    func camera(at path: String) -> FakeV4L2Device? { state.withLock { $0.cameras[path] } }

    /// Marks the next frame as damaged, as a driver does after a transmission error.
    func damageNextFrame(of path: String) {
        state.withLock { $0.damagedExposures[path] = FakeV4L2Device.Exposure(flags: UInt32(V4L2_BUF_FLAG_ERROR)) }
    }

    /// The time of the next frame of any camera in nanoseconds; nil if no camera streams.
    var nextExposure: Int64? { state.withLock { $0.streams.values.map(\.nextExposure).min() } }

    /// Captures a frame with each camera that has one due.
    func exposeDue() {
        let now = clock.now.nanoseconds
        let due = state.withLock { state -> [(FakeV4L2Device, FakeV4L2Device.Exposure)] in
            state.streams.keys.sorted().compactMap { path in
                guard let stream = state.streams[path], stream.nextExposure <= now, let camera = state.cameras[path]
                else {
                    return nil
                }
                state.streams[path]?.nextExposure += state.intervals[path] ?? 33_333_333
                var exposure = state.damagedExposures.removeValue(forKey: path) ?? FakeV4L2Device.Exposure()
                if camera.modes[0].fourcc == clinuxdevices_V4L2_PIX_FMT_MJPEG { exposure.bytes = Self.jpegBytes }
                return (camera, exposure)
            }
        }
        for (camera, exposure) in due { camera.expose(exposure) }
    }

    /// Whether all capture threads wait and have no pending event; call with the kernel's lock held.
    var isIdleLocked: Bool {
        let (waiting, streaming) = state.withLock { state in
            (Array(state.waiting.values), state.streams.values.map(\.descriptor))
        }
        let nothingIsPending = waiting.joined().allSatisfy { fake.pollEventsLocked($0).isEmpty }
        return nothingIsPending && streaming.allSatisfy { descriptor in waiting.contains { $0.contains(descriptor) } }
    }

    // MARK: KernelCalls

    func open(_ path: String, _ access: FileAccess) throws(KernelError) -> Int32 {
        let descriptor = try fake.open(path, access)
        state.withLock { $0.paths[descriptor] = path }
        return descriptor
    }

    func close(_ descriptor: Int32) {
        state.withLock { state in
            if let path = state.paths.removeValue(forKey: descriptor), state.streams[path]?.descriptor == descriptor {
                state.streams[path] = nil
            }
        }
        fake.close(descriptor)
    }

    func ioctl(
        _ descriptor: Int32, _ request: UInt, _ name: StaticString, _ argument: UnsafeMutableRawPointer
    ) throws(KernelError) {
        let path = state.withLock { $0.paths[descriptor] }
        if request == clinuxdevices_VIDIOC_STREAMOFF, let path { state.withLock { $0.streams[path] = nil } }
        try fake.ioctl(descriptor, request, name, argument)
        guard let path else { return }
        switch request {
        case clinuxdevices_VIDIOC_S_PARM:
            let interval = argument.assumingMemoryBound(to: v4l2_streamparm.self).pointee.parm.capture.timeperframe
            let nanoseconds = Int64(interval.numerator) * 1_000_000_000 / Int64(max(1, interval.denominator))
            state.withLock { $0.intervals[path] = nanoseconds }
        case clinuxdevices_VIDIOC_STREAMON:
            let now = clock.now.nanoseconds
            state.withLock { state in
                let interval = state.intervals[path] ?? 33_333_333
                state.streams[path] = RunningStream(descriptor: descriptor, nextExposure: now + interval)
            }
        default: break
        }
    }

    func wait(_ polled: inout [PolledDescriptor]) throws(KernelError) {
        let requested = polled
        let number = state.withLock { state in
            state.lastWaitNumber += 1
            state.waiting[state.lastWaitNumber] = requested
            return state.lastWaitNumber
        }
        defer { state.withLock { $0.waiting[number] = nil } }
        try fake.wait(&polled)
    }

    func map(
        _ descriptor: Int32, length: Int, offset: Int
    ) throws(KernelError) -> UnsafeMutableRawBufferPointer {
        try fake.map(descriptor, length: length, offset: offset)
    }

    func unmap(_ memory: UnsafeMutableRawBufferPointer) { fake.unmap(memory) }
    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(KernelError) -> Int {
        try fake.read(descriptor, into: buffer)
    }
    func makeEvent() throws(KernelError) -> Int32 { try fake.makeEvent() }
    func signal(_ event: Int32) { fake.signal(event) }
    func reset(_ event: Int32) { fake.reset(event) }
    func watch(directory: String) throws(KernelError) -> Int32 { try fake.watch(directory: directory) }
    func entries(of directory: String) -> [String] { fake.entries(of: directory) }
    func text(of file: String) -> String? { fake.text(of: file) }
    func resolve(_ path: String) -> String? { fake.resolve(path) }
    var monotonicNanoseconds: Int64 { fake.monotonicNanoseconds }
}

extension [PolledDescriptor] {
    fileprivate func contains(_ descriptor: Int32) -> Bool { contains { $0.descriptor == descriptor } }
}
