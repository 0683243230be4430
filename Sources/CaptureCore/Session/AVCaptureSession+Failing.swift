import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes

extension AVCaptureSession {
    /// Announcements on their way, posted by one thread at a time so that they come in order.
    struct Outbox {
        var waiting: [Announcement] = []
        var isPosting = false
    }

    /// Ends the session's use of a device that failed.
    func deviceFailed(_ device: AVCaptureDevice, _ error: DeviceError) {
        streamFailed(error) { $0.device === device }
    }

    /// Ends the session's use of a runner whose stream failed; nothing happens where it was replaced meanwhile.
    func runnerFailed(_ runner: InputRunner, _ error: DeviceError) {
        streamFailed(error) { $0 === runner }
    }

    /// Ends what feeds on a runner, or all where the failure is not the device's going.
    private func streamFailed(_ error: DeviceError, _ isConcerned: (InputRunner) -> Bool) {
        changeRunners { runners, announcements in
            guard let index = runners.firstIndex(where: isConcerned) else { return }
            let runner = runners.remove(at: index)
            let failure = AVError(error, device: runner.device)
            let configuration = state.withLock { $0.configuration }
            let ports = Set(runner.ports)
            end(runner)
            for output in configuration.outputs {
                let isFed = configuration.connections(of: output).contains { !ports.isDisjoint(with: $0.inputPorts) }
                if isFed { output.sessionDidStop(.failed(failure)) }
            }
            announcements.append(
                Announcement(name: .AVCaptureSessionRuntimeError, info: [AVCaptureSessionErrorKey: failure]))
            if error.code != .disconnected || runners.isEmpty {
                state.withLock { $0.isStarted = false }
                stopAll(&runners, configuration, &announcements)
            }
        }
    }

    /// Goes back to what there was before a device refused, or stops where there is nothing to go back to.
    func fail(
        _ error: DeviceError, undoing undo: Undo?, _ runners: inout [InputRunner],
        _ announcements: inout [Announcement]
    ) {
        let refused = state.withLock { $0.configuration }
        announcements.append(failure(error, in: refused))
        if let undo {
            restore(undo, insteadOf: refused, &announcements)
            do throws(DeviceError) {
                return try run(undo.configuration, &runners)
            } catch {
                announcements.append(failure(error, in: undo.configuration))
            }
        }
        state.withLock { $0.isStarted = false }
        stopAll(&runners, state.withLock { $0.configuration }, &announcements)
    }

    /// Whether the configuration asks for more than the machine can do; then the session stops.
    func isTooCostly(
        _ runners: inout [InputRunner], _ configuration: SessionConfiguration, _ announcements: inout [Announcement]
    ) -> Bool {
        let cost = isMultiCam ? hardwareCost : 0
        guard cost > 1 else { return false }
        let error = AVError(
            .sessionHardwareCostOverage,
            "the hardware cost is \(cost) and may be 1 at most: use smaller or slower formats")
        announcements.append(
            Announcement(name: .AVCaptureSessionRuntimeError, info: [AVCaptureSessionErrorKey: error]))
        state.withLock { $0.isStarted = false }
        stopAll(&runners, configuration, &announcements, .failed(error))
        return true
    }

    /// The media services died: what runs ends, and the client starts anew.
    func mediaServicesWereReset() {
        changeRunners { runners, announcements in
            guard state.withLock({ $0.isRunning }) else { return }
            let error = AVError(.mediaServicesWereReset, "the media services were reset; start the session again")
            announcements.append(
                Announcement(name: .AVCaptureSessionRuntimeError, info: [AVCaptureSessionErrorKey: error]))
            state.withLock { $0.isStarted = false }
            stopAll(&runners, state.withLock { $0.configuration }, &announcements, .failed(error))
        }
    }

    func stopAll(
        _ runners: inout [InputRunner], _ configuration: SessionConfiguration,
        _ announcements: inout [Announcement], _ reason: AVCaptureOutput.StopReason? = nil
    ) {
        for runner in runners { end(runner) }
        runners = []
        let (wasRunning, interruption) = state.withLock { state in
            defer { state.isRunning = false }
            return (state.isRunning, state.interruption)
        }
        guard wasRunning else { return }
        for output in configuration.outputs {
            output.sessionDidStop(reason ?? interruption.map { .interrupted($0) } ?? .stopped)
        }
        announcements.append(Announcement(name: .AVCaptureSessionDidStopRunning))
    }

    /// Posts what waits, unless a thread is doing so already; observers may call the session again.
    func postAnnouncements() {
        let isFirst = outbox.withLock { outbox in
            defer { outbox.isPosting = true }
            return !outbox.isPosting
        }
        guard isFirst else { return }
        while let next = outbox.withLock({ outbox -> Announcement? in
            guard !outbox.waiting.isEmpty else {
                outbox.isPosting = false
                return nil
            }
            return outbox.waiting.removeFirst()
        }) {
            switch next.name {
            case .AVCaptureSessionDidStartRunning, .AVCaptureSessionDidStopRunning:
                observedProperties.changed(["isRunning"])
            case .AVCaptureSessionWasInterrupted, .AVCaptureSessionInterruptionEnded:
                observedProperties.changed(["isInterrupted"])
            default: break
            }
            next.tell?()
            if let name = next.name { system.notificationCenter.post(name: name, object: self, userInfo: next.info) }
        }
    }

    private func failure(_ error: DeviceError, in configuration: SessionConfiguration) -> Announcement {
        let device = configuration.deviceInputs.flatMap(\.sources).first { $0.uniqueID == error.device }
        return Announcement(
            name: .AVCaptureSessionRuntimeError, info: [AVCaptureSessionErrorKey: AVError(error, device: device)])
    }

    private func restore(
        _ undo: Undo, insteadOf refused: SessionConfiguration, _ announcements: inout [Announcement]
    ) {
        let previous = undo.configuration
        state.withLock { $0.configuration = previous }
        for output in previous.outputsConnectedUnlike(refused) {
            announcements.append(Announcement(tell: { output.connectionsDidChange() }))
        }
        for replaced in undo.connectionSettings where replaced.restore() {
            announcements.append(Announcement(tell: { replaced.tellRestored() }))
        }
        for item in undo.selections where item.device.selection != item.selection {
            let changed = item.device.exchange(item.selection)
            announcements.append(Announcement(tell: { item.device.tellSelection(after: changed) }))
        }
        for input in refused.deviceInputs where !previous.inputs.contains(input) {
            disown(input)
            for device in devices(of: input) { device.leave(self) }
        }
        for input in previous.deviceInputs where !refused.inputs.contains(input) { own(input) }
        for output in refused.outputs where !previous.outputs.contains(output) { disown(output) }
        for output in previous.outputs where !refused.outputs.contains(output) { output.session = self }
    }
}
