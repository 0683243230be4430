import AssetTypes
import CaptureHAL
import Foundation

// Interruptions, and the arbitration of devices between sessions.
extension AVCaptureSession {
    /// Begins or ends the interruption of the session according to the current conditions.
    func updateInterruption(_ devices: inout RunningDevices) {
        let (configuration, options) = state.withLock { ($0.configuration, $0.options) }
        let reason = interruptionCauses(configuration, options).reason
        guard let event = state.withLock({ $0.run.update(reason) }) else { return }
        var userInfo: [String: any Sendable] = [:]
        if case .wasInterrupted(let reason) = event { userInfo = interruptionInfo(reason, configuration) }
        devices.notices.append(.runState(event, userInfo: userInfo))
    }

    private func interruptionCauses(
        _ configuration: SessionConfiguration, _ options: SessionOptions
    ) -> InterruptionCauses {
        InterruptionCauses(
            system: system.interruptions.active,
            media: Set(configuration.inputs.flatMap(\.ports).map(\.mediaType)),
            allowsMultitasking: options.usesCameraWhileMultitasking,
            devices: neededDevices(configuration).map { device in
                let condition = device.hardware.condition
                return InterruptionCauses.Device(
                    isConnected: device.isConnected,
                    isCamera: device.hasMediaType(.video),
                    isInUse: condition.isInUseByAnotherApplication || registry.isClaimed(device, byOtherThan: self),
                    isShutDownByPressure: condition.pressure.level == .shutdown)
            })
    }

    private func interruptionInfo(
        _ reason: CaptureHAL.InterruptionReason, _ configuration: SessionConfiguration
    ) -> [String: any Sendable] {
        var info: [String: any Sendable] = [AVCaptureSessionInterruptionReasonKey: reason.rawValue]
        if reason == .notAvailableDueToSystemPressure {
            let states = cameras(in: configuration).map(\.hardware.condition.pressure)
            let worst = states.max { $0.level < $1.level } ?? .nominal
            info[AVCaptureSessionInterruptionSystemPressureStateKey] = AVCaptureDevice.SystemPressureState(worst)
        }
        return info
    }

    // MARK: Arbitration of devices

    /// Claims the devices that the session needs, if it is started.
    ///
    /// - Parameter preempting: Whether other sessions lose their claims; otherwise this session waits for them.
    /// - Returns: The preempted sessions, which must stop using the devices.
    func claimDevices(preempting: Bool) -> [AVCaptureSession] {
        let (configuration, isStarted) = state.withLock { ($0.configuration, $0.run.isStarted) }
        guard isStarted else { return [] }
        return registry.claim(neededDevices(configuration), for: self, preempting: preempting)
    }

    /// Releases the claims to the devices that the session does not use.
    ///
    /// - Returns: The devices that became free.
    func releaseDevices() -> [ObjectIdentifier] {
        let (configuration, shouldRun) = state.withLock { ($0.configuration, $0.run.shouldRun) }
        return registry.releaseClaims(
            of: ObjectIdentifier(self), except: shouldRun ? neededDevices(configuration) : [])
    }

    /// Reconciles the sessions that wait for devices that became free.
    func reconcileSessions(waitingFor freed: [ObjectIdentifier]) {
        guard !freed.isEmpty else { return }
        for device in registry.enumeratedDevices where freed.contains(ObjectIdentifier(device)) {
            for session in device.sessions where session !== self { session.reconcile() }
        }
    }

    private func neededDevices(_ configuration: SessionConfiguration) -> [AVCaptureDevice] {
        plans(configuration).map(\.device)
    }
}
