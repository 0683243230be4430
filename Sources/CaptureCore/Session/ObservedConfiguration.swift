import Foundation

/// The observable properties of a session that depend on its configuration and on the formats of its devices.
struct ObservedConfiguration: Sendable {
    var inputs: [AVCaptureInput] = []
    var outputs: [AVCaptureOutput] = []
    var connections: [AVCaptureConnection] = []
    var preset = AVCaptureSession.Preset.high
    var hardwareCost: Float = 0
    var sustainedCost: Float = 0

    /// Returns the names of the properties that differ.
    func properties(differingFrom other: ObservedConfiguration) -> Set<String> {
        var names: Set<String> = []
        if inputs != other.inputs { names.insert("inputs") }
        if outputs != other.outputs { names.insert("outputs") }
        if connections != other.connections { names.insert("connections") }
        if preset != other.preset { names.insert("sessionPreset") }
        if hardwareCost != other.hardwareCost { names.insert("hardwareCost") }
        if sustainedCost != other.sustainedCost { names.insert("systemPressureCost") }
        return names
    }
}

extension AVCaptureSession {
    /// Notifies the observers of the properties that have changed since the last call.
    func notifyConfiguration() {
        let (hardwareCost, sustainedCost) = (hardwareCost, sustainedCost)
        // The old value is returned, so that it is deallocated outside the lock.
        let (old, new) = state.withLock { state in
            let current = state.current
            let new = ObservedConfiguration(
                inputs: current.inputs, outputs: current.outputs.filter(\.isVisibleToClients),
                connections: current.connections, preset: current.preset, hardwareCost: hardwareCost,
                sustainedCost: sustainedCost)
            defer { state.observed = new }
            return (state.observed, new)
        }
        let names = new.properties(differingFrom: old)
        if !names.isEmpty { observedProperties.changed(names) }
    }
}
