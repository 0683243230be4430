import AVFAudio

extension Scenario {
    /// A call of a method of the shared audio session.
    public enum AudioSessionCall: Sendable, Hashable {
        /// Sets the category, the mode and the options, by their names in scenario files. A nil mode is the default
        /// mode.
        case setCategory(String, mode: String?, options: [String])
        /// Activates or deactivates the session.
        case setActive(Bool)
    }
}

extension Scenario.AudioSessionCall {
    /// The categories by their names in scenario files.
    static let categories: [(name: String, value: AVAudioSession.Category)] = [
        ("ambient", .ambient), ("solo-ambient", .soloAmbient), ("playback", .playback), ("record", .record),
        ("play-and-record", .playAndRecord), ("multi-route", .multiRoute),
    ]
    /// The modes by their names in scenario files.
    static let modes: [(name: String, value: AVAudioSession.Mode)] = [
        ("default", .default), ("voice-chat", .voiceChat), ("game-chat", .gameChat),
        ("video-recording", .videoRecording), ("measurement", .measurement), ("movie-playback", .moviePlayback),
        ("video-chat", .videoChat), ("spoken-audio", .spokenAudio), ("voice-prompt", .voicePrompt),
    ]
    /// The category options by their names in scenario files.
    static let options: [(name: String, value: AVAudioSession.CategoryOptions)] = [
        ("mix-with-others", .mixWithOthers), ("duck-others", .duckOthers), ("allow-bluetooth", .allowBluetooth),
        ("default-to-speaker", .defaultToSpeaker),
        ("interrupt-spoken-audio-and-mix-with-others", .interruptSpokenAudioAndMixWithOthers),
        ("allow-bluetooth-a2dp", .allowBluetoothA2DP), ("allow-air-play", .allowAirPlay),
        ("override-muted-microphone-interruption", .overrideMutedMicrophoneInterruption),
    ]
    /// The reasons of route changes by their names in scenario files and logs.
    static let routeChangeReasons: [(name: String, value: AVAudioSession.RouteChangeReason)] = [
        ("unknown", .unknown), ("new-device-available", .newDeviceAvailable),
        ("old-device-unavailable", .oldDeviceUnavailable), ("category-change", .categoryChange),
        ("override", .override), ("wake-from-sleep", .wakeFromSleep),
        ("no-suitable-route-for-category", .noSuitableRouteForCategory),
        ("route-configuration-change", .routeConfigurationChange),
    ]

    /// The name of the action in a scenario file, and its keys and values.
    var fields: (name: String, values: [KeyedValue]) {
        switch self {
        case .setCategory(let category, let mode, let options):
            (
                "audio-session-category",
                [KeyedValue("category", category)] + (mode.map { [KeyedValue("mode", $0)] } ?? [])
                    + (options.isEmpty ? [] : [KeyedValue("options", "[\(options.joined(separator: ", "))]")])
            )
        case .setActive(let isActive): ("audio-session-active", [KeyedValue("active", isActive)])
        }
    }

    /// Performs the call in the current capture system. If it fails, logs the error.
    func perform(log: EventLog) {
        let session = AVAudioSession.sharedInstance()
        do {
            switch self {
            case .setCategory(let name, let mode, let options):
                let category = Self.categories.first { $0.name == name }?.value ?? .soloAmbient
                try session.setCategory(
                    category, mode: Self.modes.first { $0.name == mode }?.value ?? .default,
                    options: Self.options.filter { options.contains($0.name) }.reduce(into: []) { $0.insert($1.value) })
            case .setActive(let isActive): try session.setActive(isActive)
            }
        } catch {
            log.note("cannot set the audio session: \(describe(error))")
        }
    }
}
