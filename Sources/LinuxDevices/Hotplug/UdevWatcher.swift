import CLinuxDevices
import Glibc
import MediaTypes

/// A watcher of device files that uses udev.
final class UdevWatcher: NodeWatcher {
    /// The sender of events.
    enum Sender: String, Sendable {
        /// The daemon, after it has set names and permissions.
        case daemon = "udev"
        /// The kernel.
        case kernel = "kernel"
    }

    /// The owner of a libudev monitor and its context.
    private final class Monitor: @unchecked Sendable {
        // SAFETY: after initialization only the watcher's thread uses it; it is freed when that thread has ended.
        private let context: OpaquePointer
        private let monitor: OpaquePointer

        init?(_ sender: Sender) {
            guard let context = udev_new() else { return nil }
            guard let monitor = udev_monitor_new_from_netlink(context, sender.rawValue) else {
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
            /// An event of a device without a file.
            case other
        }

        /// Returns the next message; nil if there is none.
        func next() -> Message? {
            errno = 0
            guard let device = udev_monitor_receive_device(monitor) else {
                // The kernel discards events if the socket's buffer is full.
                return errno == ENOBUFS ? .change(.lost) : nil
            }
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
        _ kernel: any KernelCalls, _ sender: Sender, _ handler: @escaping @Sendable (NodeChange) -> Void
    ) throws(KernelError) {
        source = "udev (\(sender.rawValue))"
        let wake = try KernelEvent(kernel)
        guard let monitor = Monitor(sender) else { throw KernelError("udev_monitor_new_from_netlink", ENOTSUP) }
        self.wake = wake
        thread = try KernelThread(name: "device watch") { [isStopped] in
            while !isStopped.withLock({ $0 }) {
                var waited = [
                    PolledDescriptor(wake.descriptor, .readable), PolledDescriptor(monitor.descriptor, .readable),
                ]
                do throws(KernelError) {
                    try kernel.wait(&waited)
                    var isRead = false
                    while let message = monitor.next() {
                        isRead = true
                        if isStopped.withLock({ $0 }) { return }
                        if case .change(let change) = message { handler(change) }
                    }
                    // An overflow is an error of the socket, too.
                    if !isRead, !waited[1].occurred.isDisjoint(with: .failed) {
                        throw KernelError("poll of udev", EIO)
                    }
                } catch {
                    if !isStopped.withLock({ $0 }) { handler(.ended(error)) }
                    return
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
