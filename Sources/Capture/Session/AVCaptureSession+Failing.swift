import CaptureHAL
import Foundation
import MediaTypes

extension AVCaptureSession {
    /// Announcements on their way, posted by one thread at a time so that they come in order.
    struct Outbox {
        var waiting: [Announcement] = []
        var isPosting = false
    }

    /// Ends the session's use of a device that failed.
    func deviceFailed(_ device: AVCaptureDevice, _ error: DeviceError) {
        streamFailed(error) { $0.input.device === device }
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
            let failure = AVError(error, device: runner.input.device)
            let configuration = state.withLock { $0.configuration }
            let ports = Set(runner.input.ports)
            runner.stop()
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
            restore(undo, insteadOf: refused)
            do throws(DeviceError) {
                return try run(undo.configuration, &runners)
            } catch {
                announcements.append(failure(error, in: undo.configuration))
            }
        }
        state.withLock { $0.isStarted = false }
        stopAll(&runners, state.withLock { $0.configuration }, &announcements)
    }

    func stopAll(
        _ runners: inout [InputRunner], _ configuration: SessionConfiguration,
        _ announcements: inout [Announcement]
    ) {
        for runner in runners { runner.stop() }
        runners = []
        let (wasRunning, interruption) = state.withLock { state in
            defer { state.isRunning = false }
            return (state.isRunning, state.interruption)
        }
        guard wasRunning else { return }
        for output in configuration.outputs {
            output.sessionDidStop(interruption.map { .interrupted($0) } ?? .stopped)
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
            system.notificationCenter.post(name: next.name, object: self, userInfo: next.info)
        }
    }

    private func failure(_ error: DeviceError, in configuration: SessionConfiguration) -> Announcement {
        let device = configuration.deviceInputs.map(\.device).first { $0.uniqueID == error.device }
        return Announcement(
            name: .AVCaptureSessionRuntimeError, info: [AVCaptureSessionErrorKey: AVError(error, device: device)])
    }

    private func restore(_ undo: Undo, insteadOf refused: SessionConfiguration) {
        let previous = undo.configuration
        state.withLock { $0.configuration = previous }
        for (device, selection) in undo.selections { device.selection = selection }
        for input in refused.deviceInputs where !previous.inputs.contains(input) { disown(input) }
        for input in previous.deviceInputs where !refused.inputs.contains(input) { own(input) }
        for output in refused.outputs where !previous.outputs.contains(output) { output.session = nil }
        for output in previous.outputs where !refused.outputs.contains(output) { output.session = self }
    }
}
