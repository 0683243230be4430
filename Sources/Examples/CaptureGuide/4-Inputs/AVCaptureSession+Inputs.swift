import AVFoundation

extension AVCaptureSession {
    /// Adds an input for a device, if the session accepts it.
    @discardableResult
    public func use(_ device: AVCaptureDevice) throws -> AVCaptureDeviceInput {
        let input = try AVCaptureDeviceInput(device: device)
        guard canAddInput(input) else { throw SetupError.inputNotAccepted }
        addInput(input)
        return input
    }

    /// Adds an input for the default device of a media type.
    @discardableResult
    public func useDefaultDevice(for mediaType: AVMediaType) throws -> AVCaptureDeviceInput {
        guard let device = AVCaptureDevice.default(for: mediaType) else { throw SetupError.noDevice(mediaType) }
        return try use(device)
    }
}
