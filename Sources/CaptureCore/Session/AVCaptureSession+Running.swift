import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes

extension AVCaptureSession {
    /// A notification to be posted once all locks are free.
    struct Announcement {
        /// Nil where there is only something to be told to observers.
        var name: Notification.Name?
        var info: [String: any Sendable] = [:]
        /// Tells observers of properties.
        var tell: (@Sendable () -> Void)?
    }

    /// What there was before a configuration was applied.
    struct Undo {
        let configuration: SessionConfiguration
        var selections: [DeviceSelection]
        /// Of the connections on which something was set meanwhile.
        let connectionSettings: [AVCaptureConnection.Replaced]
    }

    /// Makes a committed configuration real.
    func apply(undoing previous: Undo) {
        let configuration = state.withLock { $0.configuration }
        let old = previous.configuration
        var undo = previous
        undo.selections += cameras(in: configuration)
            .filter { camera in !undo.selections.contains { $0.device === camera } }.map(DeviceSelection.init)
        let isNewPreset = configuration.preset != old.preset
        for input in configuration.deviceInputs {
            let isNew = !old.inputs.contains(input)
            // A format that was set before the preset is taken back with it.
            let before = undo.selections.first { $0.device === input.device }?.selection.format
            guard isNewPreset || isNew || before !== input.device.activeFormat,
                let format = configuration.preset.format(for: input.device)
            else { continue }
            if isNewPreset || format !== input.device.activeFormat { input.device.select(format) }
        }
        let kept = configuration.deviceInputs.flatMap(devices(of:))
        for device in old.deviceInputs.flatMap(devices(of:)) where !kept.contains(device) { device.leave(self) }
        for input in old.deviceInputs where !has(input) { disown(input) }
        for output in old.outputs where !has(output) { disown(output) }
        for replaced in previous.connectionSettings { replaced.tellOutput() }
        // A session that runs takes what it needs; one that waits for another to let go waits on.
        reconcile(undoing: undo, takingDevices: state.withLock { $0.isRunning })
        // An output whose connections changed cannot go on with what it was doing, as a recording.
        let now = state.withLock { $0.configuration }
        for output in old.outputs where old.connections(of: output) != now.connections(of: output) {
            output.sessionDidStop(.reconfigured)
        }
        tellActivity(old.connections + now.connections)
        for output in now.outputs + old.outputs.filter({ !now.outputs.contains($0) }) {
            output.configurationDidChange()
        }
    }

    /// Brings the devices to where the state says: running or not, with the inputs that have connections.
    ///
    /// - Parameters:
    ///   - undo: What to go back to where a device does not take the configuration.
    ///   - takesDevices: Whether devices are taken from other sessions.
    func reconcile(undoing undo: Undo? = nil, takingDevices takesDevices: Bool = false) {
        claimDevices(byForce: takesDevices)
        changeRunners { runners, announcements in
            claimFreeDevices()
            updateInterruption(&announcements)
            let (shouldRun, configuration, wasRunning) = state.withLock { state in
                (state.isStarted && state.interruption == nil, state.configuration, state.isRunning)
            }
            guard shouldRun else {
                if wasRunning { stopAll(&runners, configuration, &announcements) }
                setRoutes(configuration)
                return
            }
            guard !isTooCostly(&runners, configuration, &announcements) else { return }
            do throws(DeviceError) {
                try run(configuration, &runners)
                if !wasRunning {
                    state.withLock { $0.isRunning = true }
                    announcements.append(Announcement(name: .AVCaptureSessionDidStartRunning))
                    announcements.append(
                        Announcement(tell: { for output in configuration.outputs { output.sessionDidStart() } }))
                }
            } catch {
                fail(error, undoing: wasRunning ? undo : nil, &runners, &announcements)
            }
        }
        steadyCameras()
    }

    /// A client set the format of a device of this session.
    func deviceChangedFormat(_ device: AVCaptureDevice) {
        state.withLock { state in
            // In an open configuration it comes with the commit, or goes back with it.
            if state.draft == nil { state.configuration.preset = .inputPriority }
            state.draft?.preset = .inputPriority
        }
        guard state.withLock({ $0.draftDepth == 0 }) else { return }
        reconcile()
        tellOutputs()
    }

    /// A client set the frame durations of a device of this session.
    func deviceChangedFrameDuration(_ device: AVCaptureDevice) {
        // In an open configuration it waits for the commit, with the format that may have been set before it.
        guard state.withLock({ $0.draftDepth == 0 }) else { return }
        let mustRestart = runners.withLock { runners in
            var mustRestart = false
            for runner in runners where runner.input.device === device {
                do throws(DeviceError) {
                    try runner.setFrameDuration(runner.input.streamFrameDuration)
                } catch {
                    // The stream cannot change it under way: it is made anew.
                    end(runner)
                    runners.removeAll { $0 === runner }
                    mustRestart = true
                }
            }
            return mustRestart
        }
        if mustRestart { reconcile() } else { steadyCameras() }
    }

    /// A client asked for other depth from a device of this session, or for none.
    func depthWishChanged() {
        guard state.withLock({ $0.draftDepth == 0 }) else { return }
        reconcile()
        tellOutputs()
    }

    /// Tells the outputs that a format has changed.
    private func tellOutputs() {
        for output in state.withLock({ $0.configuration.outputs }) { output.configurationDidChange() }
    }

    /// A client switched a connection or a port on or off.
    func enablingChanged() {
        if isMultiCam, state.withLock({ $0.draftDepth == 0 }) { reconcile() }
    }

    /// A device of this session is gone, and with it what may have held the session up.
    func deviceIsGone() {
        reconcile()
        tellActivity(connections)
    }

    /// Tells the observers of connections that may have become active or inactive.
    func tellActivity(_ connections: [AVCaptureConnection]) {
        var told: Set<AVCaptureConnection> = []
        for connection in connections where told.insert(connection).inserted {
            connection.observedProperties.changed(["isActive"])
        }
    }

    /// The format in which a device of this session delivers a medium has changed.
    func tellFormat(of device: AVCaptureDevice, _ media: AVMediaType) {
        for input in state.withLock({ $0.current.deviceInputs }) where input.device === device {
            for port in input.ports where port.mediaType == media {
                system.notificationCenter.post(name: .AVCaptureInputPortFormatDescriptionDidChange, object: port)
            }
        }
    }

    /// Changes what runs, as one thread at a time, and then posts what is to be told of it.
    func changeRunners(_ body: (inout [InputRunner], inout [Announcement]) -> Void) {
        let freed = runners.withLock { runners in
            var announcements: [Announcement] = []
            body(&runners, &announcements)
            outbox.withLock { $0.waiting += announcements }
            return giveUpDevices()
        }
        postAnnouncements()
        tellWaiting(freed)
    }

    /// Starts and stops runners until they fit the configuration.
    func run(
        _ configuration: SessionConfiguration, _ runners: inout [InputRunner]
    ) throws(DeviceError) {
        let wanted = plans(configuration)
        // A device that has gone keeps none of the others from running; its own stream, if any, tells of its end.
        let present = wanted.filter { item in
            item.device.isConnected || runners.contains { $0.input === item.input && $0.device === item.device }
        }
        let plans = present.isEmpty ? wanted : present
        var kept: [InputRunner] = []
        for runner in runners {
            let plan = plans.first { $0.input === runner.input && $0.device === runner.device }?.plan ?? []
            if canGoOn(runner, with: plan) {
                kept.append(runner)
            } else {
                end(runner)
                endOutputs(fedBy: runner)
            }
        }
        runners = kept
        setRoutes(configuration)
        for (input, device, plan) in plans
        where !runners.contains(where: { $0.input === input && $0.device === device }) {
            let runner = try InputRunner(input, device, plan, after: ended.withLock { $0 })
            do throws(DeviceError) {
                try runner.start(feeding: self)
            } catch {
                runner.stop()
                throw error
            }
            runners.append(runner)
        }
    }

    /// What each device is to deliver whose ports have connections.
    func plans(
        _ configuration: SessionConfiguration
    ) -> [(input: AVCaptureDeviceInput, device: AVCaptureDevice, plan: [InputRunner.PortPlan])] {
        configuration.deviceInputs.flatMap { input in
            input.sources.map { device in
                let plan = InputRunner.plan(
                    input, device, configuration.connections, leavesOutDisabled: isMultiCam)
                return (input: input, device: device, plan: plan)
            }
        }.filter { !$0.plan.isEmpty }
    }

    /// Stops a runner for good.
    func end(_ runner: InputRunner) {
        runner.stop()
        let times = runner.times
        ended.withLock { $0.advance(to: times) }
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
        for connection in runner.ports.flatMap(connections(from:)) {
            connection.consumer?.sessionDidStop(.reconfigured)
        }
    }

    /// Where the media of a port go; thread-safe.
    func connections(from port: AVCaptureInput.Port) -> [AVCaptureConnection] {
        let id = ObjectIdentifier(port)
        // A handful: to look through them costs less than to hash.
        return routes.withLock { $0.first { $0.port == id }?.connections ?? [] }
    }

    private func setRoutes(_ configuration: SessionConfiguration) {
        var table: [ObjectIdentifier: [AVCaptureConnection]] = [:]
        for connection in configuration.connections {
            for port in connection.inputPorts { table[ObjectIdentifier(port), default: []].append(connection) }
        }
        let entries = table.map { (port: $0.key, connections: $0.value) }
        routes.withLock { $0 = entries }
    }
}
