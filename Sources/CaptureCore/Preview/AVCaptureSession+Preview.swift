extension AVCaptureSession {
    /// Takes a preview layer's end, and connects it to the first camera.
    func add(_ preview: PreviewOutput, connecting: Bool) {
        preview.session = self
        configure { $0.add(preview, connecting: connecting) }
    }

    func remove(_ preview: PreviewOutput) {
        configure { $0.remove(preview) }
        if !has(preview) { detach(preview) }
    }
}
