import CaptureHAL
import MediaTypes
import SimDevices
import StrictYAML

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

extension Scenario.Change: CustomStringConvertible {
    /// The names of changes in scenario files.
    enum Verb: String, CaseIterable {
        case beginConfiguration = "begin-configuration"
        case commitConfiguration = "commit-configuration"
        case addInput = "add-input"
        case removeInput = "remove-input"
        case addOutput = "add-output"
        case removeOutput = "remove-output"
        case preset
        case enable, disable
        case takeDevice = "take-device"
        case returnDevice = "return-device"
        case closeShutter = "close-shutter"
        case openShutter = "open-shutter"
        case resetMediaServices = "reset-media-services"

        /// The keys that a change requires.
        var keys: [String] {
            switch self {
            case .beginConfiguration, .commitConfiguration, .resetMediaServices: []
            case .addInput, .removeInput, .takeDevice, .returnDevice, .closeShutter, .openShutter: ["device"]
            case .addOutput, .removeOutput, .enable, .disable: ["output"]
            case .preset: ["preset"]
            }
        }
    }

    init(_ verb: Verb, _ map: YAMLMapping) throws(YAMLError) {
        func device() throws(YAMLError) -> String { try map.required("device").string() }
        func output() throws(YAMLError) -> Scenario.Session.Output {
            try map.required("output").choice(Scenario.Session.Output.allCases.map { ($0.rawValue, $0) })
        }
        switch verb {
        case .beginConfiguration: self = .beginConfiguration
        case .commitConfiguration: self = .commitConfiguration
        case .addInput: self = .addInput(try device())
        case .removeInput: self = .removeInput(try device())
        case .addOutput: self = .addOutput(try output())
        case .removeOutput: self = .removeOutput(try output())
        case .preset: self = .setPreset(try map.required("preset").choice(Scenario.Session.presets))
        case .enable: self = .setEnabled(try output(), true)
        case .disable: self = .setEnabled(try output(), false)
        case .takeDevice: self = .setInUse(try device(), true)
        case .returnDevice: self = .setInUse(try device(), false)
        case .closeShutter: self = .setSuspended(try device(), true)
        case .openShutter: self = .setSuspended(try device(), false)
        case .resetMediaServices: self = .resetMediaServices
        }
    }

    /// The verb, keys and values in a scenario file.
    var fields: (verb: Verb, values: [(key: String, value: String)]) {
        switch self {
        case .beginConfiguration: (.beginConfiguration, [])
        case .commitConfiguration: (.commitConfiguration, [])
        case .addInput(let id): (.addInput, [("device", id)])
        case .removeInput(let id): (.removeInput, [("device", id)])
        case .addOutput(let output): (.addOutput, [("output", output.rawValue)])
        case .removeOutput(let output): (.removeOutput, [("output", output.rawValue)])
        case .setPreset(let preset): (.preset, [("preset", Scenario.Session.presetName(preset))])
        case .setEnabled(let output, let isEnabled):
            (isEnabled ? .enable : .disable, [("output", output.rawValue)])
        case .setInUse(let id, let isInUse): (isInUse ? .takeDevice : .returnDevice, [("device", id)])
        case .setSuspended(let id, let isClosed): (isClosed ? .closeShutter : .openShutter, [("device", id)])
        case .resetMediaServices: (.resetMediaServices, [])
        }
    }

    /// The change as in the log.
    public var description: String {
        let (verb, values) = fields
        return ([verb.rawValue] + values.map(\.value)).joined(separator: " ")
    }
}

extension Scenario.Session {
    /// Returns the name of a preset in scenario files.
    static func presetName(_ value: String) -> String { presets.first { $0.value == value }?.name ?? value }
}
