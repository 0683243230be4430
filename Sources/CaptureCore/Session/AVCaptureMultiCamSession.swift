import CaptureHAL
import Foundation
import MediaTypes

/// Carries media from several cameras or microphones at once.
///
/// Its preset is always `inputPriority`: each camera's format is the client's choice, one whose `isMultiCamSupported` is
/// true where there are several cameras. A camera all of whose connections or ports are disabled rests.
/// - Important: Thread-safe.
public final class AVCaptureMultiCamSession: AVCaptureSession, @unchecked Sendable {
    // SAFETY: has no state of its own.

    /// Whether the machine can run several cameras; always on Linux.
    public class var isMultiCamSupported: Bool { true }

    public override init() {
        super.init()
        state.withLock { $0.configuration.preset = .inputPriority }
    }

    /// How much of what the machine can do the configuration takes; above 1 it cannot start.
    ///
    /// - Note: Unlike Apple, the measure is this library's own: the pixels a second that the cameras' formats can deliver,
    ///   half as much for binned formats, in proportion to two cameras of 1920x1080 at 60 frames a second.
    public override var hardwareCost: Float { cost(\.greatestPixelRate) }

    /// How much of what the machine can do in the long run the configuration takes, by the frame rates in force.
    public var systemPressureCost: Float { cost(\.presentPixelRate) }

    override var isMultiCam: Bool { true }

    private func cost(_ rate: (AVCaptureDeviceInput) -> Double) -> Float {
        let configuration = state.withLock { $0.current }
        let cameras = configuration.deviceInputs.filter { $0.device.hasMediaType(.video) }
        // Each constituent that has connections streams by itself, as fast as the whole.
        let pixelRate = cameras.reduce(0) { sum, input in
            let streams = Set(
                configuration.connections.flatMap(\.inputPorts).filter(input.allPorts.contains).map(\.source))
            return sum + rate(input) * Double(max(1, streams.count))
        }
        return Float(pixelRate / AVCaptureSession.pixelRateBudget)
    }
}

extension AVCaptureSession {
    /// Pixels a second.
    static let pixelRateBudget = 2.0 * 1920 * 1080 * 60
}

extension AVCaptureDeviceInput {
    /// Pixels a second at the format's greatest rate, or at the one to which the input is limited.
    var greatestPixelRate: Double {
        guard let video = device.activeFormat.video else { return 0 }
        let shortest = video.frameDurations.map(\.minimum.seconds).min() ?? 1
        let limit = videoMinFrameDurationOverride
        return video.pixelRate(atDuration: limit.isNumeric ? max(shortest, limit.seconds) : shortest)
    }

    /// Pixels a second at the rate in force.
    var presentPixelRate: Double {
        device.activeFormat.video?.pixelRate(atDuration: device.streamFrameDuration.seconds) ?? 0
    }
}

extension VideoStreamFormat {
    fileprivate func pixelRate(atDuration seconds: Double) -> Double {
        guard seconds > 0 else { return 0 }
        let pixels = Double(dimensions.width) * Double(dimensions.height)
        return pixels / seconds * (isBinned ? 0.5 : 1)
    }
}

extension AVCaptureDevice.Format {
    /// Whether several cameras can run in formats as this one: up to 1920x1440 with 60 frames a second, or binned.
    public var isMultiCamSupported: Bool {
        guard let video, Int(video.dimensions.width) * Int(video.dimensions.height) <= 1920 * 1440 else { return false }
        let fastest = video.frameDurations.map(\.minimum).min() ?? .zero
        return video.isBinned || fastest >= CMTime(value: 1, timescale: 60)
    }
}

extension AVCaptureDevice.DiscoverySession {
    /// The cameras of `devices` that an `AVCaptureMultiCamSession` can run together: each set of two or more.
    public var supportedMultiCamDeviceSets: [Set<AVCaptureDevice>] {
        let cameras = devices.filter { device in
            device.hasMediaType(.video) && device.formats.contains(where: \.isMultiCamSupported)
        }
        guard cameras.count >= 2 else { return [] }
        var sets: [[AVCaptureDevice]] = [[]]
        for camera in cameras.prefix(8) { sets += sets.map { $0 + [camera] } }
        return sets.filter { $0.count >= 2 }.map { Set($0) }
    }
}
