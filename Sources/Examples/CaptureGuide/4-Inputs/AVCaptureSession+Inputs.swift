import AVFoundation

extension AVCaptureSession {
    /// Adds an input for a device.
    ///
    /// - Throws: `SetupError.inputNotAccepted`, or the error of the input, for example if access is denied.
    @discardableResult
    public func addInput(for device: AVCaptureDevice) throws -> AVCaptureDeviceInput {
        let input = try AVCaptureDeviceInput(device: device)
        guard canAddInput(input) else { throw SetupError.inputNotAccepted }
        addInput(input)
        return input
    }

    /// Adds an input for the default device of a media type.
    @discardableResult
    public func addInput(forDefaultDeviceOf mediaType: AVMediaType) throws -> AVCaptureDeviceInput {
        guard let device = AVCaptureDevice.default(for: mediaType) else { throw SetupError.noDevice(mediaType) }
        return try addInput(for: device)
    }
}
