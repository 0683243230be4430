import AssetTypes
import CaptureCore
import CaptureHAL
import CapturePreview
import Foundation
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

    /// The identity of an output: its kind, and the ID of its camera if the session has several.
    struct OutputID: Hashable, CustomStringConvertible {
        var kind: Scenario.Session.Output
        var camera: String?

        var description: String { kind.rawValue + (camera.map { " of \($0)" } ?? "") }
    }

    let session: AVCaptureSession
    /// The cameras of a session with several cameras; otherwise empty.
    let cameras: [Scenario.Session.Camera]
    /// The outputs whose rotation the scenario has set.
    var rotatedOutputs: Set<OutputID> = []
    /// The types of objects to detect; nil for all that are available.
    let metadataObjectTypes: [AVMetadataObject.ObjectType]?
    /// The outputs that were created, including those that have been removed from the session.
    var createdOutputs: [OutputID: AVCaptureOutput] = [:]
    /// The number of calls of `beginConfiguration()` that have not been committed.
    private var openConfigurationCount = 0
    private let observer: (any ScenarioObserver)?
    private let system: CaptureSystem
    private let folder: URL
    let log: EventLog
    /// The delegates by camera ID. The key is nil in a session with one camera, and for the audio output.
    private var delegates: [String?: LoggingOutputDelegate] = [:]
    /// The delegates of the photos; the photo output does not retain them.
    private var photoDelegates: [LoggingPhotoDelegate] = []
    private let readsMarkers: Bool
    private var notificationTokens: [any NSObjectProtocol] = []

    /// Creates and configures the session in the current capture system.
    ///
    /// - Parameters:
    ///   - readsMarkers: Whether frames contain the code that `FrameMarker` reads.
    ///   - observer: Receives samples, notifications, and the events of recordings and photos, which are then not
    ///     logged.
    /// - Throws: `SetUpError` if a camera of the scenario does not exist.
    init(
        _ scenario: Scenario, system: CaptureSystem, folder: URL, log: EventLog, readsMarkers: Bool,
        observer: (any ScenarioObserver)? = nil
    ) throws {
        self.observer = observer
        self.system = system
        self.folder = folder
        self.log = log
        self.readsMarkers = readsMarkers
        cameras = scenario.session.cameras
        session = cameras.isEmpty ? AVCaptureSession() : AVCaptureMultiCamSession()
        metadataObjectTypes = scenario.session.metadataObjectTypes?.compactMap { name in
            LoggingMetadataDelegate.types.first { $0.name == name }?.value
        }
        notificationTokens = log.observe(system.notificationCenter, observer: observer)
        notificationTokens.append(observeSubjectArea(system.notificationCenter))
        session.beginConfiguration()
        if cameras.isEmpty {
            for device in try Self.devices(scenario.session) { addInput(device) }
            session.sessionPreset = AVCaptureSession.Preset(rawValue: scenario.session.preset)
            for output in scenario.session.outputs { session.addOutput(self.output(OutputID(kind: output))) }
        } else {
            try addCameras(hasMicrophone: scenario.session.hasMicrophone, outputs: scenario.session.outputs)
        }
        session.commitConfiguration()
        selectMetadataTypes()
        enableLivePhotos(scenario.timeline)
    }

    /// Enables Live Photos of the outputs that capture them, so that their movies begin before the photos.
    private func enableLivePhotos(_ timeline: [Scenario.Step]) {
        for step in timeline {
            guard case .photo(_, let settings) = step.action, settings.isLive,
                let photo = createdOutput(.photo, of: step.camera) as? AVCapturePhotoOutput
            else { continue }
            photo.isLivePhotoCaptureEnabled = photo.isLivePhotoCaptureSupported
        }
    }

    /// Returns an output that was created, even if it has been removed from the session; nil if none was created.
    func createdOutput(_ kind: Scenario.Session.Output, of camera: String? = nil) -> AVCaptureOutput? {
        createdOutputs[OutputID(kind: kind, camera: camera)]
    }

    /// Sets the virtual time that each callback of a camera's video output takes.
    func setCallbackDuration(_ duration: CMTime, of camera: String?) {
        delegate(of: camera).setCallbackDuration(duration)
    }

    /// Returns the movie output of a camera; nil if none was created.
    func movieOutput(of camera: String? = nil) -> AVCaptureMovieFileOutput? {
        createdOutput(.movie, of: camera) as? AVCaptureMovieFileOutput
    }

    /// Returns the delegate of a camera's outputs, created on first use.
    func delegate(of camera: String?) -> LoggingOutputDelegate {
        if let existing = delegates[camera] { return existing }
        let delegate = LoggingOutputDelegate(log: log, observer: observer, readsMarkers: readsMarkers, camera: camera)
        delegates[camera] = delegate
        return delegate
    }

    /// The first camera of the session; nil if it has none.
    var camera: AVCaptureDevice? {
        session.inputs.lazy.compactMap { ($0 as? AVCaptureDeviceInput)?.device }.first { $0.hasMediaType(.video) }
    }

    /// Returns the input of a device in the session; nil if there is none.
    func input(of id: String) -> AVCaptureDeviceInput? {
        session.inputs.lazy.compactMap { $0 as? AVCaptureDeviceInput }.first { $0.device.uniqueID == id }
    }

    func record(to name: String, fragmentInterval: CMTime?, maximumDuration: CMTime?, camera: String?) {
        guard let output = movieOutput(of: camera) else { return log.note("there is no movie output") }
        if let fragmentInterval { output.movieFragmentInterval = fragmentInterval }
        output.maxRecordedDuration = maximumDuration ?? .invalid
        rotateUpright(output)
        output.startRecording(to: folder.appendingPathComponent(name), recordingDelegate: delegate(of: camera))
    }

    func takePhoto(to name: String, _ settings: Scenario.PhotoSettings, camera: String?) {
        guard let photo = createdOutput(.photo, of: camera) as? AVCapturePhotoOutput else {
            return log.note("there is no photo output")
        }
        rotateUpright(photo)
        let delegate = LoggingPhotoDelegate(
            log: log, storage: system.storage, url: folder.appendingPathComponent(name), observer: observer)
        photoDelegates.append(delegate)
        let movie = folder.appendingPathComponent(Scenario.PhotoSettings.movieName(name))
        photo.capturePhoto(with: photo.settings(settings, movie: movie), delegate: delegate)
    }

    func beginConfiguration() {
        session.beginConfiguration()
        openConfigurationCount += 1
    }

    func commitConfiguration() {
        session.commitConfiguration()
        openConfigurationCount = max(0, openConfigurationCount - 1)
    }

    /// Adds an input of a device. In a session with several cameras, a camera is also connected to its outputs.
    func addInput(_ id: String) {
        guard let device = device(id) else { return }
        if let camera = cameras.first(where: { $0.device == id }) {
            addCamera(camera, device)
        } else {
            addInput(device)
        }
    }

    func removeInput(_ id: String) {
        guard let input = input(of: id) else { return log.note("the session has no input of \(id)") }
        session.removeInput(input)
    }

    func addOutput(_ kind: Scenario.Session.Output, of camera: String?) {
        let id = OutputID(kind: kind, camera: camera)
        let output = output(id)
        guard session.canAddOutput(output) else { return log.note("cannot add the output \(id)") }
        if cameras.isEmpty {
            session.addOutput(output)
        } else {
            session.addOutputWithNoConnections(output)
            connect(id)
        }
        if kind == .metadata { selectMetadataTypes() }
    }

    func removeOutput(_ kind: Scenario.Session.Output, of camera: String?) {
        let id = OutputID(kind: kind, camera: camera)
        guard let output = createdOutputs[id] else { return log.note("there is no output \(id)") }
        session.removeOutput(output)
    }

    func setPreset(_ value: String) {
        let preset = AVCaptureSession.Preset(rawValue: value)
        guard session.canSetSessionPreset(preset) else {
            return log.note("cannot set the preset \(Scenario.Session.presetName(value))")
        }
        session.sessionPreset = preset
    }

    func setEnabled(_ kind: Scenario.Session.Output, _ isEnabled: Bool, of camera: String?) {
        let id = OutputID(kind: kind, camera: camera)
        guard let output = createdOutputs[id] else { return log.note("there is no output \(id)") }
        for connection in output.connections { connection.isEnabled = isEnabled }
    }

    /// Returns the kind and the camera of an output of the session.
    func id(of output: AVCaptureOutput?) -> OutputID? { createdOutputs.first { $0.value === output }?.key }

    /// Returns the kind of an output of the session.
    func kind(of output: AVCaptureOutput?) -> Scenario.Session.Output? { id(of: output)?.kind }

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

    deinit { for token in notificationTokens { system.notificationCenter.removeObserver(token) } }

    /// Commits open configurations and stops the session.
    func close() {
        for _ in 0..<openConfigurationCount { session.commitConfiguration() }
        session.stopRunning()
    }

    /// Logs the files in the folder with their sizes and checksums, and returns their names.
    func noteFiles() throws -> [String] { try log.noteFiles(in: folder, of: system) }

    /// Rotates the images of an output to be level with the horizon, unless the scenario has set the rotation.
    private func rotateUpright(_ output: AVCaptureOutput) {
        guard id(of: output).map({ !rotatedOutputs.contains($0) }) ?? true,
            let connection = output.connection(with: .video),
            let camera = (connection.inputPorts.first?.input as? AVCaptureDeviceInput)?.device
        else { return }
        connection.videoRotationAngle =
            AVCaptureDevice.RotationCoordinator(device: camera, previewLayer: nil)
            .videoRotationAngleForHorizonLevelCapture
    }

    /// Returns the device with an ID. If there is none, logs this and returns nil.
    func device(_ id: String) -> AVCaptureDevice? {
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

    /// Returns the camera and the microphone of a session with at most one camera.
    private static func devices(_ session: Scenario.Session) throws -> [AVCaptureDevice] {
        var devices: [AVCaptureDevice] = []
        if let id = session.camera {
            devices.append(try camera(withID: id))
        } else if let camera = AVCaptureDevice.default(for: .video) {
            devices.append(camera)
        }
        if session.hasMicrophone, let microphone = AVCaptureDevice.default(for: .audio) { devices.append(microphone) }
        return devices
    }

    /// Returns the camera with an ID.
    ///
    /// - Throws: `SetUpError` if it does not exist.
    static func camera(withID id: String) throws -> AVCaptureDevice {
        let all = AVCaptureDevice.DiscoverySession.everything.devices
        guard let camera = all.first(where: { $0.uniqueID == id }) else {
            throw SetUpError(
                description: "there is no camera \"\(id)\"; "
                    + suggestion(for: id, among: all.filter { $0.hasMediaType(.video) }.map(\.uniqueID)))
        }
        return camera
    }
}
