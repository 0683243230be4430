extension AVCaptureSession {
    /// Adds the output of a preview layer and, if requested, connects it to the first camera.
    package func add(_ preview: PreviewOutput, connecting: Bool) {
        preview.join(self)
        configure { $0.add(preview, connecting: connecting) }
    }

    /// Removes the output of a preview layer.
    package func remove(_ preview: PreviewOutput) {
        configure { $0.remove(preview) }
        if !has(preview) { detach(preview) }
    }
}
