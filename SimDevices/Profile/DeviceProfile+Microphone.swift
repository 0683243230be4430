import CaptureHAL
import Foundation
import MediaTypes
import StrictYAML

extension DeviceProfile {
    static func readMicrophone(_ value: YAMLValue) throws(YAMLError) -> MicrophoneProfile {
        let map = try value.mapping(keys: [
            "id", "name", "model", "position", "sampleRates", "channels", "samples", "noiseFloor", "chunk", "tones",
            "sounds", "gain", "clipLevel", "channelLevels", "startLatency", "deliveryLatency", "faults",
        ])
        let channels = try map.required("channels").integer(in: 1...8)
        return MicrophoneProfile(
            id: try identifier(map.required("id")), name: try map.required("name").string(),
            model: try map.required("model").string(), position: try readPosition(map["position"]),
            formats: try readFormats(map, channels),
            noiseFloor: try map.required("noiseFloor").quantity(.decibels, in: -160...(-10)),
            chunkFrames: try map["chunk"]?.integer(in: 32...48000) ?? 0, tones: try readTones(map, channels),
            startLatencyNanoseconds: try nanoseconds(map["startLatency"]),
            deliveryLatencyNanoseconds: try nanoseconds(map["deliveryLatency"]),
            faults: try readFaults(map["faults"], .audio, SimMicrophone.ranges(defaultGain: 1)),
            sounds: try readSounds(map["sounds"], channels),
            gainRange: try map["gain"]?.quantityRange(.relativeDecibels, in: -60...60),
            clipLevel: try map["clipLevel"]?.quantity(.decibels, in: -60...0) ?? 0,
            channelLevels: try readLevels(map["channelLevels"], channels))
    }

    private static func readFormats(_ map: YAMLMapping, _ channels: Int) throws(YAMLError) -> [AudioStreamFormat] {
        var formats: [AudioStreamFormat] = []
        let kinds = try readDistinct(map.required("samples")) {
            sample throws(YAMLError) -> AudioStreamFormat.Sample in
            try sample.choice(AudioStreamFormat.Sample.allCases.map { ($0.rawValue, $0) })
        }
        let rates = try readDistinct(map.required("sampleRates")) { rate throws(YAMLError) -> Double in
            let hertz = try rate.quantity(.hertz, in: 8000...192_000)
            guard hertz == hertz.rounded() else { throw rate.error("\(hertz) Hz is not a whole number", "round it") }
            return hertz
        }
        for hertz in rates {
            for kind in kinds {
                formats.append(AudioStreamFormat(sampleRate: hertz, channelCount: channels, sample: kind))
            }
        }
        return formats
    }

    private static func readTones(_ map: YAMLMapping, _ channels: Int) throws(YAMLError) -> [MicrophoneProfile.Tone] {
        var tones: [MicrophoneProfile.Tone] = []
        for tone in try map["tones"]?.list(minimumCount: 0) ?? [] {
            let inner = try tone.mapping(keys: ["frequency", "level"])
            tones.append(
                MicrophoneProfile.Tone(
                    millihertz: try millihertz(inner.required("frequency")),
                    level: try inner.required("level").quantity(.decibels, in: -120...0)))
        }
        guard tones.count <= 1 || tones.count == channels else {
            throw map.value.error(
                "there are \(tones.count) tones for \(channels) channels",
                "write one tone for all channels, or one for each")
        }
        return tones
    }

    private static func readSounds(
        _ value: YAMLValue?, _ channels: Int
    ) throws(YAMLError) -> [MicrophoneProfile.Sound] {
        var sounds: [MicrophoneProfile.Sound] = []
        for entry in try value?.list(minimumCount: 0) ?? [] {
            let map = try entry.mapping(keys: [
                "sweep", "clicks", "file", "every", "flash", "loop", "level", "channel",
            ])
            sounds.append(
                MicrophoneProfile.Sound(
                    kind: try readSoundKind(map), level: try map.required("level").quantity(.decibels, in: -120...0),
                    channel: try map["channel"].map { value throws(YAMLError) in
                        try value.integer(in: 0...channels - 1)
                    }))
        }
        return sounds
    }

    private static func readSoundKind(_ map: YAMLMapping) throws(YAMLError) -> MicrophoneProfile.Sound.Kind {
        let kinds = ["sweep", "clicks", "file"].filter { map[$0] != nil }
        guard kinds.count == 1 else {
            throw map.value.error("a sound needs exactly one of sweep, clicks and file", "write one of these keys")
        }
        let allowed = ["sweep": ["every"], "clicks": ["flash"], "file": ["loop"]][kinds[0]] ?? []
        for key in ["every", "flash", "loop"] where !allowed.contains(key) {
            if let extra = map[key] { throw extra.error("\"\(kinds[0])\" takes no \"\(key)\"", "remove it") }
        }
        if let sweep = map["sweep"] {
            let ends = try sweep.list(minimumCount: 2)
            guard ends.count == 2 else { throw sweep.error("a sweep has two frequencies", "write [100 Hz, 8 kHz]") }
            return .sweep(
                from: try millihertz(ends[0]), to: try millihertz(ends[1]),
                periodNanoseconds: try period(map.required("every")))
        }
        if let clicks = map["clicks"] {
            return .clicks(periodNanoseconds: try period(clicks), flashes: try map["flash"]?.flag() ?? false)
        }
        let file = try map.required("file")
        let folder = URL(fileURLWithPath: file.file).deletingLastPathComponent()
        let path = URL(fileURLWithPath: try file.string(), relativeTo: folder).path
        guard FileManager.default.fileExists(atPath: path) else {
            throw file.error("there is no file \(path)", "write a path relative to the profile's folder")
        }
        return .file(path: path, loops: try map["loop"]?.flag() ?? true)
    }

    private static func readLevels(_ value: YAMLValue?, _ channels: Int) throws(YAMLError) -> [Double] {
        guard let value else { return [] }
        let list = try value.list()
        guard list.count == channels else {
            throw value.error("there are \(list.count) levels for \(channels) channels", "write one for each channel")
        }
        var levels: [Double] = []
        for level in list { levels.append(try level.quantity(.relativeDecibels, in: -60...20)) }
        return levels
    }

    private static func millihertz(_ value: YAMLValue) throws(YAMLError) -> Int64 {
        Int64((try value.quantity(.hertz, in: 20...20000) * 1000).rounded())
    }

    private static func period(_ value: YAMLValue) throws(YAMLError) -> Int64 {
        Int64((try value.quantity(.seconds, in: 0.01...60) * 1e9).rounded())
    }
}

extension DeviceProfile.Device {
    /// The sounds of a microphone; empty for a camera.
    var sounds: [MicrophoneProfile.Sound] {
        if case .microphone(let microphone) = self { microphone.sounds } else { [] }
    }
}

extension MicrophoneProfile.Sound {
    /// The lamp that flashes in sync with the sound.
    var flash: SceneFlash? {
        guard case .clicks(let period, true) = kind else { return nil }
        return SceneFlash(periodNanoseconds: period)
    }
}
