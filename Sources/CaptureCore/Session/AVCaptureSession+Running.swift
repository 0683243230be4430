import CaptureHAL
import Foundation
import MediaTypes

/// The streaming devices of a session, and the notices to post about changes of these devices.
struct RunningDevices: Sendable {
    var runners: [InputRunner] = []
    /// The timestamps of the last frame and audio chunk of the streams that have ended.
    var lastTimes = MediaTimes()
    /// The notices to post after the lock is released.
    var notices: [SessionNotice] = []

    /// Stops a runner permanently.
    mutating func end(_ runner: InputRunner) {
        runner.stop()
        lastTimes.merge(runner.times)
    }
}

/// A device that a configuration needs, with the streams that it delivers.
struct DevicePlan: Sendable {
    let input: AVCaptureDeviceInput
    let device: AVCaptureDevice
    let ports: [InputRunner.PortPlan]

    /// Identifies a device of an input.
    struct Key: Equatable, Sendable {
        let input: ObjectIdentifier
        let device: ObjectIdentifier
    }

    /// The device with the formats and frame durations of its streams, for the log.
    var logText: String {
        let streams = ports.map { "\($0.format) every \($0.frameDuration.seconds) s" }
        return "\(device.localizedName) [\(device.uniqueID)]: \(streams.joined(separator: ", "))"
    }

    var key: Key { Key(input: ObjectIdentifier(input), device: ObjectIdentifier(device)) }

    /// Whether the streams of this plan can continue with another plan, possibly with other frame durations.
    func isCompatible(with other: DevicePlan) -> Bool {
        ports.elementsEqual(other.ports) { $0.isCompatible(with: $1) }
    }
}

extension AVCaptureSession {
    /// Starts or stops the devices according to the session's state; only inputs with connections stream.
    ///
    /// - Parameters:
    ///   - undo: The state to restore if a device rejects the configuration.
    ///   - preempting: Whether other sessions must release the devices that this session needs.
    func reconcile(orRestore undo: Undo? = nil, preempting: Bool = false) {
        for session in claimDevices(preempting: preempting) { session.reconcile() }
        changeDevices { devices in
            // A stop on another thread may have released the claims for this start.
            _ = claimDevices(preempting: false)
            updateInterruption(&devices)
            let (run, configuration) = state.withLock { ($0.run, $0.configuration) }
            switch run.action {
            case .none: setRoutes(configuration)
            case .stop:
                stopAll(&devices, configuration)
                setRoutes(configuration)
            case .run: start(configuration, orRestore: run.isRunning ? undo : nil, &devices)
            }
        }
        applyStabilization()
    }

    private func start(
        _ configuration: SessionConfiguration, orRestore undo: Undo?, _ devices: inout RunningDevices
    ) {
        guard !stopIfTooCostly(configuration, &devices) else { return }
        do throws(DeviceError) {
            try run(configuration, &devices)
            guard let event = state.withLock({ $0.run.devicesDidStart() }) else { return }
            devices.notices.append(.runState(event))
            let waiting = state.withLock { $0.deferredStart.waiting }
            let started = configuration.outputs.filter { !waiting.contains(ObjectIdentifier($0)) }
            devices.notices.append(.call { for output in started { output.sessionDidStart() } })
        } catch {
            recover(from: error, undoing: undo, &devices)
        }
    }

    /// Changes the devices that stream, one thread at a time, and then posts notices of the changes.
    func changeDevices(_ body: (inout RunningDevices) -> Void) {
        let freed = devices.withLock { devices in
            body(&devices)
            let notices = devices.notices
            devices.notices = []
            state.withLock { $0.notices.append(contentsOf: notices) }
            return releaseDevices()
        }
        postNotices()
        notifyConfiguration()
        reconcileSessions(waitingFor: freed)
        dismissUnusableControls()
    }

    /// Starts and stops runners as the configuration requires.
    func run(_ configuration: SessionConfiguration, _ devices: inout RunningDevices) throws(DeviceError) {
        let changes = RunnerChanges(
            required: plans(configuration).map { .init(key: $0.key, plan: $0, isConnected: $0.device.isConnected) },
            running: devices.runners.map { (key: $0.devicePlan.key, plan: $0.devicePlan) },
            isCompatible: { $0.isCompatible(with: $1) })
        var kept: [InputRunner] = []
        for (runner, decision) in zip(devices.runners, changes.decisions) {
            if case .keep(let plan) = decision, applyFrameDurations(of: plan, to: runner) {
                kept.append(runner)
            } else {
                CaptureLog.write(
                    .session, .info, system.clock,
                    "closes \(runner.device): the configuration does not need it, or in another format")
                devices.end(runner)
                stopOutputs(fedBy: runner)
            }
        }
        devices.runners = kept
        let outputs = configuration.outputs.map {
            DeferredStart.Output(id: ObjectIdentifier($0), isDeferred: $0.isStartDeferred)
        }
        state.withLock { $0.deferredStart.prepare(outputs) }
        setRoutes(configuration)
        for device in changes.starts(excluding: kept.map(\.devicePlan.key)) {
            let plan = device.plan
            CaptureLog.write(.session, .info, system.clock, "opens \(plan.logText)")
            let runner = try InputRunner(plan.input, plan.device, plan.ports, after: devices.lastTimes)
            do throws(DeviceError) {
                try runner.start(feeding: self)
            } catch {
                runner.stop()
                throw error
            }
            devices.runners.append(runner)
        }
    }

    /// Returns the devices that have connected ports, with their streams.
    func plans(_ configuration: SessionConfiguration) -> [DevicePlan] {
        configuration.deviceInputs.flatMap { input in
            input.sources.map { device in
                DevicePlan(
                    input: input, device: device,
                    ports: InputRunner.plan(
                        input, device, configuration.connections, excludesDisabled: isMultiCam))
            }
        }.filter { !$0.ports.isEmpty }
    }

    /// Applies the frame durations of a plan to a running device.
    ///
    /// - Returns: False if a stream must restart for the new frame duration.
    private func applyFrameDurations(of plan: DevicePlan, to runner: InputRunner) -> Bool {
        do throws(DeviceError) {
            try runner.applyFrameDurations(of: plan.ports)
            return true
        } catch {
            return false
        }
    }

    /// Stops the outputs of a stopped stream: the next stream may have another format.
    private func stopOutputs(fedBy runner: InputRunner) {
        for connection in runner.ports.flatMap(connections(from:)) {
            connection.consumer?.sessionDidStop(.reconfigured)
        }
    }

    /// Returns the connections from a port; thread-safe.
    func connections(from port: AVCaptureInput.Port) -> [AVCaptureConnection] {
        state.withLock { $0.routes.connections(from: ObjectIdentifier(port)) }
    }

    /// Returns the connections from some ports, each once; thread-safe.
    func connections(from ports: [ObjectIdentifier]) -> [AVCaptureConnection] {
        state.withLock { $0.routes.connections(from: ports) }
    }

    /// Sets the routes of a configuration, without the connections to outputs that wait for deferred start.
    private func setRoutes(_ configuration: SessionConfiguration) {
        state.withLock { state in
            let waiting = state.deferredStart.waiting
            let connections = configuration.connections.filter { connection in
                waiting.isEmpty || !(connection.consumer.map { waiting.contains(ObjectIdentifier($0)) } ?? false)
            }
            state.routes = SessionRoutes(connections) { $0.inputPorts.map { ObjectIdentifier($0) } }
        }
    }
}

extension InputRunner {
    /// The streams that the runner delivers.
    var devicePlan: DevicePlan { DevicePlan(input: input, device: device, ports: plan) }
}
