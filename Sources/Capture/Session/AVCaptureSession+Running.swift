import CaptureHAL
import Foundation
import MediaTypes

extension AVCaptureSession {
    /// Something to be told once all locks are free.
    enum Effect {
        case post(Notification.Name, [String: any Sendable])
        case stopOutput(AVCaptureOutput, AVCaptureOutput.StopReason)
    }

    /// Makes a committed configuration real.
    func apply(after previous: SessionConfiguration) {
        let configuration = state.withLock { $0.configuration }
        for input in previous.deviceInputs where !configuration.inputs.contains(input) {
            input.owner = nil
            input.device.state.withLock { if $0.session === self { $0.session = nil } }
        }
        for input in configuration.deviceInputs where !previous.inputs.contains(input) {
            input.owner = self
            input.device.state.withLock { $0.session = self }
        }
        let mustSelect =
            configuration.preset != previous.preset
            || configuration.inputs.map(ObjectIdentifier.init) != previous.inputs.map(ObjectIdentifier.init)
        if mustSelect, configuration.preset != .inputPriority {
            for camera in cameras(in: configuration) {
                if let format = configuration.preset.format(for: camera) { camera.select(format) }
            }
        }
        reconcile(undoing: previous)
        // An output whose connections changed cannot go on with what it was doing, as a recording.
        let now = state.withLock { $0.configuration }
        for output in previous.outputs
        where previous.connections(of: output) != now.connections(of: output) {
            output.sessionDidStop(.reconfigured)
        }
    }

    /// Brings the devices to where the state says: running or not, with the inputs that have connections.
    ///
    /// - Parameter previous: The configuration to go back to where a device does not take the new one.
    func reconcile(undoing previous: SessionConfiguration? = nil) {
        let effects = runners.withLock { runners in
            var effects: [Effect] = []
            updateInterruption(&effects)
            let (shouldRun, configuration, wasRunning) = state.withLock { state in
                (state.isStarted && state.interruption == nil, state.configuration, state.isRunning)
            }
            guard shouldRun else {
                if wasRunning { stopAll(&runners, configuration, &effects) }
                setRoutes(configuration)
                return effects
            }
            do throws(DeviceError) {
                try run(configuration, &runners)
                if !wasRunning {
                    state.withLock { $0.isRunning = true }
                    effects.append(.post(.AVCaptureSessionDidStartRunning, [:]))
                }
            } catch {
                fail(error, undoing: wasRunning ? previous : nil, &runners, &effects)
            }
            return effects
        }
        perform(effects)
    }

    /// Ends the session's use of a device that failed, or of all where the failure is not the device's going.
    func deviceFailed(_ device: AVCaptureDevice, _ error: DeviceError) {
        let failure = AVError(error, device: device)
        let effects = runners.withLock { runners -> [Effect] in
            guard let index = runners.firstIndex(where: { $0.input.device === device }) else { return [] }
            var effects: [Effect] = []
            let configuration = state.withLock { $0.configuration }
            let ports = Set(runners[index].input.ports)
            runners.remove(at: index).stop()
            for output in configuration.outputs {
                let isFed = configuration.connections(of: output).contains { !ports.isDisjoint(with: $0.inputPorts) }
                if isFed { effects.append(.stopOutput(output, .failed(failure))) }
            }
            effects.append(.post(.AVCaptureSessionRuntimeError, [AVCaptureSessionErrorKey: failure]))
            if error.code != .disconnected || runners.isEmpty {
                state.withLock { $0.isStarted = false }
                stopAll(&runners, configuration, &effects)
            }
            return effects
        }
        perform(effects)
    }

    /// A client set the format of a device of this session.
    func deviceChangedFormat(_ device: AVCaptureDevice) {
        state.withLock { state in
            state.configuration.preset = .inputPriority
            state.draft?.preset = .inputPriority
        }
        if state.withLock({ $0.draftDepth == 0 }) { reconcile() }
    }

    /// A client set the frame durations of a device of this session.
    func deviceChangedFrameDuration(_ device: AVCaptureDevice) {
        let mustRestart = runners.withLock { runners in
            guard let index = runners.firstIndex(where: { $0.input.device === device }) else { return false }
            do throws(DeviceError) {
                try runners[index].setFrameDuration(device.streamFrameDuration)
                return false
            } catch {
                // The stream cannot change it under way: it is made anew.
                runners.remove(at: index).stop()
                return true
            }
        }
        if mustRestart { reconcile() }
    }

    private func updateInterruption(_ effects: inout [Effect]) {
        let active = system.interruptions.active
        state.withLock { state in
            let reason = active.first { state.configuration.isAffected(by: $0) }
            // A session that nobody started is not interrupted: nothing is taken from it.
            let effective = state.isStarted ? reason : nil
            guard effective != state.interruption else { return }
            let previous = state.interruption
            state.interruption = effective
            if let effective {
                effects.append(
                    .post(
                        .AVCaptureSessionWasInterrupted, [AVCaptureSessionInterruptionReasonKey: effective.rawValue]))
            } else if previous != nil {
                effects.append(.post(.AVCaptureSessionInterruptionEnded, [:]))
            }
        }
    }

    /// Starts and stops runners until they fit the configuration.
    private func run(
        _ configuration: SessionConfiguration, _ runners: inout [InputRunner]
    ) throws(DeviceError) {
        let plans = configuration.deviceInputs
            .map { ($0, InputRunner.plan($0, configuration.connections)) }
            .filter { !$0.1.isEmpty }
        var kept: [InputRunner] = []
        for runner in runners {
            let plan = plans.first { $0.0 === runner.input }?.1 ?? []
            if plan.elementsEqual(runner.plan, by: { $0.isSame(as: $1) }) {
                kept.append(runner)
            } else {
                runner.stop()
            }
        }
        runners = kept
        setRoutes(configuration)
        for (input, plan) in plans where !runners.contains(where: { $0.input === input }) {
            let runner = try InputRunner(input, plan)
            do throws(DeviceError) {
                try runner.start { [weak self] event, port in self?.handle(event, from: port) }
            } catch {
                runner.stop()
                throw error
            }
            runners.append(runner)
        }
    }

    private func fail(
        _ error: DeviceError, undoing previous: SessionConfiguration?, _ runners: inout [InputRunner],
        _ effects: inout [Effect]
    ) {
        effects.append(.post(.AVCaptureSessionRuntimeError, [AVCaptureSessionErrorKey: AVError(error)]))
        if let previous {
            state.withLock { $0.configuration = previous }
            for output in previous.outputs { output.session = self }
            do throws(DeviceError) {
                return try run(previous, &runners)
            } catch {
                effects.append(.post(.AVCaptureSessionRuntimeError, [AVCaptureSessionErrorKey: AVError(error)]))
            }
        }
        state.withLock { $0.isStarted = false }
        stopAll(&runners, state.withLock { $0.configuration }, &effects)
    }

    private func stopAll(
        _ runners: inout [InputRunner], _ configuration: SessionConfiguration, _ effects: inout [Effect]
    ) {
        for runner in runners { runner.stop() }
        runners = []
        let (wasRunning, interruption) = state.withLock { state in
            defer { state.isRunning = false }
            return (state.isRunning, state.interruption)
        }
        guard wasRunning else { return }
        for output in configuration.outputs {
            effects.append(.stopOutput(output, interruption.map { .interrupted($0) } ?? .stopped))
        }
        effects.append(.post(.AVCaptureSessionDidStopRunning, [:]))
    }

    private func setRoutes(_ configuration: SessionConfiguration) {
        var table: [ObjectIdentifier: [AVCaptureConnection]] = [:]
        for connection in configuration.connections {
            for port in connection.inputPorts { table[ObjectIdentifier(port), default: []].append(connection) }
        }
        routes.withLock { $0 = table }
    }

    private func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .post(let name, let info): system.notificationCenter.post(name: name, object: self, userInfo: info)
            case .stopOutput(let output, let reason): output.sessionDidStop(reason)
            }
        }
    }
}
