import CaptureHAL

/// What a simulated device's host asks of it while it is open.
protocol SimOpenDevice: AnyObject, Sendable {
    /// Ends its stream by an error.
    func fail(_ error: DeviceError)
    /// Does what the device's heat asks of its controls.
    func heatChanged()
}

extension SimOpenDevice {
    func heatChanged() {}
}

/// The one stream that an open device may have at a time; one that is stopped gives way to a new one.
struct OpenStream {
    private(set) weak var stream: SimStream?
    private(set) var isClosed = false

    /// Takes the stream.
    ///
    /// - Parameter kind: Of the device, as in "camera".
    /// - Throws: `.busy` where there is one that runs.
    mutating func adopt(_ new: SimStream, of kind: String, _ deviceID: String) throws(DeviceError) {
        guard !(stream?.isRunning ?? false), !isClosed else {
            throw DeviceError(.busy, device: deviceID, "the \(kind) has a stream already; let go of it first")
        }
        stream?.retire()
        stream = new
    }

    /// Closes; returns the stream to stop and whether this was the first call.
    mutating func close() -> (stream: SimStream?, isFirst: Bool) {
        defer { isClosed = true }
        return (stream, !isClosed)
    }
}
