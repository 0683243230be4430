import MediaTypes

/// The streams of an open device: at most one for each medium, until the device is closed.
///
/// It does not retain the streams: a stream that the client has released is neither busy nor stopped.
/// - Important: Thread-safe.
public final class DeviceStreams<Stream: ReplaceableStream>: Sendable {
    private struct State {
        var streams: [DeviceMedia: WeakReference<Stream>] = [:]
        var isClosed = false
    }

    private let device: String
    private let state = Lock(State(), order: .openDevice)

    /// Creates the streams of a device that was opened.
    ///
    /// - Parameter device: The `uniqueID` of the device, for errors.
    public init(device: String) { self.device = device }

    /// Whether the device was closed.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The existing streams that were not replaced, running or stopped.
    public var current: [Stream] { state.withLock { $0.streams.values.compactMap(\.object) } }

    /// Throws `.invalidState` if the device was closed.
    public func checkOpen() throws(DeviceError) {
        if isClosed { throw closedError }
    }

    /// Replaces the stream of a medium, which must be stopped. It is closed before the new one is created, because
    /// hardware has one set of buffers.
    ///
    /// - Parameter create: Creates the new stream.
    /// - Throws: `.busy` if the stream is running, `.invalidState` if the device is closed, or the error of `create`.
    public func replace(
        _ medium: DeviceMedia, create: () throws(DeviceError) -> Stream
    ) throws(DeviceError) -> Stream {
        try retire(medium)?.close()
        let stream = try create()
        do throws(DeviceError) {
            // Another thread may have created a stream or closed the device in the meantime.
            try retire(medium, with: stream)?.close()
        } catch {
            stream.close()
            throw error
        }
        return stream
    }

    /// Closes the device and its streams. Further calls have no effect.
    ///
    /// - Returns: Whether this call closed the device.
    @discardableResult
    public func close() -> Bool {
        let (streams, isFirst) = state.withLock { state in
            defer {
                state.isClosed = true
                state.streams = [:]
            }
            return (state.streams.values.compactMap(\.object), !state.isClosed)
        }
        for stream in streams { stream.close() }
        return isFirst
    }

    /// Removes the stream of a medium, or replaces it with a new one.
    ///
    /// - Returns: The old stream, which can no longer be started.
    private func retire(_ medium: DeviceMedia, with new: Stream? = nil) throws(DeviceError) -> Stream? {
        // A stream that is running is released outside the lock.
        let (old, failure) = state.withLock { state -> (Stream?, DeviceError?) in
            if state.isClosed { return (nil, closedError) }
            let old = state.streams[medium]?.object
            guard old?.lifeCycle.retire() != false else {
                return (
                    old, DeviceError(.busy, device: device, "the device already has a running stream; stop it first")
                )
            }
            state.streams[medium] = new.map(WeakReference.init)
            return (old, nil)
        }
        if let failure { throw failure }
        return old
    }

    private var closedError: DeviceError {
        DeviceError(.invalidState, device: device, "the device was closed; open it again")
    }
}
