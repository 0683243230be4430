import AVFoundation

/// Shows a session's camera in a layer.
public struct Preview {
    public let layer: AVCaptureVideoPreviewLayer

    /// Shows the session on a layer, in its whole area. The preview keeps the session and needs no output.
    public init(of session: AVCaptureSession, on container: CALayer) {
        layer = AVCaptureVideoPreviewLayer(session: session)
        layer.frame = container.bounds
        container.addSublayer(layer)
    }

    /// Whether the whole picture is shown with bars, fills the layer cut off, or fills it distorted.
    public func setGravity(_ gravity: AVLayerVideoGravity) { layer.videoGravity = gravity }

    /// Mirrors the preview or not; nil lets the system decide, which mirrors front cameras.
    public func setMirrored(_ isMirrored: Bool?) {
        guard let connection = layer.connection, connection.isVideoMirroringSupported else { return }
        connection.automaticallyAdjustsVideoMirroring = isMirrored == nil
        if let isMirrored { connection.isVideoMirrored = isMirrored }
    }

    /// Focuses and exposes for what is visible at a point of the layer, in any orientation, gravity and mirroring.
    public func focus(at pointInLayer: CGPoint) throws {
        guard let input = layer.connection?.inputPorts.first?.input as? AVCaptureDeviceInput else { return }
        let point = layer.captureDevicePointConverted(fromLayerPoint: pointInLayer)
        let settings = FocusAndExposure(of: input.device)
        try settings.focus(at: point)
        try settings.expose(at: point)
    }
}
