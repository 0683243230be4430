import CaptureHAL

/// The state of an opened device with at most one stream. A new stream replaces a stopped one.
struct StreamSlot {
    /// The current stream; nil before the first one and after its release.
    private(set) weak var stream: SimStream?
    /// Whether the device is closed.
    private(set) var isClosed = false

    /// Replaces the current stream.
    ///
    /// - Parameter deviceKind: The kind of device for the error message, such as "camera".
    /// - Throws: `.busy` if the current stream is running or the slot is closed.
    mutating func replace(with new: SimStream, deviceKind: String, deviceID: String) throws(DeviceError) {
        guard !(stream?.isRunning ?? false), !isClosed else {
            throw DeviceError(.busy, device: deviceID, "the \(deviceKind) already has a running stream; stop it first")
        }
        stream?.retire()
        stream = new
    }

    /// Closes the slot; returns the stream to stop, and whether the slot was open.
    mutating func close() -> (stream: SimStream?, wasOpen: Bool) {
        defer { isClosed = true }
        return (stream, !isClosed)
    }
}
