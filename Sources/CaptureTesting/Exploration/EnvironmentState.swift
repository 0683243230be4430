#if Everything || Scenarios
import CaptureHAL
import CaptureScenarios
import MediaTypes
import SimDevices

/// The state of an app's environment in a generated scenario: what differs from normal, and which events are possible.
struct EnvironmentState: CustomStringConvertible {
    /// An event that is possible.
    struct Event {
        /// The name in the table of covered pairs.
        let name: String
        let action: Scenario.Action
        /// The preference of the event in generated scenarios: 4 for events that interrupt or end sessions and recordings,
        /// 1 for those that change only the content of frames, and 2 for others.
        let weight: Int
    }

    /// The IDs of the devices that the events concern.
    let camera: String
    let microphone: String?
    /// Whether the devices can be unplugged.
    let isUnpluggable: Bool

    private var interruptions: Set<InterruptionReason> = []
    private var isInBackground = false
    private var devicesInUse: Set<String> = []
    private var disconnected: Set<String> = []
    private var pressure = SystemPressure.Level.nominal
    private var isDiskFull = false
    private var isLibraryAvailable = true
    private var denied: Set<ProtectedResource> = []

    init(_ host: SimHost) {
        let devices = host.devices.map(\.descriptor)
        camera = devices.first { $0.media.contains(.video) }?.uniqueID ?? ""
        microphone = devices.first { $0.media.contains(.audio) && !$0.media.contains(.video) }?.uniqueID
        isUnpluggable = devices.first { $0.media.contains(.video) }?.position == .unspecified
    }

    /// Returns the events that are possible now, except for those that would have no effect.
    /// The user opens Settings while the app is in the background, and changes there what the app has asked for.
    func events(_ enabled: ExplorationEvents, _ authorization: Authorization) -> [Event] {
        var events: [Event] = []
        func add(_ part: ExplorationEvents, _ name: String, _ action: Scenario.Action, isPossible: Bool = true) {
            let weight = part.isSubset(of: Self.contentEvents) ? 1 : part.isSubset(of: Self.sessionEvents) ? 4 : 2
            if enabled.contains(part), isPossible { events.append(Event(name: name, action: action, weight: weight)) }
        }
        let isCalled = interruptions.contains(.audioInUseByAnotherClient)
        add(.calls, "call begins", .interrupt(.audioInUseByAnotherClient), isPossible: !isCalled)
        add(.calls, "call ends", .endInterruption(.audioInUseByAnotherClient), isPossible: isCalled)
        add(
            .calls, "call ends without should-resume",
            .endInterruption(.audioInUseByAnotherClient, shouldResume: false), isPossible: isCalled)
        add(.background, "enters background", .setInBackground(true), isPossible: !isInBackground)
        add(.background, "enters foreground", .setInBackground(false), isPossible: isInBackground)
        let isVideoTaken = interruptions.contains(.videoInUseByAnotherClient)
        add(.otherApps, "camera used by another app", .interrupt(.videoInUseByAnotherClient), isPossible: !isVideoTaken)
        add(
            .otherApps, "camera released by another app", .endInterruption(.videoInUseByAnotherClient),
            isPossible: isVideoTaken)
        let isTaken = devicesInUse.contains(camera)
        add(.otherApps, "device taken", .change(.setInUse(camera, true)), isPossible: !isTaken)
        add(.otherApps, "device returned", .change(.setInUse(camera, false)), isPossible: isTaken)
        for (name, id) in [("camera", camera), ("microphone", microphone ?? "")] where isUnpluggable && !id.isEmpty {
            let isConnected = !disconnected.contains(id)
            add(.unplugging, "\(name) unplugged", .disconnect(id), isPossible: isConnected)
            add(.unplugging, "\(name) plugged in", .reconnect(id), isPossible: !isConnected)
        }
        add(.failures, "media services reset", .change(.resetMediaServices))
        let second = CMTime(value: 1, timescale: 1)
        add(.failures, "camera stalls", .fault(.stall(duration: second), device: camera))
        add(.failures, "camera drops frames", .fault(.dropFrames(count: 5), device: camera))
        add(
            .heat, "gets hot", .setSystemPressure(SystemPressure(.serious, factors: .systemTemperature)),
            isPossible: pressure == .nominal)
        add(
            .heat, "shuts down the camera", .setSystemPressure(SystemPressure(.shutdown, factors: .systemTemperature)),
            isPossible: pressure != .shutdown)
        add(
            .heat, "cools down", .setSystemPressure(SystemPressure(.nominal, factors: [])),
            isPossible: pressure != .nominal)
        add(.storage, "disk full", .setFreeSpace(0), isPossible: !isDiskFull)
        add(.storage, "disk has space", .setFreeSpace(Self.normalSpace), isPossible: isDiskFull)
        add(.photoLibrary, "library not available", .setLibraryAvailable(false), isPossible: isLibraryAvailable)
        add(.photoLibrary, "library available", .setLibraryAvailable(true), isPossible: !isLibraryAvailable)
        for resource in [ProtectedResource.video, .audio, .photoLibraryAdditions] {
            let isDenied = denied.contains(resource)
            guard isInBackground, authorization.state(of: resource) != .notDetermined else { continue }
            add(.settings, "\(resource.rawValue) denied", .setAuthorization(resource, .denied), isPossible: !isDenied)
            add(
                .settings, "\(resource.rawValue) authorized", .setAuthorization(resource, .authorized),
                isPossible: isDenied)
        }
        add(
            .settings, "photoLibrary limited", .setAuthorization(.photoLibrary, .limited),
            isPossible: isInBackground && authorization.state(of: .photoLibrary) == .authorized)
        add(.rotation, "rotated to landscape", .rotate(.landscapeLeft))
        add(.rotation, "rotated to portrait", .rotate(.portrait))
        add(.light, "gets dark", .setLight(lux: 2, temperature: nil, over: nil))
        add(.light, "gets bright", .setLight(lux: 20_000, temperature: nil, over: nil))
        add(.clocks, "clock jumps", .fault(.jumpClock(by: second), device: camera))
        return events
    }

    private static let normalSpace: Int64 = 1 << 40
    private static let contentEvents: ExplorationEvents = [.rotation, .light, .clocks]
    private static let sessionEvents: ExplorationEvents = [.calls, .background, .otherApps, .heat, .storage]

    /// The conditions that are not normal, such as `call, background`; empty if there are none.
    var description: String {
        var words = InterruptionReason.allCases.filter { interruptions.contains($0) }.map { reason in
            switch reason {
            case .audioInUseByAnotherClient: "call"
            case .videoInUseByAnotherClient: "camera used by another app"
            default: "\(reason)"
            }
        }
        if isInBackground { words.append("background") }
        if !devicesInUse.isEmpty { words.append("device taken") }
        words += disconnected.sorted().map { "\($0) unplugged" }
        if pressure != .nominal { words.append("pressure \(pressure)") }
        if isDiskFull { words.append("disk full") }
        if !isLibraryAvailable { words.append("library not available") }
        words += ProtectedResource.allCases.filter { denied.contains($0) }.map { "\($0.rawValue) denied" }
        return words.joined(separator: ", ")
    }

    /// Updates the state after a step of the environment.
    mutating func apply(_ action: Scenario.Action) {
        switch action {
        case .interrupt(let reason): interruptions.insert(reason)
        case .endInterruption(let reason, _): interruptions.remove(reason)
        case .setInBackground(let isInBackground): self.isInBackground = isInBackground
        case .setSystemPressure(let pressure): self.pressure = pressure.level
        case .disconnect(let id): disconnected.insert(id)
        case .reconnect(let id): disconnected.remove(id)
        case .setFreeSpace(let byteCount): isDiskFull = byteCount < Self.normalSpace
        case .setLibraryAvailable(let isAvailable): isLibraryAvailable = isAvailable
        case .setAuthorization(let resource, let state):
            if state == .authorized { denied.remove(resource) } else { denied.insert(resource) }
        case .change(.setInUse(let id, let isInUse)):
            if isInUse { devicesInUse.insert(id) } else { devicesInUse.remove(id) }
        case .change(
            .beginConfiguration), .change(.commitConfiguration), .change(.addInput), .change(.removeInput),
            .change(.addOutput), .change(.removeOutput), .change(.setPreset), .change(.setEnabled),
            .change(.setSuspended), .change(.resetMediaServices), .start, .stop, .record, .stopRecording,
            .pauseRecording, .resumeRecording, .photo, .audioSession, .switchCamera, .rotate, .fault, .camera,
            .connection, .setCallbackDuration, .requestAuthorization, .setAnswer, .setLight, .setScene,
            .changeSceneObject, .createAsset, .fetchAssets, .pickPhotos, .app:
            break
        }
    }

    /// The actions that make the environment normal again. They end in the foreground.
    ///
    /// - Parameter authorization: The present authorization. A user changes it in Settings, while the app is in the
    ///   background.
    func restoration(_ authorization: Authorization) -> [Scenario.Action] {
        var actions: [Scenario.Action] = []
        if pressure != .nominal { actions.append(.setSystemPressure(SystemPressure(.nominal, factors: []))) }
        if isDiskFull { actions.append(.setFreeSpace(Self.normalSpace)) }
        if !isLibraryAvailable { actions.append(.setLibraryAvailable(true)) }
        actions += devicesInUse.sorted().map { .change(.setInUse($0, false)) }
        actions += disconnected.sorted().map { .reconnect($0) }
        actions += InterruptionReason.allCases.filter { interruptions.contains($0) }.map { .endInterruption($0) }
        let changed = ProtectedResource.allCases.filter {
            ![.authorized, .notDetermined].contains(authorization.state(of: $0))
        }
        if !changed.isEmpty, !isInBackground { actions.append(.setInBackground(true)) }
        actions += changed.map { .setAuthorization($0, .authorized) }
        if !changed.isEmpty || isInBackground { actions.append(.setInBackground(false)) }
        return actions
    }
}
#endif
