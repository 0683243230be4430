import CLinuxDevices
package import CaptureHAL
import Glibc
import MediaTypes
import ThreeA

/// A camera behind the kernel's V4L2 interface.
package final class V4L2Camera: HardwareDevice {
    private struct State {
        var isConnected = true
        /// The opened device, as long as its client keeps it.
        weak var opened: V4L2OpenCamera?
        var isOpening = false
        /// The signal changed while someone had the device.
        var isOutdated = false
    }

    package let descriptor: DeviceDescriptor
    package let formats: [StreamFormat]
    /// As `/dev/video0`.
    package let path: String

    private let list: V4L2FormatList
    private let captureType: UInt32
    private let kernel: any KernelCalls
    private let clock: any CaptureClock
    private let occupation: OccupationWatch
    private let state = Lock(State(), order: .device)
    /// Called when a client has given the device back after its signal changed.
    private let whenOutdated: @Sendable () -> Void

    /// Looks at a device file; nil where it is no camera, as a metadata or an output node.
    ///
    /// A camera that may not be opened, or is held by another program alone, is there, but without formats.
    /// - Parameters:
    ///   - mayChangeInput: Whether an input without a signal gives way to one that has it.
    ///   - whenOutdated: Called once, on any thread, when the formats may be others and the device is free.
    package init?(
        path: String, kernel: any KernelCalls, clock: any CaptureClock, mayChangeInput: Bool = true,
        whenOutdated: @escaping @Sendable () -> Void = {}
    ) {
        self.whenOutdated = whenOutdated
        self.path = path
        self.kernel = kernel
        self.clock = clock
        occupation = OccupationWatch(clock: clock)
        let identity = V4L2Identity(path: path, kernel: kernel)
        do throws(KernelError) {
            let node = try V4L2Node(path, kernel: kernel)
            let capability = try node.capability()
            guard let type = capability.captureType else { return nil }
            try node.adoptSignal(mayChangeInput: mayChangeInput)
            let list = try V4L2FormatList(node, type: type)
            (captureType, self.list, descriptor) = (type, list, identity.descriptor(capability, node))
        } catch {
            // Without its word the first node of a device is taken for the one that captures.
            let isClosedToUs = [EACCES, EPERM, EBUSY].contains(error.number)
            guard isClosedToUs, identity.isFirstOfDevice else { return nil }
            (captureType, list) = (V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue, V4L2FormatList())
            descriptor = identity.descriptor(nil, nil)
        }
        formats = list.entries.map { .video($0.stream) }
    }

    package var isConnected: Bool { state.withLock(\.isConnected) }

    package var isInUseByAnotherApplication: Bool {
        guard isConnected, state.withLock({ $0.opened?.isOpen != true && !$0.isOpening }) else { return false }
        do throws(KernelError) {
            return try V4L2Node(path, kernel: kernel).isTakenByAnother(captureType)
        } catch {
            return error.number == EBUSY
        }
    }

    package var condition: DeviceCondition {
        occupation.condition { [weak self] in self?.isInUseByAnotherApplication ?? false }
    }

    package func observeCondition(_ handler: @escaping @Sendable (DeviceCondition) -> Void) -> Observation {
        occupation.observe(handler)
    }

    package func open() throws(DeviceError) -> any OpenDevice {
        try state.withLock { state throws(DeviceError) in
            guard state.isConnected else { throw disconnected }
            guard state.opened?.isOpen != true, !state.isOpening else {
                throw DeviceError(.busy, device: descriptor.uniqueID, "the camera is open already; close it first")
            }
            state.isOpening = true
        }
        defer { state.withLock { $0.isOpening = false } }
        do throws(KernelError) {
            let node = try V4L2Node(path, kernel: kernel)
            if try node.isTakenByAnother(captureType) { throw KernelError("VIDIOC_REQBUFS", EBUSY) }
            let opened = V4L2OpenCamera(
                path: path, kernel: kernel, clock: clock, device: descriptor.uniqueID, list: list,
                captureType: captureType, controls: try V4L2Controls(node, device: descriptor.uniqueID),
                whenClosed: { [weak self] in self?.noteClosing() })
            state.withLock { $0.opened = opened }
            return AutomaticDevice.completing(opened, id: descriptor.uniqueID, clock: clock)
        } catch {
            throw DeviceError(error, device: descriptor.uniqueID, "the camera could not be opened")
        }
    }

    /// Notes that the device has gone; a stream finds out by itself.
    func disconnect() {
        state.withLock { $0.isConnected = false }
    }

    /// Notes that the signal changed.
    ///
    /// - Returns: Whether it can be looked at anew now; else `whenOutdated` will be called.
    func outdate() -> Bool {
        state.withLock { state in
            state.isOutdated = state.opened?.isOpen == true || state.isOpening
            return !state.isOutdated
        }
    }

    private func noteClosing() {
        let isOutdated = state.withLock { state in
            defer { state.isOutdated = false }
            return state.isOutdated
        }
        if isOutdated { whenOutdated() }
    }

    private var disconnected: DeviceError {
        DeviceError(.disconnected, device: descriptor.uniqueID, "the camera was unplugged; look for it anew")
    }
}
