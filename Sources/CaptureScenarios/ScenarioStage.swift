import CaptureCore
import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes
import PixelKernels
import SimDevices
import StrictYAML

/// The session of a scenario with its outputs, and listeners that write down all that comes.
final class ScenarioStage {
    /// What cannot be set up.
    struct SetUpError: Error, CustomStringConvertible {
        let description: String
    }

    let session = AVCaptureSession()
    private var made: [Scenario.Session.Output: AVCaptureOutput] = [:]
    private var openConfigurations = 0
    private let probe: (any ScenarioProbe)?
    private let system: CaptureSystem
    private let folder: URL
    private let log: EventLog
    private let listener: RecordingListener
    private var observers: [any NSObjectProtocol] = []

    init(
        _ scenario: Scenario, system: CaptureSystem, folder: URL, log: EventLog, probe: (any ScenarioProbe)? = nil
    ) throws {
        self.probe = probe
        self.system = system
        self.folder = folder
        self.log = log
        listener = RecordingListener(log: log, probe: probe)
        observe()
        session.beginConfiguration()
        for device in try Self.devices(scenario.session) { addInput(device) }
        session.sessionPreset = AVCaptureSession.Preset(rawValue: scenario.session.preset)
        for output in scenario.session.outputs { session.addOutput(self.output(output)) }
        session.commitConfiguration()
    }

    /// The movie output, nil where the story never had one.
    var movie: AVCaptureMovieFileOutput? { made[.movie] as? AVCaptureMovieFileOutput }
    private var photo: AVCapturePhotoOutput? { made[.photo] as? AVCapturePhotoOutput }

    func record(to name: String, fragmentInterval: CMTime?, maximumDuration: CMTime?) {
        guard let movie else { return log.note("there is no movie output") }
        if let fragmentInterval { movie.movieFragmentInterval = fragmentInterval }
        movie.maxRecordedDuration = maximumDuration ?? .invalid
        movie.startRecording(to: folder.appendingPathComponent(name), recordingDelegate: listener)
    }

    func takePhoto(to name: String) {
        guard let photo else { return log.note("there is no photo output") }
        photo.capturePhoto(
            with: AVCapturePhotoSettings(),
            delegate: PhotoListener(
                log: log, storage: system.storage, url: folder.appendingPathComponent(name), probe: probe))
    }

    func beginConfiguration() {
        session.beginConfiguration()
        openConfigurations += 1
    }

    func commitConfiguration() {
        session.commitConfiguration()
        openConfigurations = max(0, openConfigurations - 1)
    }

    func addInput(_ id: String) {
        if let device = device(id) { addInput(device) }
    }

    func removeInput(_ id: String) {
        guard let input = session.inputs.first(where: { ($0 as? AVCaptureDeviceInput)?.device.uniqueID == id }) else {
            return log.note("the session has no input of \(id)")
        }
        session.removeInput(input)
    }

    func addOutput(_ kind: Scenario.Session.Output) {
        let output = output(kind)
        guard session.canAddOutput(output) else { return log.note("cannot add the output \(kind.rawValue)") }
        session.addOutput(output)
    }

    func removeOutput(_ kind: Scenario.Session.Output) {
        guard let output = made[kind] else { return log.note("there is no output \(kind.rawValue)") }
        session.removeOutput(output)
    }

    func setPreset(_ value: String) {
        let preset = AVCaptureSession.Preset(rawValue: value)
        guard session.canSetSessionPreset(preset) else {
            return log.note("cannot set the preset \(Scenario.Session.presetName(value))")
        }
        session.sessionPreset = preset
    }

    func setEnabled(_ kind: Scenario.Session.Output, _ isEnabled: Bool) {
        guard let output = made[kind] else { return log.note("there is no output \(kind.rawValue)") }
        for connection in output.connections { connection.isEnabled = isEnabled }
    }

    /// The kind of one of the stage's outputs.
    func kind(of output: AVCaptureOutput?) -> Scenario.Session.Output? { made.first { $0.value === output }?.key }

    /// Replaces the camera of the session by another one.
    func switchCamera(to id: String) {
        guard let device = device(id) else { return }
        session.beginConfiguration()
        for input in session.inputs {
            let isCamera = (input as? AVCaptureDeviceInput)?.device.hasMediaType(.video) ?? false
            if isCamera { session.removeInput(input) }
        }
        addInput(device)
        session.commitConfiguration()
    }

    /// Ends what still runs.
    func close() {
        for _ in 0..<openConfigurations { session.commitConfiguration() }
        session.stopRunning()
        for observer in observers { system.notificationCenter.removeObserver(observer) }
    }

    /// Writes down the files that are there, with size and checksum.
    func noteFiles() throws -> [String] {
        let names = try system.storage.contents(ofDirectory: folder)
        for name in names {
            let data = try Data(contentsOf: folder.appendingPathComponent(name))
            let checksum = data.withUnsafeBytes { PixelChecksum($0) }
            log.note("file \(name) \(data.count) B \(checksum)")
        }
        return names
    }

    private func device(_ id: String) -> AVCaptureDevice? {
        let device = AVCaptureDevice(uniqueID: id)
        if device == nil { log.note("there is no device \(id)") }
        return device
    }

    private func addInput(_ device: AVCaptureDevice) {
        do {
            let input = try AVCaptureDeviceInput(device: device)
            guard session.canAddInput(input) else { return log.note("cannot add \(device.uniqueID)") }
            session.addInput(input)
        } catch {
            log.note("cannot use \(device.uniqueID): \(describe(error))")
        }
    }

    /// The output of a kind, made on first use.
    private func output(_ kind: Scenario.Session.Output) -> AVCaptureOutput {
        if let present = made[kind] { return present }
        let new = makeOutput(kind)
        made[kind] = new
        return new
    }

    private func makeOutput(_ kind: Scenario.Session.Output) -> AVCaptureOutput {
        switch kind {
        case .movie: return AVCaptureMovieFileOutput()
        case .photo: return AVCapturePhotoOutput()
        case .video:
            let video = AVCaptureVideoDataOutput()
            video.setSampleBufferDelegate(listener, queue: DispatchQueue(label: "scenario.video"))
            return video
        case .audio:
            let audio = AVCaptureAudioDataOutput()
            audio.setSampleBufferDelegate(listener.sound, queue: DispatchQueue(label: "scenario.audio"))
            return audio
        }
    }

    private static func devices(_ session: Scenario.Session) throws -> [AVCaptureDevice] {
        var devices: [AVCaptureDevice] = []
        if let id = session.camera {
            let all = AVCaptureDevice.DiscoverySession.everything.devices
            guard let camera = all.first(where: { $0.uniqueID == id }) else {
                throw SetUpError(
                    description: "there is no camera \"\(id)\"; "
                        + suggestion(for: id, among: all.filter { $0.hasMediaType(.video) }.map(\.uniqueID)))
            }
            devices.append(camera)
        } else if let camera = AVCaptureDevice.default(for: .video) {
            devices.append(camera)
        }
        if session.hasMicrophone, let microphone = AVCaptureDevice.default(for: .audio) { devices.append(microphone) }
        return devices
    }

    private func observe() {
        let names: [(Notification.Name, String)] = [
            (.AVCaptureSessionDidStartRunning, "session did start running"),
            (.AVCaptureSessionDidStopRunning, "session did stop running"),
            (.AVCaptureSessionWasInterrupted, "session was interrupted"),
            (.AVCaptureSessionInterruptionEnded, "session interruption ended"),
            (.AVCaptureSessionRuntimeError, "session runtime error"),
            (.AVCaptureDeviceWasConnected, "device connected"),
            (.AVCaptureDeviceWasDisconnected, "device disconnected"),
        ]
        let (log, probe) = (log, probe)
        for (name, text) in names {
            observers.append(
                system.notificationCenter.addObserver(forName: name, object: nil, queue: nil) { notification in
                    if let probe { return probe.posted(notification) }
                    log.note(([text] + details(notification)).joined(separator: " "))
                })
        }
    }
}

/// What a notification says beside its name.
private func details(_ notification: Notification) -> [String] {
    var result: [String] = []
    if let device = notification.object as? AVCaptureDevice { result.append(device.uniqueID) }
    if let raw = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int {
        result.append(CaptureHAL.InterruptionReason(rawValue: raw)?.scenarioName ?? String(raw))
    }
    if let error = notification.userInfo?[AVCaptureSessionErrorKey] as? any Error { result.append(describe(error)) }
    return result
}

/// An error as the log shows it: the code, and for a recording whether the file is good.
func describe(_ error: any Error) -> String {
    guard let error = error as? AVError else { return "\(error)" }
    let isGood = error.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool
    return "\(error.code) (\(error.code.rawValue))"
        + (isGood.map { $0 ? ", the file is good" : ", no good file" } ?? "")
}
