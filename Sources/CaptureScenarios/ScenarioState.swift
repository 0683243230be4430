import AssetTypes
import CaptureCore
import CaptureSimulation
import MediaMeasurements
import MediaTypes
import SimDevices

/// The state of a scenario at one time, as text: its session, devices, recordings, and the work that has not ended.
struct ScenarioState: CustomStringConvertible {
    let description: String

    init(_ session: ScenarioSession, _ host: SimHost, _ world: SimulatedWorld, at time: CMTime) {
        let capture = session.session
        var lines = ["State at \(shortNumber(time.seconds)) s:"]
        let state = capture.isInterrupted ? "interrupted" : capture.isRunning ? "running" : "stopped"
        lines.append("session: \(state), preset \(capture.sessionPreset.rawValue)")
        for case let input as AVCaptureDeviceInput in capture.inputs {
            lines.append("input: \(input.device.uniqueID), \(input.device.activeFormat)")
        }
        let outputs = session.createdOutputs.sorted { "\($0.key)" < "\($1.key)" }
        for (id, output) in outputs {
            let isPart = capture.outputs.contains { $0 === output }
            let active = output.connections.filter(\.isActive).count
            lines.append(
                "output: \(id), \(isPart ? "\(active) of \(output.connections.count) connections active" : "removed")")
        }
        for case (let id, let movie as AVCaptureMovieFileOutput) in outputs {
            let name = movie.outputFileURL?.lastPathComponent ?? ""
            lines.append(
                movie.isRecording
                    ? "recording: \(name), \(shortNumber(movie.recordedDuration.seconds)) s, \(movie.recordedFileSize) B"
                        + (movie.isRecordingPaused ? ", paused" : "") : "recording: none on \(id)")
        }
        for device in host.devices {
            let condition = device.condition
            var words = [device.isConnected ? "connected" : "disconnected"]
            if condition.isInUseByAnotherApplication { words.append("in use by another program") }
            if condition.isSuspended { words.append("suspended") }
            if condition.pressure.level != .nominal { words.append("pressure \(condition.pressure.level)") }
            lines.append("device: \(device.descriptor.uniqueID), \(words.joined(separator: ", "))")
        }
        let work = world.pendingWork
        lines += work.isEmpty ? ["pending work: none"] : work.map { "pending work: \($0)" }
        description = lines.joined(separator: "\n")
    }
}
