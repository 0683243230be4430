import CaptureHAL
import Foundation

// Inputs and outputs of a session: `SessionAdmission` decides which ones it accepts.
extension AVCaptureSession {
    /// Adds an input if the session accepts it; otherwise reports misuse.
    func add(_ input: AVCaptureInput, connecting: Bool, _ method: String) {
        if let reason = rejectionReason(for: input) {
            return system.misuse.report(.invalidArgument, "-[AVCaptureSession \(method)] \(reason)")
        }
        attach(input)
        if let input = input as? AVCaptureDeviceInput {
            // Adding a device to a session restores its defaults.
            input.device.select(input.device.activeFormat)
            input.resetFrameDurationOverride()
        }
        configure { $0.add(input, connecting: connecting) }
    }

    /// Adds an output if the session accepts it; otherwise reports misuse.
    func add(_ output: AVCaptureOutput, connecting: Bool, _ method: String) {
        if let reason = rejectionReason(for: output) {
            return system.misuse.report(.invalidArgument, "-[AVCaptureSession \(method)] \(reason)")
        }
        output.session = self
        configure { $0.add(output, connecting: connecting) }
    }

    /// Attaches an input to this session. The input's device then reports its changes to this session.
    func attach(_ input: AVCaptureInput) {
        input.session = self
        guard let input = input as? AVCaptureDeviceInput else { return }
        for device in devices(of: input) { device.addSession(self) }
    }

    /// Returns the devices of an input that the session can use.
    func devices(of input: AVCaptureDeviceInput) -> [AVCaptureDevice] { isMultiCam ? input.sources : [input.device] }

    /// Detaches an input, which other sessions can then add. Its device reports changes to this session until the
    /// commit.
    func detach(_ input: AVCaptureInput) {
        if input.session === self { input.session = nil }
    }

    /// Detaches an output, which other sessions can then add.
    func detach(_ output: AVCaptureOutput) {
        if output.session === self { output.session = nil }
    }

    /// Whether an input belongs to the active configuration or to the one that clients read.
    func has(_ input: AVCaptureInput) -> Bool {
        state.withLock { $0.configuration.inputs.contains(input) || $0.current.inputs.contains(input) }
    }

    /// Whether an output belongs to the active configuration or to the one that clients read.
    func has(_ output: AVCaptureOutput) -> Bool {
        state.withLock { $0.configuration.outputs.contains(output) || $0.current.outputs.contains(output) }
    }

    // MARK: Admission

    private var admission: SessionAdmission { SessionAdmission(isMultiCam: isMultiCam) }

    private func membership(_ session: AVCaptureSession?) -> SessionAdmission.Membership {
        session.map { $0 === self ? .sameSession : .otherSession } ?? .none
    }

    /// Returns the reason why an input cannot be added; nil if it can.
    func rejectionReason(for input: AVCaptureInput) -> String? {
        if let message = system.reference.rejectionReason(
            joining: "the input\((input as? AVCaptureDeviceInput).map { " of \($0.device)" } ?? "")", of: input.system,
            to: "the session")
        {
            return message
        }
        let configuration = state.withLock { $0.current }
        let isPresent = configuration.inputs.contains(input)
        guard let deviceInput = input as? AVCaptureDeviceInput else {
            if isPresent { return message(.alreadyAdded, for: input, configuration) }
            return membership(input.session) == .otherSession
                ? message(.inOtherSession, for: input, configuration) : nil
        }
        let rejection = admission.rejection(
            of: SessionAdmission.Input(deviceInput, configuration.preset), membership(deviceInput.session),
            isPresent: isPresent,
            beside: configuration.deviceInputs.map { SessionAdmission.Input($0, configuration.preset) })
        return rejection.map { message($0, for: input, configuration) }
    }

    private func message(
        _ rejection: SessionAdmission.InputRejection, for input: AVCaptureInput, _ configuration: SessionConfiguration
    ) -> String {
        switch rejection {
        case .alreadyAdded: return "An AVCaptureInput instance may not be added more than once to a session"
        case .inOtherSession: return "An AVCaptureInput instance may not be added to more than one session"
        case .deviceAlreadyAdded:
            return "Can't add \(input) because the session has an input of its device already"
        case .formatNotMultiCamSupported(let camera):
            let inputs = configuration.deviceInputs + [input].compactMap { $0 as? AVCaptureDeviceInput }
            let name = inputs.map(\.device).first { ObjectIdentifier($0) == camera }?.description ?? "a camera"
            return "Can't add \(input) because the activeFormat of \(name) is not supported in multi-cam sessions - "
                + "Use -[AVCaptureDeviceFormat isMultiCamSupported]"
        case .mediumAlreadyPresent: return "Multiple audio/video AVCaptureInputs are not currently supported"
        case .presetUnsupported:
            return "Can't add \(input) because the device does not support \(configuration.preset.rawValue) - "
                + "Use -[AVCaptureDevice supportsAVCaptureSessionPreset:]"
        }
    }

    /// Returns the reason why an output cannot be added if it belongs to another system; nil otherwise.
    private func rejectionReason(forSystemOf output: AVCaptureOutput) -> String? {
        let kind = output.isVisibleToClients ? "\(type(of: output))" : "AVCaptureVideoPreviewLayer"
        return system.reference.rejectionReason(
            joining: "the \(kind)", of: output.system.reference, to: "the session")
    }

    /// Returns the reason why an output cannot be added; nil if it can.
    func rejectionReason(for output: AVCaptureOutput) -> String? {
        if let message = rejectionReason(forSystemOf: output) { return message }
        let outputs = state.withLock { $0.current.outputs }
        let rejection = admission.rejection(
            of: SessionAdmission.Output(
                type: ObjectIdentifier(type(of: output)), allowsSeveral: output.allowsSeveralPerSession,
                incompatibleType: output.incompatibleOutput.map { ObjectIdentifier($0) }),
            membership(output.session), isPresent: outputs.contains(output),
            beside: outputs.map { ObjectIdentifier(type(of: $0)) })
        return switch rejection {
        case nil: nil
        case .alreadyAdded: "An AVCaptureOutput instance may not be added more than once to a session"
        case .inOtherSession: "An AVCaptureOutput instance may not be added to more than one session"
        case .typeAlreadyPresent:
            "Cannot add output \(output) to capture session \(self) because more than one output of the same type is "
                + "unsupported."
        case .incompatibleTypePresent:
            "Cannot add output \(output) to capture session \(self) because AVCaptureStillImageOutput and "
                + "AVCapturePhotoOutput may not both be added to a session"
        }
    }

    /// Returns the reason why a connection cannot be added; nil if it can.
    func rejectionReason(for connection: AVCaptureConnection) -> String? {
        if let consumer = connection.consumer, let message = rejectionReason(forSystemOf: consumer) { return message }
        for port in connection.inputPorts {
            guard let owner = port.source?.environment.system ?? port.ownerIfAlive?.system else { continue }
            let source = port.source?.description ?? "an AVCaptureMetadataInput"
            if let message = system.reference.rejectionReason(
                joining: "the port of \(source)", of: owner, to: "the session")
            {
                return message
            }
        }
        let configuration = state.withLock { $0.current }
        return switch admission.rejection(of: SessionAdmission.Connection(connection, in: configuration)) {
        case nil: nil
        case .foreignOutput: "the connection's output does not belong to the session"
        case .foreignPorts: "the connection's ports do not belong to inputs of the session"
        case .hiddenPortNeedsMultiCam:
            "ports of constituent devices and of single directions need an AVCaptureMultiCamSession"
        case .hiddenPortToPhotoOutput: "ports of constituent devices may not be connected to AVCapturePhotoOutput"
        case .alreadyAdded: "the connection belongs to the session already"
        case .mediumNotAccepted: "the output does not accept media of that type"
        case .mediumAlreadyConnected: "the output has a connection for that medium already"
        }
    }
}

extension SessionAdmission.Input {
    fileprivate init(_ input: AVCaptureDeviceInput, _ preset: AVCaptureSession.Preset) {
        let device = input.device
        let isCamera = device.hasMediaType(.video)
        self.init(
            media: Set(input.ports.map(\.mediaType)), device: ObjectIdentifier(device), isCamera: isCamera,
            isFormatMultiCamSupported: isCamera && device.activeFormat.isMultiCamSupported,
            supportsPreset: device.supportsSessionPreset(preset))
    }
}

extension SessionAdmission.Connection {
    fileprivate init(_ connection: AVCaptureConnection, in configuration: SessionConfiguration) {
        let output = connection.consumer
        let listed = configuration.inputs.flatMap(\.ports)
        let hidden = configuration.deviceInputs.flatMap(\.allPorts).filter { !listed.contains($0) }
        let ports = connection.inputPorts
        let media = connection.mediaType
        self.init(
            hasOutput: output.map(configuration.outputs.contains) ?? false,
            hasPorts: !ports.isEmpty && ports.allSatisfy { listed.contains($0) || hidden.contains($0) },
            usesHiddenPort: ports.contains(where: hidden.contains),
            isToPhotoOutput: output.map { !$0.acceptsHiddenPorts } ?? false,
            isPresent: configuration.connections.contains(connection),
            isAccepted: media.map { output?.acceptedMedia.contains($0) ?? false } ?? false,
            isMediumConnected: output.map { output in
                configuration.connections(of: output).contains { $0.mediaType == media }
            } ?? false)
    }
}

extension AVCaptureDevice {
    /// Whether the device has a format for a preset.
    public func supportsSessionPreset(_ preset: AVCaptureSession.Preset) -> Bool {
        preset == .inputPriority || preset.format(for: self) != nil
    }
}
