import CaptureHAL
import Foundation
import MediaTypes

extension AVCaptureSession {
    /// A notification to be posted once all locks are free.
    struct Announcement {
        let name: Notification.Name
        var info: [String: any Sendable] = [:]
    }

    /// What there was before a configuration was applied.
    struct Undo {
        let configuration: SessionConfiguration
        let selections: [(device: AVCaptureDevice, selection: AVCaptureDevice.Selection)]
    }

    /// Makes a committed configuration real.
    func apply(after previous: SessionConfiguration) {
        let configuration = state.withLock { $0.configuration }
        let undo = Undo(
            configuration: previous,
            selections: cameras(in: configuration).map { ($0, $0.selection) })
        let isNewPreset = configuration.preset != previous.preset
        for input in configuration.deviceInputs {
            let isNew = !previous.inputs.contains(input)
            guard isNewPreset || isNew, let format = configuration.preset.format(for: input.device) else { continue }
            if isNewPreset || format !== input.device.activeFormat { input.device.select(format) }
        }
        reconcile(undoing: undo)
        // An output whose connections changed cannot go on with what it was doing, as a recording.
        let now = state.withLock { $0.configuration }
        for output in previous.outputs
        where previous.connections(of: output) != now.connections(of: output) {
            output.sessionDidStop(.reconfigured)
        }
    }

    /// Brings the devices to where the state says: running or not, with the inputs that have connections.
    ///
    /// - Parameter undo: What to go back to where a device does not take the configuration.
    func reconcile(undoing undo: Undo? = nil) {
        changeRunners { runners, announcements in
            updateInterruption(&announcements)
            let (shouldRun, configuration, wasRunning) = state.withLock { state in
                (state.isStarted && state.interruption == nil, state.configuration, state.isRunning)
            }
            guard shouldRun else {
                if wasRunning { stopAll(&runners, configuration, &announcements) }
                setRoutes(configuration)
                return
            }
            do throws(DeviceError) {
                try run(configuration, &runners)
                if !wasRunning {
                    state.withLock { $0.isRunning = true }
                    announcements.append(Announcement(name: .AVCaptureSessionDidStartRunning))
                }
            } catch {
                fail(error, undoing: wasRunning ? undo : nil, &runners, &announcements)
            }
        }
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

    /// Changes what runs, as one thread at a time, and then posts what is to be told of it.
    func changeRunners(_ body: (inout [InputRunner], inout [Announcement]) -> Void) {
        runners.withLock { runners in
            var announcements: [Announcement] = []
            body(&runners, &announcements)
            outbox.withLock { $0.waiting += announcements }
        }
        postAnnouncements()
    }

    private func updateInterruption(_ announcements: inout [Announcement]) {
        let active = system.interruptions.active
        state.withLock { state in
            let reason = active.first { state.configuration.isAffected(by: $0) }
            // A session that nobody started is not interrupted: nothing is taken from it.
            let effective = state.isStarted ? reason : nil
            guard effective != state.interruption else { return }
            let previous = state.interruption
            state.interruption = effective
            if let effective {
                announcements.append(
                    Announcement(
                        name: .AVCaptureSessionWasInterrupted,
                        info: [AVCaptureSessionInterruptionReasonKey: effective.rawValue]))
            } else if previous != nil {
                announcements.append(Announcement(name: .AVCaptureSessionInterruptionEnded))
            }
        }
    }

    /// Starts and stops runners until they fit the configuration.
    func run(
        _ configuration: SessionConfiguration, _ runners: inout [InputRunner]
    ) throws(DeviceError) {
        let wanted = configuration.deviceInputs
            .map { (input: $0, plan: InputRunner.plan($0, configuration.connections)) }
            .filter { !$0.plan.isEmpty }
        // A device that has gone keeps none of the others from running; its own stream, if any, tells of its end.
        let present = wanted.filter { item in
            item.input.device.isConnected || runners.contains { $0.input === item.input }
        }
        let plans = present.isEmpty ? wanted : present
        var kept: [InputRunner] = []
        for runner in runners {
            let plan = plans.first { $0.input === runner.input }?.plan ?? []
            if canGoOn(runner, with: plan) {
                kept.append(runner)
            } else {
                runner.stop()
                endOutputs(fedBy: runner)
            }
        }
        runners = kept
        setRoutes(configuration)
        for (input, plan) in plans where !runners.contains(where: { $0.input === input }) {
            let runner = try InputRunner(input, plan)
            do throws(DeviceError) {
                try runner.start { [weak self, weak runner] event, port in
                    if let self, let runner { self.handle(event, from: port, of: runner) }
                }
            } catch {
                runner.stop()
                throw error
            }
            runners.append(runner)
        }
    }

    /// Whether a runner fits a plan, where need be with another frame duration.
    private func canGoOn(_ runner: InputRunner, with plan: [InputRunner.PortPlan]) -> Bool {
        guard plan.elementsEqual(runner.plan, by: { $0.isSame(as: $1) }) else { return false }
        do throws(DeviceError) {
            try runner.adopt(plan)
            return true
        } catch {
            // The stream cannot change its frame duration under way: it is made anew.
            return false
        }
    }

    /// Outputs whose stream ends here cannot go on with what they were doing; the next stream may have another size.
    private func endOutputs(fedBy runner: InputRunner) {
        let connections = routes.withLock { routes in
            runner.input.ports.flatMap { routes[ObjectIdentifier($0)] ?? [] }
        }
        for connection in connections { connection.output?.sessionDidStop(.reconfigured) }
    }

    private func setRoutes(_ configuration: SessionConfiguration) {
        var table: [ObjectIdentifier: [AVCaptureConnection]] = [:]
        for connection in configuration.connections {
            for port in connection.inputPorts { table[ObjectIdentifier(port), default: []].append(connection) }
        }
        routes.withLock { $0 = table }
    }
}
