import AVFoundation

extension AVCaptureSession {
    /// Adds an output, if the session accepts it.
    public func deliver(to output: AVCaptureOutput) throws {
        guard canAddOutput(output) else { throw SetupError.outputNotAccepted }
        addOutput(output)
    }
}
