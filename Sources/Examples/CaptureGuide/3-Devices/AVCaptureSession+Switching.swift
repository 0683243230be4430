import AVFoundation

extension AVCaptureSession {
    /// Replaces the input of a camera with an input for another camera, while the session runs.
    ///
    /// - Returns: The new input. If an error is thrown, the session keeps the old one.
    public func replace(_ old: AVCaptureDeviceInput, with device: AVCaptureDevice) throws -> AVCaptureDeviceInput {
        let new = try AVCaptureDeviceInput(device: device)
        try configure {
            removeInput(old)
            guard canAddInput(new) else {
                addInput(old)
                throw SetupError.inputNotAccepted
            }
            addInput(new)
        }
        return new
    }
}
