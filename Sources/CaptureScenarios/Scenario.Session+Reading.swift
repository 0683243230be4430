import StrictYAML

extension Scenario.Session {
    init(_ value: YAMLValue?) throws(YAMLError) {
        let map = try value?.mapping(keys: Self.keys.map(\.name))
        preset = try map?["preset"]?.choice(Self.presets) ?? "AVCaptureSessionPresetHigh"
        camera = try map?["camera"]?.string()
        hasMicrophone = try map?["microphone"]?.flag() ?? true
        metadataObjectTypes = try map?["metadata-object-types"]?.list().map { (value) throws(YAMLError) in
            try value.choice(LoggingMetadataDelegate.types.map { ($0.name, $0.name) })
        }
        guard let list = map?["cameras"] else {
            outputs =
                try map.map { (map) throws(YAMLError) in
                    try Self.outputs(map.required("outputs"), Output.allCases)
                } ?? []
            return
        }
        for key in ["preset", "camera"] {
            guard let extra = map?[key] else { continue }
            throw extra.error("a session with several cameras has no \"\(key)\"", "remove it; each camera has a format")
        }
        for value in try list.list() {
            let camera = try Camera(value)
            guard !cameras.contains(where: { $0.device == camera.device }) else {
                throw value.error("the camera \"\(camera.device)\" is listed twice", "remove one of them")
            }
            cameras.append(camera)
        }
        guard cameras.count > 1 else {
            throw list.error("the session has only one camera", "write \"camera\" and \"outputs\" of the session")
        }
        outputs = try map?["outputs"].map { (value) throws(YAMLError) in try Self.outputs(value, [.audio]) } ?? []
    }

    /// The outputs that a camera can have.
    static let cameraOutputs = Output.allCases.filter { $0 != .audio }

    /// Reads a list of outputs.
    fileprivate static func outputs(_ value: YAMLValue, _ kinds: [Output]) throws(YAMLError) -> [Output] {
        var outputs: [Output] = []
        for value in try value.list() {
            let output = try value.choice(kinds.map { ($0.rawValue, $0) })
            guard !outputs.contains(output) else {
                throw value.error("the output \"\(output.rawValue)\" is listed twice", "remove one of them")
            }
            outputs.append(output)
        }
        return outputs
    }

    /// The raw values of presets by their names in scenario files.
    static let presets: [(name: String, value: String)] = [
        ("high", "AVCaptureSessionPresetHigh"), ("medium", "AVCaptureSessionPresetMedium"),
        ("low", "AVCaptureSessionPresetLow"), ("photo", "AVCaptureSessionPresetPhoto"),
        ("352x288", "AVCaptureSessionPreset352x288"), ("640x480", "AVCaptureSessionPreset640x480"),
        ("960x540", "AVCaptureSessionPresetiFrame960x540"), ("1280x720", "AVCaptureSessionPreset1280x720"),
        ("1920x1080", "AVCaptureSessionPreset1920x1080"), ("3840x2160", "AVCaptureSessionPreset3840x2160"),
    ]
}

extension Scenario.Session.Camera {
    /// Reads a camera of a session with several cameras.
    init(_ value: YAMLValue) throws(YAMLError) {
        let map = try value.mapping(keys: Scenario.Session.cameraKeys.map(\.name))
        device = try map.required("device").string()
        size = try map["size"].map { (value) throws(YAMLError) in
            let size = try value.size()
            return [size.width, size.height]
        }
        frameRate = try map["frame-rate"]?.quantity(.none, in: 0.1...1000)
        if let rate = map["frame-rate"], size == nil {
            throw rate.error("the frame rate needs a size", "add \"size: 640x480\"")
        }
        outputs = try Scenario.Session.outputs(map.required("outputs"), Scenario.Session.cameraOutputs)
    }
}
