import CaptureHAL
import MediaTypes
import StrictYAML

extension ActionDeclaration {
    private static let output = Field.choice(
        "output", Scenario.Session.Output.allCases.map { ($0.rawValue, $0) })
    private static let preset = Field<String>(
        "preset", "as in `session.preset`", .choice(Scenario.Session.presets.map(\.name))
    ) { (value) throws(YAMLError) in try value.choice(Scenario.Session.presets) }
    private static let fragmentInterval = Field.time("fragment-interval", "as `0.5 s`")
    private static let maximumDuration = Field.time("maximum-duration", "as `10 s`")
    private static let movie = Field.fileName("to", "the name of the file, as `clip.mov`")
    private static let flashMode = Field.choice("flash-mode", Scenario.PhotoSettings.flashModes)
    private static let quality = Field.choice("quality-prioritization", Scenario.PhotoSettings.qualities)
    private static let depth = Field.flag("depth-data-delivery")
    private static let format = Field.choice("format", Scenario.PhotoSettings.formats)
    private static let live = Field.flag("live")
    private static let bracket = Field<[Double]>(
        "bracket", "list of exposure biases in EV, as `[-1, 0, 1]`",
        ["type": "array", "minItems": 1, "items": .quantity(.none, in: -8...8)]
    ) { (value) throws(YAMLError) in
        try value.list().map { (value) throws(YAMLError) in try value.quantity(.none, in: -8...8) }
    }
    private static let dimensions = Field<[Int]>(
        "max-photo-dimensions", "as `4032x3024`", ["$ref": "#/$defs/size"]
    ) { (value) throws(YAMLError) in
        let size = try value.size()
        return [size.width, size.height]
    }
    private static let duration = Field.time("duration", "as `50 ms`")
    private static let stabilizationMode = Field.choice("mode", Scenario.ConnectionSetting.stabilizationModes)
    private static let enabled = Field.flag("enabled")
    private static let angle = Field.choice(
        "angle", [0, 90, 180, 270].map { (degrees: Int) in ("\(degrees)", degrees) })
    private static let photo = Field.fileName("to", "the name of the file, as `photo.jpg`")

    /// Actions that run and configure the session.
    static let session: [ActionDeclaration] = [
        ActionDeclaration("start", .session, "The session starts running.", action: .start),
        ActionDeclaration("stop", .session, "The session stops running.", action: .stop),
        ActionDeclaration(
            "begin-configuration", .session,
            "Changes from here to `commit-configuration` apply together. Configurations can be nested.",
            action: .change(.beginConfiguration)),
        ActionDeclaration(
            "commit-configuration", .session, "The changes apply.", action: .change(.commitConfiguration)),
        ActionDeclaration("preset", .session, [preset.required], "The preset is set.") { (map) throws(YAMLError) in
            .change(.setPreset(try map.required(preset)))
        },
        ActionDeclaration(
            "switch-camera", .session, [Field.device.required], "The session's camera is replaced."
        ) { (map) throws(YAMLError) in .switchCamera(try map.required(Field.device)) },
        ActionDeclaration(
            "add-input", .session, [Field.device.required], "A new input of the device is added."
        ) { (map) throws(YAMLError) in .change(.addInput(try map.required(Field.device))) },
        ActionDeclaration(
            "remove-input", .session, [Field.device.required], "The input of the device is removed."
        ) { (map) throws(YAMLError) in .change(.removeInput(try map.required(Field.device))) },
        ActionDeclaration("add-output", .session, [output.required], "The output is added.") {
            (map) throws(YAMLError) in .change(.addOutput(try map.required(output)))
        },
        ActionDeclaration("remove-output", .session, [output.required], "The output is removed.") {
            (map) throws(YAMLError) in .change(.removeOutput(try map.required(output)))
        },
        ActionDeclaration("enable", .session, [output.required], "All connections of the output are enabled.") {
            (map) throws(YAMLError) in .change(.setEnabled(try map.required(output), true))
        },
        ActionDeclaration("disable", .session, [output.required], "All connections of the output are disabled.") {
            (map) throws(YAMLError) in .change(.setEnabled(try map.required(output), false))
        },
        requestAuthorization,
    ]

    /// Actions that configure the video connections of outputs.
    static let connections: [ActionDeclaration] = [
        ActionDeclaration(
            "video-stabilization", .session, [output.required, stabilizationMode.required],
            "The stabilization mode of the output's video connection is set."
        ) { (map) throws(YAMLError) in
            .connection(.videoStabilization(try map.required(output), try map.required(stabilizationMode)))
        },
        ActionDeclaration(
            "video-mirrored", .session, [output.required, enabled.required],
            "The output's video connection mirrors frames, or does not."
        ) { (map) throws(YAMLError) in
            .connection(.videoMirrored(try map.required(output), try map.required(enabled)))
        },
        ActionDeclaration(
            "video-rotation-angle", .session, [output.required, angle.required],
            "The output's video connection rotates frames clockwise by this angle in degrees; recordings and photos no "
                + "longer follow the device orientation."
        ) { (map) throws(YAMLError) in
            .connection(.videoRotationAngle(try map.required(output), try map.required(angle)))
        },
    ]

    /// Actions of outputs: recordings, photos and callbacks.
    static let outputs: [ActionDeclaration] = [
        ActionDeclaration(
            "record", .outputs,
            [
                movie.required, fragmentInterval.optional("default the output's"),
                maximumDuration.optional("default none"),
            ],
            "A movie recording starts."
        ) { (map) throws(YAMLError) in
            .record(
                to: try map.required(movie), fragmentInterval: try map[fragmentInterval],
                maximumDuration: try map[maximumDuration])
        },
        ActionDeclaration("stop-recording", .outputs, "The recording ends.", action: .stopRecording),
        ActionDeclaration("pause-recording", .outputs, "The recording pauses.", action: .pauseRecording),
        ActionDeclaration("resume-recording", .outputs, "The recording continues.", action: .resumeRecording),
        ActionDeclaration(
            "photo", .outputs,
            [
                photo.required, flashMode.optional("default `off`"), quality.optional("default `balanced`"),
                depth.optional("default `false`"), format.optional("default `jpeg`"),
                live.optional("default `false`"), bracket.optional("default none"),
                dimensions.optional("default the smallest size of the format"),
            ],
            "A photo is captured. A RAW photo has the extension `dng`, the photos of a bracket have numbers, as "
                + "`photo-1.jpg`, and the movie of a Live Photo is `photo.mov`."
        ) { (map) throws(YAMLError) in
            var settings = Scenario.PhotoSettings()
            settings.format = try map[format]
            settings.isLive = try map[live] ?? false
            settings.bracket = try map[bracket] ?? []
            settings.maximumDimensions = try map[dimensions]
            if settings.isLive, !settings.bracket.isEmpty, let value = map["live"] {
                throw value.error("a bracket is not a Live Photo", "remove one of them")
            }
            settings.flashMode = try map[flashMode]
            settings.qualityPrioritization = try map[quality]
            settings.isDepthDataDeliveryEnabled = try map[depth] ?? false
            return .photo(to: try map.required(photo), settings)
        },
        ActionDeclaration(
            "callback-duration", .outputs, [duration.required],
            "The duration of later callbacks of the video output is set; frames that arrive during a callback are late."
        ) { (map) throws(YAMLError) in .setCallbackDuration(try map.required(duration)) },
    ]
}
