import AVFoundation

/// Shows the levels of a session's microphone.
public final class LevelMeter {
    /// The level of one channel in decibels; 0 is the maximum.
    public struct Level: Equatable, Sendable {
        public let average: Float
        public let peakHold: Float
    }

    /// The output; add it to the session.
    public let output = AVCaptureAudioDataOutput()
    private var timer: Timer?

    /// Creates a meter that is not started.
    public init() {}

    deinit { timer?.invalidate() }

    /// Calls `show` ten times a second on the main thread. Levels are polled, because they cannot be observed.
    public func start(_ show: @escaping @Sendable ([Level]) -> Void) {
        timer = Timer.scheduledTimer(withTimeInterval: 0.1, repeats: true) { [output] _ in
            let channels = output.connections.first?.audioChannels ?? []
            show(channels.map { Level(average: $0.averagePowerLevel, peakHold: $0.peakHoldLevel) })
        }
    }

    /// Stops the meter.
    public func stop() {
        timer?.invalidate()
        timer = nil
    }
}
