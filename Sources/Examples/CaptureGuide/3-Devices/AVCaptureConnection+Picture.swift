import AVFoundation

extension AVCaptureConnection {
    /// Stabilizes the video if the camera can; it is off by default, because it costs time.
    ///
    /// `activeVideoStabilizationMode` shows whether the active format permits it.
    public func stabilize() {
        guard isVideoStabilizationSupported else { return }
        preferredVideoStabilizationMode = .auto
    }

    /// Rotates the pictures for an orientation of the machine.
    public func orient(_ orientation: AVCaptureVideoOrientation) {
        guard isVideoOrientationSupported else { return }
        videoOrientation = orientation
    }
}
