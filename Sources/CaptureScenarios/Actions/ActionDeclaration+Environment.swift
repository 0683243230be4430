import CaptureHAL
import MediaTypes
import SimDevices
import StrictYAML

extension ActionDeclaration {
    private static let reason = Field.choice("reason", InterruptionReason.scenarioNames)
    private static let shouldResumeField = Field.flag("should-resume")
    private static let level = Field.choice("level", SystemPressure.Level.allCases.map { ("\($0)", $0) })
    private static let factors = Field<[SystemPressure.Factors]>(
        "factors", "a list of " + SystemPressure.Factors.scenarioNames.map { "`\($0.name)`" }.joined(separator: ", "),
        ["type": "array", "items": .choice(SystemPressure.Factors.scenarioNames.map(\.name))]
    ) { (value) throws(YAMLError) in
        try value.list().map { (value) throws(YAMLError) in try value.choice(SystemPressure.Factors.scenarioNames) }
    }
    private static let bytes = Field.byteCount("bytes", "as `5 MB`; `0 B` is a full disk")
    private static let scene = Field<String>(
        "scene", "as in `devices.scene`", ["$ref": "#/$defs/text"]
    ) { (value) throws(YAMLError) in try value.sceneName() }
    private static let orientation = Field.choice("orientation", DeviceOrientation.scenarioNames)
    private static let resource = Field.choice(
        "resource", ProtectedResource.allCases.map { ($0.scenarioName, $0) })
    private static let answer = Field.choice("answer", AuthorizationState.answerNames)
    private static let after = Field.time("after", "as `2 s`")
    private static let illuminance = Field.number("illuminance", "as `500 lx`", .lux, in: 0...200_000)
    private static let temperature = Field.number("temperature", "as `5000 K`", .kelvin, in: 1000...40_000)
    private static let over = Field.time("over", "as `1 s`", from: 0.001)
    private static let state = Field.choice("state", AuthorizationState.scenarioNames)

    /// The action `request-authorization`.
    static let requestAuthorization = ActionDeclaration(
        "request-authorization", .session, [resource.required],
        "The app requests the authorization. The log contains the result when the user has answered."
    ) { (map) throws(YAMLError) in .requestAuthorization(try map.required(resource)) }

    /// Actions of the system and the user.
    static let environment: [ActionDeclaration] = [
        ActionDeclaration("interrupt", .environment, [reason.required], "The system interrupts the session.") {
            (map) throws(YAMLError) in .interrupt(try map.required(reason))
        },
        ActionDeclaration(
            "end-interruption", .environment, [reason.required, shouldResumeField.optional("default `true`")],
            "The interruption ends. Only `audio-in-use` accepts `should-resume`, which the audio session reports."
        ) { (map) throws(YAMLError) in
            let (reason, shouldResume) = (try map.required(reason), try map[shouldResumeField])
            if shouldResume != nil, reason != .audioInUseByAnotherClient, let extra = map["should-resume"] {
                throw extra.error("only an interruption by audio has this option", "remove it")
            }
            return .endInterruption(reason, shouldResume: shouldResume)
        },
        ActionDeclaration(
            "enter-background", .environment,
            "The user leaves the app: it enters the background, and its sessions are interrupted.",
            action: .setInBackground(true)),
        ActionDeclaration(
            "enter-foreground", .environment, "The user returns: the app enters the foreground and becomes active.",
            action: .setInBackground(false)),
        ActionDeclaration(
            "system-pressure", .environment, [level.required, factors.optional("default `system-temperature`")],
            "The system pressure on all cameras changes. The fault `pressure` changes it on one camera."
        ) { (map) throws(YAMLError) in
            let level = try map.required(level)
            let list = try map[factors] ?? (level == .nominal ? [] : [.systemTemperature])
            return .setSystemPressure(SystemPressure(level, factors: list.reduce(into: []) { $0.insert($1) }))
        },
        ActionDeclaration(
            "reset-media-services", .environment, "The session fails and must be started again.",
            action: .change(.resetMediaServices)),
        ActionDeclaration(
            "authorize", .environment, [resource.required, state.required],
            "The user changes the authorization in the settings."
        ) { (map) throws(YAMLError) in
            let (resource, state) = (try map.required(resource), try map.required(state))
            try resource.check(state, map.required("state"))
            return .setAuthorization(resource, state)
        },
        ActionDeclaration(
            "answer", .environment, [resource.required, answer.required, after.optional("default immediately")],
            "The user's answer to later prompts is set; by default, prompts are granted immediately."
        ) { (map) throws(YAMLError) in
            let (answer, delay) = (try map.required(answer), try map[after])
            try map.required(resource).check(answer, map.required("answer"))
            if answer == nil, let extra = map["after"] {
                throw extra.error("a prompt that is never answered has no delay", "remove it")
            }
            return .setAnswer(try map.required(resource), answer, after: delay)
        },
        ActionDeclaration(
            "light", .environment,
            [
                illuminance.optional("default the current"), temperature.optional("default the current"),
                over.optional("default immediately"),
            ],
            "The light of the scene changes."
        ) { (map) throws(YAMLError) in
            guard map["illuminance"] != nil || map["temperature"] != nil else {
                throw map.value.error(
                    "the light does not change", "add \"illuminance: 500 lx\" or \"temperature: 5000 K\"")
            }
            return .setLight(lux: try map[illuminance], temperature: try map[temperature], over: try map[over])
        },
        ActionDeclaration(
            "scene", .environment, [scene.required],
            "The scene that cameras and microphones capture is replaced, including its light."
        ) { (map) throws(YAMLError) in .setScene(try map.required(scene)) },
        sceneObject,
        ActionDeclaration(
            "rotate", .environment, [orientation.required],
            "The machine is rotated together with its built-in cameras."
        ) { (map) throws(YAMLError) in .rotate(try map.required(orientation)) },
        ActionDeclaration("free", .environment, [bytes.required], "The free storage is set.") {
            (map) throws(YAMLError) in .setFreeSpace(try map.required(bytes))
        },
        photoLibrary, pickPhotos,
    ]

    /// Actions that change the external conditions of devices.
    static let devices: [ActionDeclaration] = [
        ActionDeclaration("disconnect", .devices, [Field.device.required], "The device is unplugged.") {
            (map) throws(YAMLError) in .disconnect(try map.required(Field.device))
        },
        ActionDeclaration("reconnect", .devices, [Field.device.required], "The device is plugged in again.") {
            (map) throws(YAMLError) in .reconnect(try map.required(Field.device))
        },
        ActionDeclaration("take-device", .devices, [Field.device.required], "Another program acquires the device.") {
            (map) throws(YAMLError) in .change(.setInUse(try map.required(Field.device), true))
        },
        ActionDeclaration(
            "return-device", .devices, [Field.device.required], "The other program releases the device."
        ) { (map) throws(YAMLError) in .change(.setInUse(try map.required(Field.device), false)) },
        ActionDeclaration(
            "close-shutter", .devices, [Field.device.required],
            "The camera's shutter closes: the device is suspended, its frames are black, and its depth "
                + "maps are NaN."
        ) { (map) throws(YAMLError) in .change(.setSuspended(try map.required(Field.device), true)) },
        ActionDeclaration("open-shutter", .devices, [Field.device.required], "The camera's shutter opens.") {
            (map) throws(YAMLError) in .change(.setSuspended(try map.required(Field.device), false))
        },
    ]
}
