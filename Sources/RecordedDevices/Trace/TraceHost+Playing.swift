public import CaptureHAL
public import MediaTypes

/// The configuration of a video stream that a trace can play.
public struct PlayableStream: Sendable, Hashable {
    /// One of the device's formats.
    public var format: StreamFormat
    /// The time from one frame to the next.
    public var frameDuration: CMTime
}

extension TraceHost {
    /// Returns the video streams that were created on a device, in the order of the recording and without duplicates.
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

    /// Whether the trace contains a successful opening of the device. If not, the device is listed but cannot be
    /// opened.
    public func canOpen(_ device: any HardwareDevice) -> Bool {
        guard let device = device as? TraceDevice else { return false }
        return trace.devices[device.number].openings.contains(where: \.isSuccess)
    }
}
