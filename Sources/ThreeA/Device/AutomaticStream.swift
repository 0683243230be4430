import CaptureHAL
import MediaTypes

/// A stream whose frames the loops see.
final class AutomaticStream: DeviceStream {
    private let base: any DeviceStream
    private let engine: AutomaticEngine

    init(_ base: any DeviceStream, _ engine: AutomaticEngine) {
        (self.base, self.engine) = (base, engine)
    }

    var configuration: StreamConfiguration { base.configuration }

    func start(_ receive: @escaping @Sendable (StreamEvent) -> Void) throws(DeviceError) {
        let meter = StreamMeter(engine)
        try base.start { [engine] event in
            switch event {
            case .video(let frame):
                // The client first: measuring must not delay it.
                receive(event)
                meter.measure(frame)
            case .failed, .ended:
                engine.streamChanged()
                receive(event)
            case .audio, .dropped: receive(event)
            }
        }
    }

    func stop() {
        base.stop()
        engine.streamChanged()
    }

    func setFrameDuration(_ duration: CMTime) throws(DeviceError) { try base.setFrameDuration(duration) }
}

/// Measures the frames of one run of a stream.
private final class StreamMeter: @unchecked Sendable {
    // SAFETY: used from one delivery at a time; a stream's events never overlap.
    private var statistics = FrameStatistics()
    private let meter = FrameMeter()
    private let engine: AutomaticEngine

    init(_ engine: AutomaticEngine) { self.engine = engine }

    func measure(_ frame: VideoFrame) {
        let seconds = frame.duration.isNumeric && frame.duration > .zero ? frame.duration.seconds : 1.0 / 30
        guard let measure = engine.frameCame(seconds), case .pixels(let picture) = frame.payload,
            meter.measure(picture, color: measure.color, focus: measure.focus, into: &statistics)
        else { return }
        engine.answer(statistics, seconds)
    }
}
