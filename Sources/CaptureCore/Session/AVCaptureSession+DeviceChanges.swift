import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes

// Changes of the devices and connections of a session that clients or the hardware make.
extension AVCaptureSession {
    /// A client set the format of a device of this session.
    func deviceChangedFormat(_ device: AVCaptureDevice) {
        // In an open transaction the format applies with the commit, or is rolled back with it.
        let isOpen = state.withLock { state in
            state.transaction.change { $0.preset = .inputPriority }
            return state.transaction.isOpen
        }
        guard !isOpen else { return notifyConfiguration() }
        reconcile()
        notifyOutputs()
    }

    /// A client set the frame durations of a device of this session, or the limit of its input.
    func deviceChangedFrameDuration(_ device: AVCaptureDevice) {
        defer { notifyConfiguration() }
        // In an open transaction they apply with the commit, together with a format that was set before them.
        guard state.withLock({ !$0.transaction.isOpen }) else { return }
        let mustRestart = devices.withLock { devices in
            var mustRestart = false
            for runner in devices.runners where runner.input.device === device {
                do throws(DeviceError) {
                    try runner.setFrameDuration(runner.input.streamFrameDuration)
                } catch {
                    // The stream cannot change it while it runs: start another one.
                    devices.end(runner)
                    devices.runners.removeAll { $0 === runner }
                    mustRestart = true
                }
            }
            return mustRestart
        }
        if mustRestart { reconcile() } else { applyStabilization() }
    }

    /// A client enabled, disabled or changed the depth of a device of this session.
    func depthConfigurationChanged() {
        guard state.withLock({ !$0.transaction.isOpen }) else { return }
        reconcile()
        notifyOutputs()
    }

    /// A client enabled or disabled a connection or a port.
    func enablingChanged() {
        if isMultiCam, state.withLock({ !$0.transaction.isOpen }) { reconcile() }
    }

    /// A device of this session was disconnected, which can end an interruption.
    func deviceIsGone() {
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
