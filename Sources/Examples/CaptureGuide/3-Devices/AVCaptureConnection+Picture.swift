import AVFoundation

extension AVCaptureConnection {
    /// Turns on video stabilization if the connection supports it. It is off by default, because it can add latency.
    ///
    /// `activeVideoStabilizationMode` shows whether the active format permits it.
    public func stabilize() {
        guard isVideoStabilizationSupported else { return }
        preferredVideoStabilizationMode = .auto
    }

    /// Sets the orientation of the video if the connection supports it.
    public func orient(_ orientation: AVCaptureVideoOrientation) {
        guard isVideoOrientationSupported else { return }
        videoOrientation = orientation
    }
}
