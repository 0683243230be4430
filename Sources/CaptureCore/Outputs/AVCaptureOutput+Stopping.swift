import AssetTypes

extension AVError {
    /// Returns the error of a capture that waits for its frame when its connection is disabled.
    ///
    /// - Parameter image: "the photo" or "the image".
    static func connectionWasDisabled(before image: String) -> AVError {
        AVError(.sessionConfigurationChanged, "the connection was disabled before \(image) was captured")
    }
}

extension AVCaptureOutput.StopReason {
    /// Returns the error of a capture that waits for its frame when the media stop.
    ///
    /// - Parameter image: "the photo" or "the image".
    func error(ofCapture image: String) -> AVError {
        switch self {
        case .stopped: AVError(.sessionNotRunning, "the session stopped before \(image) was captured")
        case .reconfigured:
            AVError(.sessionConfigurationChanged, "the session was changed before \(image) was captured")
        case .interrupted:
            AVError(.sessionWasInterrupted, "the session was interrupted before \(image) was captured")
        case .failed(let error): error
        }
    }
}
