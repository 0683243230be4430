import CaptureHAL
import MediaTypes
import SimDevices
import StrictYAML

extension Scenario {
    /// A change of the session's configuration, or of what befalls a device that stays connected.
    public enum Change: Sendable, Hashable {
        case beginConfiguration
        case commitConfiguration
        /// A new input of the device with that id.
        case addInput(String)
        /// The input of the device with that id.
        case removeInput(String)
        case addOutput(Session.Output)
        case removeOutput(Session.Output)
        /// The raw value of a preset.
        case setPreset(String)
        /// Switches all connections of an output on or off.
        case setEnabled(Session.Output, Bool)
        /// Another program takes the device, or lets it go.
        case setInUse(String, Bool)
        /// The device's shutter closes or opens.
        case setSuspended(String, Bool)
        case resetMediaServices
    }
}

extension Scenario.Change: CustomStringConvertible {
    /// The words that name changes in scenario files.
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

        /// What a change needs beside its name.
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

    /// The word of the change, and its keys with their values as a file has them.
    var words: (verb: Verb, values: [(key: String, value: String)]) {
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

    /// The change as the log shows it.
    public var description: String {
        let (verb, values) = words
        return ([verb.rawValue] + values.map(\.value)).joined(separator: " ")
    }
}

extension Scenario.Session {
    /// The name that files use for a preset.
    static func presetName(_ value: String) -> String { presets.first { $0.value == value }?.name ?? value }
}
