import CaptureHAL
import MediaTypes
import ThreeA

/// A stream that passes its frames to the automatic loops, too.
final class AutomaticStream: DeviceStream {
    private let base: any DeviceStream
    private let engine: AutomaticEngine

    init(_ base: any DeviceStream, _ engine: AutomaticEngine) {
        (self.base, self.engine) = (base, engine)
    }

    var configuration: StreamConfiguration { base.configuration }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        try base.start(StreamMeter(engine, receiver))
    }

    func stop() {
        base.stop()
        engine.streamChanged()
    }

    func setFrameDuration(_ duration: CMTime) throws(DeviceError) { try base.setFrameDuration(duration) }
}

/// Measures the frames of one run of a stream after delivery to the client.
private final class StreamMeter: StreamReceiver, @unchecked Sendable {
    // SAFETY: a stream's events never overlap.
    private var statistics = FrameStatistics()
    private let meter = FrameMeter()
    private let engine: AutomaticEngine
    private let receiver: any StreamReceiver

    init(_ engine: AutomaticEngine, _ receiver: any StreamReceiver) {
        (self.engine, self.receiver) = (engine, receiver)
    }

    func receive(_ event: StreamEvent) {
        switch event {
        case .video(let frame):
            // The client first: measuring must not delay it.
            receiver.receive(event)
            measure(frame)
        case .failed, .ended:
            engine.streamChanged()
            receiver.receive(event)
        case .audio, .dropped: receiver.receive(event)
        }
    }

    /// Measures a frame for the automatic loops if they want one.
    private func measure(_ frame: VideoFrame) {
        let seconds = frame.duration.isNumeric && frame.duration > .zero ? frame.duration.seconds : 1.0 / 30
        guard let measure = engine.frameCame(seconds), case .pixels(let picture) = frame.payload,
            meter.measure(picture, color: measure.color, focus: measure.focus, into: &statistics)
        else { return }
        engine.answer(statistics, seconds)
    }
}
