import CaptureHAL

/// An opened simulated device.
protocol SimOpenDevice: AnyObject, Sendable {
    /// Ends the device's stream, if it is running, with an error.
    func fail(_ error: DeviceError)
    /// Adjusts the device's controls after a change of its thermal state.
    func thermalStateChanged()
}

extension SimOpenDevice {
    func thermalStateChanged() {}
}

/// The only stream of an opened device. A new stream replaces a stopped one.
struct StreamSlot {
    private(set) weak var stream: SimStream?
    private(set) var isClosed = false

    /// Stores a new stream.
    ///
    /// - Parameter kind: The kind of device for the error message, such as "camera".
    /// - Throws: `.busy` if the current stream is running or the slot is closed.
    mutating func replace(with new: SimStream, of kind: String, _ deviceID: String) throws(DeviceError) {
        guard !(stream?.isRunning ?? false), !isClosed else {
            throw DeviceError(.busy, device: deviceID, "the \(kind) already has a running stream; stop it first")
        }
        stream?.retire()
        stream = new
    }

    /// Closes the slot; returns the stream to stop, and whether this was the first call.
    mutating func close() -> (stream: SimStream?, isFirst: Bool) {
        defer { isClosed = true }
        return (stream, !isClosed)
    }
}
