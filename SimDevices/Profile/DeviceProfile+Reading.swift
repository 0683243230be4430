import CaptureHAL
import MediaTypes

extension DeviceProfile {
    /// Reads a profile strictly.
    ///
    /// - Parameters:
    ///   - yaml: The whole text.
    ///   - file: The name that errors carry.
    public init(yaml: String, file: String) throws(ProfileError) {
        do {
            self = try Self.read(YAMLValue.parse(yaml, file: file))
        } catch {
            throw ProfileError(error)
        }
    }

    private static func read(_ root: YAMLValue) throws(YAMLError) -> DeviceProfile {
        try root.checkVersion("profile", supported: version)
        let map = try root.mapping(keys: ["profile", "name", "manufacturer", "devices"])
        let name = try identifier(map.required("name"))
        let manufacturer = try map.required("manufacturer").string()
        var devices: [Device] = []
        for entry in try map.required("devices").list() {
            let device = try readDevice(entry)
            guard !devices.contains(where: { $0.id == device.id }) else {
                throw entry.error("two devices have the id \"\(device.id)\"", "give each its own")
            }
            devices.append(device)
        }
        return DeviceProfile(name: name, manufacturer: manufacturer, devices: devices)
    }

    private static func readDevice(_ value: YAMLValue) throws(YAMLError) -> Device {
        let single = try value.mapping(keys: ["camera", "microphone"])
        switch (single["camera"], single["microphone"]) {
        case (let camera?, nil): return .camera(try readCamera(camera))
        case (nil, let microphone?): return .microphone(try readMicrophone(microphone))
        case (.some, .some): throw value.error("this is a camera and a microphone", "make two entries of it")
        case (nil, nil): throw value.error("this says nothing", "begin with \"camera:\" or \"microphone:\"")
        }
    }

    static func identifier(_ value: YAMLValue) throws(YAMLError) -> String {
        let text = try value.string()
        guard text.unicodeScalars.allSatisfy({ "abcdefghijklmnopqrstuvwxyz0123456789-".unicodeScalars.contains($0) })
        else { throw value.error("\"\(text)\" is no identifier", "use a … z, 0 … 9 and -") }
        return text
    }

    static func nanoseconds(_ value: YAMLValue?) throws(YAMLError) -> Int64 {
        guard let value else { return 0 }
        return Int64((try value.quantity(.seconds, in: 0...10) * 1e9).rounded())
    }

    private static func readMicrophone(_ value: YAMLValue) throws(YAMLError) -> MicrophoneProfile {
        let map = try value.mapping(keys: [
            "id", "name", "model", "position", "sampleRates", "channels", "samples", "noiseFloor", "chunk", "tones",
            "startLatency", "deliveryLatency",
        ])
        let channels = try map.required("channels").integer(in: 1...8)
        var rates: [Int] = []
        for rate in try map.required("sampleRates").list() {
            let hertz = try rate.quantity(.hertz, in: 8000...192_000)
            guard hertz == hertz.rounded() else { throw rate.error("\(hertz) Hz is no whole number", "round it") }
            rates.append(Int(hertz))
        }
        var samples: [AudioStreamFormat.Sample] = []
        for sample in try map.required("samples").list() {
            samples.append(try sample.choice([("int16", .int16), ("float32", .float32)]))
        }
        var formats: [AudioStreamFormat] = []
        for rate in rates {
            for sample in samples {
                formats.append(AudioStreamFormat(sampleRate: Double(rate), channelCount: channels, sample: sample))
            }
        }
        var tones: [MicrophoneProfile.Tone] = []
        for tone in try map["tones"]?.list(minimumCount: 0) ?? [] {
            let inner = try tone.mapping(keys: ["frequency", "level"])
            let hertz = try inner.required("frequency").quantity(.hertz, in: 20...20000)
            let level = try inner.required("level").quantity(.decibels, in: -120...0)
            tones.append(MicrophoneProfile.Tone(millihertz: Int64((hertz * 1000).rounded()), level: level))
        }
        guard tones.count <= 1 || tones.count == channels else {
            throw map.place.error(
                "there are \(tones.count) tones for \(channels) channels", "give one for all, or one each")
        }
        return MicrophoneProfile(
            id: try identifier(map.required("id")), name: try map.required("name").string(),
            model: try map.required("model").string(), position: try readPosition(map["position"]), formats: formats,
            noiseFloor: try map.required("noiseFloor").quantity(.decibels, in: -160...(-10)),
            chunkFrames: try map["chunk"]?.integer(in: 32...48000) ?? 0, tones: tones,
            startLatencyNanoseconds: try nanoseconds(map["startLatency"]),
            deliveryLatencyNanoseconds: try nanoseconds(map["deliveryLatency"]))
    }

    static func readPosition(_ value: YAMLValue?) throws(YAMLError) -> DevicePosition {
        try value?.choice(DevicePosition.allCases.map { ($0.rawValue, $0) }) ?? .unspecified
    }
}
