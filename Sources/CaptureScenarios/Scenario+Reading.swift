import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import StrictYAML

extension Scenario {
    /// Reads a scenario.
    ///
    /// - Parameter root: The mapping at the root of the file, with variables replaced by their values.
    init(_ root: YAMLValue) throws(YAMLError) {
        let map = try root.mapping(keys: ScenarioDocument.keys)
        name = try map.required("name").string()
        seed = try map["seed"]?.unsignedInteger() ?? 1
        devices = try Devices(map["devices"])
        session = try Session(map["session"])
        timeline = try Self.timeline(map.required("timeline"), map["session"] == nil ? nil : session)
            .steps.map(\.step)
        needsApp = map["session"] == nil || timeline.contains { if case .app = $0.action { true } else { false } }
        let endValue = try map.required("end")
        end = try endValue.time()
        if let last = timeline.last { try Self.checkEnd(end, last, endValue) }
        let (end, names) = (
            (end.nanoseconds + 500) / 1000,
            DeclaredNames(timeline, cameras: session.cameras, drivesApp: map["session"] == nil)
        )
        for value in map["expect"]?.layers ?? [] {
            expectations += try Expectation.read(value, end: end, names: names)
        }
    }

    /// Checks that the scenario does not end before its last step.
    static func checkEnd(_ end: CMTime, _ last: Step, _ value: YAMLValue) throws(YAMLError) {
        guard end < last.time else { return }
        throw value.error("the end is before the last step", "write \(last.time.seconds) s or later")
    }

    /// Reads the steps of a file and of the files that it includes, and sorts them by time.
    ///
    /// - Parameter session: The session of the scenario; nil if the scenario drives an app.
    static func timeline(_ value: YAMLValue, _ session: Session?) throws(YAMLError) -> TimelineReader {
        var timeline = TimelineReader(session: session, drivesApp: session == nil)
        for layer in value.layers {
            timeline.beginLayer()
            for value in try layer.list() { try timeline.add(Step(value, session), value) }
        }
        if let error = timeline.fileErrors().first { throw error }
        return timeline
    }

    /// The names of files and cameras in a scenario that expectations can refer to.
    struct DeclaredNames {
        /// The files of recordings.
        var movies: [String] = []
        /// The files of photos.
        var photos: [String] = []
        /// The IDs of the cameras of a session with several cameras; otherwise empty.
        var cameras: [String] = []
        /// Whether the scenario describes no session and drives an app. The IDs of the app's cameras are then unknown.
        var drivesApp = false
        /// The files of recordings by camera ID, in a session with several cameras.
        var moviesByCamera: [String: [String]] = [:]

        /// All files, each once.
        var files: [String] { (movies + photos).reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

        init(_ timeline: [Step], cameras list: [Session.Camera], drivesApp: Bool) {
            (cameras, self.drivesApp) = (list.map(\.device), drivesApp)
            for step in timeline {
                switch step.action {
                case .record(let name, _, _):
                    movies.append(name)
                    if let camera = step.camera { moviesByCamera[camera, default: []].append(name) }
                case .photo(let name, let settings):
                    photos += settings.photoNames(name)
                    if settings.isLive { movies.append(PhotoSettings.movieName(name)) }
                default: break
                }
            }
        }
    }
}

extension Scenario.Devices {
    init(_ value: YAMLValue?) throws(YAMLError) {
        let map = try value?.mapping(keys: Self.keys.map(\.name))
        profile = try map?["profile"]?.string() ?? "phone"
        if let value = map?["profile"], !DeviceProfile.isPath(profile), !DeviceProfile.builtInNames.contains(profile) {
            throw value.error(
                "there is no profile \"\(profile)\"", suggestion(for: profile, among: DeviceProfile.builtInNames))
        }
        scene = try map?["scene"]?.sceneName() ?? "street"
        light = try map?["light"].map { (value) throws(YAMLError) in
            let light = try value.mapping(keys: Self.lightKeys.map(\.name))
            return Scenario.Light(
                lux: try light.required("illuminance").quantity(.lux, in: 0...200_000),
                kelvin: try light.required("temperature").quantity(.kelvin, in: 1000...40_000))
        }
        shake = try map?["shake"].map { (value) throws(YAMLError) in try HandShake(value) }
        orientation = try map?["orientation"]?.choice(DeviceOrientation.scenarioNames) ?? .portrait
        hasMarker = try map?["marker"]?.flag() ?? false
        sound = try map?["sound"]?.choice(SimSound.allCases.map { ($0.rawValue, $0) }) ?? .scene
        freeByteCount = try map?["free"]?.byteCount()
        faults = []
        for entry in try map?["faults"]?.list(minimumCount: 0) ?? [] {
            let (fault, entries) = try ScheduledFault.read(entry, others: ["device"], medium: nil)
            faults.append(
                Scenario.DeviceFault(
                    device: try entries.required("device").string(), fault: fault, line: entry.line))
        }
        answers = try Self.answers(map?["answers"])
        library = try map?["library"].map { (value) throws(YAMLError) in try Scenario.Library(value) }
        authorization = [:]
        if let value = map?["authorization"] {
            let entries = try value.mapping(keys: ProtectedResource.allCases.map(\.scenarioName))
            for resource in ProtectedResource.allCases {
                if let state = entries[resource.scenarioName] {
                    let choice = try state.choice(AuthorizationState.scenarioNames)
                    try resource.check(choice, state)
                    authorization[resource] = choice
                }
            }
        }
    }
}

extension Scenario.Devices {
    /// Reads the answers to prompts: for each resource an answer, or a mapping with an answer and a delay.
    private static func answers(_ value: YAMLValue?) throws(YAMLError) -> [ProtectedResource: PromptAnswer] {
        guard let map = try value?.mapping(keys: ProtectedResource.allCases.map(\.scenarioName)) else { return [:] }
        var answers: [ProtectedResource: PromptAnswer] = [:]
        for resource in ProtectedResource.allCases {
            guard let value = map[resource.scenarioName] else { continue }
            if (try? value.string()) != nil {
                let answer = try value.choice(AuthorizationState.answerNames)
                try resource.check(answer, value)
                answers[resource] = PromptAnswer(answer)
            } else {
                let details = try value.mapping(keys: ["answer", "after"])
                let delay = try details["after"]?.time() ?? .zero
                let answer = try details.required("answer").choice(AuthorizationState.answerNames)
                try resource.check(answer, details.required("answer"))
                answers[resource] = PromptAnswer(answer, after: .nanoseconds(delay.nanoseconds))
            }
        }
        return answers
    }
}

extension YAMLValue {
    /// Reads the name of a built-in scene, or the path of a file.
    func sceneName() throws(YAMLError) -> String {
        let name = try string()
        let names = SimScene.allCases.map(\.name)
        guard DeviceProfile.isPath(name) || names.contains(name) else {
            throw error("there is no scene \"\(name)\"", suggestion(for: name, among: names))
        }
        return name
    }
}

extension ProtectedResource {
    /// The name in scenario files and logs.
    var scenarioName: String {
        switch self {
        case .video: "video"
        case .audio: "audio"
        case .photoLibrary: "photo-library"
        case .photoLibraryAdditions: "photo-library-additions"
        }
    }
}

extension ProtectedResource {
    /// Checks that the resource can have a state: only the photo library has limited authorization.
    func check(_ state: AuthorizationState?, _ value: YAMLValue) throws(YAMLError) {
        guard state == .limited, self != .photoLibrary else { return }
        throw value.error("only \"photo-library\" has limited authorization", "write \"authorized\"")
    }
}

extension DeviceOrientation {
    /// The names in scenario files and logs.
    static let scenarioNames: [(name: String, value: DeviceOrientation)] = [
        ("portrait", .portrait), ("portrait-upside-down", .portraitUpsideDown), ("landscape-left", .landscapeLeft),
        ("landscape-right", .landscapeRight), ("face-up", .faceUp), ("face-down", .faceDown),
    ]

    /// The name in scenario files and logs.
    var scenarioName: String { Self.scenarioNames.first { $0.value == self }?.name ?? "unknown" }
}

extension AuthorizationState {
    /// The names of answers to a prompt; the value is nil if the user never answers.
    static let answerNames: [(name: String, value: AuthorizationState?)] = [
        ("authorized", .authorized), ("limited", .limited), ("denied", .denied), ("restricted", .restricted),
        ("never", nil),
    ]

    /// The names in scenario files and logs.
    static let scenarioNames: [(name: String, value: AuthorizationState)] = [
        ("not-determined", .notDetermined), ("restricted", .restricted), ("denied", .denied),
        ("authorized", .authorized), ("limited", .limited),
    ]
}

extension SystemPressure.Factors {
    /// The names in scenario files and logs.
    static let scenarioNames: [(name: String, value: SystemPressure.Factors)] = [
        ("system-temperature", .systemTemperature), ("peak-power", .peakPower),
        ("depth-module-temperature", .depthModuleTemperature), ("camera-temperature", .cameraTemperature),
    ]
}

extension InterruptionReason {
    /// The names in scenario files and logs.
    static let scenarioNames: [(name: String, value: InterruptionReason)] = [
        ("background", .notAvailableInBackground), ("audio-in-use", .audioInUseByAnotherClient),
        ("video-in-use", .videoInUseByAnotherClient),
        ("multiple-foreground-apps", .notAvailableWithMultipleForegroundApps),
        ("system-pressure", .notAvailableDueToSystemPressure),
        ("sensitive-content", .sensitiveContentMitigationActivated),
    ]

    /// The name in scenario files and logs.
    var scenarioName: String {
        Self.scenarioNames.first { $0.value == self }?.name ?? String(rawValue)
    }
}
