import AVFoundation

/// Why a session was not configured.
public enum SetupError: Error, Equatable {
    case noDevice(AVMediaType)
    case presetNotSupported(AVCaptureSession.Preset)
    case inputNotAccepted
    case outputNotAccepted
    case formatNotFound
}

extension AVCaptureSession {
    /// Sets a preset if the session supports it with its inputs.
    public func usePreset(_ preset: Preset) throws {
        guard canSetSessionPreset(preset) else { throw SetupError.presetNotSupported(preset) }
        sessionPreset = preset
    }

    /// Groups changes. A running session applies them together when the outermost group ends.
    public func configure<Result>(_ changes: () throws -> Result) rethrows -> Result {
        beginConfiguration()
        defer { commitConfiguration() }
        return try changes()
    }
}
