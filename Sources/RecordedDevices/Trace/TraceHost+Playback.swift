public import CaptureHAL
public import MediaTypes

/// The configuration of a recorded video stream, which the trace can play back.
public struct PlayableStream: Sendable, Hashable {
    /// One of the device's formats.
    public var format: StreamFormat
    /// The time between consecutive frames.
    public var frameDuration: CMTime
}

extension TraceHost {
    /// Returns the distinct configurations of the device's recorded video streams, in the order of the recording.
    public func playableStreams(of device: any HardwareDevice) -> [PlayableStream] {
        guard let device = device as? TraceDevice else { return [] }
        var streams: [PlayableStream] = []
        for opening in trace.openings where opening.device == device.number {
            for (configuration, result) in opening.streams where result.isSuccess {
                let format = trace.devices[device.number].formats[configuration.format]
                let stream = PlayableStream(format: format, frameDuration: configuration.frameDuration)
                if case .video = format, !streams.contains(stream) { streams.append(stream) }
            }
        }
        return streams
    }

    /// Returns whether the device was opened successfully during the recording. If not, `open()` throws.
    public func canOpen(_ device: any HardwareDevice) -> Bool {
        guard let device = device as? TraceDevice else { return false }
        return trace.devices[device.number].openings.contains(where: \.isSuccess)
    }
}
