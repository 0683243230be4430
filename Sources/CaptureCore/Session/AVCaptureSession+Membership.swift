import AssetTypes
import CaptureHAL
import Foundation

// Inputs and outputs of a session: `SessionAdmission` decides which ones it accepts.
extension AVCaptureSession {
    /// Adds an input if the session accepts it; otherwise reports misuse.
    func add(_ input: AVCaptureInput, connecting: Bool, _ method: String) {
        // Another thread, or an observer of the device, can change the session after the check.
        while true {
            let checked = currentConfiguration
            if let reason = rejectionReason(for: input, in: checked) {
                withdraw(input)
                return system.misuse.report(.invalidArgument, "-[AVCaptureSession \(method)] \(reason)")
            }
            guard attach(input) else { continue }
            if let input = input as? AVCaptureDeviceInput {
                // Adding a device to a session restores its defaults.
                input.device.select(input.device.activeFormat)
                input.resetFrameDurationOverride()
            }
            if configure(ifUnchangedSince: checked, { $0.add(input, connecting: connecting) }) { return }
        }
    }

    /// Adds an output if the session accepts it; otherwise reports misuse.
    func add(_ output: AVCaptureOutput, connecting: Bool, _ method: String) {
        while true {
            let checked = currentConfiguration
            if let reason = rejectionReason(for: output, in: checked) {
                if !has(output) { detach(output) }
                return system.misuse.report(.invalidArgument, "-[AVCaptureSession \(method)] \(reason)")
            }
            guard output.join(self) else { continue }
            if configure(ifUnchangedSince: checked, { $0.add(output, connecting: connecting) }) { return }
        }
    }

    /// The configuration that clients read.
    private var currentConfiguration: SessionConfiguration { state.withLock { $0.current } }

    /// Changes the configuration unless it has changed since it was checked.
    ///
    /// - Returns: Whether it was changed.
    func configure(
        ifUnchangedSince checked: SessionConfiguration, _ change: (inout SessionConfiguration) -> Void
    ) -> Bool {
        var isUnchanged = false
        configure { configuration in
            isUnchanged = configuration.hasSameMembers(as: checked)
            if isUnchanged { change(&configuration) }
        }
        return isUnchanged
    }

    /// Attaches an input to this session. The input's device then reports its changes to this session.
    ///
    /// - Returns: Whether the input belongs to no other session.
    @discardableResult
    func attach(_ input: AVCaptureInput) -> Bool {
        guard input.join(self) else { return false }
        guard let input = input as? AVCaptureDeviceInput else { return true }
        for device in devices(of: input) { device.addSession(self) }
        return true
    }

    /// Returns the devices of an input that the session can use.
    func devices(of input: AVCaptureDeviceInput) -> [AVCaptureDevice] { isMultiCam ? input.sources : [input.device] }

    /// Detaches an input that was attached, but is rejected.
    private func withdraw(_ input: AVCaptureInput) {
        guard input.session === self, !has(input) else { return }
        detach(input)
        guard let input = input as? AVCaptureDeviceInput else { return }
        let kept = state.withLock { $0.configuration.deviceInputs + $0.current.deviceInputs }.flatMap(devices(of:))
        for device in devices(of: input) where !kept.contains(device) { device.removeSession(self) }
    }

    /// Detaches an input, which other sessions can then add. Its device reports changes to this session until the
    /// commit.
    func detach(_ input: AVCaptureInput) {
        input.leave(self)
    }

    /// Detaches an output, which other sessions can then add.
    func detach(_ output: AVCaptureOutput) {
        output.leave(self)
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

    private var admission: SessionAdmission {
        SessionAdmission(isMultiCam: isMultiCam, multiCamera: system.machine.multiCamera)
    }

    private func membership(_ session: AVCaptureSession?) -> SessionAdmission.Membership {
        session.map { $0 === self ? .sameSession : .otherSession } ?? .none
    }

    /// Returns the reason why an input cannot be added to the current configuration; nil if it can.
    func rejectionReason(for input: AVCaptureInput) -> String? {
        rejectionReason(for: input, in: currentConfiguration)
    }

    private func rejectionReason(for input: AVCaptureInput, in configuration: SessionConfiguration) -> String? {
        if let message = system.reference.rejectionReason(
            joining: "the input\((input as? AVCaptureDeviceInput).map { " of \($0.device)" } ?? "")", of: input.system,
            to: "the session")
        {
            return message
        }
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
        case .camerasNotSupportedTogether:
            return "Can't add \(input) because the hardware cannot run its camera together with those of the session - "
                + "Use -[AVCaptureDeviceDiscoverySession supportedMultiCamDeviceSets]"
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

    /// Returns the reason why an output cannot be added to the current configuration; nil if it can.
    func rejectionReason(for output: AVCaptureOutput) -> String? {
        rejectionReason(for: output, in: currentConfiguration)
    }

    private func rejectionReason(for output: AVCaptureOutput, in configuration: SessionConfiguration) -> String? {
        if let message = rejectionReason(forSystemOf: output) { return message }
        let outputs = configuration.outputs
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

    /// Adds a connection if the session accepts it; otherwise reports misuse.
    func add(_ connection: AVCaptureConnection, _ method: String) {
        while true {
            let checked = currentConfiguration
            if let reason = rejectionReason(for: connection, in: checked) {
                return system.misuse.report(.invalidArgument, "-[AVCaptureSession \(method)] \(reason)")
            }
            if configure(ifUnchangedSince: checked, { $0.connections.append(connection) }) { return }
        }
    }

    /// Returns the reason why a connection cannot be added to the current configuration; nil if it can.
    func rejectionReason(for connection: AVCaptureConnection) -> String? {
        rejectionReason(for: connection, in: currentConfiguration)
    }

    private func rejectionReason(
        for connection: AVCaptureConnection, in configuration: SessionConfiguration
    ) -> String? {
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
            media: Set(input.ports.map(\.mediaType)), device: ObjectIdentifier(device), deviceID: device.uniqueID,
            isCamera: isCamera,
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
