import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes

// Runtime errors: failed devices, rejected configurations, and resets of the media services.
extension AVCaptureSession {
    /// Ends the session's use of a device that failed.
    func deviceFailed(_ device: AVCaptureDevice, _ error: DeviceError) {
        streamFailed(error) { $0.device === device }
    }

    /// Ends the session's use of a runner after its stream failed, unless the runner has been replaced.
    func runnerFailed(_ runner: InputRunner, _ error: DeviceError) {
        streamFailed(error) { $0 === runner }
    }

    /// Stops the failed runner and its outputs. Unless one of several devices was disconnected, all runners stop.
    private func streamFailed(_ error: DeviceError, _ isFailed: (InputRunner) -> Bool) {
        changeDevices { devices in
            guard let index = devices.runners.firstIndex(where: isFailed) else { return }
            let runner = devices.runners.remove(at: index)
            let failure = AVError(error, device: runner.device)
            let configuration = state.withLock { $0.configuration }
            let ports = Set(runner.ports)
            devices.end(runner)
            for output in configuration.outputs {
                let isFed = configuration.connections(of: output).contains { !ports.isDisjoint(with: $0.inputPorts) }
                if isFed { output.sessionDidStop(.failed(failure)) }
            }
            devices.notices.append(.runtimeError(failure))
            if error.code != .disconnected || devices.runners.isEmpty {
                state.withLock { $0.run.stop() }
                stopAll(&devices, configuration)
            }
        }
    }

    /// Restores the state before a change that a device rejected. Stops the session if there is no such state, or if a
    /// device rejects that state, too.
    func recover(from error: DeviceError, undoing undo: Undo?, _ devices: inout RunningDevices) {
        let rejected = state.withLock { $0.configuration }
        devices.notices.append(runtimeErrorNotice(error, in: rejected))
        if let undo {
            rollBack(undo, from: rejected, &devices)
            do throws(DeviceError) {
                return try run(undo.configuration, &devices)
            } catch {
                devices.notices.append(runtimeErrorNotice(error, in: undo.configuration))
            }
        }
        state.withLock { $0.run.stop() }
        stopAll(&devices, state.withLock { $0.configuration })
    }

    /// Stops the session if the configuration exceeds the machine's capacity.
    ///
    /// - Returns: Whether the session was stopped.
    func stopIfTooCostly(_ configuration: SessionConfiguration, _ devices: inout RunningDevices) -> Bool {
        let cost = isMultiCam ? hardwareCost : 0
        guard cost > 1 else { return false }
        let error = AVError(
            .sessionHardwareCostOverage,
            "the hardware cost is \(cost) and may be 1 at most: use smaller or slower formats")
        devices.notices.append(.runtimeError(error))
        state.withLock { $0.run.stop() }
        stopAll(&devices, configuration, .failed(error))
        return true
    }

    /// Stops a running session after a reset of the media services; the client must start it again.
    func mediaServicesWereReset() {
        changeDevices { devices in
            guard state.withLock({ $0.run.isRunning }) else { return }
            let error = AVError(.mediaServicesWereReset, "the media services were reset; start the session again")
            devices.notices.append(.runtimeError(error))
            state.withLock { $0.run.stop() }
            stopAll(&devices, state.withLock { $0.configuration }, .failed(error))
        }
    }

    /// Stops all devices and the outputs.
    ///
    /// - Parameter reason: The reason that the outputs receive; nil to derive it from the session's state.
    func stopAll(
        _ devices: inout RunningDevices, _ configuration: SessionConfiguration,
        _ reason: AVCaptureOutput.StopReason? = nil
    ) {
        for runner in devices.runners { devices.end(runner) }
        devices.runners = []
        state.withLock { $0.deferredStart.stop() }
        guard let cause = state.withLock({ $0.run.devicesDidStop() }) else { return }
        for output in configuration.outputs { output.sessionDidStop(reason ?? AVCaptureOutput.StopReason(cause)) }
        devices.notices.append(.runState(.didStopRunning))
    }

    private func runtimeErrorNotice(_ error: DeviceError, in configuration: SessionConfiguration) -> SessionNotice {
        let device = configuration.deviceInputs.flatMap(\.sources).first { $0.uniqueID == error.device }
        return .runtimeError(AVError(error, device: device))
    }
}

extension AVCaptureOutput.StopReason {
    fileprivate init(_ cause: SessionRunState.StopCause) {
        switch cause {
        case .stopped: self = .stopped
        case .interrupted(let reason): self = .interrupted(reason)
        }
    }
}
