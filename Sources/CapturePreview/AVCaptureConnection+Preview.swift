public import CaptureCore

extension AVCaptureConnection {
    /// The preview layer; nil for an output, or after the layer was released.
    public var videoPreviewLayer: AVCaptureVideoPreviewLayer? {
        (consumer as? PreviewOutput)?.layer as? AVCaptureVideoPreviewLayer
    }

    /// Creates a connection from a camera's port to a preview layer, to be added to a session.
    public convenience init(inputPort port: AVCaptureInput.Port, videoPreviewLayer layer: AVCaptureVideoPreviewLayer) {
        self.init(inputPorts: [port], output: layer.preview)
    }
}
