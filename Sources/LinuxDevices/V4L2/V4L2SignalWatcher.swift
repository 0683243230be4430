import CLinuxDevices
import Glibc
import MediaTypes

/// Hears when the signal at a receiver changes, whether anyone streams or not.
///
/// - Important: Thread-safe. Changes are told on a thread of the watcher's own, which begins with the first receiver.
final class V4L2SignalWatcher: Sendable {
    private struct State {
        /// The receivers that are watched, by their device files.
        var nodes: [String: V4L2Node] = [:]
        var thread: KernelThread?
        var isStopped = false
    }

    private let kernel: any KernelCalls
    private let handler: @Sendable (String) -> Void
    private let wake: KernelEvent
    private let state = Lock(State())

    /// - Parameter handler: Called with the device file of a receiver whose signal came, went or changed.
    init(_ kernel: any KernelCalls, _ handler: @escaping @Sendable (String) -> Void) throws(KernelError) {
        self.kernel = kernel
        self.handler = handler
        wake = try KernelEvent(kernel)
    }

    deinit { stop() }

    /// Watches a device file, where it is a receiver: its input has a signal, and its driver tells of changes.
    ///
    /// Others are not held open: a webcam would never sleep.
    func watch(_ path: String) {
        guard let node = Self.receiver(path, kernel) else { return }
        let isFirst = state.withLock { state in
            guard !state.isStopped else { return false }
            state.nodes[path] = node
            return state.thread == nil
        }
        wake.signal()
        guard isFirst else { return }
        // Without a thread the formats stay as they were found.
        let thread = try? KernelThread(name: "v4l2 signals") { [weak self, wake, kernel] in
            while let nodes = self?.nodes {
                var waited = [WaitedDescriptor(wake.descriptor, .readable)]
                waited += nodes.map { WaitedDescriptor($0.node.descriptor, .exceptional) }
                guard (try? kernel.wait(&waited)) != nil else { return }
                if !waited[0].came.isEmpty { wake.reset() }
                for (entry, came) in zip(nodes, waited.dropFirst()) where !came.came.isEmpty {
                    self?.look(entry.path, entry.node)
                }
            }
        }
        state.withLock { $0.thread = thread }
    }

    func forget(_ path: String) {
        let node = state.withLock { $0.nodes.removeValue(forKey: path) }
        wake.signal()
        withExtendedLifetime(node) {}
    }

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

    /// Nil where the watcher was stopped.
    private var nodes: [(path: String, node: V4L2Node)]? {
        state.withLock { state in
            state.isStopped ? nil : state.nodes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }

    private func look(_ path: String, _ node: V4L2Node) {
        var isChanged = false
        while true {
            var event = v4l2_event()
            do {
                try node.request(clinuxdevices_VIDIOC_DQEVENT, "VIDIOC_DQEVENT", &event)
            } catch {
                // Anything but an empty queue would be told for ever.
                if error.number != ENOENT && error.number != EAGAIN { forget(path) }
                break
            }
            let changes = event.u.src_change.changes
            if event.type == UInt32(V4L2_EVENT_SOURCE_CHANGE), changes & UInt32(V4L2_EVENT_SRC_CH_RESOLUTION) != 0 {
                isChanged = true
            }
        }
        if isChanged { handler(path) }
    }

    private static func receiver(_ path: String, _ kernel: any KernelCalls) -> V4L2Node? {
        do throws(KernelError) {
            let node = try V4L2Node(path, kernel: kernel)
            guard let input = try node.currentInput(), input.isDigital || input.isAnalogue else { return nil }
            try node.subscribeSourceChanges()
            return node
        } catch {
            return nil  // Its signal is that of the moment when it was found.
        }
    }
}
