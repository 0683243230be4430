import CLinuxDevices
import Glibc
import MediaTypes

/// Observes signal changes of receivers, such as HDMI capture cards, with or without a stream.
///
/// - Important: Thread-safe. The handler runs on the watcher's own thread, which is started with the first receiver.
final class V4L2SignalWatcher: Sendable {
    private struct State {
        /// The watched receivers by device file.
        var nodes: [String: V4L2Node] = [:]
        var thread: KernelThread?
        var isStopped = false
    }

    private let kernel: any KernelCalls
    private let handler: @Sendable (String) -> Void
    private let wake: KernelEvent
    private let state = Lock(State())

    /// Creates a watcher without receivers.
    ///
    /// - Parameter handler: Called with the device file of a receiver when its signal appears, disappears or changes.
    init(_ kernel: any KernelCalls, _ handler: @escaping @Sendable (String) -> Void) throws(KernelError) {
        self.kernel = kernel
        self.handler = handler
        wake = try KernelEvent(kernel)
    }

    deinit { stop() }

    /// Watches a device file if it is a receiver and its driver reports signal changes.
    ///
    /// Other devices are not kept open, because an open webcam cannot suspend.
    func watch(_ path: String) {
        guard let node = Self.receiver(path, kernel) else { return }
        let isFirst = state.withLock { state in
            guard !state.isStopped else { return false }
            state.nodes[path] = node
            return state.thread == nil
        }
        wake.signal()
        guard isFirst else { return }
        // If this fails, formats are not updated after signal changes.
        let thread = try? KernelThread(name: "v4l2 signals") { [weak self, wake, kernel] in
            while let nodes = self?.nodes {
                var waited = [PolledDescriptor(wake.descriptor, .readable)]
                waited += nodes.map { PolledDescriptor($0.node.descriptor, .exceptional) }
                guard (try? kernel.wait(&waited)) != nil else { return }
                if !waited[0].occurred.isEmpty { wake.reset() }
                for (entry, polled) in zip(nodes, waited.dropFirst()) where !polled.occurred.isEmpty {
                    self?.checkForChange(entry.path, entry.node)
                }
            }
        }
        state.withLock { $0.thread = thread }
    }

    /// Stops watching a device file.
    func unwatch(_ path: String) {
        let node = state.withLock { $0.nodes.removeValue(forKey: path) }
        wake.signal()
        withExtendedLifetime(node) {}
    }

    /// Stops watching all receivers and ends the thread.
    func stop() {
        let (thread, nodes) = state.withLock { state in
            defer {
                state.isStopped = true
                state.nodes = [:]
                state.thread = nil
            }
            return (state.thread, state.nodes)
        }
        wake.signal()
        thread?.join()
        withExtendedLifetime(nodes) {}
    }

    // MARK: Private

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
