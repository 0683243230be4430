/// An event of the matrix: steps of a scenario file without their times.
struct MatrixEvent: Sendable {
    /// The kind, by which the documentation groups events.
    enum Kind: String, Sendable, CaseIterable {
        case session = "Calls of the session"
        case capture = "Recordings and photos"
        case control = "Settings of the camera"
        case system = "The system"
        case device = "Devices"
        case fault = "Faults"
    }

    let kind: Kind
    /// The steps of the event, all at the same time. The name of the event follows from the first one.
    let steps: [String]
    /// The steps at the start of the scenario that the event needs to have an effect.
    var preparation: [String] = []
    /// The steps that end the effect of the event.
    var undo: [String] = []

    /// The name in messages, without key names: `disconnect slow.back`.
    var name: String {
        let values = (steps.first ?? "").split(separator: ", ").map { field in
            field.split(separator: ":", maxSplits: 1).last?.trimmingPrefix(" ") ?? ""
        }
        return values.joined(separator: " ") + (steps.count > 1 ? " and a setting" : "")
    }

    /// Whether the event changes timestamps, so that samples can be later than the clock of the capture system.
    var changesTimes: Bool { ["swap-times", "jump-clock", "drift-clock"].contains { name.hasPrefix($0) } }

    /// All events.
    static let all = session + capture + controls + systemEvents + devices + faults

    private static let outputs = ["video", "audio", "movie", "photo"]
    private static let deviceIDs = ["slow.back", "slow.front", "slow.microphone"]
    private static let reasons = [
        "background", "audio-in-use", "video-in-use", "multiple-foreground-apps", "system-pressure",
        "sensitive-content",
    ]

    private static let session: [MatrixEvent] = calls + deviceIDs.flatMap(inputEvents) + outputs.flatMap(outputEvents)

    private static let calls = [
        MatrixEvent(kind: .session, steps: ["do: start"]),
        MatrixEvent(kind: .session, steps: ["do: stop"]),
        MatrixEvent(kind: .session, steps: ["do: begin-configuration"], undo: ["do: commit-configuration"]),
        MatrixEvent(kind: .session, steps: ["do: commit-configuration"]),
        MatrixEvent(kind: .session, steps: ["do: preset, preset: low"]),
        MatrixEvent(kind: .session, steps: ["do: preset, preset: photo"]),
        MatrixEvent(kind: .session, steps: ["do: switch-camera, device: slow.front"]),
        MatrixEvent(kind: .session, steps: ["do: switch-camera, device: slow.back"]),
    ]

    private static func inputEvents(_ id: String) -> [MatrixEvent] {
        let (add, remove) = ("do: add-input, device: \(id)", "do: remove-input, device: \(id)")
        // A session with an input for the first camera rejects one for the second.
        return [
            MatrixEvent(kind: .session, steps: [remove]),
            MatrixEvent(kind: .session, steps: [add], preparation: id == "slow.front" ? [] : [remove]),
        ]
    }

    private static func outputEvents(_ output: String) -> [MatrixEvent] {
        condition(.session, "do: remove-output, output: \(output)", endedBy: "do: add-output, output: \(output)")
            + condition(.session, "do: disable, output: \(output)", endedBy: "do: enable, output: \(output)")
    }

    private static let capture: [MatrixEvent] = [
        MatrixEvent(kind: .capture, steps: ["do: record, to: event.mov"]),
        MatrixEvent(kind: .capture, steps: ["do: record, to: event.mov, maximum-duration: 70 ms"]),
        MatrixEvent(kind: .capture, steps: ["do: stop-recording"]),
        MatrixEvent(kind: .capture, steps: ["do: pause-recording"]),
        MatrixEvent(kind: .capture, steps: ["do: resume-recording"]),
        MatrixEvent(kind: .capture, steps: ["do: photo, to: event.jpg"]),
    ]

    private static let controls: [MatrixEvent] = [
        "do: focus-at, point: [0.3, 0.7]", "do: expose-at, point: [0.3, 0.7]", "do: focus-mode, mode: locked",
        "do: exposure-mode, mode: locked", "do: white-balance-mode, mode: locked", "do: lens-position, position: 0.2",
        "do: exposure-bias, bias: -1", "do: custom-exposure, duration: 1/100 s, iso: 200",
        "do: white-balance, temperature: 4000 K", "do: zoom, factor: 2", "do: zoom, factor: 3, over: 100 ms",
        "do: torch, mode: auto", "do: torch, level: 0.5",
    ].map { MatrixEvent(kind: .control, steps: [$0]) }

    private static let systemEvents: [MatrixEvent] =
        reasons.flatMap(interruption) + ["video", "audio"].flatMap(authorization) + [
            MatrixEvent(kind: .system, steps: ["do: free, bytes: 0 B"], undo: ["do: free, bytes: 1 GB"]),
            MatrixEvent(kind: .system, steps: ["do: free, bytes: 1 GB"], preparation: ["do: free, bytes: 0 B"]),
            MatrixEvent(kind: .system, steps: ["do: reset-media-services"]),
            MatrixEvent(kind: .system, steps: ["do: rotate, orientation: landscape-left"]),
            MatrixEvent(kind: .system, steps: ["do: rotate, orientation: face-up"]),
        ]

    private static func interruption(_ reason: String) -> [MatrixEvent] {
        condition(.system, "do: interrupt, reason: \(reason)", endedBy: "do: end-interruption, reason: \(reason)")
    }

    private static func authorization(_ resource: String) -> [MatrixEvent] {
        let authorized = "do: authorize, resource: \(resource), state: authorized"
        let states = ["restricted", "not-determined"].map { state in
            MatrixEvent(
                kind: .system, steps: ["do: authorize, resource: \(resource), state: \(state)"], undo: [authorized])
        }
        return states + condition(.system, "do: authorize, resource: \(resource), state: denied", endedBy: authorized)
    }

    /// Returns the event that begins a condition, and the one that ends it.
    private static func condition(_ kind: Kind, _ begin: String, endedBy end: String) -> [MatrixEvent] {
        [
            MatrixEvent(kind: kind, steps: [begin], undo: [end]),
            MatrixEvent(kind: kind, steps: [end], preparation: [begin]),
        ]
    }

    private static let devices: [MatrixEvent] = deviceIDs.flatMap { id in
        condition(.device, "do: disconnect, device: \(id)", endedBy: "do: reconnect, device: \(id)")
            + condition(.device, "do: take-device, device: \(id)", endedBy: "do: return-device, device: \(id)")
            + condition(.device, "do: close-shutter, device: \(id)", endedBy: "do: open-shutter, device: \(id)")
    }

    private static let faults: [MatrixEvent] =
        cameraFaults + microphoneFaults + pressures + [
            fault("slow.back", "disconnect, in-frame: true", undo: ["do: reconnect, device: slow.back"]),
            fault("slow.back", "fail-control, control: zoom-factor", then: ["do: zoom, factor: 2"]),
            fault("slow.back", "alter-control, control: zoom-factor, value: 3", then: ["do: zoom, factor: 2"]),
        ]

    private static let streamFaults = [
        "drop-frames, count: 3", "delay-frames, by: 50 ms, count: 2", "duplicate-frames", "swap-times",
        "noise-burst, for: 50 ms", "stall, for: 100 ms", "stall", "fail", "drift-clock, by: 500 ppm",
        "jump-clock, by: 2 s", "jump-clock, by: -2 s", "refuse-open", "refuse-start", "slow-start, by: 100 ms",
    ]

    private static let cameraFaults =
        (streamFaults + [
            "tear-frames", "green-frames", "freeze-frames, count: 2", "resize-frames",
        ]).map { fault("slow.back", $0) }

    private static let microphoneFaults = (streamFaults + ["silence, for: 50 ms", "overrun, for: 50 ms"]).map {
        fault("slow.microphone", $0)
    }

    private static let pressures: [MatrixEvent] = {
        let nominal = "do: pressure, device: slow.back, level: nominal"
        let levels = ["fair", "serious", "critical"].map {
            fault("slow.back", "pressure, level: \($0)", undo: [nominal])
        }
        return levels + condition(.fault, "do: pressure, device: slow.back, level: shutdown", endedBy: nominal)
    }()

    /// Returns an event that injects a fault, written as in a scenario file without its device.
    private static func fault(
        _ device: String, _ fault: String, then steps: [String] = [], undo: [String] = []
    ) -> MatrixEvent {
        var fields = fault.split(separator: ", ").map(String.init)
        fields.insert("device: \(device)", at: 1)
        return MatrixEvent(kind: .fault, steps: ["do: " + fields.joined(separator: ", ")] + steps, undo: undo)
    }
}
