import MediaTypes
import StrictYAML

/// The steps of a file and of the files that it includes, with the checks that concern several steps.
struct TimelineReader {
    /// The session of the scenario; nil if there is none, or if it has errors.
    let session: Scenario.Session?
    /// Whether the scenario describes no session and drives an app.
    let drivesApp: Bool
    /// The steps in ascending order of time.
    private(set) var steps: [(step: Scenario.Step, value: YAMLValue)] = []
    /// The time of the last step of the current file.
    private var lastTime: CMTime?
    /// The names of files that steps with errors can write.
    private var possibleFiles: [String] = []
    /// The actions of steps with errors.
    private(set) var invalidActions: Set<String> = []

    init(session: Scenario.Session?, drivesApp: Bool) { (self.session, self.drivesApp) = (session, drivesApp) }

    /// Starts the steps of the next file. At equal times, the steps of an included file precede those of the file that
    /// includes it.
    mutating func beginLayer() { lastTime = nil }

    /// Adds a step at its time.
    ///
    /// - Throws: An error if the step is earlier than the previous step of the same file. It is added nevertheless.
    mutating func add(_ step: Scenario.Step, _ value: YAMLValue) throws(YAMLError) {
        let index = steps.firstIndex { $0.step.time > step.time } ?? steps.endIndex
        steps.insert((step, value), at: index)
        let previous = lastTime
        lastTime = step.time
        guard let previous, step.time < previous else { return }
        throw value.error(
            "the step at \(step.time.seconds) s follows a step at \(previous.seconds) s", "sort the steps by time")
    }

    /// Adds a step with errors, which may write a file or add an output.
    mutating func addInvalidStep(_ value: YAMLValue) {
        // The step can have invalid keys.
        let entries = (try? value.entries()) ?? []
        func text(_ key: String) -> String? { try? entries.first { $0.key == key }?.value.string() }
        if let name = text("to") { possibleFiles.append(name) }
        invalidActions.insert(text("do") ?? "")
    }

    /// Whether the action of a step with errors is unknown.
    var hasUnknownAction: Bool { !invalidActions.isSubset(of: ActionDeclaration.names) }

    /// Whether a step with errors can add an output.
    private var canAddUnknownOutput: Bool { hasUnknownAction || invalidActions.contains("add-output") }

    /// The names of files and cameras that expectations can refer to.
    func names(cameras: [Scenario.Session.Camera]) -> Scenario.DeclaredNames {
        var names = Scenario.DeclaredNames(steps.map(\.step), cameras: cameras, drivesApp: drivesApp)
        names.movies += possibleFiles
        names.photos += possibleFiles
        return names
    }

    /// Returns the errors of steps that use a file that no step writes.
    func fileErrors() -> [YAMLError] {
        var errors: [YAMLError] = []
        let files = names(cameras: []).files
        for (step, value) in steps {
            guard case .createAsset(let name, _) = step.action, !files.contains(name) else { continue }
            let file = try? value.mapping(keys: ["at", "do"] + ActionDeclaration.keyNames)["file"]
            errors.append(
                (file ?? value).error(
                    "no step writes the file \"\(name)\"",
                    files.isEmpty ? "add a step that writes it" : suggestion(for: name, among: files)))
        }
        return errors
    }

    /// Returns the errors of steps that use an output that neither the session nor an earlier step adds.
    func outputErrors() -> [YAMLError] {
        guard let session, !canAddUnknownOutput else { return [] }
        var errors: [YAMLError] = []
        var outputs = Self.outputs(session)
        for (step, value) in steps {
            if case .change(.addOutput(let kind)) = step.action { outputs.insert(OutputID(kind, step.camera)) }
            guard let kind = step.action.requiredOutput, !outputs.contains(OutputID(kind, step.camera)) else {
                continue
            }
            let owner = step.camera.map { "the camera \"\($0)\"" } ?? "the session"
            let output = try? value.mapping(keys: ["at", "do"] + ActionDeclaration.keyNames)["output"]
            errors.append(
                (output ?? value).error(
                    "\(owner) has no \(kind.rawValue) output",
                    "add \"\(kind.rawValue)\" to its outputs, or an earlier step with \"add-output\""))
        }
        return errors
    }

    /// Whether the session has an output, or a step can add it.
    func canHaveOutput(_ kind: Scenario.Session.Output) -> Bool {
        guard let session, !canAddUnknownOutput else { return true }
        return Self.outputs(session).contains { $0.kind == kind }
            || steps.contains { if case .change(.addOutput(kind)) = $0.step.action { true } else { false } }
    }

    private typealias OutputID = ScenarioSession.OutputID

    /// Returns the outputs of a session at the start.
    private static func outputs(_ session: Scenario.Session) -> Set<OutputID> {
        Set(
            session.outputs.map { OutputID($0, nil) }
                + session.cameras.flatMap { camera in camera.outputs.map { OutputID($0, camera.device) } })
    }
}

extension ScenarioSession.OutputID {
    fileprivate init(_ kind: Scenario.Session.Output, _ camera: String?) { self.init(kind: kind, camera: camera) }
}

extension Scenario.Action {
    /// The output that the action uses, which must have been added before; nil if it uses none.
    fileprivate var requiredOutput: Scenario.Session.Output? {
        switch self {
        case .record, .stopRecording, .pauseRecording, .resumeRecording: .movie
        case .photo: .photo
        case .setCallbackDuration: .video
        case .connection(let setting): setting.output
        case .change(let change):
            switch change {
            case .removeOutput(let output), .setEnabled(let output, _): output
            case .addOutput, .beginConfiguration, .commitConfiguration, .addInput, .removeInput, .setPreset, .setInUse,
                .setSuspended, .resetMediaServices:
                nil
            }
        case .start, .stop, .interrupt, .endInterruption, .setInBackground, .setSystemPressure, .audioSession,
            .disconnect, .reconnect, .switchCamera, .setFreeSpace, .rotate, .setAuthorization, .fault, .camera,
            .requestAuthorization, .setAnswer, .setLight, .setScene, .changeSceneObject, .createAsset, .fetchAssets,
            .setLibraryAvailable, .pickPhotos, .app:
            nil
        }
    }
}
