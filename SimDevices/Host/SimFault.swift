public import CaptureHAL
public import MediaTypes

/// Something that goes wrong on a simulated device by script.
public enum SimFault: Sendable, Hashable {
    /// So many frames or chunks are lost; a camera reports each as dropped (`.discontinuity`).
    case dropFrames(count: Int)
    /// Nothing arrives for a while, or for good where the duration is nil; the clock of the frames runs on.
    case stall(duration: CMTime?)
    /// The stream ends by an error; the device stays connected.
    case fail(DeviceError.Code)
    /// Opening is refused as `.busy`, so many times.
    case refuseOpen(count: Int)

    /// When a fault strikes; it strikes once.
    public enum Trigger: Sendable, Hashable {
        /// At this time of the system's clock, or with the first frame after it.
        case time(CMTime)
        /// With this frame of a stream, counted from 0, or the first after it.
        case frame(UInt64)
    }
}
