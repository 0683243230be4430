import AssetTypes
import CaptureHAL

/// A snapshot of the conditions that can interrupt a session.
struct InterruptionCauses: Sendable {
    /// The condition of a device that the session needs.
    struct Device: Equatable, Sendable {
        var isConnected = true
        var isCamera = true
        /// Whether another program or another session uses the device.
        var isInUse = false
        var isShutDownByPressure = false
    }

    /// The active interruptions of the capture system, in the order in which they began.
    var system: [CaptureHAL.InterruptionReason] = []
    /// The media of the session's inputs.
    var media: Set<AVMediaType> = []
    /// Whether the camera stays available while other programs are in the foreground.
    var allowsMultitasking = false
    /// The devices that have connected ports.
    var devices: [Device] = []

    /// The reason that interrupts the session; an interruption of the capture system has priority over the condition of
    /// a device.
    var reason: CaptureHAL.InterruptionReason? {
        system.first(where: isAffected) ?? devices.lazy.compactMap(\.reason).first
    }

    /// Whether an interruption of the capture system makes a medium of the session unavailable.
    private func isAffected(by reason: CaptureHAL.InterruptionReason) -> Bool {
        switch reason {
        case .audioInUseByAnotherClient: media.contains(.audio)
        case .notAvailableWithMultipleForegroundApps: media.contains(.video) && !allowsMultitasking
        case .notAvailableInBackground, .videoInUseByAnotherClient, .notAvailableDueToSystemPressure,
            .sensitiveContentMitigationActivated:
            media.contains(.video)
        }
    }
}

extension InterruptionCauses.Device {
    /// Why the device is unavailable; also nil for a disconnected device, because waiting does not restore it.
    fileprivate var reason: CaptureHAL.InterruptionReason? {
        guard isConnected else { return nil }
        if isInUse { return isCamera ? .videoInUseByAnotherClient : .audioInUseByAnotherClient }
        return isCamera && isShutDownByPressure ? .notAvailableDueToSystemPressure : nil
    }
}
