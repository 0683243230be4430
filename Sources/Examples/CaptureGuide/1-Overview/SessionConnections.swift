import AVFoundation

/// The connections of a session. Each one transfers the media of an input to one output or preview layer.
public struct SessionConnections {
    public let session: AVCaptureSession

    /// Creates the list of a session's connections.
    public init(of session: AVCaptureSession) { self.session = session }

    /// One line for each connection, such as `vide: Back Camera -> AVCaptureMovieFileOutput`.
    public var lines: [String] {
        session.connections.map { connection in
            let port = connection.inputPorts.first
            let device = (port?.input as? AVCaptureDeviceInput)?.device
            let target = connection.output.map { "\(type(of: $0))" } ?? "preview layer"
            return "\(port?.mediaType.rawValue ?? "none"): \(device?.localizedName ?? "unknown") -> \(target)"
        }
    }

    /// Enables or disables the connection of a media type to an output. The session and its other connections
    /// continue.
    public func setEnabled(_ isEnabled: Bool, _ mediaType: AVMediaType, to output: AVCaptureOutput) {
        output.connection(with: mediaType)?.isEnabled = isEnabled
    }
}
