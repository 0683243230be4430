extension AVCaptureDevice {
    /// How a recording with Cinematic video focuses on an object.
    public enum CinematicVideoFocusMode: Int, Sendable {
        /// No mode is set, which has the effect of `weak`.
        case none = 0
        /// The object stays in focus until it leaves the frame.
        case strong = 1
        /// The focus follows the most prominent object.
        case weak = 2
    }
}
