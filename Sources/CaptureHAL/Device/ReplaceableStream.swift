/// A stream that `DeviceStreams` can replace with a new one.
///
/// - Important: Thread-safe.
public protocol ReplaceableStream: DeviceStream {
    /// The life cycle of the stream.
    var lifeCycle: StreamLifeCycle { get }
    /// Stops delivery permanently and releases what the stream uses of the hardware. Further calls have no effect.
    func close()
}

extension ReplaceableStream {
    /// Whether the stream is running.
    public var isRunning: Bool { lifeCycle.isRunning }

    /// Stops delivery permanently.
    public func close() {
        // Another thread may start the stream again after the stop.
        repeat { stop() } while !lifeCycle.retire()
    }
}
