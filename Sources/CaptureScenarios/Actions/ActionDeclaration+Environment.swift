import CaptureHAL
import MediaTypes
import StrictYAML

extension ActionDeclaration {
    private static let reason = Field.choice("reason", InterruptionReason.scenarioNames)
    private static let bytes = Field.byteCount("bytes", "as `5 MB`; `0 B` is a full disk")
    private static let orientation = Field.choice("orientation", DeviceOrientation.scenarioNames)
    private static let resource = Field.choice(
        "resource", ProtectedResource.allCases.map { ($0.scenarioName, $0) })
    private static let state = Field.choice("state", AuthorizationState.scenarioNames)

    /// The system and the user.
    static let environment: [ActionDeclaration] = [
        ActionDeclaration("interrupt", .environment, [reason.required], "The system interrupts the session.") {
            (map) throws(YAMLError) in .interrupt(try map.required(reason))
        },
        ActionDeclaration("end-interruption", .environment, [reason.required], "The interruption ends.") {
            (map) throws(YAMLError) in .endInterruption(try map.required(reason))
        },
        ActionDeclaration(
            "reset-media-services", .environment, "The session fails and must be started again.",
            action: .change(.resetMediaServices)),
        ActionDeclaration(
            "authorize", .environment, [resource.required, state.required],
            "The user changes the authorization in the settings."
        ) { (map) throws(YAMLError) in .setAuthorization(try map.required(resource), try map.required(state)) },
        ActionDeclaration(
            "rotate", .environment, [orientation.required],
            "The machine is rotated, and with it what its cameras see."
        ) { (map) throws(YAMLError) in .rotate(try map.required(orientation)) },
        ActionDeclaration("free", .environment, [bytes.required], "Only so many bytes can still be written.") {
            (map) throws(YAMLError) in .setFreeSpace(try map.required(bytes))
        },
    ]

    /// External conditions of devices.
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
            "The camera's shutter closes: the device is suspended, and its frames are black."
        ) { (map) throws(YAMLError) in .change(.setSuspended(try map.required(Field.device), true)) },
        ActionDeclaration("open-shutter", .devices, [Field.device.required], "The camera's shutter opens.") {
            (map) throws(YAMLError) in .change(.setSuspended(try map.required(Field.device), false))
        },
    ]
}
