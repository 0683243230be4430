import CaptureHAL
import Foundation
public import MediaAssets
import MediaTypes

/// Which ports there are, and what comes out of each.
extension AVCaptureDeviceInput {
    /// The ports of one medium from such a device, also some that `ports` leaves out, for `AVCaptureMultiCamSession`:
    /// those of a virtual camera's constituents, each with a stream of its own, and those of a microphone for the
    /// directions `.front` and `.back`.
    ///
    /// A constituent streams in the format that is most like the virtual camera's active one, at its frame rate; its
    /// other settings are its own device's.
    /// - Parameter sourceDevicePosition: `.unspecified` means any for cameras, and sound from all around for microphones.
    /// - Note: Unlike Apple's, microphones here do not tell directions apart: the same sound comes out of all ports.
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

    /// The devices that the input can open: its own and those of which that is made.
    var sources: [AVCaptureDevice] {
        allPorts.map(\.source).reduce(into: [device]) { sources, source in
            if !sources.contains(source) { sources.append(source) }
        }
    }

    /// The ports that a device's streams are named for, one for each medium.
    func streamPorts(of source: AVCaptureDevice) -> [Port] {
        var ports: [Port] = []
        for port in allPorts where port.source === source && port.mediaType == port.streamMedium {
            if !ports.contains(where: { $0.mediaType == port.mediaType }) { ports.append(port) }
        }
        return ports
    }

    /// The ports out of which the stream of a port comes, itself the first.
    func portsFed(by port: Port) -> [Port] {
        [port] + allPorts.filter { $0 !== port && $0.source === port.source && $0.streamMedium == port.mediaType }
    }

    /// The format in which a medium comes: the active one, or the first of that medium.
    func format(for mediaType: AVMediaType) -> AVCaptureDevice.Format? {
        if mediaType == .depthData { return device.activeDepthDataFormat }
        let active = device.activeFormat
        return active.mediaType == mediaType ? active : device.formats.first { $0.mediaType == mediaType }
    }

    /// The format of the stream that comes out of a port; nil where a constituent has none like the active one.
    func format(of port: Port) -> AVCaptureDevice.Format? {
        guard port.source !== device else { return format(for: port.streamMedium) }
        guard let active = device.activeFormat.video else { return nil }
        let alike = port.source.formats.filter { format in
            guard let video = format.video else { return false }
            return video.dimensions == active.dimensions && video.encoding == active.encoding
                && video.supports(frameDuration: streamFrameDuration)
        }
        return alike.first { format in
            format.video?.isBinned == active.isBinned && format.video?.frameDurations == active.frameDurations
        } ?? alike.first
    }
}
