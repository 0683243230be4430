import Synchronization

/// Whether the torch of a device is in automatic mode, read by the device's thread for each frame without a lock.
///
/// - Important: Thread-safe.
final class AutomaticTorchFlag: Sendable {
    private let flag = Atomic(false)

    var isOn: Bool {
        get { flag.load(ordering: .relaxed) }
        set { flag.store(newValue, ordering: .relaxed) }
    }
}
