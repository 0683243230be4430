import CaptureHAL

/// What belongs to a session, as one value.
///
/// Invariant: each connection's ports belong to `inputs` and its output to `outputs`; an input or output is in the
/// list once.
struct SessionConfiguration: Sendable {
    var inputs: [AVCaptureInput] = []
    var outputs: [AVCaptureOutput] = []
    var connections: [AVCaptureConnection] = []
    var preset = AVCaptureSession.Preset.high

    mutating func add(_ input: AVCaptureInput, connecting: Bool) {
        inputs.append(input)
        if connecting {
            for output in outputs { connect(output) }
        }
    }

    mutating func add(_ output: AVCaptureOutput, connecting: Bool) {
        outputs.append(output)
        if connecting { connect(output) }
    }

    mutating func remove(_ input: AVCaptureInput) {
        inputs.removeAll { $0 === input }
        let ports = Set((input as? AVCaptureDeviceInput)?.allPorts ?? input.ports)
        connections.removeAll { !ports.isDisjoint(with: $0.inputPorts) }
    }

    mutating func remove(_ output: AVCaptureOutput) {
        outputs.removeAll { $0 === output }
        connections.removeAll { $0.consumer === output }
    }

    /// Connects the output to the first free port of each medium that it takes and that has no connection to it yet.
    private mutating func connect(_ output: AVCaptureOutput) {
        for media in output.acceptedMedia {
            let isConnected = connections.contains { $0.consumer === output && $0.mediaType == media }
            guard !isConnected, let port = inputs.lazy.flatMap(\.ports).first(where: { $0.mediaType == media }) else {
                continue
            }
            connections.append(AVCaptureConnection(inputPorts: [port], output: output))
        }
    }

    func connections(of output: AVCaptureOutput) -> [AVCaptureConnection] {
        connections.filter { $0.consumer === output }
    }

    /// The outputs, of both, whose connections are not the same in another configuration.
    func outputsConnectedUnlike(_ other: SessionConfiguration) -> [AVCaptureOutput] {
        let added = other.outputs.filter { !outputs.contains($0) }
        return (outputs + added).filter { connections(of: $0) != other.connections(of: $0) }
    }

    var deviceInputs: [AVCaptureDeviceInput] { inputs.compactMap { $0 as? AVCaptureDeviceInput } }

    /// Whether the reason takes away something that is in this configuration.
    func isAffected(by reason: CaptureHAL.InterruptionReason) -> Bool {
        let media = Set(inputs.flatMap(\.ports).map(\.mediaType))
        return switch reason {
        case .audioInUseByAnotherClient: media.contains(.audio)
        case .notAvailableInBackground, .videoInUseByAnotherClient, .notAvailableWithMultipleForegroundApps,
            .notAvailableDueToSystemPressure, .sensitiveContentMitigationActivated:
            media.contains(.video)
        }
    }
}
