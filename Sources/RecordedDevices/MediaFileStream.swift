import CaptureHAL
import Foundation
import MediaTypes

/// A stream that plays one track of a media file.
///
/// A worker of the clock decodes a few items in advance. A timer delivers each item at its time.
final class MediaFileStream: ReplaceableStream {
    let lifeCycle: StreamLifeCycle
    private let device: MediaFileDevice
    private let state: Lock<State>

    private struct State {
        var configuration: StreamConfiguration
        /// The run in progress, and runs that have ended but were not cancelled yet.
        var fileRuns: [MediaFileRun] = []
    }

    init(_ device: MediaFileDevice, _ configuration: StreamConfiguration) {
        self.device = device
        lifeCycle = StreamLifeCycle(device: device.descriptor.uniqueID, clock: device.clock)
        state = Lock(State(configuration: configuration), order: .stream)
    }

    deinit { stop() }

    var configuration: StreamConfiguration { state.withLock { $0.configuration } }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        let configuration = configuration
        let decoder = try makeDecoder(configuration)
        let fileRun = MediaFileRun(device, decoder, lifeCycle: lifeCycle, run: try lifeCycle.start(receiver))
        state.withLock { $0.fileRuns.append(fileRun) }
        // Another thread may have ended the previous run and not cancelled it yet. It must leave the timeline first.
        cancelEndedRuns()
        fileRun.begin()
    }

    func stop() {
        lifeCycle.stop()
        cancelEndedRuns()
    }

    private func cancelEndedRuns() {
        let ended = state.withLock { state in
            let count = state.fileRuns.partition(by: \.isOver)
            defer { state.fileRuns.removeSubrange(count...) }
            return state.fileRuns[count...]
        }
        for fileRun in ended { fileRun.cancel() }
    }

    /// Sets the frame duration of a still image. Frames of a movie keep the timestamps of the file.
    func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        let failure: DeviceError? = state.withLock { state in
            guard case .video(let format) = state.configuration.format, format.supports(frameDuration: duration) else {
                return Self.unsupported(duration, of: device)
            }
            guard !device.source.isStill || !isRunning else {
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
            return try StillItemDecoder(device.source, track, configuration)
        case (.camera(let track), .video):
            return try VideoItemDecoder(device.source, track, configuration)
        case (.microphone(let track), .audio(let format)):
            return try AudioItemDecoder(device.source, track, format, chunkDuration: configuration.frameDuration)
        case (.camera, .audio), (.microphone, .video):
            throw DeviceError(
                .unsupportedFormat, device: device.descriptor.uniqueID, "the format belongs to another medium")
        }
    }
}
