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
        let map = try value.mapping(keys: ["at", "do"] + ActionDeclaration.keyNames)
        line = value.line
        time = try map.required("at").time()
        action = try ActionDeclaration.read(map)
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
