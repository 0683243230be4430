/// The inputs, outputs and connections of a session, and its preset.
///
/// Invariant: each connection's ports belong to `inputs` and its output to `outputs`; no element occurs twice.
struct SessionConfiguration: Sendable {
    var inputs: [AVCaptureInput] = []
    var outputs: [AVCaptureOutput] = []
    var connections: [AVCaptureConnection] = []
    var preset = AVCaptureSession.Preset.high

    /// Adds an input and, if `connecting` is true, connects it to the outputs.
    mutating func add(_ input: AVCaptureInput, connecting: Bool) {
        inputs.append(input)
        if connecting {
            for output in outputs { connect(output) }
        }
    }

    /// Adds an output and, if `connecting` is true, connects it to the inputs.
    mutating func add(_ output: AVCaptureOutput, connecting: Bool) {
        outputs.append(output)
        if connecting { connect(output) }
    }

    /// Removes an input and its connections.
    mutating func remove(_ input: AVCaptureInput) {
        inputs.removeAll { $0 === input }
        let ports = Set((input as? AVCaptureDeviceInput)?.allPorts ?? input.ports)
        connections.removeAll { !ports.isDisjoint(with: $0.inputPorts) }
    }

    /// Removes an output and its connections.
    mutating func remove(_ output: AVCaptureOutput) {
        outputs.removeAll { $0 === output }
        connections.removeAll { $0.consumer === output }
    }

    /// Connects an output to the first port of each medium that it accepts and has no connection for.
    private mutating func connect(_ output: AVCaptureOutput) {
        for media in output.acceptedMedia {
            let isConnected = connections.contains { $0.consumer === output && $0.mediaType == media }
            guard !isConnected, let port = inputs.lazy.flatMap(\.ports).first(where: { $0.mediaType == media }) else {
                continue
            }
            connections.append(AVCaptureConnection(inputPorts: [port], output: output))
        }
    }

    /// Whether both configurations have the same inputs, outputs, connections and preset.
    func hasSameMembers(as other: SessionConfiguration) -> Bool {
        inputs == other.inputs && outputs == other.outputs && connections == other.connections
            && preset == other.preset
    }

    /// Returns the connections to an output.
    func connections(of output: AVCaptureOutput) -> [AVCaptureConnection] {
        connections.filter { $0.consumer === output }
    }

    /// Returns the outputs that have other connections in this configuration than in `other`; the outputs of both are
    /// compared.
    func outputsWithOtherConnections(than other: SessionConfiguration) -> [AVCaptureOutput] {
        let onlyInOther = other.outputs.filter { !outputs.contains($0) }
        return (outputs + onlyInOther).filter { connections(of: $0) != other.connections(of: $0) }
    }

    /// The preset, inputs and outputs, for the log.
    var logText: String {
        let inputs = inputs.map { ($0 as? AVCaptureDeviceInput)?.device.localizedName ?? "\(type(of: $0))" }
        return "preset \(preset.rawValue), inputs [\(inputs.joined(separator: ", "))], "
            + "outputs [\(outputs.map { "\(type(of: $0))" }.joined(separator: ", "))], \(connections.count) connections"
    }

    /// The inputs that are devices.
    var deviceInputs: [AVCaptureDeviceInput] { inputs.compactMap { $0 as? AVCaptureDeviceInput } }
}
