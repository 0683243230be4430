import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes

@testable import CaptureCore
@testable import CaptureScenarios

/// Checks the invariants of each session, which hold after any event.
///
/// Samples arrive only while the session runs, through its enabled connections, in the order of time, and are black or
/// silent without authorization. Each accepted recording and photo finishes exactly once. A session that was stopped
/// has closed its devices.
final class SessionInvariants: ScenarioObserver {
    /// The callbacks and the error of a recording or photo.
    struct Capture {
        /// The callbacks in order: `start` and `finish` of a recording, or the events of a photo.
        var events: [String] = []
        /// Whether the call was accepted: the output exists, and the call was no misuse.
        var wasAccepted = false
        /// The error with which a recording finished.
        var error: (any Error)?

        /// Whether the recording has finished with a file that can be played.
        var isPlayable: Bool {
            guard events.last == "finish" else { return false }
            guard let error else { return true }
            return (error as? AVError)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? false
        }
    }

    private struct State {
        var problems: [String] = []
        var notifications: [String] = []
        var lastTimesOfConnections: [ObjectIdentifier: CMTime] = [:]
        var lastTimesOfOutputs: [Scenario.Session.Output: CMTime] = [:]
        var counts: [ObjectIdentifier: Int] = [:]
        var countsOfOutputs: [Scenario.Session.Output: Int] = [:]
        var recordings: [String: Capture] = [:]
        var photos: [String: Capture] = [:]
        var samples: [WeakReference] = []
        /// The connections seen so far. Retained, so that their object identifiers stay unique.
        var connections: [AVCaptureConnection] = []
    }

    /// A reference to a sample or its pixels, to test that they are released.
    struct WeakReference: Sendable {
        weak let object: (any AnyObject & Sendable)?
    }

    /// A function that returns the kind of an output.
    private struct Kind: @unchecked Sendable {
        // SAFETY: only called while the scenario is played, by one thread at a time.
        let of: (AVCaptureOutput?) -> Scenario.Session.Output?
    }

    /// Whether a sample later than the clock of the capture system is a violation.
    private let checksClock: Bool
    private let state = Lock(State(), order: .client)
    private let current = Lock<(session: AVCaptureSession, system: CaptureSystem, kind: Kind)?>(nil)

    /// - Parameter checksClock: Whether a sample later than the clock of the capture system is a violation.
    init(checksClock: Bool = true) { self.checksClock = checksClock }

    /// The violations in the order in which they were found.
    var problems: [String] { state.withLock { $0.problems } }
    /// The notifications of the session: `start`, `stop`, `error`, `interrupted` with the reason, `ended`.
    var notifications: [String] { state.withLock { $0.notifications } }
    /// The number of samples of each connection.
    var counts: [ObjectIdentifier: Int] { state.withLock { $0.counts } }
    /// The number of samples of each output.
    var countsOfOutputs: [Scenario.Session.Output: Int] { state.withLock { $0.countsOfOutputs } }
    /// The recordings by file name.
    var recordings: [String: Capture] { state.withLock { $0.recordings } }
    /// The photos by file name.
    var photos: [String: Capture] { state.withLock { $0.photos } }

    /// All samples and their pixels.
    var samples: [WeakReference] { state.withLock { $0.samples } }

    /// Adds a violation.
    func addProblem(_ text: String) { state.withLock { $0.problems.append(text) } }

    /// Starts to check a session that has been configured.
    func begin(_ session: ScenarioSession, _ system: CaptureSystem) {
        let kind = Kind(of: session.kind)
        current.withLock { $0 = (session.session, system, kind) }
    }

    /// Returns the kind of an output of the session.
    func kind(of output: AVCaptureOutput?) -> Scenario.Session.Output? { current.withLock { $0?.kind }?.of(output) }

    /// Records whether the recording or photo of an action was accepted, according to the action's log lines.
    func record(_ action: Scenario.Action, _ lines: [String]) {
        let wasAccepted = !lines.contains { $0.contains(" misuse ") || $0.contains(" there is no ") }
        switch action {
        case .record(let name, _, _):
            state.withLock { $0.recordings[name, default: Capture()].wasAccepted = wasAccepted }
        case .photo(let name, _): state.withLock { $0.photos[name, default: Capture()].wasAccepted = wasAccepted }
        default: break
        }
    }

    /// Checks the invariants that hold after the session was stopped.
    func finish() {
        guard let (session, system, _) = current.withLock({ $0 }) else { return }
        if session.isRunning { addProblem("the session runs after it was stopped") }
        for (name, recording) in recordings.sorted(by: { $0.key < $1.key }) {
            let expected = recording.wasAccepted ? [["finish"], ["start", "finish"]] : [[]]
            if !expected.contains(recording.events) { addProblem("recording \(name): \(recording.events)") }
        }
        for (name, photo) in photos.sorted(by: { $0.key < $1.key }) {
            let complete = ["will begin", "will capture", "photo", "did finish"]
            let expected = photo.wasAccepted ? [complete, complete.filter { $0 != "will capture" }] : [[]]
            if !expected.contains(photo.events) { addProblem("photo \(name): \(photo.events)") }
        }
        for device in system.hosts.flatMap(\.devices) where !device.condition.isInUseByAnotherApplication {
            do throws(DeviceError) {
                try device.open().close()
            } catch {
                addProblem("the session left a device open: \(error)")
            }
        }
        current.withLock { $0 = nil }
    }

    // MARK: ScenarioObserver

    func received(_ sample: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard let (session, system, kind) = current.withLock({ $0 }) else { return }
        let time = sample.presentationTimeStamp
        let location = "at \(time.seconds) s from \(connection.inputPorts.first?.ownerIfAlive?.name ?? "nowhere")"
        if !session.isRunning { addProblem("a sample while the session does not run \(location)") }
        if !connection.passesMedia { addProblem("a sample through a disabled connection \(location)") }
        if !session.state.withLock({ $0.configuration.connections.contains { $0 === connection } }) {
            addProblem("a sample through a connection that is not the session's \(location)")
        }
        // A sample without pixels represents a dropped frame and has its time, which can be wrong.
        if connection.inputPorts.first?.mediaType == .video, sample.imageBuffer == nil { return }
        if checksClock, time > system.clock.now { addProblem("a sample from the future \(location)") }
        let resource: ProtectedResource = connection.inputPorts.first?.mediaType == .video ? .video : .audio
        if system.authorization.state(of: resource) != .authorized, !sample.isDark {
            addProblem("a sample that is not black or silent without authorization \(location)")
        }
        let id = ObjectIdentifier(connection)
        let output = kind.of(connection.output)
        let isOutOfOrder = state.withLock { state -> Bool in
            if state.lastTimesOfConnections[id] == nil { state.connections.append(connection) }
            state.counts[id, default: 0] += 1
            state.samples.append(WeakReference(object: sample))
            if let pixels = sample.imageBuffer { state.samples.append(WeakReference(object: pixels)) }
            let isOutOfOrder =
                state.lastTimesOfConnections[id].map { time <= $0 } ?? false
                || output.flatMap { state.lastTimesOfOutputs[$0] }.map { time < $0 } ?? false
            state.lastTimesOfConnections[id] = time
            if let output {
                state.countsOfOutputs[output, default: 0] += 1
                state.lastTimesOfOutputs[output] = time
            }
            return isOutOfOrder
        }
        if isOutOfOrder { addProblem("the time is before that of an earlier sample \(location)") }
    }

    func recordingStarted(_ name: String) {
        state.withLock { $0.recordings[name, default: Capture()].events.append("start") }
    }

    func recordingFinished(_ name: String, error: (any Error)?) {
        state.withLock {
            $0.recordings[name, default: Capture()].events.append("finish")
            $0.recordings[name]?.error = error
        }
    }

    func receivedPhotoEvent(_ event: String, name: String) {
        state.withLock { $0.photos[name, default: Capture()].events.append(event) }
    }

    func received(_ notification: Notification) {
        let text: String
        switch notification.name {
        case .AVCaptureSessionDidStartRunning: text = "start"
        case .AVCaptureSessionDidStopRunning: text = "stop"
        case .AVCaptureSessionRuntimeError: text = "error"
        case .AVCaptureSessionInterruptionEnded: text = "ended"
        case .AVCaptureSessionWasInterrupted:
            let reason = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
            text = "interrupted \(reason.map(String.init) ?? "for no reason")"
        default: return
        }
        state.withLock { $0.notifications.append(text) }
    }
}

extension AVCaptureInput {
    /// The ID of the device.
    var name: String { (self as? AVCaptureDeviceInput)?.device.uniqueID ?? "none" }
}

extension CMSampleBuffer {
    /// Whether a few pixels are black, or all audio samples are silent.
    fileprivate var isDark: Bool {
        if let pixels = imageBuffer {
            return pixels.withPlane(0) { plane in
                let bytes = UnsafeRawPointer(plane.baseAddress)
                return (0..<8).allSatisfy { bytes.load(fromByteOffset: $0 * 5, as: UInt8.self) <= 16 }
            }
        }
        guard let data = dataBuffer else { return true }
        return data.withUnsafeBytes { $0.allSatisfy { $0 == 0 } }
    }
}
