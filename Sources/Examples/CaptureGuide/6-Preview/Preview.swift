import AVFoundation

/// Shows a session's camera in a layer.
public struct Preview {
    public let layer: AVCaptureVideoPreviewLayer

    /// Adds a preview that fills a layer. The preview layer retains the session; the session needs no output for it.
    public init(of session: AVCaptureSession, on container: CALayer) {
        layer = AVCaptureVideoPreviewLayer(session: session)
        layer.frame = container.bounds
        container.addSublayer(layer)
    }

    /// Sets whether the video is letterboxed, cropped or stretched to the size of the layer.
    public func setGravity(_ gravity: AVLayerVideoGravity) { layer.videoGravity = gravity }

    /// Sets whether the preview is mirrored; nil selects automatic mirroring, which mirrors front cameras.
    public func setMirrored(_ isMirrored: Bool?) {
        guard let connection = layer.connection, connection.isVideoMirroringSupported else { return }
        connection.automaticallyAdjustsVideoMirroring = isMirrored == nil
        if let isMirrored { connection.isVideoMirrored = isMirrored }
    }

    /// Focuses and exposes for the content at a point of the layer, with any orientation, gravity and mirroring.
    public func focus(at pointInLayer: CGPoint) throws {
        guard let input = layer.connection?.inputPorts.first?.input as? AVCaptureDeviceInput else { return }
        let point = layer.captureDevicePointConverted(fromLayerPoint: pointInLayer)
        let settings = FocusAndExposure(of: input.device)
        try settings.focus(at: point)
        try settings.expose(at: point)
    }
}
