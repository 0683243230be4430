import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes

// The responses of a session to changes that clients or the hardware make to its devices and connections.
extension AVCaptureSession {
    /// Handles a new format of a device of this session: as on Apple's systems, the preset becomes `.inputPriority`.
    func deviceFormatDidChange() {
        // In an open transaction the format applies with the commit, or is rolled back with it.
        let isOpen = state.withLock { state in
            state.transaction.change { $0.preset = .inputPriority }
            return state.transaction.isOpen
        }
        guard !isOpen else { return notifyConfiguration() }
        reconcile()
        notifyOutputs()
    }

    /// Handles new frame durations of a device of this session, or a new override of its input.
    func frameDurationDidChange(of device: AVCaptureDevice) {
        defer { notifyConfiguration() }
        // In an open transaction the durations apply with the commit, together with a format of the same transaction.
        guard state.withLock({ !$0.transaction.isOpen }) else { return }
        let mustRestart = devices.withLock { devices in
            var mustRestart = false
            for runner in devices.runners where runner.input.device === device {
                do throws(DeviceError) {
                    try runner.setFrameDuration(runner.input.streamFrameDuration)
                } catch {
                    // The stream failed, or cannot change the duration while it runs: start a new stream, which reports
                    // a persistent error.
                    devices.end(runner)
                    devices.runners.removeAll { $0 === runner }
                    mustRestart = true
                }
            }
            return mustRestart
        }
        // The available stabilization modes depend on the frame rate. `reconcile()` applies stabilization, too.
        if mustRestart { reconcile() } else { applyStabilization() }
    }

    /// Handles a change of the depth format of a device, or of the depth delivery of an output.
    func depthConfigurationDidChange() {
        guard state.withLock({ !$0.transaction.isOpen }) else { return }
        reconcile()
        notifyOutputs()
    }

    /// Handles a connection or a port that was enabled or disabled.
    func enabledStateDidChange() {
        // Only a multi-cam session stops a camera if all its connections or ports are disabled.
        if isMultiCam, state.withLock({ !$0.transaction.isOpen }) { reconcile() }
    }

    /// Handles the disconnection of a device. If the session was interrupted because another client used the device,
    /// the interruption ends.
    func deviceWasDisconnected() {
        reconcile()
        notifyActivity(of: connections)
    }

    /// Notifies the outputs that a format has changed.
    private func notifyOutputs() {
        for output in state.withLock({ $0.configuration.outputs }) { output.configurationDidChange() }
    }

    /// Notifies the observers of connections that may have become active or inactive, each once.
    func notifyActivity(of connections: [AVCaptureConnection]) {
        var notified: Set<AVCaptureConnection> = []
        for connection in connections where notified.insert(connection).inserted {
            connection.observedProperties.changed(["isActive"])
        }
    }

    /// Posts a notification that a device of this session delivers a medium in another format.
    func postFormatChange(of device: AVCaptureDevice, _ media: AVMediaType) {
        for input in state.withLock({ $0.current.deviceInputs }) where input.device === device {
            for port in input.ports where port.mediaType == media {
                port.observedProperties.changed("formatDescription")
                system.notifications.post(.AVCaptureInputPortFormatDescriptionDidChange) { port }
            }
        }
    }
}
