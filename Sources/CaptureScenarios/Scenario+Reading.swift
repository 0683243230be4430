import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
public import StrictYAML

extension Scenario {
    /// Parses a scenario.
    ///
    /// - Parameters:
    ///   - yaml: The text of the scenario.
    ///   - file: The file name for errors.
    /// - Throws: `YAMLError` with line and key, also for an unknown key, action or unit.
    public init(yaml: String, file: String) throws(YAMLError) {
        let root = try YAMLValue.parse(yaml, file: file)
        try root.checkVersion("scenario", supported: Self.version)
        let map = try root.mapping(keys: [
            "scenario", "name", "seed", "devices", "session", "timeline", "end", "expect",
        ])
        name = try map.required("name").string()
        seed = try map["seed"]?.unsignedInteger() ?? 1
        devices = try Devices(map["devices"])
        session = try Session(map.required("session"))
        let steps = try map.required("timeline").list().map { (value) throws(YAMLError) in try Step(value) }
        for (earlier, later) in zip(steps, steps.dropFirst()) where later.time < earlier.time {
            throw YAMLError(
                file: file, line: later.line, column: 1, key: "timeline",
                problem: "the step at \(later.time.seconds) s follows a step at \(earlier.time.seconds) s",
                remedy: "sort the steps by time")
        }
        timeline = steps
        let endValue = try map.required("end")
        end = try endValue.time()
        if let last = steps.last, end < last.time {
            throw endValue.error("the end is before the last step", "write \(last.time.seconds) s or later")
        }
        if let value = map["expect"] {
            let files = steps.compactMap { step -> String? in
                switch step.action {
                case .record(let name, _, _), .photo(let name): name
                default: nil
                }
            }
            expectations = try Expectation.read(value, end: (end.nanoseconds + 500) / 1000, files: files)
        }
    }
}

extension Scenario.Devices {
    init(_ value: YAMLValue?) throws(YAMLError) {
        let map = try value?.mapping(keys: [
            "profile", "scene", "shake", "orientation", "marker", "sound", "free", "authorization", "faults",
        ])
        profile = try map?["profile"]?.string() ?? "phone"
        scene = try map?["scene"]?.string() ?? "street"
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
        authorization = [:]
        if let value = map?["authorization"] {
            let entries = try value.mapping(keys: ProtectedResource.allCases.map(\.scenarioName))
            for resource in ProtectedResource.allCases {
                if let state = entries[resource.scenarioName] {
                    authorization[resource] = try state.choice(AuthorizationState.scenarioNames)
                }
            }
        }
    }
}

extension Scenario.Session {
    init(_ value: YAMLValue) throws(YAMLError) {
        let map = try value.mapping(keys: ["preset", "camera", "microphone", "outputs"])
        preset = try map["preset"]?.choice(Self.presets) ?? "AVCaptureSessionPresetHigh"
        camera = try map["camera"]?.string()
        hasMicrophone = try map["microphone"]?.flag() ?? true
        let options = Output.allCases.map { ($0.rawValue, $0) }
        outputs = []
        for value in try map.required("outputs").list() {
            let output = try value.choice(options)
            guard !outputs.contains(output) else {
                throw value.error("the output \"\(output.rawValue)\" is listed twice", "remove one of them")
            }
            outputs.append(output)
        }
    }

    /// The names of presets in scenario files and their raw values.
    static let presets: [(name: String, value: String)] = [
        ("high", "AVCaptureSessionPresetHigh"), ("medium", "AVCaptureSessionPresetMedium"),
        ("low", "AVCaptureSessionPresetLow"), ("photo", "AVCaptureSessionPresetPhoto"),
        ("352x288", "AVCaptureSessionPreset352x288"), ("640x480", "AVCaptureSessionPreset640x480"),
        ("960x540", "AVCaptureSessionPresetiFrame960x540"), ("1280x720", "AVCaptureSessionPreset1280x720"),
        ("1920x1080", "AVCaptureSessionPreset1920x1080"), ("3840x2160", "AVCaptureSessionPreset3840x2160"),
    ]
}

extension Scenario.Step {
    /// Parses a step: `at`, `do` and the keys of the action.
    init(_ value: YAMLValue) throws(YAMLError) {
        let map = try value.mapping(keys: Self.keys)
        line = value.line
        time = try map.required("at").time()
        // With `in-frame`, `disconnect` is the fault of that name, otherwise the action.
        let faults = SimFault.Verb.allCases.filter { $0 != .disconnect || map["in-frame"] != nil }
        let controls = Scenario.CameraControl.declarations
        let verbValue = try map.required("do")
        if let fault = faults.first(where: { $0.rawValue == (try? verbValue.string()) }) {
            try Self.checkKeys(of: map, fault.rawValue, accepted: ["device"] + fault.keys)
            action = .fault(try SimFault(fault, map), device: try map.required("device").string())
            return
        }
        if let change = Scenario.Change.Verb.allCases.first(where: { $0.rawValue == (try? verbValue.string()) }) {
            try Self.checkKeys(of: map, change.rawValue, accepted: change.keys)
            action = .change(try Scenario.Change(change, map))
            return
        }
        if let control = controls.first(where: { $0.name == (try? verbValue.string()) }) {
            try Self.checkKeys(of: map, control.name, accepted: control.keys.map(\.name))
            action = .camera(try control.read(map))
            return
        }
        let verb = try verbValue.choice(Verb.allCases.map { ($0.rawValue, $0) }, otherNames: Self.otherVerbs)
        try Self.checkKeys(of: map, verb.rawValue, accepted: verb.keys)
        action = try verb.action(map)
    }

    /// The names of all actions, faults, changes and camera settings.
    static let verbs = Verb.allCases.map(\.rawValue) + otherVerbs

    /// The names of faults, changes and camera settings. `disconnect` is both an action and a fault.
    private static let otherVerbs =
        SimFault.Verb.allCases.map(\.rawValue).filter { Verb(rawValue: $0) == nil }
        + Scenario.Change.Verb.allCases.map(\.rawValue) + Scenario.CameraControl.declarations.map(\.name)

    /// The keys of all steps.
    private static let keys =
        [
            "at", "do", "to", "fragment-interval", "maximum-duration", "reason", "device", "bytes", "resource", "state",
            "output", "preset", "orientation",
        ] + SimFault.keys
        + Set(Scenario.CameraControl.declarations.flatMap { $0.keys.map(\.name) }).subtracting(SimFault.keys).sorted()

    /// Throws an error if a step has a key that its action does not accept.
    ///
    /// - Parameter accepted: The keys in addition to `at` and `do`.
    private static func checkKeys(of map: YAMLMapping, _ action: String, accepted: [String]) throws(YAMLError) {
        for key in keys where key != "at" && key != "do" && !accepted.contains(key) {
            if let extra = map[key] {
                let list = accepted.isEmpty ? "nothing" : accepted.joined(separator: ", ")
                throw extra.error("\"\(action)\" does not accept \"\(key)\"", "it accepts \(list)")
            }
        }
    }

    /// The names of actions in scenario files, except faults and changes.
    private enum Verb: String, CaseIterable {
        case start, stop, record, photo, interrupt, disconnect, reconnect, free
        case stopRecording = "stop-recording"
        case pauseRecording = "pause-recording"
        case resumeRecording = "resume-recording"
        case endInterruption = "end-interruption"
        case switchCamera = "switch-camera"
        case authorize, rotate

        /// The keys that the action accepts.
        var keys: [String] {
            switch self {
            case .start, .stop, .stopRecording, .pauseRecording, .resumeRecording: []
            case .record: ["to", "fragment-interval", "maximum-duration"]
            case .photo: ["to"]
            case .interrupt, .endInterruption: ["reason"]
            case .disconnect, .reconnect, .switchCamera: ["device"]
            case .free: ["bytes"]
            case .authorize: ["resource", "state"]
            case .rotate: ["orientation"]
            }
        }

        func action(_ map: YAMLMapping) throws(YAMLError) -> Scenario.Action {
            switch self {
            case .start: return .start
            case .stop: return .stop
            case .record:
                return .record(
                    to: try map.required("to").fileName(), fragmentInterval: try map["fragment-interval"]?.time(),
                    maximumDuration: try map["maximum-duration"]?.time())
            case .stopRecording: return .stopRecording
            case .pauseRecording: return .pauseRecording
            case .resumeRecording: return .resumeRecording
            case .photo: return .photo(to: try map.required("to").fileName())
            case .interrupt: return .interrupt(try map.required("reason").choice(InterruptionReason.scenarioNames))
            case .endInterruption:
                return .endInterruption(try map.required("reason").choice(InterruptionReason.scenarioNames))
            case .disconnect: return .disconnect(try map.required("device").string())
            case .reconnect: return .reconnect(try map.required("device").string())
            case .switchCamera: return .switchCamera(try map.required("device").string())
            case .free: return .setFreeSpace(try map.required("bytes").byteCount())
            case .authorize:
                return .setAuthorization(
                    try map.required("resource").choice(ProtectedResource.allCases.map { ($0.scenarioName, $0) }),
                    try map.required("state").choice(AuthorizationState.scenarioNames))
            case .rotate: return .rotate(try map.required("orientation").choice(DeviceOrientation.scenarioNames))
            }
        }
    }
}

extension YAMLValue {
    /// Parses a byte count with a decimal unit, such as `5 MB`.
    fileprivate func byteCount() throws(YAMLError) -> Int64 {
        Int64(try quantity(YAMLUnit(names: [("B", 1), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9)]), in: 0...1e15))
    }

    /// Parses the name of a file in the folder of the scenario.
    fileprivate func fileName() throws(YAMLError) -> String {
        let text = try string()
        guard !text.contains("/"), !text.hasPrefix(".") else {
            throw error("\"\(text)\" is not a plain file name", "write a name without folders, such as clip.mov")
        }
        return text
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
    /// The names in scenario files and logs.
    static let scenarioNames: [(name: String, value: AuthorizationState)] = [
        ("not-determined", .notDetermined), ("restricted", .restricted), ("denied", .denied),
        ("authorized", .authorized),
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
