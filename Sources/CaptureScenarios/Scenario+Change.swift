extension Scenario {
    /// A change of the session's configuration, or of external conditions that affect a connected device.
    public enum Change: Sendable, Hashable {
        /// Calls `beginConfiguration()`.
        case beginConfiguration
        /// Calls `commitConfiguration()`.
        case commitConfiguration
        /// Adds a new input of the device with the ID.
        case addInput(String)
        /// Removes the input of the device with the ID.
        case removeInput(String)
        /// Adds an output.
        case addOutput(Session.Output)
        /// Removes an output.
        case removeOutput(Session.Output)
        /// Sets the preset with the raw value.
        case setPreset(String)
        /// Enables or disables all connections of an output.
        case setEnabled(Session.Output, Bool)
        /// Another application starts or stops using the device.
        case setInUse(String, Bool)
        /// The shutter of the device closes or opens.
        case setSuspended(String, Bool)
        /// Resets the media services.
        case resetMediaServices
    }
}

extension Scenario.Session {
    /// Returns the name of a preset in scenario files.
    ///
    /// - Parameter value: The raw value of the preset.
    static func presetName(_ value: String) -> String { presets.first { $0.value == value }?.name ?? value }
}
