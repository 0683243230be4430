public import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes

/// The ports of a device input, and the streams and formats that they deliver.
extension AVCaptureDeviceInput {
    /// Returns the ports with a media type, source device type and position; nil matches any value.
    ///
    /// The result includes ports for `AVCaptureMultiCamSession` that `ports` does not contain: the ports of a virtual
    /// camera's constituents, each with a separate stream, and the ports of a microphone for the directions `.front`
    /// and `.back`.
    ///
    /// A constituent streams in the format most similar to the virtual camera's active format, at the same frame rate.
    /// All other settings are the settings of the constituent device.
    /// - Parameter sourceDevicePosition: `.unspecified` means any position for cameras, and omnidirectional audio for
    ///   microphones.
    /// - Note: Unlike Apple, microphones do not distinguish directions: all ports deliver the same audio.
    public func ports(
        for mediaType: AVMediaType?, sourceDeviceType: AVCaptureDevice.DeviceType?,
        sourceDevicePosition: AVCaptureDevice.Position
    ) -> [Port] {
        allPorts.filter { port in
            (mediaType.map { $0 == port.mediaType } ?? true)
                && (sourceDeviceType.map { $0 == port.sourceDeviceType } ?? true)
                && (sourceDevicePosition == port.sourceDevicePosition
                    || sourceDevicePosition == .unspecified && port.mediaType != .audio)
        }
    }

    /// The devices that the input can open: `device` and its constituents.
    var sources: [AVCaptureDevice] {
        allPorts.compactMap(\.source).reduce(into: [device]) { sources, source in
            if !sources.contains(source) { sources.append(source) }
        }
    }

    /// Returns the ports that represent a device's streams, one for each medium.
    func streamPorts(of source: AVCaptureDevice) -> [Port] {
        var ports: [Port] = []
        for port in allPorts where port.source === source && port.mediaType == port.streamMedium {
            if !ports.contains(where: { $0.mediaType == port.mediaType }) { ports.append(port) }
        }
        return ports
    }

    /// Returns the ports that deliver the stream of a port, beginning with the port itself.
    func portsFed(by port: Port) -> [Port] {
        [port] + allPorts.filter { $0 !== port && $0.source === port.source && $0.streamMedium == port.mediaType }
    }

    /// Returns the format of a medium: the active format, or the first format of that medium.
    func format(for mediaType: AVMediaType) -> AVCaptureDevice.Format? {
        if mediaType == .depthData { return device.activeDepthDataFormat }
        let active = device.activeFormat
        return active.mediaType == mediaType ? active : device.formats.first { $0.mediaType == mediaType }
    }

    /// Returns the format of the stream that a port delivers; nil if a constituent has no format similar to the active
    /// format.
    func format(of port: Port) -> AVCaptureDevice.Format? {
        guard port.source !== device else { return format(for: port.streamMedium) }
        guard let source = port.source, let active = device.activeFormat.video else { return nil }
        let candidates = source.formats.filter { format in
            guard let video = format.video else { return false }
            return video.size == active.size && video.encoding == active.encoding
                && video.supports(frameDuration: streamFrameDuration)
        }
        return candidates.first { format in
            format.video?.isBinned == active.isBinned && format.video?.frameDurations == active.frameDurations
        } ?? candidates.first
    }
}
