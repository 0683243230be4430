import CaptureHAL
import MediaTypes
import StrictYAML

extension DeviceProfile {
    /// Reads a profile. Unknown keys are errors.
    ///
    /// - Parameters:
    ///   - yaml: The text of the profile.
    ///   - file: The file name for error messages.
    public init(yaml: String, file: String) throws(ProfileError) {
        let root: YAMLValue
        do {
            root = try YAMLValue.parse(yaml, file: file)
        } catch {
            throw ProfileError(error)
        }
        self = try DeviceProfile(root)
    }

    /// Reads a parsed profile. Unknown keys are errors.
    init(_ root: YAMLValue) throws(ProfileError) {
        do {
            self = try Self.read(root)
        } catch {
            throw ProfileError(error)
        }
    }

    private static func read(_ root: YAMLValue) throws(YAMLError) -> DeviceProfile {
        let document = try ProfileDocument(root)
        let map = document.map
        let name = try identifier(document.own.required("name"))
        var devices: [Device] = []
        for entry in document.devices { devices.append(try readDevice(entry, precedingDevices: devices)) }
        return DeviceProfile(
            name: name, summary: try document.own["summary"]?.string() ?? "",
            manufacturer: try map.required("manufacturer").string(),
            machine: try readMachine(document, name, devices),
            movieCodec: try map["movieCodec"]?.choice(MovieCodec.allCases.map { ($0.rawValue, $0) }) ?? .h264,
            processing: try readProcessing(map["processing"]), devices: devices)
    }

    /// Reads the durations of media work; a missing one is that of `ProcessingDurations.standard`.
    private static func readProcessing(_ value: YAMLValue?) throws(YAMLError) -> ProcessingDurations {
        var result = ProcessingDurations.standard
        let keys: [(String, WritableKeyPath<ProcessingDurations, Duration>)] = [
            ("videoFrame", \.videoFrame), ("finishing", \.finishing), ("photo", \.photo), ("starting", \.starting),
            ("stopping", \.stopping), ("opening", \.opening), ("output", \.output),
        ]
        guard let map = try value?.mapping(keys: keys.map(\.0)) else { return result }
        for (key, path) in keys {
            if let duration = map[key] { result[keyPath: path] = .nanoseconds(try nanoseconds(duration)) }
        }
        return result
    }

    private static func readDevice(_ value: YAMLValue, precedingDevices: [Device]) throws(YAMLError) -> Device {
        let entry = try value.mapping(keys: ProfileDocument.deviceKeys)
        guard ProfileDocument.deviceKeys.filter({ entry[$0] != nil }).count < 2 else {
            throw value.error("the entry describes more than one device", "write one entry for each device")
        }
        if let camera = entry["camera"] { return .camera(try readCamera(camera)) }
        if let camera = entry["virtualCamera"] {
            return .virtualCamera(try readVirtualCamera(camera, precedingDevices: precedingDevices))
        }
        if let microphone = entry["microphone"] { return .microphone(try readMicrophone(microphone)) }
        throw value.error(
            "the entry describes no device", "begin with \"camera:\", \"virtualCamera:\" or \"microphone:\"")
    }

    /// Reads an identifier of lowercase letters, digits and hyphens.
    static func identifier(_ value: YAMLValue) throws(YAMLError) -> String {
        let text = try value.string()
        guard text.unicodeScalars.allSatisfy({ "abcdefghijklmnopqrstuvwxyz0123456789-".unicodeScalars.contains($0) })
        else { throw value.error("\"\(text)\" is not a valid identifier", "use a … z, 0 … 9 and -") }
        return text
    }

    /// Reads a duration between 0 and 10 s; a missing value is 0.
    static func nanoseconds(_ value: YAMLValue?) throws(YAMLError) -> Int64 {
        guard let value else { return 0 }
        return Int64((try value.quantity(.seconds, in: 0...10) * 1e9).rounded())
    }

    /// Reads a list of faults.
    ///
    /// - Parameters:
    ///   - medium: The media type of the device.
    ///   - controls: The controls of the device; not evaluated if `value` is nil.
    static func readFaults(
        _ value: YAMLValue?, _ medium: DeviceMedia, _ controls: @autoclosure () -> [DeviceControl: ControlRange]
    ) throws(YAMLError) -> [ScheduledFault] {
        guard let value else { return [] }
        let controls = controls()
        var faults: [ScheduledFault] = []
        for entry in try value.list(minimumCount: 0) {
            faults.append(try ScheduledFault.read(entry, medium: medium, controls: controls).fault)
        }
        return faults
    }

    /// Reads a list. A duplicate value is an error.
    static func readDistinct<Value: Equatable>(
        _ list: YAMLValue, _ read: (YAMLValue) throws(YAMLError) -> Value
    ) throws(YAMLError) -> [Value] {
        var values: [Value] = []
        for entry in try list.list() {
            let value = try read(entry)
            guard !values.contains(value) else { throw entry.error("this value occurs twice", "remove one of them") }
            values.append(value)
        }
        return values
    }

    static func readPosition(_ value: YAMLValue?) throws(YAMLError) -> DevicePosition {
        try value?.choice(DevicePosition.allCases.map { ($0.rawValue, $0) }) ?? .unspecified
    }
}
