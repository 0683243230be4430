import CaptureCore
import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes
import PixelKernels
import SimDevices
import StrictYAML

/// The session of a scenario with its outputs, and the delegates that log its events.
final class ScenarioSession {
    /// An error in the set-up of the session.
    struct SetUpError: Error, CustomStringConvertible {
        let description: String
    }

    let session = AVCaptureSession()
    /// The outputs whose rotation the scenario has set.
    var rotatedOutputs: Set<Scenario.Session.Output> = []
    /// The types of objects to detect; nil for all that are available.
    let metadataObjectTypes: [AVMetadataObject.ObjectType]?
    private let metadataDelegate: LoggingMetadataDelegate
    private let depthDelegate: LoggingDepthDelegate
    private var createdOutputs: [Scenario.Session.Output: AVCaptureOutput] = [:]
    private var openConfigurations = 0
    private let observer: (any ScenarioObserver)?
    private let system: CaptureSystem
    private let folder: URL
    let log: EventLog
    private let delegate: LoggingOutputDelegate
    private var observers: [any NSObjectProtocol] = []

    /// Creates and configures the session in the current capture system.
    ///
    /// - Parameters:
    ///   - readsMarkers: Whether frames contain the code that `FrameMarker` reads.
    ///   - observer: Receives the events instead of the log.
    init(
        _ scenario: Scenario, system: CaptureSystem, folder: URL, log: EventLog, readsMarkers: Bool,
        observer: (any ScenarioObserver)? = nil
    ) throws {
        self.observer = observer
        self.system = system
        self.folder = folder
        self.log = log
        delegate = LoggingOutputDelegate(log: log, observer: observer, readsMarkers: readsMarkers)
        metadataDelegate = LoggingMetadataDelegate(log: log)
        depthDelegate = LoggingDepthDelegate(log: log)
        metadataObjectTypes = scenario.session.metadataObjectTypes?.compactMap { name in
            LoggingMetadataDelegate.types.first { $0.name == name }?.value
        }
        observers = log.observe(system.notificationCenter, observer: observer)
        observers.append(observeSubjectArea(system.notificationCenter))
        session.beginConfiguration()
        for device in try Self.devices(scenario.session) { addInput(device) }
        session.sessionPreset = AVCaptureSession.Preset(rawValue: scenario.session.preset)
        for output in scenario.session.outputs { session.addOutput(self.output(output)) }
        session.commitConfiguration()
        selectMetadataTypes()
    }

    /// Returns the output of a kind; nil if the scenario has not added one.
    func createdOutput(_ kind: Scenario.Session.Output) -> AVCaptureOutput? { createdOutputs[kind] }

    /// Sets the virtual time that each callback of the video output takes.
    func setCallbackDuration(_ duration: CMTime) { delegate.setCallbackDuration(duration) }

    /// The movie output; nil if the scenario has not added one.
    var movie: AVCaptureMovieFileOutput? { createdOutputs[.movie] as? AVCaptureMovieFileOutput }
    private var photo: AVCapturePhotoOutput? { createdOutputs[.photo] as? AVCapturePhotoOutput }

    /// The camera of the session; nil without one.
    var camera: AVCaptureDevice? {
        session.inputs.lazy.compactMap { ($0 as? AVCaptureDeviceInput)?.device }.first { $0.hasMediaType(.video) }
    }

    func record(to name: String, fragmentInterval: CMTime?, maximumDuration: CMTime?) {
        guard let movie else { return log.note("there is no movie output") }
        if let fragmentInterval { movie.movieFragmentInterval = fragmentInterval }
        movie.maxRecordedDuration = maximumDuration ?? .invalid
        rotateUpright(movie)
        movie.startRecording(to: folder.appendingPathComponent(name), recordingDelegate: delegate)
    }

    func takePhoto(to name: String, _ settings: Scenario.PhotoSettings) {
        guard let photo else { return log.note("there is no photo output") }
        rotateUpright(photo)
        photo.capturePhoto(
            with: photo.settings(settings),
            delegate: LoggingPhotoDelegate(
                log: log, storage: system.storage, url: folder.appendingPathComponent(name), observer: observer))
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
        if kind == .metadata { selectMetadataTypes() }
    }

    func removeOutput(_ kind: Scenario.Session.Output) {
        guard let output = createdOutputs[kind] else { return log.note("there is no output \(kind.rawValue)") }
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
        guard let output = createdOutputs[kind] else { return log.note("there is no output \(kind.rawValue)") }
        for connection in output.connections { connection.isEnabled = isEnabled }
    }

    /// Returns the kind of an output of the session.
    func kind(of output: AVCaptureOutput?) -> Scenario.Session.Output? {
        createdOutputs.first { $0.value === output }?.key
    }

    /// Replaces the camera of the session.
    func switchCamera(to id: String) {
        guard let device = device(id) else { return }
        session.beginConfiguration()
        for input in session.inputs {
            let isCamera = (input as? AVCaptureDeviceInput)?.device.hasMediaType(.video) ?? false
            if isCamera { session.removeInput(input) }
        }
        addInput(device)
        session.commitConfiguration()
        selectMetadataTypes()
    }

    deinit { for observer in observers { system.notificationCenter.removeObserver(observer) } }

    /// Commits open configurations and stops the session.
    func close() {
        for _ in 0..<openConfigurations { session.commitConfiguration() }
        session.stopRunning()
    }

    /// Logs the files in the folder with size and checksum, and returns their names.
    func noteFiles() throws -> [String] { try log.noteFiles(in: folder, of: system) }

    /// Rotates the images of an output by the orientation of the machine, as camera apps do.
    private func rotateUpright(_ output: AVCaptureOutput) {
        guard kind(of: output).map({ !rotatedOutputs.contains($0) }) ?? true,
            let connection = output.connection(with: .video),
            let camera = (connection.inputPorts.first?.input as? AVCaptureDeviceInput)?.device
        else { return }
        connection.videoRotationAngle =
            AVCaptureDevice.RotationCoordinator(device: camera, previewLayer: nil)
            .videoRotationAngleForHorizonLevelCapture
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

    /// Returns the output of a kind, created on first use.
    private func output(_ kind: Scenario.Session.Output) -> AVCaptureOutput {
        if let existing = createdOutputs[kind] { return existing }
        let output = makeOutput(kind)
        createdOutputs[kind] = output
        return output
    }

    private func makeOutput(_ kind: Scenario.Session.Output) -> AVCaptureOutput {
        switch kind {
        case .movie: return AVCaptureMovieFileOutput()
        case .photo: return AVCapturePhotoOutput()
        case .metadata:
            let metadata = AVCaptureMetadataOutput()
            metadata.setMetadataObjectsDelegate(metadataDelegate, queue: DispatchQueue(label: "scenario.metadata"))
            return metadata
        case .depth:
            let depth = AVCaptureDepthDataOutput()
            depth.setDelegate(depthDelegate, callbackQueue: DispatchQueue(label: "scenario.depth"))
            return depth
        case .video:
            let video = AVCaptureVideoDataOutput()
            video.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "scenario.video"))
            return video
        case .audio:
            let audio = AVCaptureAudioDataOutput()
            audio.setSampleBufferDelegate(delegate.audio, queue: DispatchQueue(label: "scenario.audio"))
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
}
