import CaptureHAL
import Foundation

// What holds a session up: the system's interruptions, and what befalls its devices.
extension AVCaptureSession {
    /// Takes on what holds the session up now.
    ///
    /// An interruption begins with the first cause and ends with the last, whatever the client does meanwhile: as Apple's
    /// header has it, its end says that "hardware resources needed to run the session are again available". One cause
    /// that takes another's place is not told, so that beginnings and ends alternate.
    func updateInterruption(_ announcements: inout [Announcement]) {
        let (configuration, options) = state.withLock { ($0.configuration, $0.options) }
        let reason = reasonToWait(configuration, options)
        state.withLock { state in
            // From a session that nobody started nothing is taken; one that was stopped meanwhile stays interrupted.
            let effective = state.isStarted || state.interruption != nil ? reason : nil
            let previous = state.interruption
            state.interruption = effective
            if let effective, previous == nil {
                announcements.append(
                    Announcement(
                        name: .AVCaptureSessionWasInterrupted, info: interruptionInfo(effective, configuration)))
            } else if effective == nil, previous != nil {
                announcements.append(Announcement(name: .AVCaptureSessionInterruptionEnded))
            }
        }
    }

    /// The first of the reasons in force that concerns the configuration.
    private func reasonToWait(
        _ configuration: SessionConfiguration, _ options: SessionOptions
    ) -> CaptureHAL.InterruptionReason? {
        let ofSystem = system.interruptions.active.first { reason in
            configuration.isAffected(by: reason)
                && !(reason == .notAvailableWithMultipleForegroundApps && options.usesCameraWhileMultitasking)
        }
        if let ofSystem { return ofSystem }
        // Each device is asked once: what it says changes with what other sessions do.
        for device in neededDevices(configuration) {
            if let reason = reasonToWait(for: device) { return reason }
        }
        return nil
    }

    /// Why a device cannot be had just now; nil also where it is gone, because waiting brings it not back.
    private func reasonToWait(for device: AVCaptureDevice) -> CaptureHAL.InterruptionReason? {
        guard device.isConnected else { return nil }
        let condition = device.hardware.condition
        let isCamera = device.hasMediaType(.video)
        if condition.isInUseByAnotherApplication || registry.isClaimed(device, byOtherThan: self) {
            return isCamera ? .videoInUseByAnotherClient : .audioInUseByAnotherClient
        }
        return isCamera && condition.pressure.level == .shutdown ? .notAvailableDueToSystemPressure : nil
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

    // MARK: One session at a time has a device

    /// Takes the devices that the session needs, and stops the sessions that had them.
    ///
    /// - Parameter byForce: Whether other sessions lose theirs; else the session waits for them.
    func claimDevices(byForce: Bool) {
        let (configuration, isStarted) = state.withLock { ($0.configuration, $0.isStarted) }
        guard isStarted else { return }
        for loser in registry.claim(neededDevices(configuration), for: self, byForce: byForce) { loser.reconcile() }
    }

    /// Takes the devices that the session needs where nobody has them: a stop on another thread may have given up what
    /// was claimed for this start.
    func claimFreeDevices() {
        let (configuration, isStarted) = state.withLock { ($0.configuration, $0.isStarted) }
        if isStarted { _ = registry.claim(neededDevices(configuration), for: self, byForce: false) }
    }

    /// Gives up the devices that the session does not use.
    ///
    /// - Returns: The devices for which others may wait.
    func giveUpDevices() -> [ObjectIdentifier] {
        let (configuration, isHeld) = state.withLock { state in
            (state.configuration, state.isStarted && state.interruption == nil)
        }
        let needed = isHeld ? neededDevices(configuration) : []
        return registry.giveUpClaims(of: ObjectIdentifier(self), except: needed)
    }

    /// Lets the sessions that wait for devices have them.
    func tellWaiting(_ freed: [ObjectIdentifier]) {
        guard !freed.isEmpty else { return }
        for device in registry.knownDevices where freed.contains(ObjectIdentifier(device)) {
            for session in device.sessions where session !== self { session.reconcile() }
        }
    }

    private func neededDevices(_ configuration: SessionConfiguration) -> [AVCaptureDevice] {
        plans(configuration).map(\.device)
    }
}
