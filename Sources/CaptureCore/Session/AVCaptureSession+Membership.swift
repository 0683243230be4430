import CaptureHAL
import Foundation

extension AVCaptureSession {
    func add(_ input: AVCaptureInput, connecting: Bool, _ method: String) {
        if let reason = reasonAgainst(adding: input) {
            return system.misuse.report(.invalidArgument, "-[AVCaptureSession \(method)] \(reason)")
        }
        if let input = input as? AVCaptureDeviceInput {
            own(input)
            // A device begins in a session with its defaults.
            input.device.select(input.device.activeFormat)
            input.resetFrameDurationOverride()
        }
        configure { $0.add(input, connecting: connecting) }
    }

    /// Takes an input for this session; its device tells the session of its changes from now on.
    func own(_ input: AVCaptureDeviceInput) {
        input.owner = self
        for device in devices(of: input) { device.join(self) }
    }

    /// The devices of an input that the session may come to use.
    func devices(of input: AVCaptureDeviceInput) -> [AVCaptureDevice] { isMultiCam ? input.sources : [input.device] }

    /// Lets go of an input; its device still tells the session of its changes until the commit.
    func disown(_ input: AVCaptureDeviceInput) {
        if input.owner === self { input.owner = nil }
    }

    func disown(_ output: AVCaptureOutput) {
        if output.session === self { output.session = nil }
    }

    /// Whether an input belongs to the session, be it until the open configuration's commit or from then on.
    func has(_ input: AVCaptureInput) -> Bool {
        state.withLock { $0.configuration.inputs.contains(input) || $0.current.inputs.contains(input) }
    }

    /// Whether an output belongs to the session, be it until the open configuration's commit or from then on.
    func has(_ output: AVCaptureOutput) -> Bool {
        state.withLock { $0.configuration.outputs.contains(output) || $0.current.outputs.contains(output) }
    }

    func add(_ output: AVCaptureOutput, connecting: Bool, _ method: String) {
        if let reason = reasonAgainst(adding: output) {
            return system.misuse.report(.invalidArgument, "-[AVCaptureSession \(method)] \(reason)")
        }
        output.session = self
        configure { $0.add(output, connecting: connecting) }
    }

    /// Why an input cannot be added, nil where it can.
    func reasonAgainst(adding input: AVCaptureInput) -> String? {
        let configuration = state.withLock { $0.current }
        if configuration.inputs.contains(input) {
            return "An AVCaptureInput instance may not be added more than once to a session"
        }
        guard let deviceInput = input as? AVCaptureDeviceInput else { return nil }
        if let session = deviceInput.owner, session !== self {
            return "An AVCaptureInput instance may not be added to more than one session"
        }
        let present = Set(configuration.inputs.flatMap(\.ports).map(\.mediaType))
        let device = deviceInput.device
        if isMultiCam {
            if configuration.deviceInputs.contains(where: { $0.device === device }) {
                return "Can't add \(input) because the session has an input of its device already"
            }
            let cameras = cameras(in: configuration) + (device.hasMediaType(.video) ? [device] : [])
            if cameras.count > 1, let unfit = cameras.first(where: { !$0.activeFormat.isMultiCamSupported }) {
                return
                    "Can't add \(input) because the activeFormat of \(unfit) is not supported in multi-cam sessions - "
                    + "Use -[AVCaptureDeviceFormat isMultiCamSupported]"
            }
        } else if !present.isDisjoint(with: input.ports.map(\.mediaType)) {
            return "Multiple audio/video AVCaptureInputs are not currently supported"
        }
        if device.hasMediaType(.video), configuration.preset != .inputPriority,
            configuration.preset.format(for: device) == nil
        {
            return "Can't add \(input) because the device does not support \(configuration.preset.rawValue) - "
                + "Use -[AVCaptureDevice supportsAVCaptureSessionPreset:]"
        }
        return nil
    }

    /// Why an output cannot be added, nil where it can.
    func reasonAgainst(adding output: AVCaptureOutput) -> String? {
        let present = state.withLock { $0.current.outputs }
        if let session = output.session, session !== self || present.contains(output) {
            return session === self
                ? "An AVCaptureOutput instance may not be added more than once to a session"
                : "An AVCaptureOutput instance may not be added to more than one session"
        }
        // As the header of `canAddOutput:` says: "A maximum of one output of each type", data outputs for video aside.
        let isSingle = !isMultiCam && !output.allowsSeveralPerSession
        if isSingle, present.contains(where: { type(of: $0) == type(of: output) }) {
            return
                "Cannot add output \(output) to capture session \(self) because more than one output of the same type "
                + "is unsupported."
        }
        return nil
    }

    /// Why a connection cannot be added, nil where it can.
    func reasonAgainst(adding connection: AVCaptureConnection) -> String? {
        let configuration = state.withLock { $0.current }
        guard let output = connection.consumer, configuration.outputs.contains(output) else {
            return "the connection's output does not belong to the session"
        }
        let ports = configuration.inputs.flatMap(\.ports)
        let hidden = configuration.deviceInputs.flatMap(\.allPorts).filter { !ports.contains($0) }
        guard !connection.inputPorts.isEmpty, connection.inputPorts.allSatisfy({ (ports + hidden).contains($0) }) else {
            return "the connection's ports do not belong to inputs of the session"
        }
        if connection.inputPorts.contains(where: hidden.contains) {
            guard isMultiCam else {
                return "ports of constituent devices and of single directions need an AVCaptureMultiCamSession"
            }
            if !output.acceptsHiddenPorts {
                return "ports of constituent devices may not be connected to AVCapturePhotoOutput"
            }
        }
        if configuration.connections.contains(connection) { return "the connection belongs to the session already" }
        guard let media = connection.mediaType, output.acceptedMedia.contains(media) else {
            return "the output does not take media of that type"
        }
        if configuration.connections(of: output).contains(where: { $0.mediaType == media }) {
            return "the output has a connection for that medium already"
        }
        return nil
    }
}

extension AVCaptureDevice {
    /// Whether some format of the device serves a preset.
    public func supportsSessionPreset(_ preset: AVCaptureSession.Preset) -> Bool {
        preset == .inputPriority || preset.format(for: self) != nil
    }
}
