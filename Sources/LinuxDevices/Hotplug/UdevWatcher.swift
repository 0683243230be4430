import CLinuxDevices
import Glibc
import MediaTypes

/// Hears of device files by udev.
final class UdevWatcher: NodeWatcher {
    /// Who speaks.
    enum Speaker: String, Sendable {
        /// The daemon, after it has set names and rights.
        case daemon = "udev"
        /// The kernel itself.
        case kernel = "kernel"
    }

    /// Owns what libudev gave.
    private final class Monitor: @unchecked Sendable {
        // SAFETY: used by the watching thread only, after the initialiser; freed when that has ended.
        private let context: OpaquePointer
        private let monitor: OpaquePointer

        init?(_ speaker: Speaker) {
            guard let context = udev_new() else { return nil }
            guard let monitor = udev_monitor_new_from_netlink(context, speaker.rawValue) else {
                udev_unref(context)
                return nil
            }
            self.context = context
            self.monitor = monitor
            for subsystem in ["video4linux", "sound"] {
                udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil)
            }
            if udev_monitor_enable_receiving(monitor) < 0 { return nil }
        }

        deinit {
            udev_monitor_unref(monitor)
            udev_unref(context)
        }

        var descriptor: Int32 { udev_monitor_get_fd(monitor) }

        enum Message {
            case change(NodeChange)
            /// Of a device without a file.
            case other
        }

        /// The next message; nil where none is waiting.
        func next() -> Message? {
            guard let device = udev_monitor_receive_device(monitor) else { return nil }
            defer { udev_device_unref(device) }
            guard let node = udev_device_get_devnode(device), let action = udev_device_get_action(device)
            else { return .other }
            let path = String(cString: node)
            return .change(String(cString: action) == "remove" ? .vanished(path) : .appeared(path))
        }
    }

    let source: String
    private let wake: KernelEvent
    private let isStopped = Lock(false)
    private let thread: KernelThread

    init(
        _ kernel: any KernelCalls, _ speaker: Speaker, _ handler: @escaping @Sendable (NodeChange) -> Void
    ) throws(KernelError) {
        source = "udev (\(speaker.rawValue))"
        let wake = try KernelEvent(kernel)
        guard let monitor = Monitor(speaker) else { throw KernelError("udev_monitor_new_from_netlink", ENOTSUP) }
        self.wake = wake
        thread = try KernelThread(name: "device watch") { [isStopped] in
            while !isStopped.withLock({ $0 }) {
                var waited = [
                    WaitedDescriptor(wake.descriptor, .readable), WaitedDescriptor(monitor.descriptor, .readable),
                ]
                guard (try? kernel.wait(&waited)) != nil, waited[1].came != .failed else { return }
                while let message = monitor.next() {
                    if isStopped.withLock({ $0 }) { return }
                    if case .change(let change) = message { handler(change) }
                }
            }
        }
    }

    deinit { stop() }

    func stop() {
        isStopped.withLock { $0 = true }
        wake.signal()
        thread.join()
    }
}
