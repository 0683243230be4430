import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes

/// A session that supports several cameras or microphones at the same time.
///
/// Its preset is always `inputPriority`: clients select the format of each camera. With several cameras, the formats
/// must support it (`isMultiCamSupported`). A camera does not stream if all its connections or ports are disabled.
/// - Important: Thread-safe.
public final class AVCaptureMultiCamSession: AVCaptureSession, @unchecked Sendable {
    // SAFETY: the class adds no state.

    /// Whether the machine can run several cameras, and at least two with formats that support it are connected.
    public class var isMultiCamSupported: Bool {
        DeviceRegistry.current.devices(for: .video).filter(\.supportsMultiCam).count >= 2
    }

    public override init() {
        super.init()
        state.withLock { $0.transaction.change { $0.preset = .inputPriority } }
        notifyConfiguration()
    }

    /// The share of the machine's capacity that the configuration uses; the session cannot start above 1.
    ///
    /// - Note: Unlike Apple, a cost of 1 is the pixel rate that the machine's profile states, by default that of two
    ///   cameras with 1920x1080 at 60 frames per second. Each camera counts with the maximum pixel rate of its format,
    ///   binned formats with half of it. Can be observed.
    public override var hardwareCost: Float {
        observedProperties.access()
        return cost(\.maximumPixelRate, of: system.machine.multiCamera.peak)
    }

    /// The share of the machine's sustained capacity, which its profile states, that the configuration uses at the
    /// current frame rates. Can be observed.
    public var systemPressureCost: Float {
        observedProperties.access()
        return sustainedCost
    }

    override var sustainedCost: Float { cost(\.currentPixelRate, of: system.machine.multiCamera.sustained) }

    override var isMultiCam: Bool { true }

    /// Returns the share of a capacity; see `MultiCameraCapacity`.
    private func cost(_ rate: (AVCaptureDeviceInput) -> Double, of capacity: Double) -> Float {
        let configuration = state.withLock { $0.current }
        let cameras = configuration.deviceInputs.filter { $0.device.hasMediaType(.video) }
        // Each constituent with connections has its own stream at the frame rate of the virtual camera.
        let pixelRate = cameras.reduce(0) { sum, input in
            let streams = Set(
                configuration.connections.flatMap(\.inputPorts).filter(input.allPorts.contains).compactMap(\.source))
            return sum + rate(input) * Double(max(1, streams.count))
        }
        return AVCaptureSession.cost(ofPixelRate: pixelRate, capacity: capacity)
    }
}

extension AVCaptureSession {
    /// Returns the share of a capacity that a pixel rate uses. A machine that cannot run several cameras has the
    /// capacity of one.
    static func cost(ofPixelRate rate: Double, capacity: Double) -> Float {
        Float(rate / (max(1, capacity) * 1920 * 1080 * 60))
    }
}

extension AVCaptureDeviceInput {
    /// The pixels per second at the format's maximum frame rate, or at the input's limit.
    var maximumPixelRate: Double {
        guard let video = device.activeFormat.video else { return 0 }
        let shortest = video.frameDurations.map(\.minimum.seconds).min() ?? 1
        let limit = videoMinFrameDurationOverride
        return video.pixelRate(frameSeconds: limit.isNumeric ? max(shortest, limit.seconds) : shortest)
    }

    /// The pixels per second at the current frame rate.
    var currentPixelRate: Double {
        device.activeFormat.video?.pixelRate(frameSeconds: streamFrameDuration.seconds) ?? 0
    }
}

extension VideoStreamFormat {
    fileprivate func pixelRate(frameSeconds seconds: Double) -> Double {
        guard seconds > 0 else { return 0 }
        let pixels = Double(dimensions.width) * Double(dimensions.height)
        return pixels / seconds * (isBinned ? 0.5 : 1)
    }
}

extension AVCaptureDevice.Format {
    /// Whether several cameras can run in this format: on a machine that can run several cameras, up to 1920x1440
    /// pixels, and binned or at most 60 frames per second.
    public var isMultiCamSupported: Bool {
        guard device.map({ $0.environment.multiCamera.peak > 0 }) ?? true, let video,
            Int(video.dimensions.width) * Int(video.dimensions.height) <= 1920 * 1440
        else { return false }
        let shortest = video.frameDurations.map(\.minimum).min() ?? .zero
        return video.isBinned || shortest >= CMTime(value: 1, timescale: 60)
    }
}

extension AVCaptureDevice {
    /// Whether the device is a camera that can run together with others.
    fileprivate var supportsMultiCam: Bool {
        hasMediaType(.video) && formats.contains(where: \.isMultiCamSupported)
    }
}

extension AVCaptureDevice.DiscoverySession {
    /// The sets of two or more cameras in `devices` that an `AVCaptureMultiCamSession` can run together.
    public var supportedMultiCamDeviceSets: [Set<AVCaptureDevice>] {
        let cameras = devices.filter(\.supportsMultiCam)
        guard cameras.count >= 2 else { return [] }
        var sets: [[AVCaptureDevice]] = [[]]
        // The limit avoids an excessive number of sets.
        for camera in cameras.prefix(8) {
            sets += sets.map { $0 + [camera] }.filter { set in
                camera.environment.multiCamera.supports(Set(set.map(\.uniqueID)))
            }
        }
        return sets.filter { $0.count >= 2 }.map { Set($0) }
    }
}
