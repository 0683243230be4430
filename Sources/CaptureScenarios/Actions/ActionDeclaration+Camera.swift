import CaptureCore
import MediaTypes
import StrictYAML

extension ActionDeclaration {
    private static let point = Field.point("point")
    private static let focusMode = Field.choice("mode", Scenario.CameraControl.focusModes)
    private static let exposureMode = Field.choice("mode", Scenario.CameraControl.exposureModes)
    private static let whiteBalanceMode = Field.choice("mode", Scenario.CameraControl.whiteBalanceModes)
    private static let torchMode = Field.choice("mode", Scenario.CameraControl.torchModes)
    private static let torchLevel = Field.number("level", "above 0, at most 1, in place of a mode", in: 0.001...1)
    private static let position = Field.number("position", "0 (nearest) to 1 (farthest)", in: 0...1)
    private static let bias = Field.number("bias", "in EV, as `-1.5`", in: -20...20)
    private static let duration = Field.time("duration", "as `1/100 s`")
    private static let iso = Field.number("iso", "as `200`", in: 1...1_000_000)
    private static let temperature = Field.number("temperature", "as `5000 K`", .kelvin, in: 1000...40_000)
    private static let tint = Field.number("tint", "-150 (green) to 150 (magenta)", in: -150...150)
    private static let factor = Field.number("factor", "1 or larger", in: 1...1000)
    private static let over = Field.time("over", "as `1 s`", from: 0.001)

    /// Settings of the session's camera.
    static let camera: [ActionDeclaration] = [
        control(
            "focus-at", [point.required, focusMode.optional("default `auto-focus`")],
            "The focus point of interest is set, then the mode."
        ) { (map) throws(YAMLError) in
            let point = try map.required(point)
            return .focusAt(x: point.x, y: point.y, try map[focusMode] ?? .autoFocus)
        },
        control(
            "expose-at", [point.required, exposureMode.optional("default `auto-expose`")],
            "The exposure point of interest is set, then the mode."
        ) { (map) throws(YAMLError) in
            let point = try map.required(point)
            return .exposeAt(x: point.x, y: point.y, try map[exposureMode] ?? .autoExpose)
        },
        control("focus-mode", [focusMode.required], "The focus mode is set.") { (map) throws(YAMLError) in
            .focusMode(try map.required(focusMode))
        },
        control("exposure-mode", [exposureMode.required], "The exposure mode is set.") { (map) throws(YAMLError) in
            .exposureMode(try map.required(exposureMode))
        },
        control("white-balance-mode", [whiteBalanceMode.required], "The white balance mode is set.") {
            (map) throws(YAMLError) in .whiteBalanceMode(try map.required(whiteBalanceMode))
        },
        control("lens-position", [position.required], "The lens is moved and locked.") { (map) throws(YAMLError) in
            .lensPosition(try map.required(position))
        },
        control("exposure-bias", [bias.required], "The exposure target bias is set.") { (map) throws(YAMLError) in
            .exposureBias(try map.required(bias))
        },
        control(
            "custom-exposure", [duration.optional("default the current"), iso.optional("default the current")],
            "The exposure duration, the ISO sensitivity or both are set to fixed values."
        ) { (map) throws(YAMLError) in
            guard map["duration"] != nil || map["iso"] != nil else {
                throw map.value.error("a custom exposure has a duration or an ISO", "add \"duration: 1/100 s\"")
            }
            return .customExposure(duration: try map[duration], iso: try map[iso])
        },
        control(
            "white-balance", [temperature.required, tint.optional("default 0")],
            "The white balance is locked for a light of this color."
        ) { (map) throws(YAMLError) in
            .whiteBalance(temperature: try map.required(temperature), tint: try map[tint] ?? 0)
        },
        control(
            "zoom", [factor.required, over.optional("default immediately")],
            "The zoom factor is set, or changes gradually."
        ) { (map) throws(YAMLError) in .zoom(factor: try map.required(factor), over: try map[over]) },
        control(
            "torch", [torchMode.optional(), torchLevel.optional()],
            "The torch is turned on or off, or is controlled automatically."
        ) { (map) throws(YAMLError) in
            guard let level = try map[torchLevel] else { return .torchMode(try map.required(torchMode)) }
            if let mode = map["mode"] { throw mode.error("the torch has a level already", "remove one of them") }
            return .torchLevel(level)
        },
    ]

    private static let size = Field<[Int]>(
        "size", "width and height in pixels, as `1280x720`", ["$ref": "#/$defs/size"]
    ) { (value) throws(YAMLError) in
        let size = try value.size()
        return [size.width, size.height]
    }
    private static let frameRate = Field.number("frame-rate", "frames per second, as `60`", in: 0.1...1000)
    private static let enabled = Field.flag("enabled")
    private static let switchMode = Field.choice(
        "mode", [("auto", Bool?.none), ("on", Bool?.some(true)), ("off", Bool?.some(false))])
    private static let range = Field.choice("range", Scenario.CameraControl.focusRanges)

    /// Formats and modes of the session's camera.
    static let cameraFormats: [ActionDeclaration] = [
        control(
            "format", [size.required, frameRate.optional("default the format's")],
            "The active format is set to the first one with this size that supports the frame rate."
        ) { (map) throws(YAMLError) in
            let size = try map.required(size)
            return .format(width: size[0], height: size[1], frameRate: try map[frameRate])
        },
        control("frame-rate", [frameRate.required], "The minimum and maximum frame duration are set.") {
            (map) throws(YAMLError) in .frameRate(try map.required(frameRate))
        },
        control(
            "subject-area-change-monitoring", [enabled.required],
            "While it is enabled, the log contains substantial changes of the subject area."
        ) { (map) throws(YAMLError) in .subjectAreaChangeMonitoring(try map.required(enabled)) },
        control(
            "low-light-boost", [enabled.required], "Low-light boost is activated in dark scenes, or is not."
        ) { (map) throws(YAMLError) in .lowLightBoost(try map.required(enabled)) },
        control(
            "video-hdr", [switchMode.required], "High dynamic range is on or off, or the camera chooses."
        ) { (map) throws(YAMLError) in .videoHDR(try map.required(switchMode)) },
        control("smooth-auto-focus", [enabled.required], "Focus scans are slow and smooth, or are not.") {
            (map) throws(YAMLError) in .smoothAutoFocus(try map.required(enabled))
        },
        control(
            "auto-focus-range-restriction", [range.required], "The range of distances for automatic focus is set."
        ) { (map) throws(YAMLError) in .autoFocusRangeRestriction(try map.required(range)) },
        control(
            "face-driven-auto-focus", [switchMode.required], "Automatic focus prefers faces, or the system chooses."
        ) { (map) throws(YAMLError) in .faceDrivenAutoFocus(try map.required(switchMode)) },
        control(
            "face-driven-auto-exposure", [switchMode.required],
            "Automatic exposure prefers faces, or the system chooses."
        ) { (map) throws(YAMLError) in .faceDrivenAutoExposure(try map.required(switchMode)) },
    ]

    private static func control(
        _ name: String, _ keys: [SchemaKey], _ summary: String,
        read: @escaping @Sendable (YAMLMapping) throws(YAMLError) -> Scenario.CameraControl
    ) -> ActionDeclaration {
        ActionDeclaration(name, .camera, keys, summary) { (map) throws(YAMLError) in .camera(try read(map)) }
    }
}

extension Scenario.CameraControl {
    static let focusModes: [(name: String, value: AVCaptureDevice.FocusMode)] = [
        ("locked", .locked), ("auto-focus", .autoFocus), ("continuous-auto-focus", .continuousAutoFocus),
    ]
    static let exposureModes: [(name: String, value: AVCaptureDevice.ExposureMode)] = [
        ("locked", .locked), ("auto-expose", .autoExpose), ("continuous-auto-exposure", .continuousAutoExposure),
    ]
    static let whiteBalanceModes: [(name: String, value: AVCaptureDevice.WhiteBalanceMode)] = [
        ("locked", .locked), ("auto-white-balance", .autoWhiteBalance),
        ("continuous-auto-white-balance", .continuousAutoWhiteBalance),
    ]
    static let focusRanges: [(name: String, value: AVCaptureDevice.AutoFocusRangeRestriction)] = [
        ("none", .none), ("near", .near), ("far", .far),
    ]
    static let torchModes: [(name: String, value: AVCaptureDevice.TorchMode)] = [
        ("off", .off), ("on", .on), ("auto", .auto),
    ]
}
