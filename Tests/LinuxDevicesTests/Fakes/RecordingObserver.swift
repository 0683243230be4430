import CaptureHAL
import Foundation

/// Records the connected and disconnected devices of a host as `+NAME` and `-NAME`.
final class RecordingObserver: @unchecked Sendable {
    // SAFETY: `recorded` is accessed while holding `condition`.
    private let condition = NSCondition()
    private var recorded: [String] = []

    func record(_ change: DeviceChange) {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        switch change {
        case .connected(let device): recorded.append("+\(device.descriptor.localizedName)")
        case .disconnected(let device): recorded.append("-\(device.descriptor.localizedName)")
        }
    }

    /// Waits for `count` changes and returns them; fewer after the timeout.
    func wait(for count: Int) -> [String] {
        let limit = Date(timeIntervalSinceNow: 20)
        condition.lock()
        defer { condition.unlock() }
        while recorded.count < count {
            if !condition.wait(until: limit) { break }
        }
        return recorded
    }
}
