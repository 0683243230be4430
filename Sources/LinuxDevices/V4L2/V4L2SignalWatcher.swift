import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes

/// Observes signal changes of receivers, such as HDMI capture cards, with or without a stream.
///
/// - Important: Thread-safe. The handler runs on the watcher's own thread, which is started with the first receiver.
final class V4L2SignalWatcher: Sendable {
    private struct State {
        /// The watched receivers by device file.
        var nodes: [String: V4L2Node] = [:]
        /// Started with the first receiver.
        var monitor: MonitorThread?
        var isStopped = false
    }

    private let kernel: any KernelCalls
    private let clock: any CaptureClock
    private let handler: @Sendable (String) -> Void
    private let state = Lock(State())

    /// Creates a watcher without receivers.
    ///
    /// - Parameters:
    ///   - clock: The clock of the delay after an error.
    ///   - handler: Called with the device file of a receiver when its signal appears, disappears or changes.
    init(_ kernel: any KernelCalls, clock: any CaptureClock, _ handler: @escaping @Sendable (String) -> Void) {
        self.kernel = kernel
        self.clock = clock
        self.handler = handler
    }

    deinit { stop() }

    /// Watches a device file if it is a receiver and its driver reports signal changes.
    ///
    /// Other devices are not kept open, because an open webcam cannot suspend.
    func watch(_ path: String) {
        guard let node = Self.receiver(path, kernel) else { return }
        let (monitor, isStopped) = state.withLock { state in
            if !state.isStopped { state.nodes[path] = node }
            return (state.monitor, state.isStopped)
        }
        guard !isStopped else { return }
        if let monitor { monitor.wake() } else { startMonitor() }
    }

    /// Stops watching a device file.
    func unwatch(_ path: String) {
        let (node, monitor) = state.withLock { ($0.nodes.removeValue(forKey: path), $0.monitor) }
        monitor?.wake()
        withExtendedLifetime(node) {}
    }

    /// Stops watching all receivers and ends the thread.
    func stop() {
        let (monitor, nodes) = state.withLock { state in
            defer {
                state.isStopped = true
                state.nodes = [:]
                state.monitor = nil
            }
            return (state.monitor, state.nodes)
        }
        monitor?.stop()
        withExtendedLifetime(nodes) {}
    }

    // MARK: Private

    private func startMonitor() {
        let monitor: MonitorThread
        do throws(KernelError) {
            monitor = try MonitorThread(name: "v4l2 signals", kernel: kernel, clock: clock) {
                [weak self, kernel] wake throws(KernelError) in
                guard let nodes = self?.nodes else { return false }
                var waited = [PolledDescriptor(wake.descriptor, .readable)]
                waited += nodes.map { PolledDescriptor($0.node.descriptor, .exceptional) }
                try kernel.wait(&waited)
                if !waited[0].occurred.isEmpty { wake.reset() }
                for (entry, polled) in zip(nodes, waited.dropFirst()) where !polled.occurred.isEmpty {
                    self?.checkForChange(entry.path, entry.node)
                }
                return true
            }
        } catch {
            // The next receiver tries again.
            return CaptureSystem.log("changes of the signals of receivers are not observed: \(error)")
        }
        let isStored = state.withLock { state in
            guard !state.isStopped, state.monitor == nil else { return false }
            state.monitor = monitor
            return true
        }
        if !isStored { monitor.stop() }
    }

    /// The watched receivers, sorted by device file; nil after `stop`.
    private var nodes: [(path: String, node: V4L2Node)]? {
        state.withLock { state in
            state.isStopped ? nil : state.nodes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }

    private func checkForChange(_ path: String, _ node: V4L2Node) {
        var hasChanged = false
        while true {
            var event = v4l2_event()
            do {
                try node.request(clinuxdevices_VIDIOC_DQEVENT, "VIDIOC_DQEVENT", &event)
            } catch {
                // After any error other than an empty queue, polling would report the device forever.
                if error.number != ENOENT && error.number != EAGAIN { unwatch(path) }
                break
            }
            let changes = event.u.src_change.changes
            if event.type == UInt32(V4L2_EVENT_SOURCE_CHANGE), changes & UInt32(V4L2_EVENT_SRC_CH_RESOLUTION) != 0 {
                hasChanged = true
            }
        }
        if hasChanged { handler(path) }
    }

    private static func receiver(_ path: String, _ kernel: any KernelCalls) -> V4L2Node? {
        do throws(KernelError) {
            let node = try V4L2Node(path, kernel: kernel)
            guard let input = try node.currentInput(), input.isDigital || input.isAnalog else { return nil }
            try node.subscribeSourceChanges()
            return node
        } catch {
            return nil  // Signal changes of this device are not observed.
        }
    }
}
