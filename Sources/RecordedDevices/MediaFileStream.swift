import CaptureHAL
import Foundation
import MediaTypes

/// A stream that plays one track of a media file.
///
/// A worker of the clock decodes a few items in advance. A timer delivers each item at its time.
final class MediaFileStream: DeviceStream {
    private let device: MediaFileDevice
    private let state: Lock<State>

    private struct State {
        var configuration: StreamConfiguration
        var playback: Playback?
        /// Whether another stream has replaced this one, or the device was closed.
        var isInvalidated = false
    }

    init(_ device: MediaFileDevice, _ configuration: StreamConfiguration) {
        self.device = device
        state = Lock(State(configuration: configuration), order: .stream)
    }

    deinit { stop() }

    var configuration: StreamConfiguration { state.withLock { $0.configuration } }

    var isRunning: Bool { state.withLock { $0.playback?.isOver == false } }

    /// Prevents further starts, because another stream has replaced this one or the device was closed.
    func invalidate() { state.withLock { $0.isInvalidated = true } }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        let configuration = configuration
        let decoder = try makeDecoder(configuration)
        let playback = Playback(device, decoder, receiver)
        let cannotStart = state.withLock { state in
            if state.playback?.isOver == false || state.isInvalidated { return true }
            state.playback = playback
            return false
        }
        guard !cannotStart else {
            throw DeviceError(
                .invalidState, device: device.descriptor.uniqueID,
                "the stream of \(device.source.fileName) is already running, was replaced, or its device is closed"
            )
        }
        playback.begin()
    }

    func stop() {
        let playback = state.withLock { state in
            defer { state.playback = nil }
            return state.playback
        }
        playback?.stop()
    }

    /// Sets the frame duration of a still image. Frames of a movie keep the timestamps of the file.
    func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        let failure: DeviceError? = state.withLock { state in
            guard case .video(let format) = state.configuration.format, format.supports(frameDuration: duration) else {
                return Self.unsupported(duration, of: device)
            }
            guard !device.source.isStill || state.playback?.isOver != false else {
                return DeviceError(
                    .invalidState, device: device.descriptor.uniqueID,
                    "the frame duration of a still image can only be set while its stream is stopped")
            }
            state.configuration.frameDuration = duration
            return nil
        }
        if let failure { throw failure }
    }

    static func unsupported(_ duration: CMTime, of device: MediaFileDevice) -> DeviceError {
        let range = device.source.frameDurations
        return DeviceError(
            .unsupportedFormat, device: device.descriptor.uniqueID,
            "\(device.descriptor.localizedName) does not support a frame duration of \(duration.seconds) s: "
                + "it supports \(range.minimum.seconds) to \(range.maximum.seconds) s")
    }

    private func makeDecoder(_ configuration: StreamConfiguration) throws(DeviceError) -> any RecordedItemDecoder {
        switch (device.role, configuration.format) {
        case (.camera(let track), .video) where device.source.isStill:
            return try StillItems(device.source, track, configuration)
        case (.camera(let track), .video):
            return try VideoItems(device.source, track, configuration)
        case (.microphone(let track), .audio(let format)):
            return try AudioItems(device.source, track, format, chunkDuration: configuration.frameDuration)
        case (.camera, .audio), (.microphone, .video):
            throw DeviceError(
                .unsupportedFormat, device: device.descriptor.uniqueID, "the format belongs to another medium")
        }
    }
}
