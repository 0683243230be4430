public import MediaTypes

/// An audio output of the machine, such as a loudspeaker.
///
/// - Important: Thread-safe.
public protocol Speaker: AnyObject, Sendable {
    /// The name of the output in messages.
    var name: String { get }
    /// Opens the output.
    ///
    /// - Parameters:
    ///   - format: The format of the written samples.
    ///   - bufferFrameCount: The capacity of the device's buffer, in frames.
    /// - Throws: `.busy`, `.disconnected`, `.notPermitted`, `.unsupportedFormat` or `.inputOutput`.
    func open(_ format: AudioStreamFormat, bufferFrameCount: Int) throws(DeviceError) -> any SpeakerStream
}

/// An open audio output.
///
/// - Important: Only one thread at a time may use it.
public protocol SpeakerStream: AnyObject, Sendable {
    /// Returns the number of written frames that are not played yet, including frames in the buffers of a sound server;
    /// nil if the device has played all written frames.
    ///
    /// - Throws: `.disconnected` or `.inputOutput`.
    func queuedFrameCount() throws(DeviceError) -> Int?
    /// Writes interleaved samples without blocking. The device plays them after the queued ones.
    ///
    /// - Returns: The number of frames that the device accepted.
    /// - Throws: `.disconnected` or `.inputOutput`.
    func write(_ samples: [Float]) throws(DeviceError) -> Int
    /// Discards the queued frames, and closes the output. Further calls have no effect.
    func close()
}
