import CaptureHAL
import SimDevices
import StrictYAML

extension TimelineReader {
    /// A state that one action begins and another one ends.
    private enum State: Hashable {
        case recording(camera: String?)
        case pause(camera: String?)
        case configuration
        case interruption(InterruptionReason)
        case disconnection(String)
    }

    /// Returns the errors of steps that have no effect, because they end a state that no earlier step begins: the end of
    /// an interruption that has not begun, or the return of a device that was not disconnected.
    ///
    /// - Parameter devices: The simulated environment; nil if it has errors.
    func stateErrors(_ devices: Scenario.Devices?) -> [YAMLError] {
        guard let devices, !hasUnknownAction else { return [] }
        var errors: [YAMLError] = []
        var counts: [State: Int] = [:]
        // Faults disconnect devices at times that can depend on frames. A profile in a file can have faults too.
        let faulty = Set(
            devices.faults.compactMap { entry in
                if case .disconnect = entry.fault.fault { entry.device } else { nil }
            })
        let hasOwnProfile = DeviceProfile.isPath(devices.profile)
        for (step, value) in steps {
            for state in begun(by: step) { counts[state, default: 0] += 1 }
            guard let (state, begin) = ended(by: step) else { continue }
            if case .disconnection(let id) = state, hasOwnProfile || faulty.contains(id) { continue }
            guard counts[state, default: 0] == 0, !invalidActions.contains(where: begin.contains) else {
                // Recordings and interruptions end at once, configurations can be nested.
                counts[state] = state == .configuration ? max(0, counts[state, default: 0] - 1) : 0
                continue
            }
            let action = (try? value.entries())?.first { $0.key == "do" }?.value ?? value
            errors.append(
                action.error(
                    problem(state), "add an earlier step with \"\(begin[0])\", or remove this step"))
        }
        return errors
    }

    private func begun(by step: Scenario.Step) -> [State] {
        switch step.action {
        case .record: [.recording(camera: step.camera)]
        case .pauseRecording: [.pause(camera: step.camera)]
        case .change(.beginConfiguration): [.configuration]
        case .interrupt(let reason): [.interruption(reason)]
        case .setInBackground(true): [.interruption(.notAvailableInBackground)]
        case .change(.setInUse(_, true)):
            [.interruption(.videoInUseByAnotherClient), .interruption(.audioInUseByAnotherClient)]
        case .setSystemPressure: [.interruption(.notAvailableDueToSystemPressure)]
        case .disconnect(let id), .fault(.disconnect, device: let id): [.disconnection(id)]
        default: []
        }
    }

    /// Returns the state that a step ends, and the actions that begin it.
    private func ended(by step: Scenario.Step) -> (state: State, begin: [String])? {
        switch step.action {
        case .stopRecording where describesSession: (.recording(camera: step.camera), ["record"])
        case .resumeRecording where describesSession: (.pause(camera: step.camera), ["pause-recording"])
        case .change(.commitConfiguration) where describesSession: (.configuration, ["begin-configuration"])
        case .endInterruption(let reason, _):
            (.interruption(reason), ["interrupt", "enter-background", "in-use", "system-pressure"])
        case .setInBackground(false): (.interruption(.notAvailableInBackground), ["enter-background", "interrupt"])
        case .reconnect(let id): (.disconnection(id), ["disconnect"])
        default: nil
        }
    }

    /// Whether the steps alone control the session. An app can begin a recording in an action of its own.
    private var describesSession: Bool {
        session != nil && !steps.contains { if case .app = $0.step.action { true } else { false } }
    }

    private func problem(_ state: State) -> String {
        switch state {
        case .recording: "no recording has been started"
        case .pause: "no recording is paused"
        case .configuration: "no configuration has begun"
        case .interruption(.notAvailableInBackground): "the app is not in the background"
        case .interruption(let reason): "no interruption with the reason \"\(reason.scenarioName)\" has begun"
        case .disconnection(let id): "the device \"\(id)\" is not disconnected"
        }
    }
}
