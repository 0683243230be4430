import CaptureHAL
import Foundation
import MediaTypes

// Transactions: changes of the configuration that apply together, and their rollback.
extension AVCaptureSession {
    /// The state that a rollback restores.
    struct Undo {
        let configuration: SessionConfiguration
        /// The formats and frame durations before the change, of the cameras in the old and the new configuration.
        var selections: [DeviceSelection]
        /// The connection settings that the commit replaced.
        let connectionSettings: [AVCaptureConnection.ReplacedSettings]
    }

    /// Begins a set of changes that apply together; calls nest.
    public func beginConfiguration() {
        let selections = cameras(in: state.withLock { $0.configuration }).map(DeviceSelection.init)
        state.withLock { $0.transaction.begin(selections) }
    }

    /// Applies the changes, at the outermost call.
    ///
    /// If a device of a running session rejects them, all changes are rolled back and a runtime error is posted.
    public func commitConfiguration() {
        let undo = state.withLock { state -> Undo? in
            guard let commit = state.transaction.commit() else { return nil }
            // Under the same lock, so that a setting that another thread changes after the commit is not overwritten by
            // a pending one.
            let connections = Set(commit.previous.connections + commit.current.connections)
            return Undo(
                configuration: commit.previous, selections: commit.snapshot,
                connectionSettings: connections.compactMap { $0.activatePendingSettings() })
        }
        if let undo { apply(orRestore: undo) }
    }

    /// Changes the configuration: immediately, or in the open transaction.
    func configure(_ change: (inout SessionConfiguration) -> Void) {
        beginConfiguration()
        let outputs = state.withLock { state in
            state.transaction.change { configuration in
                let old = configuration
                change(&configuration)
                return configuration.outputsWithOtherConnections(than: old)
            }
        }
        commitConfiguration()
        for output in outputs { output.connectionsDidChange() }
        notifyConfiguration()
    }

    /// Applies the committed configuration to devices, inputs and outputs; restores `undo` if a device rejects it.
    private func apply(orRestore undo: Undo) {
        let configuration = state.withLock { $0.configuration }
        let old = undo.configuration
        CaptureLog.write(.session, .info, system.clock, "commit: \(configuration.logText)")
        let undo = selectFormats(configuration, recordingIn: undo)
        selectColorSpaces(configuration)
        let kept = configuration.deviceInputs.flatMap(devices(of:))
        for device in old.deviceInputs.flatMap(devices(of:)) where !kept.contains(device) { device.removeSession(self) }
        for input in old.inputs where !has(input) { detach(input) }
        for output in old.outputs where !has(output) { detach(output) }
        for replaced in undo.connectionSettings { replaced.notifyOutput() }
        // A running session preempts other sessions; an interrupted session waits until they release the devices.
        reconcile(orRestore: undo, preempting: state.withLock { $0.run.isRunning })
        // An output with changed connections cannot continue its work, such as a recording.
        let current = state.withLock { $0.configuration }
        for output in old.outputs where old.connections(of: output) != current.connections(of: output) {
            output.sessionDidStop(.reconfigured)
        }
        notifyActivity(of: old.connections + current.connections)
        for output in current.outputs + old.outputs.filter({ !current.outputs.contains($0) }) {
            output.configurationDidChange()
        }
    }

    /// Selects the formats of the preset on the cameras of a configuration.
    ///
    /// - Returns: `undo` with the previous formats of these cameras.
    private func selectFormats(_ configuration: SessionConfiguration, recordingIn undo: Undo) -> Undo {
        var undo = undo
        undo.selections += cameras(in: configuration)
            .filter { camera in !undo.selections.contains { $0.device === camera } }.map(DeviceSelection.init)
        let isNewPreset = configuration.preset != undo.configuration.preset
        for input in configuration.deviceInputs {
            let isNew = !undo.configuration.inputs.contains(input)
            // The preset replaces a format that was set before it.
            let previousFormat = undo.selections.first { $0.device === input.device }?.selection.format
            guard isNewPreset || isNew || previousFormat !== input.device.activeFormat,
                let format = configuration.preset.format(for: input.device)
            else { continue }
            let isSelected = isNewPreset || format !== input.device.activeFormat
            CaptureLog.write(
                .session, .info, system.clock,
                "preset \(configuration.preset.rawValue) \(isSelected ? "selects" : "keeps") \(format) "
                    + "of \(input.device.localizedName)")
            if isSelected { input.device.select(format) }
        }
        return undo
    }

    /// Selects the color space of the cameras of a configuration: P3 with a photo output, otherwise sRGB.
    private func selectColorSpaces(_ configuration: SessionConfiguration) {
        guard automaticallyConfiguresCaptureDeviceForWideColor else { return }
        let space: AVCaptureColorSpace = configuration.outputs.contains { $0 is AVCapturePhotoOutput } ? .P3_D65 : .sRGB
        for device in cameras(in: configuration)
        where device.activeFormat.supportedColorSpaces.contains(.P3_D65) && device.activeColorSpace != space
            && [.P3_D65, .sRGB].contains(device.activeColorSpace)
        {
            CaptureLog.write(
                .session, .info, system.clock, "selects the color space \(space) of \(device.localizedName)")
            // A device that cannot be opened reports it when the session starts.
            device.set(.colorSpace, to: .integer(Int64(space.rawValue)))
        }
    }

    /// Restores the state before a commit after a device rejected it.
    func rollBack(_ undo: Undo, from rejected: SessionConfiguration, _ devices: inout RunningDevices) {
        let previous = undo.configuration
        CaptureLog.write(.session, .error, system.clock, "rolled back to: \(previous.logText)")
        state.withLock { $0.transaction.rollBack(to: previous) }
        for output in previous.outputsWithOtherConnections(than: rejected) {
            devices.notices.append(.call { output.connectionsDidChange() })
        }
        for replaced in undo.connectionSettings {
            let names = replaced.restore()
            if !names.isEmpty { devices.notices.append(.call { replaced.notifyRestored(names) }) }
        }
        for item in undo.selections where item.device.selection != item.selection {
            let replaced = item.device.replaceSelection(item.selection)
            devices.notices.append(.call { item.device.notifySelectionChange(after: replaced) })
        }
        for input in rejected.inputs where !previous.inputs.contains(input) { detach(input) }
        for input in rejected.deviceInputs where !previous.inputs.contains(input) {
            for device in self.devices(of: input) { device.removeSession(self) }
        }
        for input in previous.inputs where !rejected.inputs.contains(input) { attach(input) }
        for output in rejected.outputs where !previous.outputs.contains(output) { detach(output) }
        for output in previous.outputs where !rejected.outputs.contains(output) { output.join(self) }
    }
}
