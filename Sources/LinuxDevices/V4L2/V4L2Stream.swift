import CaptureHAL
import Glibc
import MediaTypes

/// A stream of frames from a V4L2 camera.
///
/// The pixels of a frame stay in the driver's memory, unless they must be converted: the release of the last reference
/// queues the buffer again. Compressed and converted frames are copies. If clients retain all buffers, the driver loses
/// frames, which are reported before the next frame with the reason `.outOfBuffers`. A stream that is released stops.
final class V4L2Stream: ReplaceableStream {
    let configuration: StreamConfiguration
    private let capture: V4L2Capture
    private let runner: StreamRunner

    init(
        _ node: V4L2Node, type: UInt32, entry: V4L2FormatList.Entry, configuration: StreamConfiguration,
        device: String, clock: any CaptureClock, controls: V4L2Controls
    ) throws(DeviceError) {
        self.configuration = configuration
        capture = try V4L2Capture(
            node, type: type, entry: entry, configuration: configuration, device: device, clock: clock,
            controls: controls)
        runner = StreamRunner(capture, clock: clock, threadName: "v4l2 capture")
    }

    deinit { close() }

    var lifeCycle: StreamLifeCycle { runner.lifeCycle }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        try runner.start(receiver)
    }

    func stop() { runner.stop() }

    func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        guard case .video(let format) = configuration.format, format.supports(frameDuration: duration) else {
            throw DeviceError(
                .unsupportedFormat, device: capture.device,
                "the format does not support a frame duration of \(duration.seconds) s")
        }
        do {
            try capture.setFrameDuration(duration)
        } catch {
            if error.number == EBUSY {
                throw DeviceError(
                    .invalidState, device: capture.device,
                    "the driver can change the frame rate only while the stream is stopped; stop it first")
            }
            throw DeviceError(error, device: capture.device, "the frame rate could not be set")
        }
    }

    /// Stops and frees the driver's buffers; frames in use stay valid.
    func close() { runner.close() }
}
