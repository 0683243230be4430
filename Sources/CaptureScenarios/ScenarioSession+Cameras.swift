import AssetTypes
import CaptureCore
import Foundation

// Sessions with several cameras. Each output is connected to one camera.
extension ScenarioSession {
    /// Adds the cameras with their outputs, the microphone, and the outputs of the microphone.
    func addCameras(hasMicrophone: Bool, outputs: [Scenario.Session.Output]) throws {
        if hasMicrophone, let microphone = AVCaptureDevice.default(for: .audio) {
            _ = addUnconnectedInput(microphone)
        }
        for camera in cameras {
            _ = addUnconnectedInput(try Self.camera(withID: camera.device), camera)
        }
        let all =
            cameras.flatMap { camera in camera.outputs.map { OutputID(kind: $0, camera: camera.device) } }
            + outputs.map { OutputID(kind: $0) }
        for id in all {
            session.addOutputWithNoConnections(output(id))
            connect(id)
        }
    }

    /// Adds an input of a camera, sets the format, and connects the input to the camera's outputs.
    func addCamera(_ camera: Scenario.Session.Camera, _ device: AVCaptureDevice) {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        guard addUnconnectedInput(device, camera) else { return }
        // In a fixed order, because the order of `createdOutputs` differs from process to process.
        for kind in Scenario.Session.Output.allCases {
            let id = OutputID(kind: kind, camera: device.uniqueID)
            if let output = createdOutputs[id], session.outputs.contains(output) { connect(id) }
        }
        selectMetadataTypes()
    }

    /// Adds an input without connections, and returns whether it was added.
    ///
    /// - Parameter camera: The format of a camera; nil for a microphone. The format is set before the input is added,
    ///   since the session accepts only formats that support multiple cameras. The frame rate is set after the input is
    ///   added, since adding it resets the frame rate.
    private func addUnconnectedInput(_ device: AVCaptureDevice, _ camera: Scenario.Session.Camera? = nil) -> Bool {
        if let camera, let size = camera.size {
            set(.format(width: size[0], height: size[1], frameRate: camera.frameRate), on: device)
        }
        defer { if let rate = camera?.frameRate { set(.frameRate(rate), on: device) } }
        do {
            let input = try AVCaptureDeviceInput(device: device)
            guard session.canAddInput(input) else {
                log.note("cannot add \(device.uniqueID)")
                return false
            }
            session.addInputWithNoConnections(input)
            return true
        } catch {
            log.note("cannot use \(device.uniqueID): \(describe(error))")
            return false
        }
    }

    /// Connects an output to its camera, and a movie or audio output to the microphone.
    func connect(_ id: OutputID) {
        guard let output = createdOutputs[id] else { return }
        var ports: [AVCaptureInput.Port] = []
        if let camera = id.camera, let input = input(of: camera) {
            let mediaType: AVMediaType =
                switch id.kind {
                case .metadata: .metadataObject
                case .depth: .depthData
                case .video, .audio, .movie, .photo: .video
                }
            ports += input.ports.filter { $0.mediaType == mediaType }
        }
        if id.kind == .movie || id.kind == .audio {
            let microphones = session.inputs.filter { input in
                (input as? AVCaptureDeviceInput)?.device.hasMediaType(.video) == false
            }
            ports += microphones.flatMap(\.ports).filter { $0.mediaType == .audio }.prefix(1)
        }
        for port in ports {
            let connection = AVCaptureConnection(inputPorts: [port], output: output)
            // The connection to the microphone still exists if the camera was removed and added again.
            let isConnected = output.connections.contains { $0.inputPorts.contains(port) }
            guard !isConnected else { continue }
            guard session.canAddConnection(connection) else {
                log.note("cannot add a connection to the output \(id)")
                continue
            }
            session.addConnection(connection)
        }
    }
}
