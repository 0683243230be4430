import CLinuxDevices
package import CaptureHAL
import Glibc
import MediaTypes
import ThreeA

/// A camera that the kernel provides through V4L2.
package final class V4L2Camera: HardwareDevice {
    private struct State {
        var isConnected = true
        /// Whether the device is open: from the start of `open` until the device and its stream are closed.
        var isOpen = false
        /// Whether the signal has changed while the device was open.
        var isOutdated = false
    }

    package let descriptor: DeviceDescriptor
    package let formats: [StreamFormat]
    /// The device file, such as `/dev/video0`.
    package let path: String

    private let list: V4L2FormatList
    private let captureType: UInt32
    private let kernel: any KernelCalls
    private let clock: any CaptureClock
    private let availability: AvailabilityMonitor
    private let state = Lock(State(), order: .device)
    /// The settings of the controls that software adds. The driver keeps those of its own.
    private let automaticSettings = Lock<[DeviceControl: ControlValue]>([:])
    /// Called when a client closes the device after a signal change.
    private let whenOutdated: @Sendable () -> Void

    /// Creates a camera for a device file; nil if it is not a camera, such as a metadata or output node.
    ///
    /// A camera has no formats if the program has no permission to open it or if another program uses it.
    /// - Parameters:
    ///   - mayChangeInput: Whether to switch from an input without a signal to one with a signal.
    ///   - whenOutdated: Called on any thread when the device is closed, if its signal has changed while it was open.
    package init?(
        path: String, kernel: any KernelCalls, clock: any CaptureClock, mayChangeInput: Bool = true,
        whenOutdated: @escaping @Sendable () -> Void = {}
    ) {
        self.whenOutdated = whenOutdated
        self.path = path
        self.kernel = kernel
        self.clock = clock
        availability = AvailabilityMonitor(clock: clock)
        let identity = V4L2Identity(path: path, kernel: kernel)
        do throws(KernelError) {
            let node = try V4L2Node(path, kernel: kernel, clock: clock)
            let capability = try node.capability()
            guard let type = capability.captureType else { return nil }
            try node.configureForSignal(mayChangeInput: mayChangeInput)
            let list = try V4L2FormatList(node, type: type)
            (captureType, self.list, descriptor) = (type, list, identity.descriptor(capability, node))
            node.log(
                .info,
                "\(capability.card), driver \(capability.driver), \(capability.bus): \(list.entries.count) formats, "
                    + "\(list.unsupported.count) unsupported")
            for entry in list.entries { node.log(.debug, "offers \(entry.logText)") }
            for format in list.unsupported {
                node.log(.info, "format \(format.fourcc) (\(format.name)) is not supported")
            }
        } catch {
            // The node's capabilities are unknown. The first node of a device is assumed to be its camera.
            let isInaccessible = [EACCES, EPERM, EBUSY].contains(error.number)
            guard isInaccessible, identity.isFirstOfDevice else { return nil }
            (captureType, list) = (V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue, V4L2FormatList())
            descriptor = identity.descriptor(nil, nil)
        }
        formats = list.entries.map { .video($0.stream) }
    }

    package var isConnected: Bool { state.withLock(\.isConnected) }

    package var isInUseByAnotherApplication: Bool {
        guard state.withLock({ $0.isConnected && !$0.isOpen }) else { return false }
        do throws(KernelError) {
            return try V4L2Node(path, kernel: kernel, clock: clock).isInUseByAnother(captureType)
        } catch {
            return error.number == EBUSY
        }
    }

    package var condition: DeviceCondition {
        availability.condition { [weak self] in self?.isInUseByAnotherApplication ?? false }
    }

    package func observeCondition(_ handler: @escaping @Sendable (DeviceCondition) -> Void) -> ObserverToken {
        availability.observe(handler)
    }

    package func open() throws(DeviceError) -> any OpenDevice {
        try state.withLock { state throws(DeviceError) in
            guard state.isConnected else { throw disconnected }
            guard !state.isOpen else {
                throw DeviceError(.busy, device: descriptor.uniqueID, "the camera is open already; close it first")
            }
            state.isOpen = true
        }
        do throws(KernelError) {
            let node = try V4L2Node(path, kernel: kernel, clock: clock)
            if try node.isInUseByAnother(captureType) { throw KernelError("VIDIOC_REQBUFS", EBUSY) }
            let opened = V4L2OpenCamera(
                path: path, kernel: kernel, clock: clock, device: descriptor.uniqueID, list: list,
                captureType: captureType, controls: try V4L2Controls(node, clock: clock, device: descriptor.uniqueID),
                whenClosed: { [weak self] in self?.deviceDidClose() })
            node.log(.info, "opened")
            return AutomaticDevice.addingMissingModes(
                to: opened, id: descriptor.uniqueID, clock: clock, settings: automaticSettings)
        } catch {
            deviceDidClose()
            CaptureLog.write(.v4l2, .error, clock, "\(path): could not be opened: \(error.logText)")
            throw DeviceError(error, device: descriptor.uniqueID, "the camera could not be opened")
        }
    }

    /// Marks the device as disconnected. Its stream detects the disconnection itself.
    func disconnect() {
        state.withLock { $0.isConnected = false }
    }

    /// Marks the formats as outdated because the signal has changed.
    ///
    /// - Returns: Whether the camera can be created again now. If not, `whenOutdated` is called when the client closes
    ///   the device.
    func markOutdated() -> Bool {
        state.withLock { state in
            state.isOutdated = state.isOpen
            return !state.isOutdated
        }
    }

    private func deviceDidClose() {
        let isOutdated = state.withLock { state in
            defer { (state.isOpen, state.isOutdated) = (false, false) }
            return state.isOutdated
        }
        if isOutdated { whenOutdated() }
    }

    private var disconnected: DeviceError {
        DeviceError(.disconnected, device: descriptor.uniqueID, "the camera was disconnected; discover it again")
    }
}
