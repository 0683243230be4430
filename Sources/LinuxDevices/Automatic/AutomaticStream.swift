import CaptureHAL
import MediaTypes
import ThreeA

/// A stream that also passes its frames to the automatic loops. A stream that is released stops.
final class AutomaticStream: DeviceStream {
    private let base: any DeviceStream
    private let engine: AutomaticEngine
    /// Whether `start` was called since the last `stop`.
    private let isStarted = Lock(false)

    init(_ base: any DeviceStream, _ engine: AutomaticEngine) {
        (self.base, self.engine) = (base, engine)
    }

    deinit { stop() }

    var configuration: StreamConfiguration { base.configuration }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        // Before the start, because the receiver can stop the stream at once.
        let wasStarted = isStarted.withLock { isStarted in
            defer { isStarted = true }
            return isStarted
        }
        do throws(DeviceError) {
            try base.start(StreamMeter(engine, receiver))
        } catch {
            isStarted.withLock { $0 = wasStarted }
            throw error
        }
    }

    func stop() {
        base.stop()
        let wasStarted = isStarted.withLock { isStarted in
            defer { isStarted = false }
            return isStarted
        }
        // The engine may already measure another stream of the device.
        if wasStarted { engine.streamEnded() }
    }

    func setFrameDuration(_ duration: CMTime) throws(DeviceError) { try base.setFrameDuration(duration) }
}

/// A receiver that measures the frames of one run of a stream after the client has received them.
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
            // Measuring must not delay the client.
            receiver.receive(event)
            measure(frame)
        case .failed, .ended:
            engine.streamEnded()
            receiver.receive(event)
        case .audio, .dropped: receiver.receive(event)
        }
    }

    /// Measures a frame if the automatic loops need it.
    private func measure(_ frame: VideoFrame) {
        let seconds = frame.duration.isNumeric && frame.duration > .zero ? frame.duration.seconds : 1.0 / 30
        guard let measurement = engine.frameReceived(seconds), case .pixels(let pixels) = frame.payload,
            meter.measure(
                pixels, color: measurement.color, focus: measurement.focus.map(MeteringRegion.focusWindow),
                into: &statistics)
        else { return }
        engine.process(statistics, seconds)
    }
}
