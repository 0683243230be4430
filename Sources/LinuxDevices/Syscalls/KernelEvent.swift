/// An event that wakes a thread waiting in the kernel.
///
/// - Important: Thread-safe.
final class KernelEvent: Sendable {
    let descriptor: Int32
    private let kernel: any KernelCalls

    init(_ kernel: any KernelCalls) throws(KernelError) {
        self.kernel = kernel
        descriptor = try kernel.makeEvent()
    }

    deinit { kernel.close(descriptor) }

    func signal() { kernel.signal(descriptor) }
    func reset() { kernel.reset(descriptor) }
}
