import Capture
import CaptureHAL
import Foundation
import MediaTypes
import PixelKernels
import SimDevices

/// The session of a scenario with its outputs, and listeners that write down all that comes.
final class ScenarioStage {
    /// What cannot be set up.
    struct SetUpError: Error, CustomStringConvertible {
        let description: String
    }

    let session = AVCaptureSession()
    let movie: AVCaptureMovieFileOutput?
    private let photo: AVCapturePhotoOutput?
    private let system: CaptureSystem
    private let folder: URL
    private let log: EventLog
    private let listener: RecordingListener
    private var observers: [any NSObjectProtocol] = []

    init(_ scenario: Scenario, system: CaptureSystem, folder: URL, log: EventLog) throws {
        self.system = system
        self.folder = folder
        self.log = log
        listener = RecordingListener(log: log, system: system)
        let outputs = scenario.session.outputs
        movie = outputs.contains(.movie) ? AVCaptureMovieFileOutput() : nil
        photo = outputs.contains(.photo) ? AVCapturePhotoOutput() : nil
        observe()
        session.beginConfiguration()
        for device in try Self.devices(scenario.session) { addInput(device) }
        session.sessionPreset = AVCaptureSession.Preset(rawValue: scenario.session.preset)
        for output in outputs { session.addOutput(makeOutput(output)) }
        session.commitConfiguration()
    }

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
            delegate: PhotoListener(log: log, storage: system.storage, url: folder.appendingPathComponent(name)))
    }

    /// Replaces the camera of the session by another one.
    func switchCamera(to id: String) {
        let devices = AVCaptureDevice.DiscoverySession.everything.devices
        guard let device = devices.first(where: { $0.uniqueID == id }) else {
            return log.note("there is no device \(id)")
        }
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

    private func addInput(_ device: AVCaptureDevice) {
        do {
            let input = try AVCaptureDeviceInput(device: device)
            guard session.canAddInput(input) else { return log.note("cannot add \(device.uniqueID)") }
            session.addInput(input)
        } catch {
            log.note("cannot use \(device.uniqueID): \(describe(error))")
        }
    }

    private func makeOutput(_ output: Scenario.Session.Output) -> AVCaptureOutput {
        switch output {
        case .movie: return movie ?? AVCaptureMovieFileOutput()
        case .photo: return photo ?? AVCapturePhotoOutput()
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
        let log = log
        for (name, text) in names {
            observers.append(
                system.notificationCenter.addObserver(forName: name, object: nil, queue: nil) { notification in
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
