public import CaptureHAL
public import MediaTypes

/// A stream of pictures that a trace can play: no other is in it.
public struct PlayableStream: Sendable, Hashable {
    /// One of the device's formats.
    public var format: StreamFormat
    public var frameDuration: CMTime
}

extension TraceHost {
    /// The streams of pictures that were made of a device, in the order of the recording, each once.
    public func playableStreams(of device: any HardwareDevice) -> [PlayableStream] {
        guard let device = device as? TraceDevice else { return [] }
        var streams: [PlayableStream] = []
        for opening in trace.openings where opening.device == device.number {
            for (configuration, answer) in opening.streams where answer.isSuccess {
                let format = trace.devices[device.number].formats[configuration.format]
                let stream = PlayableStream(format: format, frameDuration: configuration.frameDuration)
                if case .video = format, !streams.contains(stream) { streams.append(stream) }
            }
        }
        return streams
    }

    /// Whether the trace has an opening of the device that worked; else it is in the list and no more.
    public func canOpen(_ device: any HardwareDevice) -> Bool {
        guard let device = device as? TraceDevice else { return false }
        return trace.devices[device.number].openings.contains(where: \.isSuccess)
    }
}
