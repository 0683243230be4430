import AVFoundation

extension AVCaptureSession {
    /// Adds an output, if the session accepts it.
    public func add(_ output: AVCaptureOutput) throws {
        guard canAddOutput(output) else { throw SetupError.outputNotAccepted }
        addOutput(output)
    }
}
